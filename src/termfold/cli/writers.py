"""Write rows as they come: CSV, TSV, JSON Lines or Parquet, also compressed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import pyarrow as pa

from termfold.errors import CorpusError

Write: TypeAlias = Callable[[pa.RecordBatch], None]

FORMS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
# Parts of a list in one field.
_SEPARATOR = "|"


def form_of(path: Path) -> str | None:
    """The form that a file's extension tells.

    Examples
    --------
    >>> form_of(Path("labels.csv.gz")), form_of(Path("labels.txt"))
    ('csv', None)
    """
    name = path.with_suffix("") if path.suffix.lower() in _COMPRESSIONS else path
    return FORMS.get(name.suffix.lower())


class _StaysOpen:
    """A file that Arrow does not close with its own stream: it has yet to be put in its place."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self.write = file.write
        self.flush = file.flush

    def close(self) -> None:
        """Do nothing."""


@contextmanager
def writing(sink: BinaryIO, form: str, name: str = "") -> Iterator[Write]:
    """Give a function that writes a batch of rows to a stream.

    Parameters
    ----------
    sink : file of bytes
    form : {"csv", "tsv", "jsonl", "parquet"}
    name : str
        Of the file; its last extension tells the compression.
    """
    kind = _COMPRESSIONS.get(Path(name).suffix.lower())
    if kind is None:
        with _WRITERS[form](sink) as write:
            yield write
        return
    if form == "parquet":
        raise CorpusError(f"{name}: Parquet compresses its columns itself; leave out the .gz")
    with (
        pa.CompressedOutputStream(pa.PythonFile(_StaysOpen(sink), "w"), kind) as compressed,
        _WRITERS[form](compressed) as write,
    ):
        yield write


@contextmanager
def _json_lines(sink: Any) -> Iterator[Write]:
    def write(batch: pa.RecordBatch) -> None:
        rows = (json.dumps(row, ensure_ascii=False, default=str) for row in batch.to_pylist())
        sink.write("".join(f"{row}\n" for row in rows).encode())
        sink.flush()

    yield write


@contextmanager
def _delimited(sink: Any, delimiter: str) -> Iterator[Write]:
    schema: pa.Schema | None = None

    def write(batch: pa.RecordBatch) -> None:
        nonlocal schema
        buffer = io.StringIO()
        writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\n")
        if schema is None:
            schema = _settled(batch.schema)
            writer.writerow(schema.names)
        columns = [_fields(column) for column in conformed(batch, schema).columns]
        writer.writerows(zip(*columns, strict=True))
        sink.write(buffer.getvalue().encode())
        sink.flush()

    yield write


def _fields(column: pa.Array) -> list[Any]:
    values: list[Any] = column.to_pylist()
    if pa.types.is_nested(column.type):
        return [None if value is None else _field(value) for value in values]
    return values


def _field(value: Any) -> str:
    if isinstance(value, list) and not any(isinstance(part, list | dict) for part in value):
        return _SEPARATOR.join(map(str, value))
    return json.dumps(value, ensure_ascii=False, default=str)


@contextmanager
def _parquet(sink: Any) -> Iterator[Write]:
    import pyarrow.parquet as pq

    writer: Any = None

    def write(batch: pa.RecordBatch) -> None:
        nonlocal writer
        if writer is None:
            writer = pq.ParquetWriter(sink, _settled(batch.schema))
        writer.write_batch(conformed(batch, writer.schema))

    try:
        yield write
    finally:  # after an error, too: a writer left open complains when it is collected
        if writer is not None:
            writer.close()


def _settled(schema: pa.Schema) -> pa.Schema:
    """A column that has no value so far may have strings later."""
    fields = [
        field.with_type(pa.string()) if pa.types.is_null(field.type) else field for field in schema
    ]
    return pa.schema(fields)


def conformed(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Bring a batch to the columns of the first one; those that it lacks are empty.

    JSON Lines may bring a field late, after the columns of the output were settled.
    """
    if batch.schema.equals(schema):
        return batch
    for name in batch.schema.names:
        if name not in schema.names:
            raise CorpusError(
                f"the field {name!r} comes only after the columns of the output were settled. "
                "Write JSON Lines, or leave out the input's columns with --no-columns."
            )
    columns = []
    for field in schema:
        if field.name not in batch.schema.names:
            columns.append(pa.nulls(len(batch), field.type))
            continue
        column = batch.column(field.name)
        try:
            columns.append(column if column.type == field.type else column.cast(field.type))
        except pa.ArrowException as error:
            raise CorpusError(
                f"the field {field.name!r} has values of several types ({error}). "
                "Write JSON Lines, or leave out the input's columns with --no-columns."
            ) from error
    return pa.RecordBatch.from_arrays(columns, schema=schema)


_WRITERS: dict[str, Callable[[Any], Any]] = {
    "csv": lambda sink: _delimited(sink, ","),
    "tsv": lambda sink: _delimited(sink, "\t"),
    "jsonl": _json_lines,
    "parquet": _parquet,
}
