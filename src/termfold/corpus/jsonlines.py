"""JSON Lines files: one object per line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.json as pajson

from termfold._json import parse_json
from termfold.corpus.batch import Chunk, Progress, Request, Where
from termfold.corpus.columns import find_columns, one_batch
from termfold.corpus.streams import (
    ENCODING_REMEDY,
    NOT_UTF8,
    normal_encoding,
    open_bytes,
    reading,
    whole_records,
)
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from termfold.corpus.paths import DataFile

#: How much of a file is looked at to learn its fields.
PEEK_BYTES = 1 << 20
ARROW_TYPES = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}


class JsonLinesFile:
    """A file with one JSON object per line; blank lines are passed over.

    Arrow parses whole blocks. A block it refuses is read line by line, to name the lines that
    are broken, or because labels are of several types.
    """

    once = False

    def __init__(self, file: DataFile, request: Request) -> None:
        if not isinstance(request.text, str) or isinstance(request.label, int):
            raise CorpusError(
                f"{file.path}: the fields of JSON objects have no position. Name them, as in "
                "text='body', label='topic'."
            )
        self.file = file
        self.request = request
        self.text: str = request.text
        self.label: str | None = request.label
        self.size = file.size
        self.encoding = normal_encoding(request.encoding)
        self.where = Where(str(file.path), unit="line", origin=1, note="")

    def has_labels(self) -> bool:
        """Whether a field of labels is asked for."""
        return self.label is not None

    def has_label_lists(self) -> bool:
        """Look for the fields in the first lines, and whether the first label is a list."""
        return isinstance(self._first_label(), list)

    def chunks(self, progress: Progress) -> Iterator[Chunk]:
        """Read a block of lines at a time."""
        schema = pa.schema([pa.field(self.text, pa.large_string())])
        if self.label is not None:
            schema = schema.append(pa.field(self.label, _arrow_type(self._first_label())))
        yield from reading(self._chunks(schema, progress), self.file, self.encoding)

    def _chunks(self, schema: pa.Schema, progress: Progress) -> Iterator[Chunk]:
        line = 0

        def place() -> str:
            return self.where.row(line)

        for block, position in self._blocks(self.request.batch_bytes, place):
            progress.position = position
            # Arrow guesses that strings are dates; columns to be kept must stay as they are.
            chunk = None if self.request.keep_columns else self._parse(block, schema, line)
            chunk = chunk or self._parse_lines(block, line, progress)
            line += block.count(b"\n")
            if len(chunk.text):
                yield chunk

    def _parse(self, block: bytes, schema: pa.Schema, line: int) -> Chunk | None:
        """Parse a block with Arrow, or return None if it refuses or rows are not lines."""
        if not block[:100].lstrip().startswith(b"{"):
            return None  # Arrow does not survive a null there
        try:
            table = pajson.read_json(
                pa.BufferReader(block),
                pajson.ReadOptions(use_threads=False, block_size=len(block) + 1),
                pajson.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
            )
        except (pa.ArrowException, UnicodeError):
            return None
        if len(table) != block.count(b"\n") + (not block.endswith(b"\n")):
            return None
        batch = one_batch(table)
        labels = None if self.label is None else batch.column(1)
        return Chunk(batch.column(0), labels, self.where, line)

    def _parse_lines(self, block: bytes, first_line: int, progress: Progress) -> Chunk:
        """Parse a block line by line, reporting those that are broken."""
        texts, labels, lines, rest = [], [], [], []
        for number, line in enumerate(block.split(b"\n"), first_line):
            if not line.strip():
                continue
            try:
                record = _parse_line(line, self.text, self.label, self.request.keep_columns)
            except _BrokenLineError as problem:
                progress.bad_row(self.where.row(number), str(problem), problem.remedy)
                continue
            texts.append(record.pop(self.text, None))
            labels.append(_as_strings(record.pop(self.label, None)) if self.label else None)
            lines.append(number)
            rest.append(record)
        return Chunk(
            pa.array(texts, pa.large_string()),
            None if self.label is None else _label_column(labels),
            self.where,
            pa.array(lines, pa.int64()).to_numpy(),
            _columns_of(rest) if self.request.keep_columns else None,
        )

    def _first_label(self) -> Any:
        """Return the first label there is in the first lines, failing if fields are absent."""
        names: dict[str, None] = {}
        label = None

        def read() -> Iterator[bytes]:
            for block, _ in self._blocks(PEEK_BYTES, lambda: self.where.row(0)):
                yield block

        for block in reading(read(), self.file, self.encoding):
            if block.lstrip().startswith(b"["):
                raise CorpusError(
                    f"{self.file.path}: a JSON array, where one object per line is expected. "
                    f"Rewrite it: jq -c '.[]' {self.file.path.name} > "
                    f"{self.file.path.stem}.jsonl"
                )
            for line in block.split(b"\n"):
                try:
                    record = parse_json(line)
                except ValueError:  # told with its place when the line is read
                    record = None
                if not isinstance(record, dict):
                    continue
                names |= dict.fromkeys(record)
                label = record.get(self.label) if label in (None, []) and self.label else label
            break
        if names:
            find_columns(list(names), self.request, self.where.name)
        return label

    def _blocks(self, size: int, place: Callable[[], str]) -> Iterator[tuple[bytes, int]]:
        with open_bytes(self.file, self.encoding) as (stream, tell):
            for block, _ in whole_records(stream, size, lambda s: s.rfind(b"\n") + 1, place):
                yield block, tell()


class _BrokenLineError(Exception):
    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.remedy = remedy


def _parse_line(line: bytes, text: str, label: str | None, keep: bool) -> dict[str, Any]:
    """Parse one line, and check what is used of it: Arrow does not look at other fields either."""
    decoded = line.decode("utf-8", "surrogateescape")
    try:
        record = parse_json(decoded)
    except ValueError as error:
        raise _BrokenLineError(
            f"not valid JSON ({error})", "Mend the line: one whole object"
        ) from None
    if not isinstance(record, dict):
        raise _BrokenLineError(
            f"a JSON {type(record).__name__}, not an object", "Write one object per line"
        )
    document = record.get(text)
    if not isinstance(document, str | None):
        raise _BrokenLineError(
            f"the text is {_json_kind(document)}, not a string", "Mend it, or name it with text="
        )
    labels = record.get(label) if label is not None else None
    for value in labels if isinstance(labels, list) else [labels]:
        if not isinstance(value, str | int | float | None):
            raise _BrokenLineError(
                f"a label is {_json_kind(value)}",
                "Give a string, a number or a list of these, or name it with label=",
            )
    _check_encodable(record if keep else [document, labels], line, decoded)
    return record


def _check_encodable(used: Any, line: bytes, decoded: str) -> None:
    """Fail on strings that are not UTF-8, or could not be written in it."""
    # Looking for an escape first spares writing most lines again.
    if _is_encodable(decoded) and b"\\ud" not in line.lower():
        return
    if _is_encodable(json.dumps(used, ensure_ascii=False)):
        return
    if not _is_encodable(decoded):
        raise _BrokenLineError(f"the line {NOT_UTF8}", ENCODING_REMEDY)
    raise _BrokenLineError(
        "half of a surrogate pair (such as \\ud800) stands alone", "Mend the line"
    )


def _json_kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", bool: "a truth value"}
    return names.get(type(value), "a number")


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _as_strings(label: Any) -> Any:
    """Write numbers and truth values as Arrow does, so that a block tells the same as a line."""
    if isinstance(label, list):
        return [_as_strings(value) for value in label]
    if isinstance(label, bool | float):
        return pa.array([label]).cast(pa.string())[0].as_py()
    return label if label is None else str(label)


def _label_column(labels: list[Any]) -> pa.Array:
    if any(isinstance(label, list) for label in labels):
        lists = [label if isinstance(label, list | None) else [label] for label in labels]
        return pa.array(lists, pa.list_(pa.string()))
    return pa.array(labels, pa.string())


def _arrow_type(label: Any) -> pa.DataType:
    """Type of a column from its first value; others of its values may make Arrow refuse it."""
    if isinstance(label, list):
        return pa.list_(_arrow_type(next((x for x in label if x is not None), None)))
    return ARROW_TYPES.get(type(label), pa.string())


def _columns_of(records: list[dict[str, Any]]) -> pa.RecordBatch:
    """Columns of the fields that are neither text nor label; mixed ones as JSON."""
    columns = {}
    for name in dict.fromkeys(name for record in records for name in record):
        values = [record.get(name) for record in records]
        try:
            columns[name] = pa.array(values)
        except (pa.ArrowException, OverflowError):
            columns[name] = pa.array([json.dumps(value, ensure_ascii=False) for value in values])
    if not columns:
        # A batch without columns has no rows either.
        return pa.RecordBatch.from_struct_array(pa.array([{}] * len(records), pa.struct([])))
    return pa.RecordBatch.from_pydict(columns)
