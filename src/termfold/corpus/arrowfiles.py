"""Parquet files, and Arrow files and streams (also called IPC or Feather)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from termfold.corpus.batch import Where
from termfold.corpus.columns import chunk_of, find_columns, is_list
from termfold.corpus.soundness import check_sound
from termfold.corpus.streams import open_bytes, reading, unreadable
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from termfold.corpus.batch import Chunk, Progress, Request
    from termfold.corpus.paths import DataFile

ARROW_MAGIC = b"ARROW1"
#: The most rows of a Parquet file read at once, however short its documents seem: repeats are
#: stored once, so that documents can be far longer than what is stored of them.
MOST_ROWS = 1 << 16


class _SchemaFile(ABC):
    """What the files have in common that tell their columns beforehand."""

    once = False

    def __init__(self, file: DataFile, request: Request) -> None:
        self.file = file
        self.request = request
        self.size = file.size
        self.where = Where(str(file.path))

    def has_labels(self) -> bool:
        """Whether a column of labels is asked for."""
        return self.request.label is not None

    def has_label_lists(self) -> bool:
        """Look for the columns, and at the type of the labels."""
        schema = next(reading(self._schema(), self.file))
        try:
            names = schema.names
        except UnicodeError as error:
            raise unreadable(self.file, error) from error
        label = find_columns(names, self.request, self.where.name).label
        return label is not None and is_list(schema.field(label).type)

    def chunks(self, progress: Progress) -> Iterator[Chunk]:
        """Read a batch at a time."""
        return reading(self._chunks(progress), self.file)

    @abstractmethod
    def _schema(self) -> Iterator[pa.Schema]:
        """Open the file, and yield what its columns are."""

    @abstractmethod
    def _chunks(self, progress: Progress) -> Iterator[Chunk]:
        """Read a batch at a time; Arrow's errors are turned into others by ``chunks``."""


class ParquetFile(_SchemaFile):
    """A Parquet file, of which only the pages in use are held in memory."""

    def _schema(self) -> Iterator[pa.Schema]:
        with pq.ParquetFile(self.file.path) as parquet:
            yield parquet.schema_arrow

    def _chunks(self, progress: Progress) -> Iterator[Chunk]:
        # Without pre_buffer and with a buffer, columns are read page by page. Otherwise a row
        # group would be in memory as a whole, and many files are one row group.
        with pq.ParquetFile(self.file.path, pre_buffer=False, buffer_size=1 << 20) as parquet:
            names = parquet.schema_arrow.names
            columns = find_columns(names, self.request, self.where.name)
            wanted = list(dict.fromkeys(names[i] for i in columns.wanted))  # in the file's order
            present = [i for i, name in enumerate(names) if name in wanted]
            rows = self._rows_at_once(parquet.metadata)
            row, total = 0, parquet.metadata.num_rows
            for batch in parquet.iter_batches(rows, columns=wanted, use_threads=False):
                yield chunk_of(batch, columns, present, self.where, row)
                row += len(batch)
                progress.position = self.size * row // max(row, total)  # total is what it states

    def _rows_at_once(self, metadata: pq.FileMetaData) -> int:
        """How many rows hold at most ``batch_bytes`` of text, by the largest row group's mean.

        Of all columns together, since of a broken file Arrow looks at single ones without a net.
        """
        groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
        mean = max((group.total_byte_size // max(1, group.num_rows) for group in groups), default=1)
        return min(max(1, self.request.batch_bytes // max(1, mean)), MOST_ROWS)


class ArrowFile(_SchemaFile):
    """An Arrow file or stream, one of its batches in memory at a time.

    The file form is the stream form between a prefix and a footer, and is read as such: so it
    can be read through a compression, too.
    """

    def _schema(self) -> Iterator[pa.Schema]:
        with self._open(pa.ipc.IpcReadOptions()) as (reader, _):
            yield reader.schema

    def _chunks(self, progress: Progress) -> Iterator[Chunk]:
        schema = next(self._schema())
        columns = find_columns(schema.names, self.request, self.where.name)
        options = pa.ipc.IpcReadOptions(included_fields=columns.wanted, use_threads=False)
        row = 0
        with self._open(options) as (reader, tell):
            for batch in reader:
                check_sound(batch)
                yield chunk_of(batch, columns, columns.wanted, self.where, row)
                row += len(batch)
                progress.position = tell()

    @contextmanager
    def _open(
        self, options: pa.ipc.IpcReadOptions
    ) -> Iterator[tuple[pa.RecordBatchReader, Callable[[], int]]]:
        with (
            self._open_stream() as (stream, tell),
            pa.ipc.open_stream(stream, options=options) as reader,
        ):
            yield reader, tell

    @contextmanager
    def _open_stream(self) -> Iterator[tuple[pa.NativeFile, Callable[[], int]]]:
        """Open the file where its stream starts."""
        with open_bytes(self.file) as (stream, _):
            start = stream.read(8)
        is_file = start.startswith(ARROW_MAGIC)
        if start.startswith(b"FEA1"):
            raise CorpusError(
                f"{self.file.path}: Feather version 1 is not read. Write the file anew with "
                "pyarrow.feather.write_feather, which writes version 2."
            )
        if self.file.compression is not None:
            with open_bytes(self.file) as (stream, tell):
                stream.read(8 if is_file else 0)
                yield stream, tell
                # The footer is not needed, but a cut shows only when all is read.
                while stream.read(1 << 16):
                    pass
            return
        # Mapped, so that a batch of a gigabyte takes memory only where it is read.
        with pa.memory_map(str(self.file.path)) as stream:
            if is_file:
                stream.seek(max(0, self.size - len(ARROW_MAGIC)))
                if stream.read() != ARROW_MAGIC:
                    raise unreadable(self.file, EOFError("its end is missing"))
            stream.seek(8 if is_file else 0)
            yield stream, stream.tell
