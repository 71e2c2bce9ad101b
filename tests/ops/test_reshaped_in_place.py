"""Ops that give a tensor another shape in place: its name, its views and their writes."""

from collections.abc import Callable
import pathlib

import numpy as np
import pytest
import torch
from case import Of
from conftest import Compiler
from library import Library


def renamed(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    y.unsqueeze_(1)
    return y + y.squeeze(1)


def written_by_a_view(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    row = y[0]
    y.unsqueeze_(0)
    row.add_(1)
    return y * 2


def written_after(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    first = y[:, 0]
    y.transpose_(0, 1)
    y[0].mul_(3)
    return first + y[0]


FUNCTIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "unsqueeze": renamed,
    "squeeze": lambda x: x.clone().unsqueeze(0).squeeze_() + 1,
    "squeeze.dim": lambda x: x.clone().unsqueeze(0).squeeze_(0) + 1,
    "squeeze.dims": lambda x: torch.ops.aten.squeeze_.dims(x.clone().unsqueeze(0), [0, 1]) + 1,
    "transpose": lambda x: x.clone().transpose_(0, 1) + 1,
    "swapdims": lambda x: x.clone().swapdims_(0, -1) + 1,
    "swapaxes": lambda x: x.clone().swapaxes_(0, -1) + 1,
    "t": lambda x: x.clone().t_() @ x,
    "written_by_a_view": written_by_a_view,
    "written_after": written_after,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_agrees(name: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    x = torch.randn(4, 6)
    torch.export.save(torch.export.export(Of(FUNCTIONS[name]), (x,)), tmp_path / "model.pt2")
    compiler.compile(tmp_path / "model.pt2", tmp_path / "model.so")
    library = Library(tmp_path / "model.so")
    want = FUNCTIONS[name](x)
    got = library.run(x.numpy())[0]
    assert got.shape == tuple(want.shape)
    np.testing.assert_allclose(got, want.numpy(), rtol=1e-5, atol=1e-5)
    library.close()
