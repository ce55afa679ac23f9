"""``kill -9`` while commands write: the old file or the new one is there, whole.

An input is one kill. Each command runs in a forked process, half of the times until a random moment
of its usual duration, half until a random one of the events that Python's audit hooks tell
(opening, locking, renaming, removing) in the folder that is written to. What a killed writer leaves
is swept away by the next, so that there is never more than one such file, and none in the end.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import common
import numpy as np

from termfold.cli import main

KILLS = 20
SCRATCH = tempfile.TemporaryDirectory(prefix="termfold-fuzz-")
FOLDER = Path(SCRATCH.name)


class Job(NamedTuple):
    """A command, the file it writes, what that was before, and what it is afterwards."""

    args: tuple[str, ...]
    target: Path
    old: bytes
    new: bytes
    seconds: float
    events: int


def child(args: tuple[str, ...], hook: Callable[[str, tuple], None] | None = None) -> int:
    """Run a command in a forked process and leave it to itself."""
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        code = 1
        try:
            if hook is not None:
                sys.addaudithook(hook)
            sys.argv = ["termfold", *args]
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        finally:
            os._exit(code)
    return process


def finished(process: int) -> int:
    """The exit code of a process, negative if it was killed."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def in_folder(folder: Path, then: Callable[[], None]) -> Callable[[str, tuple], None]:
    """A hook that is called for events that have to do with a folder."""

    def hook(event: str, args: tuple) -> None:
        if event in ("open", "os.rename", "os.remove", "os.chmod", "fcntl.flock") and (
            event == "fcntl.flock" or str(folder) in str(args[0])
        ):
            then()

    return hook


def job(name: str, args: list[Any], source: Path | None) -> Job:
    """Run a command unbroken, to learn what it writes, how long it takes, and how many events."""
    folder = FOLDER / name
    folder.mkdir()
    target = folder / "target.csv"
    old = b"what was there before" if source is None else source.read_bytes()
    target.write_bytes(old)
    filled = tuple(str(target if arg is Job else arg) for arg in args)
    count = folder / "count"
    hook = in_folder(folder, lambda: os.write(number, b"x"))
    number = os.open(count, os.O_WRONLY | os.O_CREAT)
    began = time.monotonic()
    code = finished(child(filled, hook))
    seconds = time.monotonic() - began
    os.close(number)
    assert code == 0, (name, code)
    events = len(count.read_bytes())
    count.unlink()
    return Job(filled, target, old, target.read_bytes(), seconds, events)


def jobs() -> list[Job]:
    from cli_tools import call, files

    made = files()
    assert call("predict", made.model, made.test, "-o", FOLDER / "warm.csv", "--jobs", 1).code == 0
    shutil.copy(made.updatable, FOLDER / "u.termfold")
    assert call("update", FOLDER / "u.termfold", made.test, "--jobs", 1).code == 0
    return [
        job("fit", ["fit", made.test, "--jobs", "1", "-o", Job], None),
        job("update", ["update", Job, made.test, "--jobs", "1"], made.updatable),
        job("merge", ["stats", "merge", made.counts, made.counts, "-o", Job], made.counts),
        job("predict", ["predict", made.model, made.test, "--jobs", "1", "-o", Job], None),
    ]


JOBS: list[Job] = []


def one_round(rng: np.random.Generator) -> Counter:
    JOBS.extend(() if JOBS else jobs())
    seen: Counter = Counter()
    for _ in range(KILLS):
        one = JOBS[rng.integers(len(JOBS))]
        if one.target.read_bytes() != one.old:
            one.target.write_bytes(one.old)
        if rng.random() < 0.5:
            process = child(one.args)
            time.sleep(rng.random() * one.seconds)
            os.kill(process, signal.SIGKILL)
        else:
            left = int(rng.integers(1, one.events + 1))

            def countdown() -> None:
                nonlocal left
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

            process = child(one.args, in_folder(one.target.parent, countdown))
        code = finished(process)
        assert code in (0, -signal.SIGKILL), (one.args, code)
        content = one.target.read_bytes()
        assert content in (one.old, one.new), f"{one.target}: neither the old nor the new file"
        others = [path for path in one.target.parent.iterdir() if path != one.target]
        assert len(others) <= 1, others
        seen["kills"] += code != 0
        seen["too_late"] += code == 0
        seen["new" if content == one.new else "old"] += 1
        seen["left_behind"] += len(others)
    for one in JOBS:
        one.target.write_bytes(one.old)
        assert finished(child(one.args)) == 0
        assert one.target.read_bytes() == one.new
        assert list(one.target.parent.iterdir()) == [one.target]
    return seen


if __name__ == "__main__":
    common.main(one_round, __doc__)
