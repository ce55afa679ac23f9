"""Texts as Arrow strings, all at once or some at a time, and their bytes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from termfold._arrays import Ints

# A thread takes so much text at a time: enough that its price does not count, and little enough
# that all threads are done at about the same time.
BATCH_BYTES = 1 << 19
_FIRST_ROWS = 1 << 8
_MOST_ROWS = 1 << 16


def text_array(texts: Any) -> pa.LargeStringArray:
    """Texts as one Arrow array; what is no string is an error that names its place.

    Arrow strings, and what pandas and Polars keep as such, are not copied.
    """
    return _joined(_checked(_as_arrow(texts)))


def text_batches(texts: Any, batch_bytes: int = BATCH_BYTES) -> Iterator[pa.LargeStringArray]:
    """Texts as Arrow arrays of about so many bytes each; a list is converted a part at a time.

    There is one array at least, if of no texts.

    Examples
    --------
    >>> [batch.to_pylist() for batch in text_batches(["one", "two"])]
    [['one', 'two']]
    """
    listed = isinstance(texts, list | tuple)
    whole = texts if listed else _checked(_as_arrow(texts))
    start, rows = 0, _FIRST_ROWS
    while start < max(1, len(whole)):
        part = whole[start : start + rows]
        batch = _from_python(part, start) if listed else _joined(part)
        yield batch
        start += max(1, len(batch))
        suggested = len(batch) * batch_bytes // max(1, batch.nbytes)
        rows = min(max(1, suggested), 2 * rows, _MOST_ROWS)  # what follows may be longer


def _as_arrow(texts: Any) -> pa.Array | pa.ChunkedArray:
    if isinstance(texts, pa.Array | pa.ChunkedArray):
        return texts
    if hasattr(texts, "__arrow_c_stream__") or hasattr(texts, "__arrow_c_array__"):
        # A Series of Python objects may not be convertible; then it is read one by one.
        with contextlib.suppress(pa.ArrowException):
            return pa.chunked_array(texts)
    if type(texts).__module__.startswith("pandas"):  # before version 3 a Series has no stream
        with contextlib.suppress(pa.ArrowException):
            return pa.array(texts, from_pandas=True)
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        kind = "one string" if isinstance(texts, str) else repr(texts)
        raise ValueError(f"got {kind}; give a list of texts: [text]")
    return _from_python(list(texts), 0)


def _checked(array: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    if not _holds_strings(array.type):
        raise ValueError(f"texts must be strings, got Arrow type {array.type}")
    if array.null_count:
        raise _null_in(array, 0)
    return array


def _null_in(array: pa.Array | pa.ChunkedArray, first_row: int) -> ValueError:
    row = array.is_null().index(True).as_py() + first_row
    return ValueError(f"text {row} is null; drop it or fill it with an empty string")


def _holds_strings(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _joined(array: pa.Array | pa.ChunkedArray) -> pa.LargeStringArray:
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    plain = [_plain(chunk) for chunk in chunks] or [pa.array([], pa.large_string())]
    return plain[0] if len(plain) == 1 else pa.concat_arrays(plain)


def _plain(chunk: pa.Array) -> pa.LargeStringArray:
    if pa.types.is_dictionary(chunk.type):  # cast does not know how to decode string views
        return _plain(chunk.dictionary).take(chunk.indices)
    # A cast to the type it has would only load Arrow's functions, for a fifteenth of a second.
    return chunk if chunk.type == pa.large_string() else chunk.cast(pa.large_string())


def _from_python(texts: Sequence[Any], first_row: int) -> pa.LargeStringArray:
    """Convert strings; what is none is named by its row, counted from ``first_row``."""
    try:
        array = pa.array(texts, pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError) as error:
        for row, text in enumerate(texts, first_row):
            if not isinstance(text, str):
                raise ValueError(
                    f"text {row} is {text!r:.80} of type {type(text).__name__}, not a string"
                ) from None
            try:
                text.encode()
            except UnicodeEncodeError:
                raise ValueError(
                    f"text {row} holds a lone surrogate, which is no character; "
                    "clean it with text.encode('utf-8', 'replace').decode()"
                ) from None
        raise error
    if array.null_count:
        raise _null_in(array, first_row)
    return array


def utf8_of(texts: pa.Array | Sequence[str]) -> tuple[Any, Ints]:
    """The bytes of texts and the bounds of each, without a copy where they are in Arrow already."""
    array = text_array(texts)
    if len(array) == 0:
        return _read_only(np.zeros(0, np.uint8)), _read_only(np.zeros(1, np.int64))
    _, offsets, data = array.buffers()
    bounds = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    raw = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return _read_only(raw), _read_only(bounds)


def _read_only(array: Any) -> Any:
    # Some buffers are, others not, and a kernel would be compiled for each kind.
    array.flags.writeable = False
    return array
