"""Small graphs as MLIR text, one an op or a few: the tests' own, with inputs and outputs; and their damage by seed."""

from __future__ import annotations

import pathlib
import random
import re

ROOT = pathlib.Path(__file__).parents[2]

TYPES = ["f32", "f64", "f16", "bf16", "i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "si32", "i7", "f8E5M2", "f80", "f128", "index", "complex<f32>", "complex<i8>"]
INTEGERS = [0, 1, -1, 2, 5, 63, 64, 255, 65536, 2**31 - 1, 2**31, -(2**31), 2**40, 2**62, 2**63 - 1, -(2**63)]
DIMS = ["0", "1", "2", "7", "?", "4611686018427387904", "9223372036854775807", "65536x65536x65536x65536"]
PIECES = ["array<index: 0>", "array<i64>", "array<i64: 1, 2, 3, 4, 5, 6, 7, 8, 9>", "#fx.number", "#fx.dim<s0>", "#fx.dims<[s0, s9]>",
          "#fx.dim<(s0 floordiv 0)>", "dense<>", "dense_resource<x>", "unit", "\"\\00\\1B[2J\"", "loc(\"x\":1:1)", "-", "{", "}", "<", ">", "(" * 3000, "%x", "%nothing",
          "tensor<*xf32>", "tensor<2xf32, #fx.dims<[s0]>>", "vector<4xf32>", "memref<2xf32>", "i64", "none", "!fx.unknown", "0x7FFFFFFF : f32"]  # fmt: skip


def graph(arguments: list[tuple[str, str]], body: list[str], results: list[tuple[str, str]]) -> str:
    """`fx.graph` of arguments and results, each a name with its type."""
    names = ", ".join(f'"{name[1:]}"' for name, _ in arguments)
    roles = ", ".join(f'#fx.role<result "y{i}">' for i in range(len(results)))
    output = "  fx.output" + (f" {', '.join(name for name, _ in results)} : {', '.join(kind for _, kind in results)}" if results else "")
    count = max((int(number) + 1 for number in re.findall(r"\bs(\d+)\b", str([arguments, body, results]))), default=0)
    symbols = ", ".join(f'#fx.symbol<"n{i}", min = 1, max = 64>' for i in range(count))
    head = f"fx.graph @main({', '.join(f'{name}: {kind}' for name, kind in arguments)}) inputs [{names}] outputs [{roles}] symbols [{symbols}] {{"
    return "\n".join([head, *body, output, "}", ""])


def numeric_tests() -> list[str]:
    """The inputs and answers of fx/Aten/test/numerics become a graph's inputs and outputs."""
    texts = []
    for file in sorted((ROOT / "fx" / "Aten" / "test" / "numerics").glob("*.mlir")):
        for test in re.findall(r"^check\.test @\w+[^{]*\{\n(.*?)^\}", file.read_text(), re.MULTILINE | re.DOTALL):
            arguments, body, results = [], [], []
            for line in test.splitlines():
                if made := re.match(r"\s*(%\w+) = check\.input .* (?:as|:) (tensor<.*>)$", line):
                    arguments.append((made[1], made[2]))
                elif checked := re.match(r"\s*check\.\w+ (%[\w#]+), .* (?:as|:) (tensor<[^<>]*(?:<[^<>]*>)?[^<>]*>)", line):
                    results.append((checked[1], checked[2]))
                else:
                    body.append(line)
            texts.append(graph(arguments, body, results))
    return texts


def primitive_ops() -> list[str]:
    """Each op of fx/Prims/test/ops.mlir that needs no other, alone."""
    texts = []
    source = (ROOT / "fx" / "Prims" / "test" / "ops.mlir").read_text()
    for head, body in re.findall(r"^fx\.graph @\w+\(([^\n]*?)\) inputs [^\n]*\{\n(.*?)^\}", source, re.MULTILINE | re.DOTALL):
        arguments = re.findall(r"(%\w+): (tensor<.*?>)(?=, %|$)", head)
        for op in re.findall(r"^ *(%\w+(?:, %\w+)*) = (prims.*)$", body, re.MULTILINE):
            names, used = op[0].split(", "), set(re.findall(r"%\w+", op[1]))
            needed = [(name, kind) for name, kind in arguments if name in used]
            if len(needed) == len(used):
                kind = re.findall(r"tensor<[^<>]*(?:<[^<>]*>)?[^<>]*>", op[1])[-1]
                texts.append(graph(needed, [f"  {op[0]} = {op[1]}"], [(names[-1], kind)]))
    return texts


def sample_graphs() -> list[str]:
    return [*numeric_tests(), *primitive_ops()]


def replace_one(r: random.Random, text: str, pattern: str, new: str) -> str:
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    place = r.choice(found)
    return text[: place.start()] + new + text[place.end() :]


def damage(r: random.Random, text: str) -> tuple[str, str]:
    element = r"(?<=x)(?:f|bf|i|ui|si)\d+(?=[>,])|(?<=tensor<)(?:f|bf|i|ui|si)\d+(?=[>,])"
    kind = r.choice(["all types", "all types", "type", "dims", "dim", "integer", "integer", "list", "piece", "operand", "line", "character"])
    if kind == "all types":
        old, new = r.choice(re.findall(element, text) or ["f32"]), r.choice(TYPES)
        return re.sub(rf"(?<=x){old}(?=[>,])|(?<=tensor<){old}(?=[>,])", new, text), f"{old} is {new}"
    if kind == "type":
        return replace_one(r, text, element, r.choice(TYPES)), kind
    if kind == "dims":
        old, new = r.choice(re.findall(r"tensor<(\d+)x", text) or ["2"]), r.choice(DIMS)
        return text.replace(f"<{old}x", f"<{new}x").replace(f"x{old}x", f"x{new}x"), f"dims {old} are {new}"
    if kind == "dim":
        return replace_one(r, text, r"(?<=[<x])\d+(?=x)", r.choice(DIMS)), kind
    if kind == "integer":
        return replace_one(r, text, r"(?<=[ \[<])-?\d+(?=[ ,\]>}])", str(r.choice(INTEGERS))), kind
    if kind == "list":
        return replace_one(r, text, r"(?<=array<i64: )[^>]*(?=>)", ", ".join(str(r.choice(INTEGERS)) for _ in range(r.choice([1, 2, 3, 4, 40])))), kind
    if kind == "piece":
        return replace_one(r, text, r"[\w#<>:.]+", r.choice(PIECES)), kind
    if kind == "operand":
        return replace_one(r, text, r"%\w+", r.choice(re.findall(r"%\w+", text) or ["%x"])), kind
    lines = text.split("\n")
    if kind == "line":
        at = r.randrange(len(lines))
        lines[at : at + 1] = r.choice([[], [lines[at]] * 2, [lines[at][: len(lines[at]) // 2]]])
        return "\n".join(lines), kind
    at = r.randrange(len(text))
    return text[:at] + r.choice(["\x00", "\x1b", "\xff", '"', "x", "0", " "]) + text[at + r.randrange(2) :], kind


def mutate_text(text: str, seed: int) -> tuple[bytes, str]:
    """The damaged graph, and what was done to it."""
    r = random.Random(seed)
    done = []
    for _ in range(r.choice([1, 1, 1, 2])):
        text, what = damage(r, text)
        done.append(what)
    return text.encode("utf-8", "surrogatepass"), "; ".join(done)
