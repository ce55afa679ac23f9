"""Documents in an executor: the columns of a Spark data frame as batches of texts and labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from termfold.corpus.batch import Batch, Chunk, OnError, Progress, Request, Where
from termfold.corpus.columns import find_columns
from termfold.corpus.shape import Kind, shape
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_BATCH_BYTES = 8 << 20


@dataclass(frozen=True)
class Reading:
    """How the rows of a data frame are read; it travels to the executors.

    Parameters
    ----------
    text : str
        Column of the texts.
    label : str or None
        Column of the labels: of strings, numbers, or lists of these; None reads no labels.
    label_separator : str, optional
        What stands between several labels in one string.
    multilabel : bool, optional
        May a document have no or several labels? By default, if the labels are lists or a
        separator is given.
    on_error : {"fail", "skip"}
        Whether a row without a text, or without the one label it needs, is an error, or is left
        out and counted.
    """

    text: str = "text"
    label: str | None = "label"
    label_separator: str | None = None
    multilabel: bool | None = None
    on_error: OnError = "fail"

    def __post_init__(self) -> None:
        if self.on_error not in ("fail", "skip"):
            raise CorpusError(f"on_error={self.on_error!r} is unknown. Choose 'fail' or 'skip'.")

    def columns_of(self, df: DataFrame) -> tuple[DataFrame, Kind]:
        """Choose the columns, and find out whether documents have several labels."""
        from pyspark.sql.functions import col
        from pyspark.sql.types import ArrayType

        found = find_columns(df.columns, self._request(), "the data frame")
        names = [df.columns[at] for at in (found.text, found.label) if at is not None]
        lists = isinstance(df.schema[names[-1]].dataType, ArrayType)
        several = bool(lists or self.label_separator)
        multilabel = several if self.multilabel is None else self.multilabel
        chosen = df.select(*(col(f"`{name.replace('`', '``')}`") for name in names))
        return chosen, Kind(self.label is not None, multilabel and self.label is not None)

    def _request(self) -> Request:
        return Request(
            self.text, self.label, self.label_separator, "utf-8", True, _BATCH_BYTES, False
        )

    def batches(
        self, partition: Iterator[pa.RecordBatch], kind: Kind, progress: Progress
    ) -> Iterator[Batch]:
        """Read a partition of the columns chosen; ``progress`` counts the rows left out."""
        request = self._request()
        where = Where(f"partition {_partition_id()} of the data frame")
        row = 0
        for rows in partition:
            labels = rows.column(1) if kind.labelled else None
            yield from shape(Chunk(rows.column(0), labels, where, row), request, kind, progress)
            row += len(rows)


@dataclass
class Documents:
    """A partition that is read once, batch by batch."""

    partition: Iterator[pa.RecordBatch]
    reading: Reading
    kind: Kind
    progress: Progress = field(init=False)

    def __post_init__(self) -> None:
        self.progress = Progress(self.reading.on_error)

    def __iter__(self) -> Iterator[Batch]:
        return self.reading.batches(self.partition, self.kind, self.progress)


def _partition_id() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return -1 if context is None else context.partitionId()
