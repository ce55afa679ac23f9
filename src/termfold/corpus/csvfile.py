"""CSV and TSV files.

Arrow parses the rows, but block by block as they are cut here: its own streaming reader reads 32
blocks ahead, and fails on a row longer than a block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from termfold._kernel import kernel
from termfold.corpus.batch import Where
from termfold.corpus.columns import Columns, chunk_of, find_columns, one_batch
from termfold.corpus.streams import is_utf8, normal_encoding, open_bytes, reading, whole_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from termfold._arrays import Bytes
    from termfold.corpus.batch import Chunk, Progress, Request
    from termfold.corpus.paths import DataFile

FIELD_START, IN_FIELD, IN_QUOTES, QUOTE_IN_QUOTES, AFTER_RETURN = range(5)


@kernel
def scan(data: Bytes, delimiter: int, state: int) -> tuple[int, int]:
    """Find where the last whole record in `data` ends, and the state after `data`.

    The states are those of Arrow's parser: a quote opens at the start of a field only, and what
    follows a closing quote belongs to the field.
    """
    end = 0
    for i in range(len(data)):
        byte = data[i]
        if state == AFTER_RETURN:
            state = FIELD_START
            if byte != 10:  # a line that ends in a carriage return alone
                end = i
        if state == IN_QUOTES:
            if byte == 34:
                state = QUOTE_IN_QUOTES
        elif byte == 34 and state in (QUOTE_IN_QUOTES, FIELD_START):
            # The second of a doubled quote, or one that opens.
            state = IN_QUOTES
        elif byte == delimiter:
            state = FIELD_START
        elif byte == 10:
            state = FIELD_START
            end = i + 1
        elif byte == 13:
            state = AFTER_RETURN
        else:
            state = IN_FIELD
    return end, state


def _as_latin_1(block: bytes) -> bytes:
    return block.decode("latin-1").encode()


def _from_latin_1(column: pa.Array) -> pa.Array:
    raw = [text.encode("latin-1") for text in column.to_pylist()]
    return pa.array(raw, pa.binary()).view(pa.string())


class CsvFile:
    """A file of rows separated by commas or tabs.

    Records are numbered from 0, the header included. All columns are read as strings: ``001``
    stays, and ``NA`` is a text.
    """

    once = False

    def __init__(self, file: DataFile, request: Request) -> None:
        self.file = file
        self.request = request
        self.size = file.size
        self.encoding = normal_encoding(request.encoding)
        self.delimiter = "\t" if file.format == "tsv" else ","
        note = "the header is row 1" if request.header else "counting from 1"
        self.where = Where(str(file.path), origin=1 + request.header, note=note)

    def has_labels(self) -> bool:
        """Whether a column of labels is asked for."""
        return self.request.label is not None

    def has_label_lists(self) -> bool:
        """Look for the columns; what a label is made of, only its separator tells."""
        names = self._names()
        if names:
            find_columns(names, self.request, self.where.name)
        return False

    def chunks(self, progress: Progress) -> Iterator[Chunk]:
        """Read a block of records at a time."""
        names = self._names()
        if not names:  # an empty file: the corpus as a whole tells whether that matters
            return
        columns = find_columns(names, self.request, self.where.name)
        yield from reading(self._chunks(names, columns, progress), self.file, self.encoding)

    def _chunks(self, names: list[str], columns: Columns, progress: Progress) -> Iterator[Chunk]:
        next_row = -int(self.request.header)

        def place() -> str:
            return self.where.row(next_row)

        for block, complete, position in self._blocks(self.request.batch_bytes, place):
            progress.position = position
            if not complete:
                lines = block.count(b"\n")
                progress.bad_row(
                    self.where.row(next_row),
                    f"a quote opened in this row is never closed ({lines} lines up to the end of "
                    "the file are lost)",
                    "Mend the file",
                    rows=max(1, lines),
                )
                return
            batch, broken = self._parse(block, len(names), columns.wanted)
            total = len(batch) + len(broken)
            for row in broken:
                progress.bad_row(
                    self.where.row(next_row + row.number - 1),
                    f"{row.actual_columns} fields instead of {row.expected_columns}",
                    "Mend the row (a field with a delimiter in it needs quotes)",
                )
            rows = np.delete(np.arange(total), [row.number - 1 for row in broken]) + next_row
            if next_row < 0:  # the header
                batch, rows = batch[1:], rows[1:]
            next_row += total
            if len(rows):
                batch = batch.rename_columns([names[i] for i in columns.wanted])
                yield chunk_of(batch, columns, columns.wanted, self.where, rows)

    def _names(self) -> list[str]:
        """Return the header, or the numbers of the columns without one; nothing if empty."""

        def read() -> Iterator[list[str]]:
            for block, _, _ in self._blocks(1 << 16, lambda: self.where.row(-1)):
                if block.strip(b"\r\n"):
                    options = pacsv.ReadOptions(autogenerate_column_names=True, use_threads=False)
                    source = pa.BufferReader(block if is_utf8(block) else _as_latin_1(block))
                    width = pacsv.read_csv(source, options, self._parse_options([])).num_columns
                    if self.request.header:
                        first, _ = self._parse(block, width, range(width))
                        yield [column[0].as_py() for column in first.columns]
                    yield [str(i) for i in range(width)]
            yield []

        return next(reading(read(), self.file, self.encoding))

    def _blocks(self, size: int, place: Callable[[], str]) -> Iterator[tuple[bytes, bool, int]]:
        """Yield blocks of whole records, whether its quotes are closed, and where it ends."""
        state = FIELD_START

        def cut(piece: bytes) -> int:
            nonlocal state
            end, state = scan(np.frombuffer(piece, np.uint8), ord(self.delimiter), state)
            return end

        with open_bytes(self.file, self.encoding) as (stream, tell):
            for block, whole in whole_records(stream, size, cut, place):
                yield block, whole or state != IN_QUOTES, tell()

    def _parse(
        self, block: bytes, width: int, included: Iterable[int]
    ) -> tuple[pa.RecordBatch, list[Any]]:
        """Parse a block of whole records: columns of strings, and the rows that did not fit.

        Arrow wants to decode the latter. So a block with bytes that are not UTF-8 is parsed as
        latin-1, which any bytes are, and its strings are turned back.
        """
        if is_utf8(block):
            return self._parse_utf8(block, width, included)
        batch, broken = self._parse_utf8(_as_latin_1(block), width, included)
        columns = [_from_latin_1(column) for column in batch.columns]
        return pa.RecordBatch.from_arrays(columns, batch.schema.names), broken

    def _parse_utf8(
        self, block: bytes, width: int, included: Iterable[int]
    ) -> tuple[pa.RecordBatch, list[Any]]:
        broken: list[Any] = []
        names = [f"c{i}" for i in range(width)]
        columns = [names[i] for i in included]
        table = pacsv.read_csv(
            pa.BufferReader(block),
            pacsv.ReadOptions(
                # With threads, invalid rows come without their number.
                use_threads=False,
                block_size=len(block) + 1,
                column_names=names,
            ),
            self._parse_options(broken),
            pacsv.ConvertOptions(
                check_utf8=False,  # checked later, where the row can be named
                include_columns=columns,
                column_types=dict.fromkeys(columns, pa.string()),
                strings_can_be_null=False,
            ),
        )
        return one_batch(table), broken

    def _parse_options(self, broken: list[Any]) -> pacsv.ParseOptions:
        def remember(row: Any) -> str:
            broken.append(row)
            return "skip"

        return pacsv.ParseOptions(
            delimiter=self.delimiter, newlines_in_values=True, invalid_row_handler=remember
        )
