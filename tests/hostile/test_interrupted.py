"""A compilation that is killed at any moment leaves a whole library, the earlier one or none."""

import pathlib
import signal
import subprocess
import time

import pytest

from conftest import Compiler

MODEL = """
fx.tensor parameter @w = dense<0.5> : tensor<2048x2048xf32>
fx.graph @main(%x: tensor<2x2048xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %w = fx.get @w : tensor<2048x2048xf32>
  %y = aten.linear %x, %w : (tensor<2x2048xf32>, tensor<2048x2048xf32>) -> tensor<2x2048xf32>
  fx.output %y : tensor<2x2048xf32>
}
"""
MOMENTS = 10


def files(folder: pathlib.Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("weights", [[], ["--weights", "m.safetensors"]])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed(how: signal.Signals, weights: list[str], compiler: Compiler, tmp_path: pathlib.Path) -> None:
    model, folder = tmp_path / "m.mlir", tmp_path / "out"
    model.write_text(MODEL)
    folder.mkdir()
    command = [compiler.program, "compile", "-q", model, "-o", folder / "m.so", *weights]
    start = time.monotonic()
    subprocess.run(command, check=True)
    took = time.monotonic() - start
    whole = files(folder)
    earlier = {name: b"earlier" for name in whole}
    for before in ({}, earlier):
        for moment in range(MOMENTS):
            for file in folder.iterdir():
                file.unlink()
            for name, contents in before.items():
                (folder / name).write_bytes(contents)
            process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            time.sleep(took * (moment + 0.5) / MOMENTS)
            process.send_signal(how)
            process.wait()
            after = files(folder)
            if how == signal.SIGKILL:  # between two system calls: a whole file, old or new, under a name of its own
                known = {*whole.values(), *before.values()}
                after = {name: data for name, data in after.items() if not (name.startswith(".graphmill-") and data in known)}
            assert after.keys() <= whole.keys() and after.keys() >= before.keys()
            for name, contents in after.items():
                assert contents in (whole[name], before.get(name)), f"{name} is neither whole nor the earlier one"
