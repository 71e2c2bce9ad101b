#!/usr/bin/env python3
"""Compile damaged archives and say where the compiler misbehaved.

    hunt.py --program build-asan/bin/graphmill --count 5000 --keep bad ARCHIVE...

Seed i damages archive i modulo their number; without archives, those of
frontend/pt2/unittests/data. Exits with 1 if a run crashed, hung, took too much memory,
left a file behind or gave an error that names no place. What went wrong is kept.
"""

import argparse
import collections
import multiprocessing
import os
import pathlib
import re
import sys
import tempfile

from json_edits import ROOT
from mutate import mutate
from trial import Trial, attempt

DATA = ROOT / "frontend" / "pt2" / "unittests" / "data"


def sample_archives() -> list[pathlib.Path]:
    return sorted(DATA.glob("*.pt2"))


def try_seed(seed: int, program: pathlib.Path, archives: list[pathlib.Path], folder: pathlib.Path, keep: pathlib.Path | None = None) -> tuple[Trial, str]:
    """What the program made of one damaged archive, and what the damage was."""
    archive = archives[seed % len(archives)]
    data, what = mutate(archive.read_bytes(), seed)
    with tempfile.TemporaryDirectory(dir=folder) as alone:
        model = pathlib.Path(alone) / "m.pt2"
        model.write_bytes(data)
        trial = attempt(program, model, folder / "cache")
    if trial.problem and keep:
        (keep / f"{seed}.pt2").write_bytes(data)
        (keep / f"{seed}.txt").write_text(f"{archive.name}: {what}\n{trial.problem}\n{trial.errors}")
    return trial, f"{archive.name}: {what}"


def headline(trial: Trial) -> str:
    """The line that tells one problem from another: ours, of the stack or of the message."""
    for pattern in (r"Assertion `.*", r"runtime error: .*", r"#\d+ \S+ in .*?/work/.*", r"ERROR: AddressSanitizer: .*", r"error: .*"):
        if found := re.search(pattern, trial.errors):
            return found[0][:200]
    return trial.errors[:200]


def work(job: tuple[argparse.Namespace, pathlib.Path, int]) -> tuple[int, Trial, str]:
    options, folder, seed = job
    return seed, *try_seed(seed, options.program, options.archives, folder, options.keep)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", type=pathlib.Path, nargs="*")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "bin" / "graphmill")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--keep", type=pathlib.Path, help="write what went wrong here")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.archives = options.archives or sample_archives()
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
    print(f"{options.count} archives: {statuses[0]} compiled, {statuses[2]} refused, {problems} misbehaved; at most {slowest:.1f} s, {largest >> 20} MB")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
