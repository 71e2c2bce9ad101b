"""Every recorded op, exported alone, compiled, run and compared with eager."""

import pathlib

import numpy as np
import pytest
import torch
from conftest import Compiler

from case import CASES, Case
import backward_cases  # noqa: F401
import complex_cases  # noqa: F401
import indexing_cases  # noqa: F401
import pointwise_cases  # noqa: F401
import reduction_cases  # noqa: F401
import shape_cases  # noqa: F401
import structured_cases  # noqa: F401


def to_numpy(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().resolve_conj().contiguous().numpy()


def assert_agrees(case: Case, got: np.ndarray, want: np.ndarray) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype
    if case.random or want.size == 0:
        return
    if want.dtype.kind == "c":
        got, want = (np.stack([array.real, array.imag]) for array in (got, want))
    if want.dtype.kind != "f":
        np.testing.assert_array_equal(got, want)
        return
    got, want = got.astype(np.float64), want.astype(np.float64)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    np.testing.assert_array_equal(np.where(np.isinf(want), want, 0), np.where(np.isinf(got), got, 0))
    finite = np.isfinite(want)
    largest = max(1.0, np.abs(want[finite]).max(initial=0))
    assert np.abs(got[finite] - want[finite]).max(initial=0) <= case.tolerance * largest


def check(case: Case, compiler: Compiler, folder: pathlib.Path) -> None:
    module = case.module()
    expected = [to_numpy(tensor) for tensor in module(*case.inputs)]
    program = torch.export.export(module, case.inputs)
    target = case.op.replace("::", ".") if "::" in case.op else f"aten.{case.op}"
    assert any(str(node.target) == target for node in program.graph.nodes), program.graph
    torch.export.save(program, folder / "op.pt2")
    compiler.compile(folder / "op.pt2", folder / "op.so")
    files = []
    for number, tensor in enumerate(case.inputs):
        files.append(folder / f"in{number}.npy")
        np.save(files[-1], to_numpy(tensor))
    outputs = compiler.outputs(folder / "op.so", files, folder / "out")
    assert len(outputs) == len(expected)
    for got, want in zip(outputs, expected):
        assert_agrees(case, got, want)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.op)
def test_agrees_with_eager(case: Case, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    check(case, compiler, tmp_path)


# Not tensors to tensors: test_symbols.py has them.
NOT_OPS = {"sym_size.int", "sym_stride.int", "sym_numel.default", "sym_storage_offset.default", "_local_scalar_dense.default",
           "sym_is_contiguous.default"}


def core_overloads() -> set[str]:
    names = set()
    for full in torch._C._dispatch_get_all_op_names():
        library, _, name = full.partition("::")
        packet, _, overload = name.partition(".")
        if library == "aten" and torch.Tag.core in getattr(getattr(torch.ops.aten, packet), overload or "default").tags:
            names.add(f"{packet}.{overload or 'default'}")
    return names


def test_covers_the_core_overloads() -> None:
    covered = {case.op for case in CASES}
    assert core_overloads() - covered == NOT_OPS
