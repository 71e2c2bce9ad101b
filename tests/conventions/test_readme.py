"""Examples in READMEs can be pasted."""

import pathlib
import re

from conftest import ROOT, Compiler


def test_graph_of_fx_compiles(compiler: Compiler, tmp_path: pathlib.Path) -> None:
    text = re.search(r"```mlir\n(.*?)```", (ROOT / "fx" / "README.md").read_text(), re.S)[1]
    (tmp_path / "graph.mlir").write_text(text)
    compiler.compile(tmp_path / "graph.mlir", tmp_path / "graph.so")
