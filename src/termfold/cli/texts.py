"""Texts without labels from what a command is given: files, a folder, or standard input."""

from __future__ import annotations

import codecs
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, cast

import click
import pyarrow as pa

from termfold.cli.options import source_of
from termfold.corpus import Batch
from termfold.corpus.paths import COMPRESSIONS, DataFile, data_format
from termfold.corpus.streams import ENCODING_REMEDY, normal_encoding, open_bytes
from termfold.errors import CorpusError

LINES = "lines"
_STDIN = "standard input"
_BLOCK = 1 << 20


@contextmanager
def open_texts(inputs: Sequence[str], options: dict[str, Any]) -> Iterator[tuple[Any, bool]]:
    """Find out what ``open_corpus`` is to read, and whether it has other columns.

    Files of an extension that tells no format have one text per line, as standard input has.

    Parameters
    ----------
    inputs : sequence of str
        Paths, globs or a folder; none, or ``-``, for standard input.
    options : dict
        Those of ``text_reading_options``; ``format`` is set to None where it is dealt with here.
    """
    form, encoding = options["format"], normal_encoding(options["encoding"])
    if "-" in inputs and len(inputs) > 1:
        raise click.UsageError("standard input (-) cannot be one of several inputs")
    if not inputs or inputs[0] == "-":
        if form in (None, LINES):
            options["format"] = None
            yield lines(_STDIN, _from_stdin(encoding)), False
        else:
            with _spooled(form) as path:
                yield path, True
        return
    if form == LINES or (form is None and all(_holds_lines(name) for name in inputs)):
        options["format"] = None
        yield (batch for name in inputs for batch in lines(name, _from_file(name, encoding))), False
        return
    yield source_of(inputs), True


def lines(name: str, blocks: Iterable[bytes]) -> Iterator[Batch]:
    """Make texts of the lines of a stream of UTF-8, as soon as they are whole."""
    rest = b""
    row = 0
    for block in blocks:
        whole, end, begun = block.rpartition(b"\n")
        if end:
            yield (batch := _batch_of_lines(rest + whole, name, row))
            row += len(batch)
            rest = begun
        else:
            rest += begun
    if rest:
        yield _batch_of_lines(rest, name, row)


def _batch_of_lines(content: bytes, name: str, row: int) -> Batch:
    if row == 0:
        content = content.removeprefix(codecs.BOM_UTF8)
    texts = [line.removesuffix(b"\r") for line in content.split(b"\n")]
    # Whether they are UTF-8 is looked at where a line can be named, or skipped.
    return Batch(pa.array(texts, pa.large_binary()).view(pa.large_string()), None, name, row)


def _from_stdin(encoding: str) -> Iterator[bytes]:
    """Read what is there, without waiting for more."""
    stream = cast(BufferedReader, sys.stdin.buffer)
    if encoding == "utf-8":
        while block := stream.read1(_BLOCK):
            yield block
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while block := stream.read1(_BLOCK):
            yield decoder.decode(block).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        raise CorpusError(f"{_STDIN}: not {encoding} ({error}). {ENCODING_REMEDY}.") from error


def _from_file(name: str, encoding: str) -> Iterator[bytes]:
    path = Path(name)
    if not path.is_file():
        raise CorpusError(f"{name}: there is no such file. Check the path.")
    compression = COMPRESSIONS.get(path.suffix.lower())
    with open_bytes(DataFile(path, LINES, compression), encoding) as (stream, _):
        while block := stream.read(_BLOCK):
            yield block


def _holds_lines(name: str) -> bool:
    return Path(name).is_file() and data_format(Path(name)) is None


@contextmanager
def _spooled(form: str) -> Iterator[Path]:
    """Standard input as a file: data files are read more than once, first for their columns."""
    with tempfile.TemporaryDirectory(prefix="termfold-") as folder:
        path = Path(folder) / "input"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, _BLOCK)
        try:
            yield path
        except CorpusError as error:
            raise CorpusError(str(error).replace(str(path), _STDIN)) from error
