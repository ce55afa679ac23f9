"""Arrow data of strangers: offsets and indices have to stay inside before anything follows them.

Arrow reads a file without looking at them. Whether strings are UTF-8 is looked at later, where a
row can be named; so they are seen as plain bytes here.
"""

from __future__ import annotations

import pyarrow as pa


def check_sound(batch: pa.RecordBatch) -> None:
    """Fail with ``pyarrow.ArrowInvalid`` on a batch whose columns lead outside of its memory.

    Examples
    --------
    >>> offsets = pa.array([0, 99, 5], pa.int32()).buffers()[1]
    >>> lie = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"short")])
    >>> check_sound(pa.RecordBatch.from_arrays([lie], ["text"]))
    Traceback (most recent call last):
        ...
    pyarrow.lib.ArrowInvalid: ...
    """
    for column in batch.columns:
        _check(column)


def _check(column: pa.Array) -> None:
    if pa.types.is_dictionary(column.type):
        _check(column.dictionary)
        numbers = pa.nulls(len(column.dictionary), pa.int8())  # of the same length
        pa.DictionaryArray.from_arrays(column.indices, numbers, safe=False).validate(full=True)
        return
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        column.view(_as_bytes(column.type)).validate(full=True)


def _as_bytes(kind: pa.DataType) -> pa.DataType:
    """The type with the same memory that has bytes where this one has strings."""
    for test, plain in (
        (pa.types.is_string, pa.binary()),
        (pa.types.is_large_string, pa.large_binary()),
        (pa.types.is_string_view, pa.binary_view()),
    ):
        if test(kind):
            return plain
    if pa.types.is_list(kind):
        return pa.list_(_as_bytes(kind.value_type))
    if pa.types.is_large_list(kind):
        return pa.large_list(_as_bytes(kind.value_type))
    return kind
