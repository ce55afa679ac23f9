"""Which reader reads a source, by what the source is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from termfold.corpus.arrowfiles import ArrowFile, ParquetFile
from termfold.corpus.batch import Batch
from termfold.corpus.csvfile import CsvFile
from termfold.corpus.folder import DocumentFolder
from termfold.corpus.frames import ArrowStream, Batches, HuggingFaceDataset
from termfold.corpus.jsonlines import JsonLinesFile
from termfold.corpus.memory import InMemory
from termfold.corpus.paths import data_format, find_files
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from termfold.corpus.batch import Reader, Request
    from termfold.corpus.paths import DataFile

FILE_READERS: dict[str, Callable[[DataFile, Request], Reader]] = {
    "csv": CsvFile,
    "tsv": CsvFile,
    "json": JsonLinesFile,
    "parquet": ParquetFile,
    "arrow": ArrowFile,
}


def find_readers(
    source: Any, labels: Any, request: Request, format: str | None
) -> Sequence[Reader]:
    """Choose how a source is read."""
    if _is_sequence_of_texts(source):
        _refuse_names_of_files(source, labels)
        return [InMemory.from_sequence(source, labels, request)]
    if labels is not None:
        raise CorpusError(
            f"labels= goes with a sequence of str, not with a {type(source).__name__}. Name the "
            "column of labels with label=."
        )
    if isinstance(source, (str, PathLike)) or _is_list_of(source, PathLike):
        return _file_readers(source, request, format)
    if hasattr(source, "iloc"):
        return [InMemory.from_pandas(source, request)]
    if isinstance(source, Mapping):
        raise CorpusError(
            f"A {type(source).__name__} with the keys {list(source)}: choose one of the splits of "
            "a dataset, as in source['train'], or make a table of columns: pyarrow.table(source)."
        )
    if hasattr(source, "with_format") and hasattr(source, "select_columns"):
        return [HuggingFaceDataset(source, request)]
    if hasattr(source, "__arrow_c_stream__"):
        return [ArrowStream(source, request)]
    if hasattr(source, "collect"):
        raise CorpusError(
            f"A {type(source).__name__} is only a plan. Give what its collect() returns."
        )
    if isinstance(source, Iterable):
        return [Batches(source, request)]
    raise CorpusError(
        f"A {type(source).__name__} cannot be read. Give a path, a table, or a list of str."
    )


def _file_readers(source: Any, request: Request, format: str | None) -> Sequence[Reader]:
    if isinstance(source, list | tuple):
        found = find_files([Path(path) for path in source], format)
    else:
        found = find_files(source if isinstance(source, str) else Path(fspath(source)), format)
    if isinstance(found, Path):
        return [DocumentFolder(found, request)]
    return [FILE_READERS[file.format](file, request) for file in found]


def _is_list_of(source: Any, kind: type) -> bool:
    return isinstance(source, list | tuple) and bool(source) and isinstance(source[0], kind)


def _is_sequence_of_texts(source: Any) -> bool:
    """Whether a source is a vector, rather than a table, of something that is no path or batch."""
    if isinstance(source, list | tuple):
        return not (_is_list_of(source, PathLike) or _is_list_of(source, Batch))
    if isinstance(source, np.ndarray | pa.Array | pa.ChunkedArray):
        return True
    # A series of pandas or Polars; their tables have columns, one of which might be "dtype".
    return hasattr(source, "dtype") and not hasattr(source, "columns")


def _refuse_names_of_files(source: Any, labels: Any) -> None:
    """Stop a list of the names of files from being read as documents."""
    if labels is not None or not isinstance(source, list | tuple) or not source:
        return
    for name in source[:100]:
        if not isinstance(name, str) or data_format(Path(name)) is None or not _is_file(name):
            return
    raise CorpusError(
        f"{source[0]!r} and the others are names of files, but a list of str is read as "
        "documents. Give a list of Path, or a pattern such as 'data/*.csv'."
    )


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long a name, or one with a zero byte
        return False
