"""Tables in memory or behind a query, as streams of Arrow data; and streams of batches."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from termfold.corpus.batch import Batch, Chunk, Where
from termfold.corpus.columns import chunk_of, find_columns, is_list
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from termfold.corpus.batch import Progress, Request
    from termfold.corpus.columns import Columns


class _Table:
    """What all tables have in common."""

    size = None

    def __init__(self, source: Any, request: Request) -> None:
        self.source = source
        self.request = request
        self.where = Where(type(source).__name__)

    def has_labels(self) -> bool:
        """Whether a column of labels is asked for."""
        return self.request.label is not None

    def _columns(self, names: list[str]) -> Columns:
        return find_columns(names, self.request, self.where.name)


class ArrowStream(_Table):
    """An object with ``__arrow_c_stream__``: of pyarrow, Polars, DuckDB and many others."""

    def __init__(self, source: Any, request: Request) -> None:
        super().__init__(source, request)
        self.once = isinstance(source, pa.RecordBatchReader)
        self._opened: pa.RecordBatchReader | None = None

    def has_label_lists(self) -> bool:
        """Look for the columns, and at the type of the labels."""
        schema = self._schema()
        label = self._columns(schema.names).label
        return label is not None and is_list(schema.field(label).type)

    def chunks(self, progress: Progress) -> Iterator[Chunk]:
        """Pass on the batches of the stream."""
        reader, self._opened = self._opened or self._open(self.source), None
        with reader:
            columns = self._columns(reader.schema.names)
            present = range(len(reader.schema.names))
            row = 0
            for batch in reader:
                yield chunk_of(batch, columns, present, self.where, row)
                row += len(batch)

    def _schema(self) -> pa.Schema:
        schema = getattr(self.source, "schema", None)
        if isinstance(schema, pa.Schema):
            return schema
        if "duckdb" in type(self.source).__module__:
            # An open result would keep the connection busy until the corpus is read.
            with self._open(self.source.limit(0)) as reader:
                return reader.schema
        # Some sources can be asked for their stream only once: keep it for the first pass.
        self._opened = self._opened or self._open(self.source)
        return self._opened.schema

    def _open(self, source: Any) -> pa.RecordBatchReader:
        try:
            return pa.RecordBatchReader.from_stream(source)
        except pa.ArrowException as error:
            raise CorpusError(
                f"{self.where.name}: its Arrow stream cannot be opened ({error}). If it can be "
                "read only once, pass a new one for each pass."
            ) from error


class HuggingFaceDataset(_Table):
    """A dataset of the ``datasets`` library, in its order after ``select`` or ``shuffle``.

    It has no ``__arrow_c_stream__``, and its table is in the order of the disk: rows are asked
    for in Arrow's format. Labels of ``ClassLabel`` become the names of their classes.
    """

    once = False
    rows_at_once = 1000

    def has_label_lists(self) -> bool:
        """Look for the columns, and at the first label."""
        first = next(self._tables(self.source, 1), None)
        if first is None:
            return False
        label = self._columns(first.column_names).label
        return label is not None and is_list(first.schema.field(label).type)

    def chunks(self, progress: Progress) -> Iterator[Chunk]:
        """Ask for some rows at a time."""
        first = next(self._tables(self.source, 1), None)
        if first is None:
            return
        names = first.column_names
        columns = self._columns(names)
        # Columns that nobody asked for may hold pictures.
        source = self.source.select_columns([names[i] for i in columns.wanted])
        row = 0
        for table in self._tables(source, self.rows_at_once):
            for batch in table.to_batches():
                yield chunk_of(
                    self._with_class_names(batch, names, columns),
                    columns,
                    columns.wanted,
                    self.where,
                    row,
                )
                row += len(batch)

    def _with_class_names(
        self, batch: pa.RecordBatch, names: list[str], columns: Columns
    ) -> pa.RecordBatch:
        if columns.label is None:
            return batch
        label = names[columns.label]
        feature = (self.source.features or {}).get(label)
        feature = getattr(feature, "feature", feature)  # of a list
        classes = getattr(feature, "names", None)
        if classes is None:
            return batch
        return batch.set_column(
            columns.wanted.index(columns.label), label, _class_names(batch.column(label), classes)
        )

    @staticmethod
    def _tables(source: Any, rows: int) -> Iterator[pa.Table]:
        tables: Iterator[pa.Table] = source.with_format("arrow").iter(batch_size=rows)
        return tables


def _class_names(column: pa.Array, classes: list[str]) -> pa.Array:
    """Put names for the numbers of classes; a negative one says that there is no label."""
    if is_list(column.type):
        column = column.cast(pa.large_list(column.type.value_type))
        return pa.LargeListArray.from_arrays(column.offsets, _class_names(column.values, classes))
    numbers = pc.if_else(pc.less(column, 0), pa.scalar(None, column.type), column)
    return pa.array(classes, pa.string()).take(numbers)


class Batches:
    """Batches made elsewhere; a list of them can be read again, a generator once."""

    size = None

    def __init__(self, source: Iterable[Any], request: Request) -> None:
        self.once = not isinstance(source, (list, tuple))
        self.source = source
        self.name = type(source).__name__
        iterator = iter(source)
        self._first = next(iterator, None)
        self._others = iterator
        self._check(self._first)

    def has_labels(self) -> bool:
        """Whether the first batch has labels."""
        return self._first is not None and self._first.labels is not None

    def has_label_lists(self) -> bool:
        """Whether a document of the first batch has no or several labels."""
        if self._first is None or self._first.labels is None:
            return False
        counts = pc.list_value_length(self._first.labels)
        return bool(pc.any(pc.not_equal(counts, 1)).as_py())

    def chunks(self, progress: Progress) -> Iterator[Chunk]:
        """Pass on the batches."""
        if self._first is None:
            return
        for batch in chain([self._first], self._others) if self.once else self.source:
            self._check(batch)
            yield Chunk(batch.text, batch.labels, Where(batch.source), batch.first_row, batch.table)

    def _check(self, batch: Any) -> None:
        if not isinstance(batch, Batch | None):
            raise CorpusError(
                f"{self.name}: it yields {type(batch).__name__}, where Batch is expected. Give "
                "documents as a list of str, and files as a list of Path."
            )
