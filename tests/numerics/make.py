#!/usr/bin/env python3
"""Write the numeric tests in fx/Aten/test/numerics: inputs, graphs and eager's answers.

    make.py [SUBJECT...]

A subject is a file of tests, a test a PyTorch function with its inputs. The function is
exported and imported by graphmill-opt, which gives the ops; the answers are PyTorch's.
Needs torch 2.13 and graphmill-opt in build/bin. The files are committed: lit runs them
without torch.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable

import torch
from torch.utils import _pytree as pytree

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "fx/Aten/test/numerics"
FAMILIES = ["pointwise", "integers", "reductions", "shapes", "windows", "structured"]

DTYPES = {
    torch.bool: "i1", torch.uint8: "ui8", torch.int8: "i8", torch.int16: "i16", torch.int32: "i32", torch.int64: "i64",
    torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64",
}
WORDS = {torch.float16: torch.int16, torch.bfloat16: torch.int16, torch.float32: torch.int32, torch.float64: torch.int64}


@dataclasses.dataclass
class Test:
    subject: str
    name: str
    function: Callable[..., object]
    inputs: tuple[torch.Tensor, ...]
    ulp: int
    abs: float
    dynamic: dict[int, dict[int, object]]
    """For an input's number, its dims that are symbols."""


TESTS: list[Test] = []
SUBJECTS: dict[str, str] = {}
_current = ""


def subject(name: str, about: str) -> None:
    """Begin a file; `about` is its first line."""
    global _current
    _current = name
    SUBJECTS[name] = about


def test(name: str, function: Callable[..., object], *inputs: torch.Tensor, ulp: int = 0, abs: float = 0.0,
         dynamic: dict[int, dict[int, object]] | None = None) -> None:
    """A test of the current subject. Its name says the point."""
    TESTS.append(Test(_current, name, function, inputs, ulp, abs, dynamic or {}))


class _Call(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *x: torch.Tensor) -> object:
        results = self.function(*x)
        return results if isinstance(results, torch.Tensor) else tuple(results)  # not torch.return_types


def number(value: torch.Tensor) -> str:
    """An element as MLIR reads it back to the same bits."""
    if value.dtype == torch.bool:
        return "true" if value else "false"
    if not value.dtype.is_floating_point:
        return str(value.item())
    wide = value.item()
    if math.isnan(wide) or math.isinf(wide):
        word = WORDS[value.dtype]
        # One NaN for all: its bits aren't compared.
        bits = torch.tensor(abs(wide) if math.isnan(wide) else wide, dtype=value.dtype).view(word).item()
        width = torch.iinfo(word).bits
        return f"0x{bits % (1 << width):0{width // 4}X}"
    for digits in range(1, 18):
        text = f"{wide:.{digits}g}"
        if float(text) == wide or torch.tensor(float(text), dtype=torch.float64).to(value.dtype) == value:
            break
    mantissa, _, exponent = text.partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + (f"e{exponent}" if exponent else "")


def literal(tensor: torch.Tensor) -> str:
    def nest(t: torch.Tensor) -> str:
        return number(t) if t.dim() == 0 else "[" + ", ".join(nest(part) for part in t) + "]"

    shape = "x".join([*map(str, tensor.shape), DTYPES[tensor.dtype]])
    return f"dense<{nest(tensor) if tensor.numel() else ''}> : tensor<{shape}>"


def graph_of(test: Test) -> str:
    """The test's fx.graph as graphmill-opt imports it."""
    dynamic = tuple(test.dynamic.get(i) for i in range(len(test.inputs)))
    program = torch.export.export(_Call(test.function), test.inputs, strict=False,
                                  dynamic_shapes={"x": dynamic} if test.dynamic else None)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/test.pt2"
        torch.export.save(program, path)
        done = subprocess.run([ROOT / "build/bin/graphmill-opt", path, "--mlir-print-local-scope"],
                              capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{test.subject}, {test.name}: {done.stderr}")
    return done.stdout


def named(body: str, arguments: list[str]) -> str:
    """The graph's body with values called after inputs and ops, not numbered."""
    names = {f"arg{i}": name for i, name in enumerate(arguments)}
    # Ops with several results bring names.
    used = {*arguments, *re.findall(r"%([a-z]\w*)", body)}
    for value, op in re.findall(r"^\s*%(\d+)(?::\d+)? = \w+\.(\w+)", body, re.M):
        name = op.strip("_")
        count = 2
        while name in used:
            name = f"{op.strip('_')}{count}"
            count += 1
        used.add(name)
        names[value] = name
    return re.sub(r"%(\w+)", lambda match: "%" + names.get(match[1], match[1]), body)


def text_of(test: Test) -> str:
    text = graph_of(test)
    if "fx.tensor" in text:
        raise SystemExit(f"{test.subject}, {test.name}: make constants inputs")
    head = re.search(r"fx\.graph @main\((.*?)\) inputs \[.*?\] outputs \[.*?\] symbols (\[.*?\]) ?(attributes.*?)?\{\n(.*)\n  }",
                     text, re.S)
    types = re.findall(r"%arg\d+: (tensor<.*?>)(?=, %arg|$)", head[1])
    names = ["x", "y", "z", "w", "v", "u"][: len(types)] if len(types) <= 6 else [f"x{i}" for i in range(len(types))]
    *ops, output = named(head[4], names).strip().split("\n")
    answers = [a for a in pytree.tree_leaves(test.function(*(i.clone() for i in test.inputs))) if isinstance(a, torch.Tensor)]
    results, seen = re.match(r"\s*fx\.output (.*?) : (tensor.*)", output).groups()
    symbols = "" if head[2] == "[]" else f" symbols {head[2]}"
    lines = [f"check.test @{test.name}{symbols} {{"]
    for name, type_, value in zip(names, types, test.inputs):
        lines.append(f"  %{name} = check.input {literal(value)}" + (f" as {type_}" if "?" in type_ else ""))
    lines += ["  " + op.strip() for op in ops]
    close = (f" ulp {test.ulp}" if test.ulp else "") + (f" abs {test.abs:.1e}" if test.abs else "")
    for result, type_, answer in zip(results.split(", "), re.findall(r"tensor<.*?>(?=, tensor|$)", seen), answers, strict=True):
        lines.append(f"  check.close {result}, {literal(answer)}" + (f" as {type_}" if "?" in type_ else "")
                     + (close if answer.dtype.is_floating_point else ""))
    return "\n".join([*lines, "}\n"])


def main() -> None:
    sys.modules["make"] = sys.modules["__main__"]
    for family in FAMILIES:
        importlib.import_module(f"{family}_numerics")
    OUT.mkdir(parents=True, exist_ok=True)
    for name, about in SUBJECTS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        head = ["// RUN: graphmill-opt --verify-numerics %s",
                "// RUN: graphmill-opt --emit-bytecode %s | graphmill-opt --verify-numerics=backend=cpu",
                "//", f"// {about} Answers are PyTorch's; made by tests/numerics/make.py.", ""]
        tests = [text_of(t) for t in TESTS if t.subject == name]
        (OUT / f"{name}.mlir").write_text("\n".join([*head, *tests]))
        print(f"{name}: {len(tests)}")


if __name__ == "__main__":
    main()
