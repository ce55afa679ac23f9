"""What executors send: rows of a shard's number, what it is, and its bytes.

An error that a user can mend is sent as well instead of being raised, so that it reaches them as
one sentence and not as the tracebacks of two languages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from termfold.corpus.batch import Skipped
from termfold.errors import CorpusError, TermfoldError
from termfold.spark.reading import Documents, Reading

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SCHEMA = "shard int, what string, content binary"
_ARROW = pa.schema([("shard", pa.int32()), ("what", pa.string()), ("content", pa.binary())])
_ERROR, _SKIPPED = "error", "skipped"


class Parcel(NamedTuple):
    """One row."""

    shard: int
    what: str
    content: bytes

    def row(self) -> pa.RecordBatch:
        """The parcel alone in a batch, since contents may be large."""
        columns = [[value] for value in self]
        return pa.RecordBatch.from_arrays(
            [pa.array(c, f.type) for c, f in zip(columns, _ARROW, strict=True)], schema=_ARROW
        )


Work = Callable[[Documents], Iterable[Parcel]]


def sent(df: DataFrame, reading: Reading, work: Work) -> DataFrame:
    """Have executors work on their documents; the parcels that they send."""
    columns, kind = reading.columns_of(df)
    return columns.mapInArrow(partial(_working, reading=reading, kind=kind, work=work), SCHEMA)


def _working(
    partition: Iterator[pa.RecordBatch], reading: Reading, kind: object, work: Work
) -> Iterator[pa.RecordBatch]:
    documents = Documents(partition, reading, kind)  # type: ignore[arg-type]
    try:
        for parcel in work(documents):
            yield parcel.row()
    except TermfoldError as error:
        yield Parcel(0, _ERROR, str(error).encode()).row()
        return
    left_out = documents.progress.skipped
    if left_out.count:
        content = json.dumps([left_out.count, left_out.reasons]).encode()
        yield Parcel(0, _SKIPPED, content).row()


def parcels_in(rows: Iterable[pa.RecordBatch]) -> Iterator[Parcel]:
    """Read rows as parcels."""
    for batch in rows:
        columns = (batch.column(name).to_pylist() for name in _ARROW.names)
        yield from map(Parcel._make, zip(*columns, strict=True))


def no_documents(skipped: Skipped) -> CorpusError:
    """The error that there is nothing to learn from, and why."""
    why = (
        f": all {skipped.count} rows were skipped, as {skipped.reasons[0]}" if skipped.count else ""
    )
    return CorpusError(
        f"The data frame has no documents{why}. Check that it is the right one and not empty."
    )


def received(df: DataFrame, skipped: Skipped) -> list[Parcel]:
    """Collect parcels; raise the first error among them, and add up the rows left out."""
    parcels = list(parcels_in(df.toArrow().to_batches()))
    for parcel in parcels:
        if parcel.what == _ERROR:
            raise CorpusError(parcel.content.decode())
    for parcel in parcels:
        if parcel.what == _SKIPPED:
            skipped.include(Skipped(*json.loads(parcel.content)))
    return [parcel for parcel in parcels if parcel.what not in (_ERROR, _SKIPPED)]
