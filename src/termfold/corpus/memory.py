"""Documents in memory: lists, arrays and pandas' series and data frames of Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa

from termfold.corpus.batch import Chunk, Where
from termfold.corpus.columns import find_columns, is_list
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from termfold._arrays import Ints
    from termfold.corpus.batch import Progress, Request

Slices: TypeAlias = "Callable[[int, int], Any]"
"""Gives the values from one position up to another, as something Arrow can convert."""

FIRST_ROWS = 1 << 10
MOST_ROWS = 1 << 17


class InMemory:
    """Parallel vectors of texts and labels, brought to Arrow some rows at a time."""

    once = False
    size = None

    def __init__(
        self, where: Where, rows: int, texts: Slices, labels: Slices | None, batch_bytes: int
    ) -> None:
        self.where = where
        self.rows = rows
        self.texts = texts
        self.labels = labels
        self.batch_bytes = batch_bytes
        self.rest: Slices | None = None

    @classmethod
    def from_sequence(cls, texts: Any, labels: Any, request: Request) -> InMemory:
        """Read a sequence of strings, and a parallel one of labels or None."""
        where = Where(type(texts).__name__)
        if request.keep_columns:
            raise CorpusError(
                f"{where.name}: there are no columns to keep. Leave keep_columns out."
            )
        rows, slices = _slices(texts, "the documents")
        if labels is None:
            return cls(where, rows, slices, None, request.batch_bytes)
        label_rows, label_slices = _slices(labels, "labels=")
        if rows != label_rows:
            raise CorpusError(
                f"{where.name}: {rows} documents but {label_rows} labels. Give one label (or list "
                "of labels) for each document."
            )
        return cls(where, rows, slices, label_slices, request.batch_bytes)

    @classmethod
    def from_pandas(cls, frame: Any, request: Request) -> InMemory:
        """Read two columns of a data frame of pandas, which is not converted as a whole."""
        where = Where(type(frame).__name__)
        columns = find_columns([str(name) for name in frame.columns], request, where.name)
        rows, texts = _slices(frame.iloc[:, columns.text], "the text column")
        labels = None
        if columns.label is not None:
            _, labels = _slices(frame.iloc[:, columns.label], "the label column")
        reader = cls(where, rows, texts, labels, request.batch_bytes)
        if columns.rest is not None:
            rest = frame.iloc[:, list(columns.rest)]
            reader.rest = lambda start, end: _to_batch(rest.iloc[start:end], where)
        return reader

    def has_labels(self) -> bool:
        """Whether labels were given."""
        return self.labels is not None

    def has_label_lists(self) -> bool:
        """Look at the first label there is."""
        if self.labels is None:
            return False
        for start in range(0, self.rows, FIRST_ROWS):
            labels = labels_to_arrow(self.labels(start, start + FIRST_ROWS), self.where, start)
            if labels.null_count < len(labels):
                return is_list(labels.type)
        return False

    def chunks(self, progress: Progress) -> Iterator[Chunk]:
        """Convert rows, as many at a time as the last ones suggest for a batch."""
        start, step = 0, FIRST_ROWS
        while start < self.rows:
            end = min(start + step, self.rows)
            text, kept = texts_to_arrow(self.texts(start, end), self.where, start, progress)
            labels = rest = None
            if self.labels is not None:
                labels = labels_to_arrow(self.labels(start, end), self.where, start)
            if self.rest is not None:
                rest = self.rest(start, end)
            if len(kept) < end - start:
                labels = None if labels is None else labels.take(pa.array(kept))
                rest = None if rest is None else rest.take(pa.array(kept))
            yield Chunk(text, labels, self.where, kept + start, rest)
            step = (end - start) * self.batch_bytes // max(1, text.nbytes)
            start, step = end, min(max(1, step), MOST_ROWS)


def _slices(values: Any, role: str) -> tuple[int, Slices]:
    """Return the length of a vector, and how to slice it."""
    if getattr(values, "ndim", 1) != 1:
        raise CorpusError(
            f"{role}: an array of shape {values.shape}, where one value per document is expected. "
            "For several labels per document, give a list of lists of their names."
        )
    if hasattr(values, "iloc"):
        return len(values), lambda start, end: values.iloc[start:end]
    if isinstance(values, (list, tuple, np.ndarray)):
        return len(values), lambda start, end: values[start:end]
    if isinstance(values, pa.Array):
        return len(values), lambda start, end: values[start:end]
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        column = pa.chunked_array(values)
        return len(column), lambda start, end: column[start:end].combine_chunks()
    raise CorpusError(
        f"{role}: a {type(values).__name__}, where a list, array or series is expected. "
        "Give list(...) of it."
    )


def texts_to_arrow(
    values: Any, where: Where, first_row: int, progress: Progress
) -> tuple[pa.Array, Ints]:
    """Convert documents; those that are no strings are reported and left out.

    Returns
    -------
    texts : pyarrow.Array
        Strings, some perhaps null.
    kept : array of int
        Their positions among the values.
    """
    try:
        array = _to_array(values)
    except (pa.ArrowException, UnicodeEncodeError):
        pass
    else:
        return array, np.arange(len(array))
    texts, kept = [], []
    for i, value in enumerate(values):
        try:
            texts.append(None if _is_missing(value) else _encode(value))
        except UnicodeEncodeError:
            progress.bad_row(
                where.row(first_row + i),
                "half of a surrogate pair stands alone in the text, which no encoding allows",
                "Clean it: text.encode('utf-8', 'replace').decode()",
            )
        except TypeError:
            progress.bad_row(
                where.row(first_row + i),
                f"the text is of type {type(value).__name__}, not a string",
                "Convert it with str()",
            )
        else:
            kept.append(i)
    return pa.array(texts, pa.large_binary()), np.array(kept, dtype=np.int64)


def labels_to_arrow(values: Any, where: Where, first_row: int) -> pa.Array:
    """Convert labels: scalars, or lists, tuples, sets and arrays of them."""
    try:
        if not any(isinstance(value, (set, frozenset)) for value in values):
            return _to_array(values)
    except (pa.ArrowException, UnicodeEncodeError, OverflowError):
        pass
    labels: list[str | list[str | None] | None] = []
    for row, value in enumerate(values, first_row):
        try:
            if isinstance(value, (set, frozenset)):  # which have no order of their own
                labels.append([*sorted(map(_label, value))])
            elif isinstance(value, (list, tuple, np.ndarray)):
                labels.append([None if _is_missing(x) else _label(x) for x in value])
            else:
                labels.append(None if _is_missing(value) else _label(value))
        except (TypeError, UnicodeEncodeError):
            raise CorpusError(
                f"{where.row(row)}: the label {value!r} is neither a string nor a number, nor a "
                "list of these. Convert it with str()."
            ) from None
    try:
        return pa.array(labels)
    except pa.ArrowInvalid:
        raise CorpusError(
            f"{where.name}: some labels near row {first_row} are lists and others are not. Give "
            "lists for all documents, or for none."
        ) from None


def _to_array(values: Any) -> pa.Array:
    if isinstance(values, pa.Array):
        return values
    array = pa.array(values, from_pandas=True)
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _to_batch(frame: Any, where: Where) -> pa.RecordBatch:
    try:
        return pa.RecordBatch.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, UnicodeEncodeError) as error:
        raise CorpusError(
            f"{where.name}: the other columns cannot be kept ({error}). Convert the column named "
            "there, or leave keep_columns out."
        ) from error


def _is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, or another mark of pandas for an absent value."""
    try:
        return bool(pa.array([value], from_pandas=True).null_count)
    except (pa.ArrowException, UnicodeEncodeError, OverflowError):
        return False


def _encode(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8")
    if isinstance(value, bytes):
        return value
    raise TypeError


def _label(value: Any) -> str:
    if isinstance(value, str):
        value.encode("utf-8")
        return str(value)
    if isinstance(value, (bool, np.bool_, float, np.floating)):
        return str(pa.array([value]).cast(pa.string())[0])
    if isinstance(value, (int, np.integer)):
        return str(value)
    raise TypeError
