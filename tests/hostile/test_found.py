"""What damage by seed has found, in its smallest form."""

from __future__ import annotations

import json
import pathlib

from hunt import DATA
import pytest
from zips import read_members, write_zip

from conftest import Compiler


def edited(archive: str, edit: object) -> bytes:
    """The archive after `edit` has changed the root of its model's JSON."""
    members = read_members((DATA / archive).read_bytes())
    for member in members:
        if member.name.endswith(b"models/model.json"):
            root = json.loads(member.data)
            edit(root)
            member.data = json.dumps(root).encode()
    return write_zip(members)


@pytest.mark.parametrize("field", ["in_spec", "out_spec", "context"])
def test_deep_names_of_inputs_are_no_names(field: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    deep = "[" * 100000
    nested = {"type": "t", "context": deep, "children_spec": []}

    def edit(root: dict) -> None:
        signature = root["graph_module"]["module_call_graph"][0]["signature"]
        if field == "context":
            signature["in_spec"] = json.dumps([1, {"type": "t", "context": None, "children_spec": [nested, nested]}])
        else:
            signature[field] = deep

    model = tmp_path / "m.pt2"
    model.write_bytes(edited("strided.pt2", edit))
    compiler.compile(model, tmp_path / "m.so")
    assert "'x'" in compiler.run("inspect", tmp_path / "m.so").stdout


def test_floats_of_8_bits_are_refused_where_they_are_used(compiler: Compiler, tmp_path: pathlib.Path) -> None:
    def edit(root: dict) -> None:
        root["graph_module"]["graph"]["tensor_values"]["x"]["dtype"] = 30
        root["graph_module"]["graph"]["tensor_values"]["matmul"]["dtype"] = 30

    model = tmp_path / "m.pt2"
    model.write_bytes(edited("strided.pt2", edit))
    done = compiler.run("compile", model, "-o", tmp_path / "m.so")
    assert done.returncode == 2 and "make_test_archives.py:" in done.stderr


def test_equal_weights_take_no_memory(compiler: Compiler, tmp_path: pathlib.Path) -> None:
    model = tmp_path / "m.mlir"
    size = 1 << 50
    model.write_text(
        f"fx.tensor parameter @w = dense<0.5> : tensor<{size}xf32>\n"
        'fx.graph @main() inputs [] outputs [#fx.role<result "y">] symbols [] {\n'
        f"  %w = fx.get @w : tensor<{size}xf32>\n"
        f"  %y = aten.exp %w : (tensor<{size}xf32>) -> tensor<{size}xf32>\n"
        f"  fx.output %y : tensor<{size}xf32>\n}}\n"
    )
    done = compiler.run("compile", "-q", model, "-o", tmp_path / "m.so")
    assert done.returncode == 2 and f"can't write '{tmp_path / 'm.so'}': " in done.stderr
    assert not (tmp_path / "m.so").exists()
