"""What CONVENTIONS ask of each dialect and each pass: tests beside the code."""

from __future__ import annotations

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAGES = ["fx", "aot_autograd", "inductor", "codegen"]
# A constraint's label as in `cat.c2`.
LABEL = re.compile(r"\b[a-z]\w*\.c\d+\b")
RECORDS = sorted(file.parent for stage in STAGES for file in (ROOT / stage).rglob("*Ops.td"))
PASSES = sorted(file for stage in STAGES for file in (ROOT / stage).rglob("Passes.td"))


def text_of_tests(folder: pathlib.Path) -> str:
    return "\n".join(file.read_text() for file in sorted((folder / "test").rglob("*.mlir")))


def name(path: pathlib.Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("folder", RECORDS, ids=name)
def test_every_constraint_has_a_failing_test(folder: pathlib.Path) -> None:
    labels = {label for file in folder.glob("*.td") for label in LABEL.findall(file.read_text())}
    tested = set(LABEL.findall(text_of_tests(folder)))
    assert not labels - tested, f"in no test of {name(folder)}/test"


@pytest.mark.parametrize("folder", [f for f in RECORDS if f.name != "Aten"], ids=name)
def test_every_op_is_in_a_test_of_its_dialect(folder: pathlib.Path) -> None:
    text = "\n".join(file.read_text() for file in sorted(folder.glob("*.td")))
    dialect = re.search(r'let name = "(\w+)";', text)[1]
    # Records made in loops are ops of one form.
    ops = set(re.findall(r'^\s*def \w+Op : \w+<"(\w+)"', text, re.M))
    tested = set(re.findall(rf"\b{dialect}\.(\w+)", text_of_tests(folder)))
    implicit = {"end"}  # terminators that aren't written
    assert not ops - tested - implicit, f"in no test of {name(folder)}/test"


@pytest.mark.parametrize("file", PASSES, ids=name)
def test_every_pass_has_its_test(file: pathlib.Path) -> None:
    for flag in re.findall(r'Pass<"([\w-]+)"', file.read_text()):
        test = file.parent / "test" / f"{flag.split('-', 1)[1]}.mlir"
        assert test.exists(), f"--{flag} has no {name(test)}"
        assert flag in test.read_text(), f"{name(test)} doesn't run --{flag}"


def test_every_folder_with_code_has_a_readme() -> None:
    code = {".cpp", ".c", ".td", ".py", ".cmake"}
    folders = {f.parent for stage in [*STAGES, "frontend", "runtime", "cmake"] for f in (ROOT / stage).rglob("*") if f.suffix in code}
    small = {"unittests", "test", "data", "graphmill"}
    missing = [name(f) for f in sorted(folders) if f.name not in small and not (f / "README.md").exists()]
    assert not missing
