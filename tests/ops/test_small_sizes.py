"""Sizes 0 and 1 of dims exported without a range: export notes "at least 2", torch runs them all the same."""

import pathlib

import numpy as np
import pytest
import torch
from conftest import Compiler
from library import Library


class _Sequence(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.head = torch.nn.Linear(16, 3)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = self.attention(x)
        return self.head(x), x.amax(-1), torch.cat([x, x], 0), x.flatten(0, 1)


class _Image(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(3, 8, 3, padding=1, stride=2)
        self.second = torch.nn.Conv2d(8, 8, 3, padding=1, groups=8)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = torch.relu(self.second(self.first(x)))
        return x, torch.nn.functional.max_pool2d(x, 2).mean((2, 3)).softmax(-1)


MODELS: dict[str, tuple[type[torch.nn.Module], tuple[int, ...], list[int]]] = {
    "sequence": (_Sequence, (4, 5, 16), [0, 1]),
    "image": (_Image, (4, 3, 16, 16), [0]),
}


@pytest.mark.parametrize("dim", [torch.export.Dim.AUTO, torch.export.Dim.DYNAMIC], ids=["auto", "dynamic"])
@pytest.mark.parametrize("name", MODELS)
def test_agrees(name: str, dim: torch.export.dynamic_shapes._DimHint, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    make, shape, dims = MODELS[name]
    module = make().requires_grad_(False).eval()
    program = torch.export.export(module, (torch.randn(shape),), dynamic_shapes=({d: dim for d in dims},))
    torch.export.save(program, tmp_path / "model.pt2")
    compiler.compile(tmp_path / "model.pt2", tmp_path / "model.so")
    library = Library(tmp_path / "model.so")
    for d in dims:
        for size in (0, 1, 7):
            x = torch.randn(*shape[:d], size, *shape[d + 1 :])
            wanted = module(x)
            for got, want in zip(library.run(x.numpy(), outputs=len(wanted)), wanted, strict=True):
                assert got.shape == tuple(want.shape)
                np.testing.assert_allclose(got, want.numpy(), rtol=1e-4, atol=1e-5)
    library.close()
