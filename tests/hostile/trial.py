"""One run of the compiler on a hostile file: did it behave?"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading

MAX_SECONDS = 5
"""Of processor time: the machine may be busy with other things."""
MAX_BYTES = 1 << 30
PATIENCE = 60

SANITIZERS = {
    # LLVM's archives aren't instrumented, so vectors that they fill look overflown.
    "ASAN_OPTIONS": "detect_leaks=0:detect_container_overflow=0:abort_on_error=1:quarantine_size_mb=32:handle_abort=1",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
}


@dataclasses.dataclass
class Trial:
    status: int
    errors: str
    seconds: float
    bytes: int
    problem: str = ""


def names_a_place(errors: str, model: pathlib.Path) -> bool:
    """The file, or a line or a value of the model."""
    first = errors.split("error: ", 1)[-1]
    return str(model) in first or bool(re.search(r"\S:\d+|'[^']+'", first))


def judge(trial: Trial, model: pathlib.Path, output: pathlib.Path) -> str:
    """What is wrong, or nothing."""
    if "AddressSanitizer" in trial.errors or "runtime error:" in trial.errors:
        return "sanitizer"
    if trial.status < 0:
        return f"ended by {signal.Signals(-trial.status).name}"
    if trial.status not in (0, 2):
        return f"status {trial.status}"
    if trial.seconds > MAX_SECONDS:
        return f"took {trial.seconds:.1f} s"
    if trial.bytes > MAX_BYTES:
        return f"took {trial.bytes >> 20} MB"
    if any(ord(c) < 32 and c != "\n" or 0x7F <= ord(c) < 0xA0 or c in "\u202e\ufffd" for c in trial.errors):
        return "control characters in the message"
    left = sorted(path.name for path in output.parent.iterdir() if path != model)
    if left != ([output.name] if trial.status == 0 else []):
        return f"left behind: {left}"
    if trial.status == 2 and not re.match(r"graphmill \w+: error: \S", trial.errors):
        return "no error"
    if trial.status == 2 and not names_a_place(trial.errors, model):
        return "an error without a place"
    return ""


def attempt(program: pathlib.Path, model: pathlib.Path, cache: pathlib.Path) -> Trial:
    """Compile `model`, which lies alone in its folder, to a library beside it."""
    output = model.with_suffix(".so")
    env = {**os.environ, **SANITIZERS, "GRAPHMILL_CACHE": str(cache)}
    command = [program, "compile", "-q", "--threads", "1", model, "-o", output]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        alarm = threading.Timer(PATIENCE, process.kill)
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    trial = Trial(process.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10)
    trial.problem = judge(trial, model, output)
    output.unlink(missing_ok=True)
    return trial
