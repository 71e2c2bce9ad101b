"""Rows that end in a vector of a single lane, windows that lie in the padding, attention without rows or with a value's width of 1."""

from collections.abc import Callable
import pathlib

import numpy as np
import pytest
import torch
from conftest import Compiler
from library import Library

_f32, _f64 = torch.float32, torch.float64


class _Module(torch.nn.Module):
    def __init__(self, function: Callable[..., torch.Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        return self.function(*inputs)


def _attention(heads: int, groups: int, queries: int, depth: int, width: int, dtype: torch.dtype, causal: bool) -> tuple[Callable[..., torch.Tensor], list[torch.Tensor]]:
    q = torch.randn(2, heads, queries, depth, dtype=dtype)
    k, v = torch.randn(2, groups, 9, depth, dtype=dtype), torch.randn(2, groups, 9, width, dtype=dtype)

    def function(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=heads != groups)

    return function, [q, k, v]


def _cut(columns: int, dtype: torch.dtype) -> tuple[Callable[..., torch.Tensor], list[torch.Tensor]]:
    # All that the narrow dtype can hold, in an order that no store makes by chance.
    x = torch.randperm(8 * columns).remainder(120).float().reshape(8, columns)
    return lambda x: torch.cat([x.to(dtype), x.to(dtype), (x + 1).to(dtype)]), [x]


CASES = {
    "a value's width of 1": _attention(6, 6, 5, 4, 1, _f32, False),
    "a value's width of 1, shared heads": _attention(6, 2, 5, 4, 1, _f32, False),
    "a value's width of 1, float64": _attention(6, 2, 5, 4, 1, _f64, False),
    "shared heads, causal, depth 1, float64": _attention(9, 1, 1, 1, 5, _f64, True),
    "shared heads, causal, float64": _attention(6, 2, 7, 4, 3, _f64, True),
    "no queries": _attention(6, 2, 0, 4, 3, _f32, False),
    **{f"{dtype} rows of {columns}": _cut(columns, dtype) for columns in (17, 33, 65) for dtype in (torch.uint8, torch.int16)},
    "windows in the padding": (
        lambda x: torch.nn.functional.max_pool2d(x, 2, 1, 1, 2).permute(2, 3, 1, 0), [torch.randn(9, 2, 1, 9)]
    ),
    "windows in the padding, channels last": (
        lambda x: torch.nn.functional.max_pool2d(x.permute(0, 3, 1, 2), (2, 3), 1, 1, 2), [torch.randn(2, 1, 9, 40)]
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_agrees(name: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    function, inputs = CASES[name]
    module = _Module(function)
    torch.export.save(torch.export.export(module, tuple(inputs)), tmp_path / "model.pt2")
    compiler.compile(tmp_path / "model.pt2", tmp_path / "model.so")
    library = Library(tmp_path / "model.so")
    (got,) = library.run(*[x.numpy() for x in inputs], outputs=1)
    want = module(*inputs)
    assert got.shape == tuple(want.shape)
    np.testing.assert_allclose(got, want.numpy(), rtol=1e-5, atol=1e-6)
    library.close()

