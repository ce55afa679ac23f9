"""What the tests of the corpus share: documents, and files of them in every format."""

from __future__ import annotations

import csv
import gzip
import io
import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

from termfold.corpus import Corpus, open_corpus

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ["plain", 'a "quoted", text', "two\nlines", "", "größer 中文", "007", "NA", "end"]
LABELS = ["b", "a", "a", "NA", "ü", "1", "b", "b"]
LABEL_LISTS = [["b"], ["a", "ü"], [], ["NA"], ["x"], ["1", "2", "3"], ["b"], ["b", "a"]]

FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow", "stream", "feather")
COMPRESSED = ("csv", "tsv", "jsonl", "arrow", "stream", "feather")


def table(labels: list[Any] = LABELS) -> pa.Table:
    return pa.table({"id": list(range(len(TEXTS))), "text": TEXTS, "label": labels})


def write(path: Path, data: pa.Table, format: str) -> Path:
    """Write a table in a format and with the compression that the suffix of the path names."""
    sink = io.BytesIO()
    if format in ("csv", "tsv"):
        text = io.StringIO(newline="")
        rows = csv.writer(text, delimiter="," if format == "csv" else "\t")
        rows.writerow(data.column_names)
        rows.writerows(zip(*data.to_pydict().values(), strict=True))
        sink.write(text.getvalue().encode())
    elif format == "jsonl":
        sink.write(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in data.to_pylist()).encode()
        )
    elif format == "parquet":
        pq.write_table(data, sink, row_group_size=3)
    elif format == "feather":
        pyarrow.feather.write_feather(data, sink, chunksize=3)
    else:
        new = pa.ipc.new_stream if format == "stream" else pa.ipc.new_file
        with new(sink, data.schema) as writer:
            writer.write_table(data, max_chunksize=3)
    content = sink.getvalue()
    if path.suffix == ".gz":
        content = gzip.compress(content)
    elif path.suffix == ".zst":
        content = pa.compress(content, "zstd", asbytes=True)
    path.write_bytes(content)
    return path


def texts(corpus: Corpus) -> list[str]:
    return [text for batch in corpus for text in batch.text.to_pylist()]


def labels(corpus: Corpus) -> list[list[str]]:
    return [names for batch in corpus for names in batch.labels.to_pylist()]


def documents(source: Any, **options: Any) -> list[tuple[str, list[str]]]:
    corpus = open_corpus(source, **options)
    return [
        pair
        for batch in corpus
        for pair in zip(batch.text.to_pylist(), batch.labels.to_pylist(), strict=True)
    ]


SINGLE = [(text, [label]) for text, label in zip(TEXTS, LABELS, strict=True)]
MULTI = list(zip(TEXTS, LABEL_LISTS, strict=True))
