"""By what a corpus of files is known again."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from termfold.corpus.folder import DocumentFolder
from termfold.corpus.paths import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from termfold.corpus.batch import Reader


def identity_of(readers: Sequence[Reader]) -> dict[str, Any] | None:
    """Number, size, and a digest of names, sizes and times of the files; None without files."""
    digest = hashlib.sha256()
    files = size = 0
    for reader in readers:
        paths = _paths(reader)
        if paths is None:
            return None
        for path in paths:
            found = path.lstat()
            digest.update(f"{path.resolve()}\0{found.st_size}\0{found.st_mtime_ns}\0".encode())
            files += 1
            size += found.st_size
    return {"files": files, "bytes": size, "digest": digest.hexdigest()}


def state_of(reader: Reader) -> tuple[str, int, int]:
    """Name, size and time of the file that a reader reads; of others nothing that changes."""
    file = getattr(reader, "file", None)
    if file is None:
        return "", 0, 0
    try:
        found = file.path.stat()
    except FileNotFoundError:
        return str(file.path), -1, 0
    return str(file.path), found.st_size, found.st_mtime_ns


def _paths(reader: Reader) -> Iterable[Path] | None:
    if isinstance(reader, DocumentFolder):
        return walk(reader.folder)
    file = getattr(reader, "file", None)
    return None if file is None else [file.path]
