"""Real architectures at tiny size: exported, compiled, run, compared with eager."""

import pathlib
import sys

import numpy as np
import pytest
from conftest import ROOT, Compiler, numbered

sys.path.insert(0, str(ROOT / "tools" / "zoo"))
from zoo import ZOO  # noqa: E402

# Of the largest value of eager's answer, or of 1.
TOLERANCE = 1e-4


@pytest.mark.parametrize("name", ZOO)
def test_agrees_with_eager(name: str, archives: pathlib.Path, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    library = tmp_path / f"{name}.so"
    compiler.compile(archives / f"{name}.pt2", library)
    for case in (archives / name, archives / f"{name}.other"):
        if not case.exists():
            continue
        expected = [np.load(file) for file in numbered(case, "out")]
        outputs = compiler.outputs(library, numbered(case, "in"), tmp_path / case.name)
        assert len(outputs) == len(expected)
        for got, want in zip(outputs, expected):
            assert got.shape == want.shape and got.dtype == want.dtype
            assert np.abs(got - want).max() <= TOLERANCE * max(1, np.abs(want).max())


@pytest.mark.parametrize("name", ZOO)
def test_verifies(name: str, archives: pathlib.Path, compiler: Compiler) -> None:
    done = compiler.run("verify", archives / f"{name}.pt2")
    assert done.returncode == 0, done.stdout + done.stderr
