"""Files of termfold's own: safetensors with one JSON header, written in one step.

Nothing in such a file is ever executed. The tensors are read by memory map.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from safetensors import SafetensorError, safe_open
from safetensors.numpy import load, save

from termfold._arrays import Array
from termfold.errors import FileFormatError

_KEY = "termfold"  # the one key, since safetensors keeps several in no fixed order


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file beside ``path`` that takes its place when all has gone well, and else vanishes.

    At any moment, whatever happens, ``path`` is the old file or the new one, whole.
    """
    target = Path(path)
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def write_store(
    path: str | Path, kind: str, version: int, header: dict[str, Any], tables: dict[str, Array]
) -> None:
    """Write tables and a header; equal content gives equal bytes."""
    content = to_bytes(kind, version, header, tables)
    with replacing(path) as file:
        file.write(content)


def to_bytes(kind: str, version: int, header: dict[str, Any], tables: dict[str, Array]) -> bytes:
    """What ``write_store`` writes."""
    text = json.dumps(
        {"kind": kind, "version": version, **header}, ensure_ascii=False, sort_keys=True
    )
    content: bytes = save({name: tables[name] for name in sorted(tables)}, {_KEY: text})
    return content


def read_store(
    path: str | Path, kind: str, version: int
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Read the header and the tables of a file of the given kind."""
    try:
        with safe_open(os.fspath(path), framework="numpy") as file:
            header = _checked(json.loads((file.metadata() or {})[_KEY]), kind, version, path)
            return header, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise _not_whole(error, kind, path) from error


def from_bytes(
    content: bytes, kind: str, version: int, name: str
) -> tuple[dict[str, Any], dict[str, Array]]:
    """The same of a file's content; ``name`` is for messages."""
    try:
        size = int.from_bytes(content[:8], "little")
        about = json.loads(content[8 : 8 + size])["__metadata__"]
        return _checked(json.loads(about[_KEY]), kind, version, name), load(content)
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise _not_whole(error, kind, name) from error


def _checked(header: dict[str, Any], kind: str, version: int, path: str | Path) -> dict[str, Any]:
    found = header["kind"], header["version"]
    if found != (kind, version):
        raise FileFormatError(
            f"{path}: a {found[0]} file of version {found[1]}; "
            f"this is for {kind} files of version {version}"
        )
    return header


def _not_whole(error: Exception, kind: str, path: str | Path) -> FileFormatError:
    if isinstance(error, FileFormatError):
        return error
    return FileFormatError(f"{path}: not a {kind} file, or cut short ({error})")
