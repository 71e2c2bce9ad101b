"""The cases in int64 and bool, where eager takes those: many in one model, to be quick."""

from __future__ import annotations

import collections
import dataclasses
import pathlib
import warnings

import numpy as np
import pytest
import torch
from conftest import Compiler
from torch.utils import _pytree as pytree

from case import CASES, Case
from test_ops import assert_agrees, to_numpy

# Cases of an op that are tried, and cases in one model.
PER_OP = 3
PER_MODEL = 16


# Ops whose answer on integers is no answer to compare with.
LEFT_OUT = {
    "topk.default",  # which of equal elements is anyone's choice
    "kthvalue.default",
    "median.dim",
    "affine_grid_generator.default",  # whole numbers between -1 and 1
    "einsum.default",  # a sum of bools is an integer, a product a bool
    "rnn_relu.input",
    "rnn_tanh_cell.default",
}


def as_int64(x: torch.Tensor) -> torch.Tensor:
    return (x.nan_to_num(0, 3, -3).clamp(-100, 100) * 3).round().long()


def as_bool(x: torch.Tensor) -> torch.Tensor:
    return x > 0


def converted(case: Case, convert: object) -> Case | None:
    """The case with its float tensors converted; None if there are none or eager refuses."""
    leaves, spec = case.flatten()
    is_float = [isinstance(leaf, torch.Tensor) and leaf.dtype.is_floating_point for leaf in leaves]
    if case.op in LEFT_OUT or "_backward." in case.op or not any(is_float) or case.random or any(isinstance(leaf, torch.dtype) for leaf in leaves):
        return None
    leaves = [convert(leaf) if flag else leaf for leaf, flag in zip(leaves, is_float)]
    args, kwargs = pytree.tree_unflatten(leaves, spec)
    result = dataclasses.replace(case, args=args, kwargs=kwargs, tolerance=max(case.tolerance, 2e-5))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result.module()(*result.inputs)
    except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError):
        return None
    return result


def variants(convert: object) -> list[Case]:
    counts: dict[str, int] = collections.Counter()
    cases = []
    for case in CASES:
        if counts[case.op] < PER_OP and (variant := converted(case, convert)):
            counts[case.op] += 1
            cases.append(variant)
    return cases


class _Several(torch.nn.Module):
    """Each case on its own inputs; all results in one list."""

    def __init__(self, cases: list[Case]) -> None:
        super().__init__()
        self.modules_ = [case.module() for case in cases]
        self.counts = [len(case.inputs) for case in cases]

    def forward(self, *tensors: torch.Tensor) -> list[torch.Tensor]:
        rest, results = list(tensors), []
        for module, count in zip(self.modules_, self.counts):
            results += module(*rest[:count])
            rest = rest[count:]
        # An output may not be an input.
        return [result.clone() for result in results]


def run(cases: list[Case], compiler: Compiler, folder: pathlib.Path) -> list[list[np.ndarray]]:
    module, inputs = _Several(cases), tuple(tensor for case in cases for tensor in case.inputs)
    torch.export.save(torch.export.export(module, inputs), folder / "ops.pt2")
    compiler.compile(folder / "ops.pt2", folder / "ops.so")
    files = []
    for number, tensor in enumerate(inputs):
        files.append(folder / f"in{number}.npy")
        np.save(files[-1], to_numpy(tensor))
    outputs = iter(compiler.outputs(folder / "ops.so", files, folder / "out"))
    return [[next(outputs) for _ in case.module()(*case.inputs)] for case in cases]


def check(cases: list[Case], compiler: Compiler, folder: pathlib.Path) -> list[str]:
    """What is wrong, a line a case. If a model can't be compiled or run, its halves are tried."""
    folder.mkdir()
    try:
        results = run(cases, compiler, folder)
    except Exception as error:  # noqa: BLE001 - whatever export or graphmill reports
        if len(cases) == 1:
            return [f"{cases[0].op}: {error}"]
        half = len(cases) // 2
        return check(cases[:half], compiler, folder / "0") + check(cases[half:], compiler, folder / "1")
    problems = []
    for case, got in zip(cases, results):
        try:
            for one, want in zip(got, case.module()(*case.inputs), strict=True):
                assert_agrees(case, one, to_numpy(want))
        except AssertionError as error:
            problems.append(f"{case.op} {[tuple(x.shape) for x in case.inputs]}: {error}")
    return problems


def batches() -> list[object]:
    params = []
    for name, convert in [("int64", as_int64), ("bool", as_bool)]:
        cases = variants(convert)
        for i in range(0, len(cases), PER_MODEL):
            params.append(pytest.param(cases[i : i + PER_MODEL], id=f"{name}-{cases[i].op}"))
    return params


@pytest.mark.parametrize("cases", batches())
def test_agrees_with_eager(cases: list[Case], compiler: Compiler, tmp_path: pathlib.Path) -> None:
    problems = check(cases, compiler, tmp_path / "all")
    assert not problems, "\n".join(problems)
