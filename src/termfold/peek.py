"""What kind of file of termfold's a file is, told from its header alone."""

from __future__ import annotations

from pathlib import Path

from termfold.errors import FileFormatError
from termfold.store import Layout, read_layout

STATS, MODEL = "termfold-stats", "termfold-model"


def peek(path: str | Path) -> Layout:
    """Read the header of a file of termfold's; its tables stay on the disk."""
    found = _peek(Path(path))
    if found is None or found.kind not in (STATS, MODEL):
        raise FileFormatError(
            f"{path}: neither a model nor a count file of termfold. "
            "termfold fit makes the former, termfold stats count the latter"
        )
    return found


def kind_of(path: str | Path) -> str | None:
    """``STATS``, ``MODEL``, or None for anything else, such as a corpus."""
    found = _peek(Path(path)) if Path(path).is_file() else None
    return None if found is None else found.kind


def _peek(path: Path) -> Layout | None:
    with path.open("rb") as file:
        try:
            return read_layout(file)
        except (ValueError, KeyError, TypeError, AttributeError):
            return None
