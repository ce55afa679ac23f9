"""Altered corpora in every format: read, refused by a ``CorpusError``, or skipped and counted.

An input is one file that is read. Its bytes are flipped, cut, inserted, repeated; numbers in them
become very large or negative; its rows are of wrong types, other encodings and byte order marks.
With ``on_error="skip"`` the rows of CSV and JSON Lines that are not in the batches have to be in
``skipped``. Arrow and Parquet files of strangers are parsed by Arrow's C++: a crash ends the run,
and the file that did it is kept in the folder that is printed at the start.
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import common
import numpy as np
import pyarrow as pa

from corpus_tools import COMPRESSED, FORMATS, LABEL_LISTS, LABELS, table, write
from termfold.corpus import open_corpus
from termfold.errors import CorpusError

FILES = 200
SCRATCH = Path(tempfile.mkdtemp(prefix="termfold-fuzz-"))
EXTENSIONS = {"stream": "arrows"}
PIECES = [
    b"\xff\xff\xff\x7f", b"\x00\x00\x00\x80", b"\xff\xff\xff\xff", b"\xef\xbb\xbf", b"\xff\xfe",
    b'"', b'""', b",", b"\t", b"\r", b"\r\n", b"\n", b"\0", b"\x80", b"\xed\xa0\x80", b"[" * 2000,
    b'{"text":', b"null", b"1e999", b'"\\ud800"', b"NaN", b"[[", b"}" * 9, b"true", b"x" * 5000,
]  # fmt: skip
VALUES = [
    "text", "größer 中文", "", None, 0, 1, -1, 1.5, 10**30, True, [], ["a"], [None], ["a", "a"],
    [["a"]], {}, {"a": 1}, "\ud800", "a\0b", "x" * 3000, float("nan"), [1, "a"], " a ",
]  # fmt: skip


def originals() -> dict[str, bytes]:
    made = {}
    for form in FORMATS:
        for compression in ("", ".gz", ".zst") if form in COMPRESSED else ("",):
            for labels in (LABELS, LABEL_LISTS) if form not in ("csv", "tsv") else (LABELS,):
                name = f"{'one' if labels is LABELS else 'lists'}.{EXTENSIONS.get(form, form)}"
                path = SCRATCH / (name + compression)
                made[path.name] = write(path, table(labels), form).read_bytes()
    return made


ORIGINALS = originals()


def one_round(rng: np.random.Generator) -> Counter:
    seen: Counter = Counter()
    for _ in range(FILES):
        if rng.random() < 0.3:
            name, content, rows = (strange_json if rng.random() < 0.5 else strange_csv)(rng)
        else:
            name = str(rng.choice(list(ORIGINALS)))
            content, rows = altered(rng, ORIGINALS[name]), None
        path = SCRATCH / f"altered-{name}"
        path.write_bytes(content)
        seen["files"] += 1
        seen += read(path, rng, rows)
    return seen


def read(path: Path, rng: np.random.Generator, rows: int | None) -> Counter:
    """Read a file, and count what became of its rows, if it is known how many they are."""
    skip = rows is not None or rng.random() < 0.5
    options = {
        "on_error": "skip" if skip else "fail",
        "batch_bytes": int(rng.choice([1, 30, 1000, 8 << 20])),
        "keep_columns": bool(rng.random() < 0.3),
        "multilabel": [None, True, False][rng.integers(3)],
        "label": "label" if rng.random() < 0.8 else None,
        "label_separator": "," if rng.random() < 0.1 else None,
    }
    documents = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            corpus = open_corpus(path, **options)
            for batch in corpus:
                batch.text.validate(full=True)
                assert batch.text.null_count == 0
                if batch.labels is not None:
                    batch.labels.validate(full=True)
                    assert len(batch.labels) == len(batch.text)
                if batch.table is not None:
                    assert len(batch.table) == len(batch.text)
                documents += len(batch)
        except CorpusError as error:
            problem = str(error)
            assert str(path) in problem or "The corpus has no documents" in problem, problem
            return Counter(refused=1)
    left_out = corpus.skipped.count
    if rows is not None:
        assert documents + left_out == rows, (path, documents, left_out, rows, options)
    return Counter(read=1, documents=documents, rows_skipped=left_out)


# -- altering ---------------------------------------------------------------------------------


def altered(rng: np.random.Generator, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(int(rng.geometric(0.5))):
        at = int(rng.integers(len(data)))
        end = min(len(data), at + int(rng.geometric(0.1)))
        match rng.integers(7):
            case 0:
                data[at] ^= 1 << int(rng.integers(8))
            case 1:
                data[at] = int(rng.choice([0, 1, 127, 128, 255, 34, 44, 10, 13]))
            case 2:
                del data[at:]
            case 3:
                del data[at:end]
            case 4:
                data[at:at] = rng.bytes(end - at)
            case 5:
                data[at : at + 4] = PIECES[rng.integers(4)]
            case _:
                data[at:at] = PIECES[rng.integers(len(PIECES))]
        if not data:
            break
    return bytes(data)


def strange_json(rng: np.random.Generator) -> tuple[str, bytes, int]:
    """Lines with values of any type, some broken; how many there are that are not blank."""
    lines = []
    for _ in range(int(rng.integers(1, 30))):
        row = {}
        for field in ("text", "label", "more"):
            if rng.random() < 0.9:
                usual = rng.random() < 0.6
                row[field] = "ab cd" if usual else VALUES[rng.integers(len(VALUES))]
        line = json.dumps(row).encode()
        if rng.random() < 0.2:
            line = altered(rng, line).replace(b"\n", b"").replace(b"\r", b"")
        lines.append(line)
    # A first line that is no object tells nothing of the fields; a bracket there is refused.
    lines.insert(0, b'{"text": "first", "label": "x"}')
    content = (b"\xef\xbb\xbf" if rng.random() < 0.1 else b"") + b"\n".join(lines)
    return "strange.jsonl", content, sum(bool(line.strip()) for line in lines)


def strange_csv(rng: np.random.Generator) -> tuple[str, bytes, int]:
    """Rows, all quoted as they should be, some with too many or too few fields, or no UTF-8."""
    rows = int(rng.integers(1, 30))
    sink = io.StringIO(newline="")
    # By itself it leaves a carriage return without quotes where that ends no line.
    plain = rng.random() < 0.5
    writer = csv.writer(
        sink,
        lineterminator="\r\n" if plain else "\n",
        quoting=csv.QUOTE_MINIMAL if plain else csv.QUOTE_ALL,
    )
    writer.writerow(["id", "text", "label"])
    texts = ["plain", 'a "b", c', "two\nlines", "größer", "", "cr\rlf", "NA", "\x01", "x" * 2000]
    for i in range(rows):
        fields = [str(i), texts[rng.integers(len(texts))], "ab"[rng.integers(2)]]
        if rng.random() < 0.2:
            fields = fields[: rng.integers(1, 3)] if rng.random() < 0.5 else [*fields, "more"]
        writer.writerow(fields)
    content = sink.getvalue().encode("latin-1" if rng.random() < 0.3 else "utf-8")
    if rng.random() < 0.1:
        content = b"\xef\xbb\xbf" + content
    return "strange.csv", content, rows


if __name__ == "__main__":
    print(f"files are altered in {SCRATCH}; Arrow {pa.__version__}")
    common.main(one_round, __doc__)
