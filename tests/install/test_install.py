"""The package as users see it: installed, found by CMake, the examples built and run against it."""

import pathlib
import subprocess

import pytest
from conftest import ROOT, Compiler

EXAMPLES = ROOT / "tools" / "examples"


def run(*args: object) -> str:
    done = subprocess.run([*map(str, args)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    prefix, build = tmp_path_factory.mktemp("prefix"), tmp_path_factory.mktemp("examples")
    run("cmake", "--install", ROOT / "build", "--prefix", prefix)
    run("cmake", "-S", EXAMPLES, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", build)
    return build


def test_c_program(built: pathlib.Path, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    digits = EXAMPLES / "digits"
    for model in ("digits_cnn", "digits_transformer"):
        library = tmp_path / f"{model}.so"
        compiler.compile(digits / f"{model}.pt2", library)
        assert "images right" in run(built / "classify", library, digits / "test_images.npy", digits / "test_labels.npy")


def test_cpp_program(built: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    output = run(built / "build_graph", "model.so")
    assert "build_graph.cpp:" in output and "input's last dim" in output
    assert "batch 7: max error" in output
