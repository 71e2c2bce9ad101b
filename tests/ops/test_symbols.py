"""Ops on sizes, and numbers read from tensors, in models of dynamic shapes."""

from collections.abc import Callable
import pathlib

import numpy as np
import pytest
import torch
from case import Of
from conftest import Compiler
from library import Library

aten = torch.ops.aten


# The function, and the ops that must be in the exported graph.
FUNCTIONS: dict[str, tuple[Callable[[torch.Tensor], torch.Tensor], set[str]]] = {
    "size": (lambda x: x * x.shape[0] + x.size(1), {"aten.sym_size.int"}),
    "size_as_shape": (lambda x: x.new_zeros(x.shape[0] + 1, 2 * x.shape[1]), {"aten.sym_size.int"}),
    "size_arithmetic": (lambda x: x[:-1] / (x.shape[1] - 1) + x.shape[0] // 2, {"aten.sym_size.int"}),
    "numel": (lambda x: x / x.numel(), {"aten.sym_numel.default"}),
    "stride": (lambda x: x + aten.sym_stride.int(x, 0), set()),
    "storage_offset": (lambda x: x + aten.sym_storage_offset.default(x[:, 1:]), set()),
    "is_contiguous": (lambda x: x + 1 if aten.sym_is_contiguous.default(x) else x, set()),
    "adaptive_average": (lambda x: torch.nn.functional.adaptive_avg_pool2d(x[None], (2, 3)), {"aten.adaptive_avg_pool2d.default"}),
    "adaptive_maximum": (lambda x: torch.nn.functional.adaptive_max_pool2d(x[None], (2, 3)), {"aten.adaptive_max_pool2d.default"}),
    "adaptive_maximum_indices": (lambda x: torch.nn.functional.adaptive_max_pool1d(x, 3, return_indices=True)[1] * 1.0,
                                 {"aten.adaptive_max_pool1d.default"}),
    "item": (lambda x: x * x.sum().item(), {"aten.item.default"}),
    "local_scalar_dense": (lambda x: x - aten._local_scalar_dense.default(x.max()), {"aten._local_scalar_dense.default"}),
    "item_of_integers": (lambda x: x + (x > 0).sum().item(), {"aten.item.default"}),
    "item_arithmetic": (lambda x: x * (x.sum().item() * 2 + 1), {"aten.item.default"}),
    "item_as_fill": (lambda x: torch.full((x.shape[0], 3), x.max().item()), {"aten.item.default"}),
    "item_as_bound": (lambda x: torch.clamp(x, max=x.mean().item()), {"aten.item.default"}),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_agrees_at_several_sizes(name: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    function, ops = FUNCTIONS[name]
    rows, columns = torch.export.Dim("rows", min=3, max=100), torch.export.Dim("columns", min=3, max=200)
    program = torch.export.export(Of(function), (torch.randn(4, 16),), dynamic_shapes=({0: rows, 1: columns},))
    assert ops <= {str(node.target) for node in program.graph.nodes}, program.graph
    torch.export.save(program, tmp_path / "model.pt2")
    compiler.compile(tmp_path / "model.pt2", tmp_path / "model.so")
    library = Library(tmp_path / "model.so")
    for shape in [(4, 16), (3, 3), (7, 33), (100, 5)]:
        x = torch.randn(shape)
        np.testing.assert_allclose(library.run(x.numpy())[0], function(x).numpy(), rtol=1e-5, atol=1e-5)
    library.close()


# Of x [3, rows, columns, 16], any of which may be without elements.
EMPTY: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "flat_padded": lambda x: torch.nn.functional.pad((x.abs() + 1).reciprocal().reshape(-1), (1, 0)),
    "flat_joined": lambda x: torch.cat([torch.ones(2), x.exp().reshape(-1)]),
    "merged_dims_padded": lambda x: torch.nn.functional.pad(x.exp().reshape(3, -1, 16), (0, 1, 2, 0), value=3.0),
    "sum": lambda x: x.sum((1, 2)),
    "mean": lambda x: x.mean((0, 1)),
    "softmax": lambda x: x.softmax(1) + x.shape[1],
    "product_of_nothing": lambda x: x.transpose(1, 3) @ x.transpose(1, 3).mT,
    "all": lambda x: (x > 0).all() * 1.0,
}


@pytest.mark.parametrize("name", EMPTY)
def test_agrees_without_elements(name: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    rows, columns = torch.export.Dim("rows", min=0, max=64), torch.export.Dim("columns", min=0, max=64)
    module = Of(EMPTY[name])
    program = torch.export.export(module, (torch.randn(3, 4, 5, 16),), dynamic_shapes=({1: rows, 2: columns},))
    torch.export.save(program, tmp_path / "model.pt2")
    compiler.compile(tmp_path / "model.pt2", tmp_path / "model.so")
    library = Library(tmp_path / "model.so")
    for shape in [(4, 5), (0, 7), (7, 0), (0, 0), (1, 1)]:
        x = torch.randn(3, *shape, 16)
        np.testing.assert_allclose(library.run(x.numpy())[0], module(x).numpy(), rtol=1e-5, atol=1e-5)
    library.close()
