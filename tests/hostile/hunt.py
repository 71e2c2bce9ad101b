#!/usr/bin/env python3
"""Compile damaged archives and say where the compiler misbehaved.

    hunt.py --program build-asan/bin/graphmill --count 5000 --keep bad ARCHIVE...
    hunt.py --graphs

Seed i damages archive i modulo their number; without archives, those of
frontend/pt2/unittests/data; with --graphs, graphs as MLIR text. Exits with 1 if a run crashed, hung, took too much memory,
left a file behind or gave an error that names no place. What went wrong is kept.
"""

import argparse
import collections
import dataclasses
import multiprocessing
import os
import pathlib
import re
import sys
import tempfile

from graph_texts import mutate_text, sample_graphs
from json_edits import ROOT
from mutate import mutate
from trial import Trial, attempt

DATA = ROOT / "frontend" / "pt2" / "unittests" / "data"


@dataclasses.dataclass
class Sample:
    """Something sound to damage."""

    name: str
    contents: bytes

    def mutate(self, seed: int) -> tuple[bytes, str]:
        return mutate(self.contents, seed) if self.name.endswith(".pt2") else mutate_text(self.contents.decode(), seed)


def sample_archives() -> list[Sample]:
    return [Sample(file.name, file.read_bytes()) for file in sorted(DATA.glob("*.pt2"))]


def sample_texts() -> list[Sample]:
    return [Sample(f"{i}.mlir", text.encode()) for i, text in enumerate(sample_graphs())]


def try_seed(seed: int, program: pathlib.Path, samples: list[Sample], folder: pathlib.Path, keep: pathlib.Path | None = None) -> tuple[Trial, str]:
    """What the program made of one damaged sample, and what the damage was."""
    sample = samples[seed % len(samples)]
    data, what = sample.mutate(seed)
    suffix = pathlib.Path(sample.name).suffix
    with tempfile.TemporaryDirectory(dir=folder) as alone:
        model = pathlib.Path(alone) / f"m{suffix}"
        model.write_bytes(data)
        trial = attempt(program, model, folder / "cache")
    if trial.problem and keep:
        (keep / f"{seed}{suffix}").write_bytes(data)
        (keep / f"{seed}.txt").write_text(f"{sample.name}: {what}\n{trial.problem}\n{trial.errors}")
    return trial, f"{sample.name}: {what}"


def headline(trial: Trial) -> str:
    """The line that tells one problem from another: ours, of the stack or of the message."""
    for pattern in (r"Assertion `.*", r"runtime error: .*", r"#\d+ \S+ in .*?/work/.*", r"ERROR: AddressSanitizer: .*", r"error: .*"):
        if found := re.search(pattern, trial.errors):
            return found[0][:200]
    return trial.errors[:200]


def work(job: tuple[argparse.Namespace, pathlib.Path, int]) -> tuple[int, Trial, str]:
    options, folder, seed = job
    return seed, *try_seed(seed, options.program, options.samples, folder, options.keep)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", type=pathlib.Path, nargs="*")
    parser.add_argument("--graphs", action="store_true", help="damage graphs as text")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "bin" / "graphmill")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--keep", type=pathlib.Path, help="write what went wrong here")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    given = [Sample(file.name, file.read_bytes()) for file in options.archives]
    options.samples = given or (sample_texts() if options.graphs else sample_archives())
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    statuses: collections.Counter[int] = collections.Counter()
    slowest, largest, problems = 0.0, 0, 0
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool(options.jobs) as pool:
        jobs = ((options, pathlib.Path(folder), seed) for seed in range(options.first, options.first + options.count))
        for seed, trial, what in pool.imap_unordered(work, jobs):
            statuses[trial.status] += 1
            slowest, largest = max(slowest, trial.seconds), max(largest, trial.bytes)
            if trial.problem:
                problems += 1
                print(f"seed {seed}: {trial.problem} ({what[:160]})\n    {headline(trial)}", flush=True)
    print(f"{options.count} damaged: {statuses[0]} compiled, {statuses[2]} refused, {problems} misbehaved; at most {slowest:.1f} s, {largest >> 20} MB")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
