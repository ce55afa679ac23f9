"""Bytes of a file: decompressed, brought to UTF-8, with the position in the file on disk."""

from __future__ import annotations

import codecs
import struct
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import pyarrow as pa

from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from termfold.corpus.paths import DataFile

T = TypeVar("T")

#: No row is longer, unless a file is broken; its rest must not fill the memory then.
LONGEST_RECORD = 1 << 29

NOT_UTF8 = "is not valid UTF-8"
ENCODING_REMEDY = "Name the right encoding (encoding='latin-1' reads any bytes)"


def normal_encoding(encoding: str) -> str:
    """Return the common name of an encoding, without mention of a byte order mark.

    Examples
    --------
    >>> normal_encoding("UTF8"), normal_encoding("utf-8-sig"), normal_encoding("latin-1")
    ('utf-8', 'utf-8', 'iso8859-1')
    """
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        raise CorpusError(
            f"encoding={encoding!r} is unknown to Python. Try 'utf-8', 'latin-1', 'cp1252', "
            "'utf-16' or 'gb18030'."
        ) from None
    return name.removesuffix("-sig")


def is_utf8(content: bytes) -> bool:
    r"""Whether some bytes are UTF-8.

    Examples
    --------
    >>> is_utf8("größer".encode()), is_utf8(b"gr\xf6\xdfer")
    (True, False)
    """
    bounds = pa.py_buffer(struct.pack("<2q", 0, len(content)))
    buffers = [None, bounds, pa.py_buffer(content)]
    try:
        pa.Array.from_buffers(pa.large_string(), 1, buffers).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


@contextmanager
def open_bytes(
    file: DataFile, encoding: str | None = None
) -> Iterator[tuple[pa.NativeFile, Callable[[], int]]]:
    """Open a file: a stream of its content, and a function that tells the position on disk.

    Without an encoding, bytes come as they are.
    """
    with pa.OSFile(str(file.path)) as raw:
        stream = raw
        if file.compression is not None:
            stream = pa.CompressedInputStream(stream, file.compression)
        if encoding not in (None, "utf-8"):
            stream = pa.transcoding_input_stream(stream, encoding, "utf-8")
        yield stream, raw.tell


def reading(items: Iterator[T], file: DataFile, encoding: str = "utf-8") -> Iterator[T]:
    """Pass on what a reader of Arrow's yields, its failures turned into errors with a remedy."""
    while True:
        try:
            item = next(items)
        except StopIteration:
            return
        except UnicodeError as error:
            raise CorpusError(
                f"{file.path}: the file is not {encoding} ({error}). {ENCODING_REMEDY}."
            ) from error
        except (pa.ArrowException, OSError, EOFError) as error:
            raise unreadable(file, error) from error
        yield item


def unreadable(file: DataFile, error: Exception) -> CorpusError:
    """Say that a file cannot be read at all: such a failure cannot be skipped."""
    kind = file.format if file.compression is None else f"{file.format} in {file.compression}"
    reason = str(error).strip() or type(error).__name__
    return CorpusError(
        f"{file.path}: the file cannot be read as {kind} ({reason}). If it was cut or altered on "
        "its way, fetch it anew; if it is of another format, name it with format=."
    )


def whole_records(
    stream: pa.NativeFile, size: int, cut: Callable[[bytes], int], place: Callable[[], str]
) -> Iterator[tuple[bytes, bool]]:
    """Read blocks of about `size` bytes, and whether each ends where a record does.

    Only the last one may not.

    Parameters
    ----------
    stream : pyarrow.NativeFile
        Bytes in UTF-8; a byte order mark is dropped.
    size : int
        How many bytes to read at once. A longer record makes a longer block.
    cut : callable
        Called on the bytes in order, piece by piece: the number of bytes up to the end of the
        last record that ends in the piece, 0 if none does.
    place : callable
        Names the record that comes next, should it be too long.
    """
    pending: list[bytes] = []
    length = 0
    first = True
    while piece := stream.read(size):
        if first:
            piece, first = piece.removeprefix(codecs.BOM_UTF8), False
        if end := cut(piece):
            yield b"".join((*pending, piece[:end])), True
            pending, length = [], 0
            piece = piece[end:]
        pending.append(piece)
        length += len(piece)
        if length > LONGEST_RECORD:
            raise CorpusError(
                f"{place()}: longer than {LONGEST_RECORD >> 20} MB; most likely a quote is never "
                "closed or line ends are missing. Mend the file from there on."
            )
    if length:
        yield b"".join(pending), False
