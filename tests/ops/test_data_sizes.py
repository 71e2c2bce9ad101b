"""Results whose size only the data tells: one library at several sizes and several data."""

from collections.abc import Callable
import pathlib

import numpy as np
import pytest
import torch
from case import Of
from conftest import Compiler
from library import Library


def assign(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    y[x > 0] = x[x > 0] * 2
    return y


def assign_rows(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    y[x[:, 0] > 0] = torch.tensor(3.0)
    return y


def counted(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    n = (x[:, 0] > 0).sum().item()
    torch._check(n >= 0)
    torch._check(n <= 50)
    return torch.arange(n), torch.zeros(n, 3) + n, n * x


def detections(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """As a detector's head ends: rows above a threshold, the best first."""
    rows = x[x[:, 0] > 0]
    return rows, rows[:, 1:] - rows[:, :1], rows.sum(0), rows @ rows.new_ones(rows.shape[1], 2)


# With one size or with dynamic ones.
FUNCTIONS: dict[str, tuple[Callable[[torch.Tensor], object], bool]] = {
    "nonzero": (lambda x: torch.nonzero(x > 0), True),
    "nonzero_of_floats": (lambda x: torch.nonzero(x.relu()), False),
    "where": (lambda x: torch.where(x > 0), True),
    "index": (lambda x: x[x > 0], True),
    "index_rows": (lambda x: x[x[:, 0] > 0], True),
    "index_columns": (lambda x: x[:, x[0] > 0], False),
    "index_and_integers": (lambda x: x.reshape(-1, 2, 3)[x[:, 0] > 0, 1], False),
    "masked_select": (lambda x: torch.masked_select(x, x[:1] > 0), True),
    "reduced": (lambda x: x[x > 0].sum(), True),
    "softmax": (lambda x: torch.softmax(x[x > 0], 0), False),
    "detections": (detections, True),
    "twice": (lambda x: (x[x > 0], x[x < -1] * 2), True),
    "of_each_other": (lambda x: x[x > 0][x[x > 0] < 1], False),
    "assign": (assign, False),
    "assign_rows": (assign_rows, True),
    "unique": (lambda x: torch.unique((x * 2).long()), False),
    "unique_with_inverse": (lambda x: torch.unique((x * 2).long(), return_inverse=True), False),
    "unique_with_counts": (lambda x: torch.unique((x * 2).long(), return_counts=True), False),
    "item_as_size": (counted, False),
    "resize": (lambda x: x.clone().resize_(2, 3) * 2, False),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_agrees(name: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    function, is_dynamic = FUNCTIONS[name]
    shapes = [(8, 6)] * 4
    dynamic = None
    if is_dynamic:
        dynamic = ({0: torch.export.Dim("rows", min=2, max=100), 1: torch.export.Dim("columns", min=3, max=40)},)
        shapes += [(2, 3), (100, 7)]
    torch.export.save(torch.export.export(Of(function), (torch.randn(8, 6),), dynamic_shapes=dynamic), tmp_path / "model.pt2")
    compiler.compile(tmp_path / "model.pt2", tmp_path / "model.so")
    library = Library(tmp_path / "model.so")
    for number, shape in enumerate(shapes):
        # All, none and some are taken.
        x = [torch.rand(shape) + 0.1, -torch.rand(shape) - 0.1, torch.randn(shape)][min(number, 2)]
        wanted = function(x)
        wanted = list(wanted) if isinstance(wanted, tuple) else [wanted]
        for got, want in zip(library.run(x.numpy(), outputs=len(wanted)), wanted, strict=True):
            assert got.shape == tuple(want.shape)
            np.testing.assert_allclose(got, want.numpy(), rtol=1e-5, atol=1e-5)
    library.close()
