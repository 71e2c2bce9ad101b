"""One op with sample inputs: what is exported, compiled, run and compared with eager."""

from __future__ import annotations

from collections.abc import Callable
import dataclasses
import math

import torch
from torch.utils import _pytree as pytree

_generator = torch.Generator().manual_seed(20260101)


def f(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Standard normal floats."""
    return torch.randn(shape, generator=_generator).to(dtype)


def pos(*shape: int) -> torch.Tensor:
    """Floats in [0.1, 2]."""
    return torch.rand(shape, generator=_generator) * 1.9 + 0.1


def unit(*shape: int) -> torch.Tensor:
    """Floats in (-1, 1)."""
    return torch.rand(shape, generator=_generator) * 1.9 - 0.95


def i(*shape: int, low: int = -5, high: int = 6) -> torch.Tensor:
    """int64 in [low, high)."""
    return torch.randint(low, high, shape, generator=_generator)


def b(*shape: int) -> torch.Tensor:
    return torch.randint(0, 2, shape, generator=_generator).bool()


def t(*values: float) -> torch.Tensor:
    """These floats: NaN, infinities and zeros of both signs among them."""
    return torch.tensor(values)


# What breaks formulas: signed zeros, infinities, NaN, halves.
SPECIAL = t(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 100.0, -100.0, math.inf, -math.inf, math.nan)


class Of(torch.nn.Module):
    """A function of one tensor as a module."""

    def __init__(self, function: Callable[[torch.Tensor], object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> object:
        return self.function(x)


@dataclasses.dataclass
class Case:
    op: str
    args: tuple
    kwargs: dict
    tolerance: float = 2e-5
    """Relative to the largest value of the answer, or to 1."""
    random: bool = False
    """Only shapes and dtypes can be compared."""

    @property
    def function(self) -> torch._ops.OpOverload:
        name, overload = self.op.split(".")
        library, _, name = name.rpartition("::")
        return getattr(getattr(getattr(torch.ops, library or "aten"), name), overload)

    def flatten(self) -> tuple[list, pytree.TreeSpec]:
        return pytree.tree_flatten((self.args, self.kwargs))

    @property
    def inputs(self) -> tuple[torch.Tensor, ...]:
        # NumPy has no bfloat16: such inputs travel as float32.
        tensors = (leaf for leaf in self.flatten()[0] if isinstance(leaf, torch.Tensor))
        return tuple(tensor.float() if tensor.dtype == torch.bfloat16 else tensor for tensor in tensors)

    def module(self) -> torch.nn.Module:
        return _Call(self)


class _Call(torch.nn.Module):
    def __init__(self, case: Case) -> None:
        super().__init__()
        self.function = case.function
        leaves, self.spec = case.flatten()
        self.constants = [None if isinstance(leaf, torch.Tensor) else (leaf,) for leaf in leaves]
        self.dtypes = [leaf.dtype for leaf in leaves if isinstance(leaf, torch.Tensor)]
        # Exported graphs may not return an input that was written as it is.
        self.in_place = case.function._schema.is_mutable

    def forward(self, *tensors: torch.Tensor) -> object:
        rest = iter(tensor.to(dtype) for tensor, dtype in zip(tensors, self.dtypes))
        leaves = [next(rest) if constant is None else constant[0] for constant in self.constants]
        if self.in_place:
            leaves = [leaf * 1 if isinstance(leaf, torch.Tensor) and leaf.dtype != torch.bool else leaf for leaf in leaves]
        args, kwargs = pytree.tree_unflatten(leaves, self.spec)
        results = self.function(*args, **kwargs)
        tensors = [result for result in pytree.tree_leaves(results) if isinstance(result, torch.Tensor)]
        return [tensor.float() if tensor.dtype == torch.bfloat16 else tensor for tensor in tensors]


CASES: list[Case] = []


def case(op: str, *args: object, tolerance: float = 2e-5, random: bool = False, **kwargs: object) -> None:
    CASES.append(Case(op, args, kwargs, tolerance, random))
