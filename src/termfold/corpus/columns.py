"""Which columns hold the text and the labels, and both brought to one type."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from termfold.corpus.batch import Chunk
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from termfold._arrays import Bools, Ints
    from termfold.corpus.batch import Request, Where


@dataclass(frozen=True)
class Columns:
    """Positions of the columns of a source."""

    text: int
    label: int | None
    rest: tuple[int, ...] | None
    """All others, if they are to be kept."""

    @property
    def wanted(self) -> list[int]:
        """The positions to read, in the order of the source."""
        return sorted(
            {self.text, *(self.rest or ())} | (set() if self.label is None else {self.label})
        )


def find_columns(names: Sequence[str], request: Request, source: str) -> Columns:
    """Find the columns of text and labels by name or position.

    Raises
    ------
    CorpusError
        Naming the columns there are, if one asked for is absent or its name is given twice.
    """
    text = _find(names, request.text, "text", source)
    label = None if request.label is None else _find(names, request.label, "label", source)
    rest = tuple(i for i in range(len(names)) if i not in (text, label))
    return Columns(text, label, rest if request.keep_columns else None)


def _find(names: Sequence[str], wanted: str | int, role: str, source: str) -> int:
    there_are = "its columns are " + ", ".join(repr(name) for name in names)
    without = " (or label=None to read unlabelled text)" if role == "label" else ""
    if isinstance(wanted, int):
        if 0 <= wanted < len(names):
            return wanted
        raise CorpusError(
            f"{source}: there is no column at position {wanted} for {role}=; {there_are}. "
            f"Positions count from 0."
        )
    found = [i for i, name in enumerate(names) if name == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise CorpusError(
            f"{source}: {len(found)} columns are called {wanted!r}. "
            f"Give the position of the right one: {role}={found[0]} or {role}={found[1]}."
        )
    close = difflib.get_close_matches(wanted, names, n=1)
    hint = f" Did you mean {role}={close[0]!r}?" if close else ""
    raise CorpusError(
        f"{source}: there is no column {wanted!r}; {there_are}.{hint} "
        f"Name the right one with {role}={without}."
    )


def chunk_of(
    batch: pa.RecordBatch,
    columns: Columns,
    present: Sequence[int],
    where: Where,
    rows: int | Ints,
) -> Chunk:
    """Take the columns asked for out of a batch that has those at the positions `present`."""
    at = {position: i for i, position in enumerate(present)}
    return Chunk(
        batch.column(at[columns.text]),
        None if columns.label is None else batch.column(at[columns.label]),
        where,
        rows,
        None if columns.rest is None else batch.select([at[i] for i in columns.rest]),
    )


def one_batch(table: pa.Table) -> pa.RecordBatch:
    """Return the rows of a table as one batch, also if there are none."""
    arrays = [column.combine_chunks() for column in table.columns]
    return pa.RecordBatch.from_arrays(arrays, schema=table.schema)


def as_strings(column: pa.Array, role: str, source: str) -> pa.LargeStringArray:
    """Bring a column of any kind of string to one type, nulls kept, bytes not checked.

    Labels may be of any scalar type: numbers, truth values and dates are written out.
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        # Decoding first, since Arrow cannot take from string views (as Polars' categories are).
        values = as_strings(column.dictionary, role, source)
        return values.take(column.indices)
    if pa.types.is_large_string(kind):
        return column
    if pa.types.is_large_binary(kind):
        return column.view(pa.large_string())
    if pa.types.is_binary(kind) or pa.types.is_binary_view(kind):
        return column.cast(pa.large_binary()).view(pa.large_string())
    if pa.types.is_string(kind):
        # By way of binary: a cast between types of strings would fail on invalid UTF-8, and
        # without naming the row.
        return column.view(pa.binary()).cast(pa.large_binary()).view(pa.large_string())
    if pa.types.is_string_view(kind):
        return column.view(pa.binary_view()).cast(pa.large_binary()).view(pa.large_string())
    if pa.types.is_null(kind):
        return column.cast(pa.large_string())
    if role == "text":
        raise CorpusError(
            f"{source}: the text column holds {kind}, not strings. Name the right one with text=."
        )
    if pa.types.is_nested(kind):
        raise CorpusError(
            f"{source}: a label cannot be {kind}; strings, numbers and lists of these can. "
            "Name the right column with label=."
        )
    return column.cast(pa.string()).cast(pa.large_string())


def is_list(kind: pa.DataType) -> bool:
    """Whether values of an Arrow type are lists of any sort."""
    return any(
        test(kind)
        for test in (
            pa.types.is_list,
            pa.types.is_large_list,
            pa.types.is_fixed_size_list,
            pa.types.is_list_view,
            pa.types.is_large_list_view,
        )
    )


def invalid_utf8(strings: pa.LargeStringArray) -> list[int]:
    """Positions of the strings whose bytes are not UTF-8; readers of Arrow data do not check."""
    try:
        strings.validate(full=True)
    except pa.ArrowInvalid:
        return [i for i, value in enumerate(strings.view(pa.large_binary())) if not _is_utf8(value)]
    return []


def _is_utf8(value: pa.LargeBinaryScalar) -> bool:
    try:
        (value.as_py() or b"").decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def as_label_lists(
    column: pa.Array, separator: str | None, source: str
) -> tuple[pa.ListArray, list[int]]:
    """Bring labels to lists of strings: blanks and repeats gone, a missing one an empty list.

    Returns
    -------
    lists : pyarrow.ListArray
        The labels of each row.
    invalid : list of int
        Rows with a label that is not UTF-8, which is left out.

    Examples
    --------
    >>> as_label_lists(pa.array(["b, a,,b", None, "c"]), ",", "list")[0].to_pylist()
    [['b', 'a'], [], ['c']]
    """
    rows = len(column)
    lists = is_list(column.type)
    if lists and separator is not None:
        raise CorpusError(f"{source}: the labels are lists already. Leave label_separator out.")
    if lists:
        parents = pc.list_parent_indices(column).to_numpy(zero_copy_only=False)
        column = pc.list_flatten(column)
    else:
        parents = np.arange(rows)
    values = as_strings(column, "label", source)
    invalid = invalid_utf8(values)
    if invalid:
        mask = np.zeros(len(values), dtype=np.bool_)
        mask[invalid] = True
        values = pc.if_else(pa.array(mask), pa.scalar(None, pa.large_string()), values)
        invalid = sorted({int(row) for row in parents[invalid]})
    if separator is not None:
        parts = pc.split_pattern(values, separator)
        parents = pc.list_parent_indices(parts).to_numpy(zero_copy_only=False)
        values = pc.utf8_trim_whitespace(pc.list_flatten(parts))
    keep = pc.not_equal(values, "").fill_null(False)
    if lists or separator is not None:  # only then can a document have the same label twice
        keep = pc.and_(keep, pa.array(_first_occurrences(parents, values)))
    kept = keep.to_numpy(zero_copy_only=False)
    offsets = np.zeros(rows + 1, dtype=np.int32)
    np.cumsum(np.bincount(parents[kept], minlength=rows), out=offsets[1:])
    labels = pa.ListArray.from_arrays(pa.array(offsets), values.filter(keep).cast(pa.string()))
    return labels, invalid


def _first_occurrences(parents: Ints, values: pa.LargeStringArray) -> Bools:
    """Mark the first time each value occurs in each parent."""
    codes = pc.dictionary_encode(values, null_encoding="encode")
    numbers = codes.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    pairs = parents.astype(np.int64) * (len(codes.dictionary) + 1) + numbers
    first = np.zeros(len(values), dtype=np.bool_)
    first[np.unique(pairs, return_index=True)[1]] = True
    return first
