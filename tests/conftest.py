"""Shared fixtures: the compiler under test, and how its answers are compared with eager's."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parent.parent


class Compiler:
    """Runs the command-line program of the build folder."""

    program = ROOT / "build" / "bin" / "graphmill"

    def run(self, *args: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self.program, *map(str, args)], capture_output=True, text=True)

    def compile(self, model: pathlib.Path, library: pathlib.Path, target: str = "native") -> None:
        done = self.run("compile", model, "-o", library, "--quiet", "--target", target)
        assert done.returncode == 0, done.stderr

    def outputs(self, library: pathlib.Path, inputs: list[pathlib.Path], out: pathlib.Path) -> list[np.ndarray]:
        args = [part for file in inputs for part in ("--in", file)]
        done = self.run("run", library, *args, "--out", out)
        assert done.returncode == 0, done.stderr
        return [np.load(file) for file in numbered(out, "out")]


def numbered(folder: pathlib.Path, stem: str) -> list[pathlib.Path]:
    """stem0.npy, stem1.npy, … of a folder, in order."""
    files = []
    while (file := folder / f"{stem}{len(files)}.npy").exists():
        files.append(file)
    return files


@pytest.fixture(scope="session")
def compiler() -> Compiler:
    return Compiler()


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The zoo's models, tiny."""
    folder = tmp_path_factory.mktemp("zoo")
    export = ROOT / "tools" / "zoo" / "export.py"
    subprocess.run([sys.executable, export, folder, "--size", "tiny"], check=True, capture_output=True)
    return folder
