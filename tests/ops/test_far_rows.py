"""Products whose first operand has rows a multiple of 4096 bytes apart: the compiler copies such rows."""

import pathlib

import numpy as np
import pytest
import torch
from conftest import Compiler
from library import Library


class _Product(torch.nn.Module):
    def __init__(self, length: int, columns: int) -> None:
        super().__init__()
        self.length = length
        self.weight = torch.nn.Parameter(torch.randn(length, columns))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x[..., : self.length] @ self.weight)


# Shape of x and what of its last dim is multiplied: whole, a rest that isn't a register, two and
# more chunks, the last of them short; few and many rows, batches.
CASES = [((20, 512), 512), ((29, 1024), 1000), ((20, 1024), 1024), ((16, 2048), 1500), ((3, 40, 2048), 2048), ((150, 1024), 777)]


@pytest.mark.parametrize("target", ["native", "x86-64-v3"])
@pytest.mark.parametrize(("shape", "length"), CASES)
def test_agrees(shape: tuple[int, ...], length: int, target: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    module = _Product(length, 70).requires_grad_(False)
    x = torch.randn(shape)
    torch.export.save(torch.export.export(module, (x,)), tmp_path / "model.pt2")
    compiler.compile(tmp_path / "model.pt2", tmp_path / "model.so", target)
    library = Library(tmp_path / "model.so")
    np.testing.assert_allclose(library.run(x.numpy())[0], module(x).numpy(), rtol=1e-4, atol=2e-4)
    library.close()
