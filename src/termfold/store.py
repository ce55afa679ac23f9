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
from safetensors.numpy import save

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
    text = json.dumps(
        {"kind": kind, "version": version, **header}, ensure_ascii=False, sort_keys=True
    )
    content = save({name: tables[name] for name in sorted(tables)}, {_KEY: text})
    with replacing(path) as file:
        file.write(content)


def read_store(
    path: str | Path, kind: str, version: int
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Read the header and the tables of a file of the given kind."""
    try:
        with safe_open(os.fspath(path), framework="numpy") as file:
            header = json.loads((file.metadata() or {})[_KEY])
            found = header["kind"], header["version"]
            if found != (kind, version):
                raise FileFormatError(
                    f"{path}: a {found[0]} file of version {found[1]}; "
                    f"this is for {kind} files of version {version}"
                )
            return header, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, FileFormatError):
            raise
        raise FileFormatError(f"{path}: not a {kind} file, or cut short ({error})") from error
