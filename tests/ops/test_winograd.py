"""3x3 convolutions made of fewer products: as near to the truth as a direct sum in float32, or nearly."""

import pathlib

import numpy as np
import pytest
import torch
from conftest import Compiler
from library import Library
from torch import nn


class _Block(nn.Module):
    """What stands around convolutions: an activation before, a residual, a second reader."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = self.convolution(torch.relu(x))
        return torch.relu(y + x), y.mean((2, 3))


def conv(channels: int, columns: int, padding: int | tuple[int, int] = 1, bias: bool = True) -> nn.Module:
    return nn.Conv2d(channels, columns, 3, padding=padding, bias=bias)


CASES = {
    "4x4 outputs": (conv(64, 64), (1, 64, 56, 56)),
    "2x2 outputs": (conv(512, 512), (1, 512, 7, 7)),
    "odd sizes": (conv(33, 70), (2, 33, 19, 13)),
    "one tile a row": (conv(32, 48), (3, 32, 30, 3)),
    "no padding": (conv(48, 32, 0), (1, 48, 21, 18)),
    "other paddings": (conv(40, 36, (2, 0), bias=False), (2, 40, 17, 23)),
    "many rows": (conv(16, 32), (1, 16, 200, 97)),
    "residual": (_Block(64), (2, 64, 15, 15)),
}


def truth(module: nn.Module, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    module = module.double()
    wanted = module(x.double())
    module.float()
    return wanted if isinstance(wanted, tuple) else (wanted,)


def check(library: Library, module: nn.Module, x: torch.Tensor) -> None:
    wanted = truth(module, x)
    for got, want in zip(library.run(x.numpy(), outputs=len(wanted)), wanted, strict=True):
        # Five roundings' worth of the largest answer; a wrong tile or tap is off by all of it.
        np.testing.assert_allclose(got, want.numpy(), rtol=0, atol=5e-6 * float(want.abs().max()))


def export(module: nn.Module, x: torch.Tensor, path: pathlib.Path, **options: object) -> None:
    torch.export.save(torch.export.export(module.requires_grad_(False).eval(), (x,), **options), path)


@pytest.mark.parametrize("target", ["native", "x86-64-v3"])
@pytest.mark.parametrize("name", CASES)
def test_agrees(name: str, target: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    module, shape = CASES[name]
    x, model = torch.randn(shape), tmp_path / "model.pt2"
    export(module, x, model)
    assert " winograd(" in compiler.run("compile", model, "--emit=loop", "--target", target).stdout
    compiler.compile(model, tmp_path / "model.so", target)
    library = Library(tmp_path / "model.so")
    check(library, module, x)
    library.close()


def test_sizes_known_at_run_time(compiler: Compiler, tmp_path: pathlib.Path) -> None:
    module, dim, model = _Block(32), torch.export.Dim, tmp_path / "model.pt2"
    sizes = {0: dim("n", min=1, max=64), 2: dim("h", min=3, max=300), 3: dim("w", min=3, max=300)}
    export(module, torch.randn(2, 32, 20, 24), model, dynamic_shapes=(sizes,))
    assert " winograd(" in compiler.run("compile", model, "--emit=loop").stdout
    compiler.compile(model, tmp_path / "model.so")
    library = Library(tmp_path / "model.so")
    for shape in [(1, 32, 3, 3), (1, 32, 4, 5), (5, 32, 33, 8), (1, 32, 150, 71), (64, 32, 7, 7)]:
        check(library, module, torch.randn(shape))
    library.close()


def test_levels(compiler: Compiler, tmp_path: pathlib.Path) -> None:
    """-O0 is a kernel an op, -O1 fuses, -O2 transforms; all agree."""
    module, shape = CASES["residual"]
    x, model = torch.randn(shape), tmp_path / "model.pt2"
    export(module, x, model)
    kernels = []
    for level in range(3):
        loops = compiler.run("compile", model, "--emit=loop", f"-O{level}").stdout
        kernels.append(loops.count("loop.kernel"))
        assert (" winograd(" in loops) == (level == 2)
        done = compiler.run("compile", model, "-q", f"-O{level}", "-o", tmp_path / f"{level}.so")
        assert done.returncode == 0, done.stderr
        library = Library(tmp_path / f"{level}.so")
        check(library, module, x)
        library.close()
    assert kernels[0] > kernels[1] >= kernels[2]


def test_exact_forbids_it(compiler: Compiler, tmp_path: pathlib.Path) -> None:
    module, shape = CASES["4x4 outputs"]
    export(module, torch.randn(shape), tmp_path / "model.pt2")
    loops = compiler.run("compile", tmp_path / "model.pt2", "--emit=loop", "--exact").stdout
    assert " contraction(" in loops and "winograd" not in loops
