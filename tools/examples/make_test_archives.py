#!/usr/bin/env python3
"""Export the small archives that frontend/pt2/unittests read.

    make_test_archives.py OUT_DIR [NAME...]

Each module shows one thing an archive can hold. Weights are counted up from 0, so
that a test can say which bytes it expects. Paths in stack traces are cut down to
the file's name. Needs torch 2.13.
"""

import argparse
import pathlib
import re
import zipfile

import torch
from torch import nn
from torch.export import Dim


def count_up(module: nn.Module) -> nn.Module:
    """Fill each parameter of `module` with 0, 1, 2, ... over 16."""
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.arange(p.numel()).reshape(p.shape) / 16)
    return module.eval()


class MlpDynamic(nn.Module):
    """A dynamic batch, and an expression of it (2 * batch)."""

    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 3)
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        y = self.head(torch.relu(self.hidden(x)))
        return torch.cat([y, y]), y.shape[0] // 2


class ConvBn(nn.Module):
    """Buffers, one of them (num_batches_tracked) a scalar of int64."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(2)

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x)))


class TiedWeights(nn.Module):
    """Two parameter names, one storage."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 3)
        self.head = nn.Linear(3, 5, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, tokens):
        return self.head(self.embed(tokens))


class Strided(nn.Module):
    """Two slices of one storage: transposed, and with an offset."""

    def __init__(self):
        super().__init__()
        base = torch.arange(24.0)
        self.columns = nn.Parameter(base.view(4, 6).t())
        self.tail = nn.Parameter(base[20:24])

    def forward(self, x):
        return x @ self.columns + self.tail


class NestedIo(nn.Module):
    """Nested inputs and outputs, and inputs that become constants."""

    def forward(self, batch, scale: float, mode: str, *, bias=None):
        left, right = batch["pair"]
        mixed = left * scale + right if mode == "add" else left - right
        return {"mixed": mixed, "parts": [left.sum(), right.sum()], "bias": bias}


class Mutation(nn.Module):
    """Writes to a persistent buffer, to a non-persistent one and to an input."""

    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
        self.register_buffer("last", torch.zeros(3), persistent=False)

    def forward(self, x):
        self.steps.add_(1)
        self.last.copy_(x)
        x.mul_(2)
        return x + self.steps


class TensorConstant(nn.Module):
    """A tensor made while tracing."""

    def forward(self, x):
        return x + torch.tensor([1.0, 2.0, 3.0])


class MixedDtypes(nn.Module):
    """A buffer of each element type that torch can store."""

    DTYPES = (
        "uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 "
        "complex128 bool bfloat16 uint16 uint32 uint64 float8_e4m3fn float8_e5m2 "
        "float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu"
    ).split()

    def __init__(self):
        super().__init__()
        for name in self.DTYPES:
            values = torch.tensor([0.0, 1.0, 2.0])
            self.register_buffer(f"as_{name}", values.to(getattr(torch, name)))

    def forward(self, x):
        return x + self.as_float64


class Cond(nn.Module):
    """A higher-order op with two subgraphs."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda v: v + 1, lambda v: v * 2, (x,))


def examples():
    batch = Dim("batch", min=1, max=32)
    nested = {"pair": (torch.ones(2), torch.ones(2))}
    yield "mlp_dynamic", count_up(MlpDynamic()), (torch.ones(4, 4),), {}, ({0: batch},)
    yield "conv_bn", count_up(ConvBn()), (torch.ones(1, 1, 4, 4),), {}, None
    yield "tied_weights", count_up(TiedWeights()), (torch.tensor([[1, 2]]),), {}, None
    yield "strided", Strided(), (torch.ones(2, 6),), {}, None
    yield "nested_io", NestedIo(), (nested, 0.5, "add"), {"bias": None}, None
    yield "mutation", Mutation(), (torch.ones(3),), {}, None
    yield "mutation_functional", Mutation(), (torch.ones(3),), {}, None
    yield "tensor_constant", TensorConstant(), (torch.ones(3),), {}, None
    yield "mixed_dtypes", MixedDtypes(), (torch.ones(3),), {}, None
    yield "cond", Cond(), (torch.ones(3),), {}, None


def clear_paths(program: torch.export.ExportedProgram) -> None:
    """Keep this machine's folders out of the archive."""
    for module in program.graph_module.modules():
        if isinstance(module, torch.fx.GraphModule):
            for node in module.graph.nodes:
                trace = node.meta.get("stack_trace")
                if trace:
                    node.meta["stack_trace"] = re.sub(r'File ".*/', 'File "', trace)


def deflate(path: pathlib.Path) -> None:
    """Pack the archive again as an ordinary zip tool would."""
    with zipfile.ZipFile(path) as old:
        members = [(name, old.read(name)) for name in old.namelist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in members:
            new.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    opts = parser.parse_args()
    opts.out.mkdir(parents=True, exist_ok=True)
    for name, module, args, kwargs, dynamic in examples():
        if opts.names and name not in opts.names:
            continue
        program = torch.export.export(module, args, kwargs, dynamic_shapes=dynamic)
        if name.endswith("_functional"):
            program = program.run_decompositions({})
        clear_paths(program)
        path = opts.out / f"{name}.pt2"
        torch.export.save(program, path)
        if name == "mixed_dtypes":
            deflate(path)
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
