"""The values that pass between the readers and the corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from termfold._arrays import Ints

OnError = Literal["fail", "skip"]

#: How many of the skipped rows are remembered with their reason; all are counted.
REASONS_KEPT = 10


@dataclass(frozen=True)
class Batch:
    """Some documents of a corpus with their labels.

    Parameters
    ----------
    text : pyarrow.LargeStringArray
        The documents: no nulls, valid UTF-8. It may be a slice, so mind its offset when its
        buffers are read.
    labels : pyarrow.ListArray or None
        A list of distinct strings for each document, one-element lists when documents have a
        single label each; None when the corpus is read without labels.
    source : str
        File name, or kind of object (``"DataFrame"``, ``"list"``), for messages.
    first_row : int
        Row of the source, counted from 0, of the first document.
    table : pyarrow.RecordBatch or None
        All other columns, row by row with `text`, when they were asked for.
    """

    text: pa.LargeStringArray
    labels: pa.ListArray | None
    source: str
    first_row: int
    table: pa.RecordBatch | None = None

    def __len__(self) -> int:
        return len(self.text)


@dataclass
class Skipped:
    """Rows left out with ``on_error="skip"``: how many, and the first few with their reasons.

    Examples
    --------
    >>> skipped = Skipped()
    >>> skipped.add("notes.csv, row 7: no text")
    >>> skipped.count, skipped.reasons
    (1, ['notes.csv, row 7: no text'])
    """

    count: int = 0
    reasons: list[str] = field(default_factory=list)

    def add(self, reason: str, rows: int = 1) -> None:
        """Count `rows` rows left out for one reason."""
        self.count += rows
        if len(self.reasons) < REASONS_KEPT:
            self.reasons.append(reason)

    def include(self, other: Skipped) -> None:
        """Count what another reader has left out."""
        self.count += other.count
        self.reasons += other.reasons[: REASONS_KEPT - len(self.reasons)]


@dataclass
class Progress:
    """What one pass over a corpus has read and left out so far."""

    on_error: OnError
    skipped: Skipped = field(default_factory=Skipped)
    finished_bytes: int = 0
    """Bytes of the sources read to their end."""
    position: int = 0
    """Bytes read of the source being read."""

    def bad_row(self, place: str, problem: str, remedy: str, rows: int = 1) -> None:
        """Fail on a row that cannot be used, or count it, as the caller of the corpus wished."""
        if self.on_error == "fail":
            raise CorpusError(f"{place}: {problem}. {remedy}, or skip such rows (on_error='skip').")
        self.skipped.add(f"{place}: {problem}", rows)


@dataclass(frozen=True)
class Where:
    """How a row of a source is named to the user.

    Examples
    --------
    >>> Where("notes.csv", origin=2, note="the header is row 1").row(0)
    'notes.csv, row 2 (the header is row 1)'
    """

    name: str
    unit: str = "row"
    origin: int = 0
    note: str = "counting from 0"

    def row(self, row: int) -> str:
        """Name row `row`, itself counted from 0 without a header."""
        note = f" ({self.note})" if self.note else ""
        return f"{self.name}, {self.unit} {row + self.origin}{note}"


@dataclass(frozen=True)
class Chunk:
    """Rows as a reader found them: any Arrow type that might hold text, nulls and all."""

    text: pa.Array
    labels: pa.Array | None
    where: Where
    rows: int | Ints
    """Row of the source of each row here, or of the first when no row between is missing."""
    rest: pa.RecordBatch | None = None

    def row(self, index: int) -> int:
        """Row of the source of row `index` of the chunk."""
        return self.rows + index if isinstance(self.rows, int) else int(self.rows[index])

    def slice(self, start: int, length: int) -> Chunk:
        """Rows ``start:start + length``, without a copy."""
        return Chunk(
            self.text.slice(start, length),
            None if self.labels is None else self.labels.slice(start, length),
            self.where,
            self.rows + start if isinstance(self.rows, int) else self.rows[start : start + length],
            None if self.rest is None else self.rest.slice(start, length),
        )


@dataclass(frozen=True)
class Request:
    """What the caller of :func:`termfold.corpus.open_corpus` asked of every source."""

    text: str | int
    label: str | int | None
    label_separator: str | None
    encoding: str
    header: bool
    batch_bytes: int
    keep_columns: bool


class Reader(Protocol):
    """One file, folder or object, read as often as `chunks` is called."""

    @property
    def once(self) -> bool:
        """Whether the source is used up by reading it."""

    @property
    def size(self) -> int | None:
        """Bytes on disk, where known."""

    def has_labels(self) -> bool:
        """Whether there are labels to read."""

    def has_label_lists(self) -> bool:
        """Whether each document has a list of labels; fails if a column asked for is absent."""

    def chunks(self, progress: Progress) -> Iterator[Chunk]:
        """Read from the start, in chunks of any size, telling `progress` the position."""
