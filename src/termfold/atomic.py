"""Writing a file in one step, and one writer at a time."""

from __future__ import annotations

import errno
import glob
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO

if sys.platform != "win32":  # there is no such lock: what a killed writer leaves, stays there
    import fcntl

# What is told without the file's name.
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file beside ``path`` that takes its place when all has gone well, and else vanishes.

    At any moment, whatever happens, ``path`` is the old file or the new one, whole. What a writer
    that was killed has left behind is removed by the next one. A link stays a link, the file keeps
    its permissions, and what is no file, such as a pipe, is written to as it is.
    """
    try:
        with _replacing(path) as file:
            yield file
    except OSError as error:
        if error.errno in _FULL and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


@contextmanager
def _replacing(path: str | Path) -> Iterator[BinaryIO]:
    mode = _mode_of(path)
    if mode is not None and not stat.S_ISREG(mode):
        with Path(path).open("wb") as whatever:
            yield whatever
        return
    target = Path(os.path.realpath(path))
    _sweep(target)
    file, beside = _open_beside(target)
    try:
        with file:
            if mode is not None:
                beside.chmod(stat.S_IMODE(mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
            beside.replace(target)  # before its lock goes with the file
        _sync_folder(target.parent)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def locked(path: str | Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Keep other processes out that would change a file, too, or wait until they are done.

    For those who read a file in order to replace it: of two at once, the one that finished first
    would be overwritten.

    Parameters
    ----------
    path : str or Path
    waiting : callable
        Called if there is another at work.
    """
    target = Path(path)
    while True:
        with target.open("rb") as file:
            if not _lock(file):
                waiting()
                _lock(file, wait=True)
            # Whoever had the lock may have replaced the file by another.
            if os.path.samestat(os.fstat(file.fileno()), target.stat()):
                yield
                return


def _mode_of(path: str | Path) -> int | None:
    try:
        return Path(path).stat().st_mode
    except FileNotFoundError:
        return None


def _open_beside(target: Path) -> tuple[BinaryIO, Path]:
    while True:
        beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
        file = beside.open("xb")
        # The lock says that somebody is at work, and goes with the process, however that ends.
        _lock(file, wait=True)
        if os.name != "posix" or os.fstat(file.fileno()).st_nlink:
            return file, beside
        file.close()  # swept away by another between the two steps


def _sweep(target: Path) -> None:
    """Remove what writers of this file have left that are no more."""
    if sys.platform == "win32":
        return
    ours = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{8}}\.tmp")
    for found in target.parent.glob(f".{glob.escape(target.name)}.*.tmp"):
        if ours.fullmatch(found.name):
            with suppress(OSError), found.open("rb") as file:
                if _lock(file):
                    found.unlink(missing_ok=True)


def _lock(file: IO[bytes], wait: bool = False) -> bool:
    """Lock a file against others that do so; False if another holds the lock."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # held by another; or, waiting, on a file system without locks
        return False
    return True


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk, too, where the system allows it."""
    if os.name == "posix":
        with suppress(OSError):
            number = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(number)
            finally:
                os.close(number)
