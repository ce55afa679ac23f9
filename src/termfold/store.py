"""Files of termfold's own: safetensors with one JSON header, written in one step.

Nothing in such a file is ever executed, and nothing it states is believed before it is checked.
"""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from safetensors.numpy import save

from termfold._arrays import Array
from termfold._json import parse_json
from termfold.atomic import replacing
from termfold.errors import FileFormatError

_KEY = "termfold"  # the one key, since safetensors keeps several in no fixed order
_LONGEST_HEADER = 100 << 20
_MOST_BRACKETS = 1_000_000  # an empty list takes twenty times the memory that it takes in a file
_TYPES = {
    "BOOL": np.bool_, "U8": np.uint8, "U16": np.uint16, "U32": np.uint32, "U64": np.uint64,
    "I8": np.int8, "I16": np.int16, "I32": np.int32, "I64": np.int64,
    "F16": np.float16, "F32": np.float32, "F64": np.float64,
}  # fmt: skip


class Layout(NamedTuple):
    """What a file says of itself: its header, and the type and shape of each table.

    The tables follow one another in the file, in this order.
    """

    kind: str
    version: int
    header: dict[str, Any]
    tables: dict[str, tuple[str, tuple[int, ...]]]


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
    """Read the header and the tables of a file of the given kind.

    Memory is taken for no more than the file has bytes. It is not mapped: a mapped file that
    another program cuts short ends the process.
    """
    with Path(path).open("rb") as file:
        return _read(file, kind, version, path)


def from_bytes(
    content: bytes, kind: str, version: int, name: str
) -> tuple[dict[str, Any], dict[str, Array]]:
    """The same of a file's content; ``name`` is for messages."""
    return _read(io.BytesIO(content), kind, version, name)


def _read(
    file: BinaryIO, kind: str, version: int, path: str | Path
) -> tuple[dict[str, Any], dict[str, Array]]:
    try:
        found = read_layout(file)
        if (found.kind, found.version) != (kind, version):
            raise FileFormatError(
                f"{path}: a {found.kind} file of version {found.version}; "
                f"this is for {kind} files of version {version}"
            )
        tables = {name: _read_table(file, *table) for name, table in found.tables.items()}
    except FileFormatError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FileFormatError(f"{path}: not a {kind} file, or cut short ({error})") from error
    return {**found.header, "kind": kind, "version": version}, tables


def read_layout(file: BinaryIO) -> Layout:
    """Read the beginning of a file, up to its tables, and check that these fill the rest.

    Raises
    ------
    KeyError, TypeError, ValueError, AttributeError
        If it is no such file.
    """
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    length = int.from_bytes(file.read(8), "little")
    if not 2 <= length <= min(size - 8, _LONGEST_HEADER):
        raise ValueError("its header is not where it should be")
    stated = _parse(file.read(length).decode())
    header = _parse(stated.pop("__metadata__")[_KEY])
    _check_encodable(header)
    tables = {}
    at = 0
    for name, table in sorted(stated.items(), key=lambda item: item[1]["data_offsets"]):
        shape = tuple(table["shape"])
        begin, end = table["data_offsets"]
        if not all(isinstance(number, int) and number >= 0 for number in (*shape, begin, end)):
            raise ValueError(f"the shape of {name!r} is none")
        if (
            begin != at
            or end - begin != math.prod(shape) * np.dtype(_TYPES[table["dtype"]]).itemsize
        ):
            raise ValueError(f"{name!r} is not where it should be")
        tables[name] = table["dtype"], shape
        at = end
    if 8 + length + at != size:
        raise ValueError(f"{size:,} bytes, where it should have {8 + length + at:,}")
    return Layout(str(header.pop("kind")), header.pop("version"), header, tables)


def _read_table(file: BinaryIO, kind: str, shape: tuple[int, ...]) -> Array:
    table: Array = np.empty(math.prod(shape), _TYPES[kind])
    if file.readinto(table.view(np.uint8)) != table.nbytes:  # type: ignore[attr-defined]
        raise ValueError("it was cut while it was read")
    return table.reshape(shape)


def _parse(text: str) -> Any:
    if text.count("[") + text.count("{") > _MOST_BRACKETS:
        raise ValueError("its header has more brackets than one that was written here")
    return parse_json(text)


def _check_encodable(header: Any) -> None:
    """Fail on half a surrogate pair, which JSON can write and UTF-8 cannot."""
    json.dumps(header, ensure_ascii=False).encode()
