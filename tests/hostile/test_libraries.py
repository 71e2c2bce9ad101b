"""Damaged libraries, inputs and weights files given to `run`: refused or run, never a crash."""

from __future__ import annotations

import pathlib
import random

from mutate import cut, flip
import numpy as np
import pytest

from conftest import Compiler

MODEL = """
fx.tensor parameter @w = dense<[[1.0, 2.0], [3.0, 4.5]]> : tensor<2x2xf32>
fx.graph @main(%x: tensor<2x2xf32>) inputs ["x"] outputs [#fx.role<result "y">] symbols [] {
  %w = fx.get @w : tensor<2x2xf32>
  %y = aten.linear %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  fx.output %y : tensor<2x2xf32>
}
"""
SEEDS = 150


@pytest.mark.parametrize("kind", ["library", "input", "weights"])
def test_damage_is_refused(kind: str, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    model, library, array = tmp_path / "m.mlir", tmp_path / "m.so", tmp_path / "x.npy"
    model.write_text(MODEL)
    np.save(array, np.ones((2, 2), np.float32))
    weights = ["--weights", "m.safetensors"] if kind == "weights" else []
    assert compiler.run("compile", "-q", model, "-o", library, *weights).returncode == 0
    target = {"library": library, "input": array, "weights": tmp_path / "m.safetensors"}[kind]
    good = target.read_bytes()
    statuses = set()
    for seed in range(SEEDS):
        r = random.Random(seed)
        target.write_bytes((flip if r.randrange(3) else cut)(r, good))
        done = compiler.run("run", library, "--in", array)
        assert done.returncode in (0, 2), f"seed {seed}: status {done.returncode}\n{done.stderr}"
        assert done.returncode == 0 or done.stderr.startswith("graphmill run: error: "), f"seed {seed}: {done.stderr}"
        statuses.add(done.returncode)
    assert 2 in statuses
    target.write_bytes(good)
    assert compiler.run("run", library, "--in", array).returncode == 0
