"""Archives that lie, each made by a seed: the compiler refuses or compiles them, and does nothing else."""

import pathlib

from hunt import headline, sample_archives, try_seed
import pytest

from conftest import Compiler

BLOCK = 50


@pytest.mark.parametrize("first", range(0, 10 * BLOCK, BLOCK))
def test_behaves(first: int, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    archives = sample_archives()
    for seed in range(first, first + BLOCK):
        trial, what = try_seed(seed, compiler.program, archives, tmp_path)
        assert not trial.problem, f"seed {seed}: {trial.problem}: {what}\n{headline(trial)}"
