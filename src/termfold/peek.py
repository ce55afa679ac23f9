"""What kind of file of termfold's a file is, told from its header alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from termfold.errors import FileFormatError

STATS, MODEL = "termfold-stats", "termfold-model"

_LONGEST_HEADER = 100 << 20


class Peek(NamedTuple):
    """The header of a file, and what tables come after it, by name: type and shape."""

    kind: str
    version: int
    header: dict[str, Any]
    tables: dict[str, tuple[str, list[int]]]


def peek(path: str | Path) -> Peek:
    """Read the header of a file of termfold's; its tables stay on the disk."""
    found = _peek(Path(path))
    if found is None:
        raise FileFormatError(
            f"{path}: neither a model nor a count file of termfold. "
            "termfold fit makes the former, termfold stats count the latter"
        )
    return found


def kind_of(path: str | Path) -> str | None:
    """``STATS``, ``MODEL``, or None for anything else, such as a corpus."""
    found = _peek(Path(path)) if Path(path).is_file() else None
    return None if found is None else found.kind


def _peek(path: Path) -> Peek | None:
    # A safetensors file: the size of its header in eight bytes, then the header as JSON.
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > _LONGEST_HEADER or file.read(1) != b"{":
            return None
        content = b"{" + file.read(size - 1)
    try:
        tables = json.loads(content)
        header = json.loads(tables.pop("__metadata__")["termfold"])
        return Peek(
            header.pop("kind"),
            header.pop("version"),
            header,
            {name: (table["dtype"], table["shape"]) for name, table in sorted(tables.items())},
        )
    except (ValueError, KeyError, TypeError):
        return None
