"""The page of `compile --report`: its data is whole, and nothing in it is markup."""

import json
import pathlib
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from conftest import Compiler


class Page(HTMLParser):
    """What a browser makes of the page: the tags, and the text of the data's script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data = ""
        self.isData = False
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        self.isData = ("id", "data") in attributes

    def handle_endtag(self, tag: str) -> None:
        self.isData = False

    def handle_data(self, text: str) -> None:
        self.data += text if self.isData else ""


def report(compiler: Compiler, model: pathlib.Path, folder: pathlib.Path) -> tuple[Page, dict[str, Any]]:
    done = compiler.run("compile", model, "-q", "-o", folder / "m.so", "--report", folder / "m.html")
    assert done.returncode == 0 and not done.stderr, done.stderr
    page = Page((folder / "m.html").read_text())
    return page, json.loads(page.data)


@pytest.mark.parametrize("name", ["resnet18", "bert_dynamic", "lstm", "dlrm"])
def test_names_every_kernel(name: str, archives: pathlib.Path, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    page, data = report(compiler, archives / f"{name}.pt2", tmp_path)
    inspected = compiler.run("inspect", tmp_path / "m.so", "--steps").stdout
    kernels = re.findall(r"^step +\d+ '(.*)' by (\w+)", inspected, re.M)
    assert kernels == [(step["name"], step["symbol"]) for step in data["steps"]]
    for step in data["steps"]:
        for tensor in step["results"]:
            if tensor["kind"] == "arena":
                assert 0 <= tensor["offset"] and tensor["offset"] + tensor["bytes"] <= data["arenaBytes"]
        assert all(producer < len(data["steps"]) for tensor in step["inputs"] if (producer := tensor.get("from")) is not None)
    lines = {data["ops"][op]["place"] for step in data["steps"] for op in step["ops"]}
    assert any(re.search(r"\.py:\d+$", line) for line in lines)
    assert any(op["module"] for op in data["ops"])
    # It asks for nothing from elsewhere.
    assert not [tag for tag, attributes in page.tags if {"src", "href"} & attributes.keys()]


def test_names_are_no_markup(compiler: Compiler, tmp_path: pathlib.Path) -> None:
    hostile = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>@SCRIPT@"
    (tmp_path / "m.mlir").write_text(f"""
fx.graph @main(%x: tensor<4xf32>) inputs ["{hostile}"] outputs [#fx.role<result "{hostile}">] symbols [] {{
  %y = aten.exp %x : (tensor<4xf32>) -> tensor<4xf32> loc("{hostile}"("{hostile}":7:0))
  fx.output %y : tensor<4xf32>
}}""")
    page, data = report(compiler, tmp_path / "m.mlir", tmp_path)
    assert data["inputs"][0]["name"] == data["outputs"][0]["name"] == hostile
    assert data["ops"][0]["node"] == hostile and data["ops"][0]["place"] == hostile + ":7"
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert not [tag for tag, _ in page.tags if tag == "img"]


def test_is_refused_where_the_model_is(compiler: Compiler, tmp_path: pathlib.Path) -> None:
    model = tmp_path / "m.mlir"
    model.write_text(
        'fx.graph @main(%x: tensor<4xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {\n'
        "  fx.output %x : tensor<4xf32>\n}\n"
    )
    done = compiler.run("compile", model, "-q", "-o", tmp_path / "m.so", "--report", model)
    assert done.returncode == 2 and "is the model itself" in done.stderr
    done = compiler.run("compile", model, "--emit", "loop", "--report", tmp_path / "m.html")
    assert done.returncode == 2 and "excludes" in done.stderr
