"""Archives and graphs that lie, each made by a seed: the compiler refuses or compiles them, and does nothing else."""

import pathlib

from hunt import headline, sample_archives, sample_texts, try_seed
import pytest

from conftest import Compiler

BLOCK = 50
SAMPLES = {"archives": sample_archives(), "graphs": sample_texts()}


@pytest.mark.parametrize("first", range(0, 8 * BLOCK, BLOCK))
@pytest.mark.parametrize("kind", SAMPLES)
def test_behaves(kind: str, first: int, compiler: Compiler, tmp_path: pathlib.Path) -> None:
    for seed in range(first, first + BLOCK):
        trial, what = try_seed(seed, compiler.program, SAMPLES[kind], tmp_path)
        assert not trial.problem, f"seed {seed}: {trial.problem}: {what}\n{headline(trial)}"
