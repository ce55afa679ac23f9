"""Sources of every kind give the same documents."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools import (
    COMPRESSED,
    FORMATS,
    LABEL_LISTS,
    LABELS,
    MULTI,
    SINGLE,
    TEXTS,
    documents,
    table,
    texts,
    write,
)
from termfold.corpus import Batch, open_corpus
from termfold.errors import CorpusError

CASES = [(format, "") for format in FORMATS] + [
    (format, compression) for format in COMPRESSED for compression in (".gz", ".zst")
]


def file_of(folder: Path, format: str, compression: str = "", labels: list = LABELS) -> Path:
    suffix = "arrow" if format == "stream" else format
    return write(folder / f"data.{suffix}{compression}", table(labels), format)


@pytest.mark.parametrize(("format", "compression"), CASES)
def test_files(tmp_path, format, compression):
    path = file_of(tmp_path, format, compression)
    corpus = open_corpus(path, batch_bytes=10)
    assert not corpus.multilabel
    assert corpus.size_bytes == path.stat().st_size
    assert corpus.bytes_read == 0
    progress = []
    for batch in corpus:
        assert batch.text.type == pa.large_string()
        assert batch.labels.type == pa.list_(pa.string())
        assert batch.text.null_count == batch.labels.null_count == 0
        assert batch.source == str(path)
        assert batch.text[0].as_py() == TEXTS[batch.first_row]
        assert batch.table is None
        progress.append(corpus.bytes_read)
    assert progress == sorted(progress)
    assert corpus.bytes_read == corpus.size_bytes
    assert documents(path) == SINGLE
    assert list(map(len, corpus)) == list(map(len, corpus))  # a file is read again


@pytest.mark.parametrize("format", FORMATS)
def test_without_labels(tmp_path, format):
    path = file_of(tmp_path, format)
    corpus = open_corpus(path, label=None)
    assert not corpus.labelled
    assert all(batch.labels is None for batch in corpus)
    assert texts(corpus) == TEXTS


@pytest.mark.parametrize("format", FORMATS)
def test_other_columns_are_kept(tmp_path, format):
    path = file_of(tmp_path, format)
    kept = [
        batch.table.to_pylist() for batch in open_corpus(path, keep_columns=True, batch_bytes=20)
    ]
    rows = [row for part in kept for row in part]
    kind = str if format in ("csv", "tsv") else int
    assert rows == [{"id": kind(i)} for i in range(len(TEXTS))]
    one = write(path.with_name(f"one{path.suffix}"), table().drop(["id"]), format)
    for batch in open_corpus(one, keep_columns=True):
        assert len(batch.table) == len(batch)


@pytest.mark.parametrize("format", ["jsonl", "parquet", "arrow", "feather"])
def test_lists_of_labels(tmp_path, format):
    path = file_of(tmp_path, format, labels=LABEL_LISTS)
    assert open_corpus(path).multilabel
    assert documents(path) == MULTI
    assert documents(path, batch_bytes=1) == MULTI


@pytest.mark.parametrize("format", FORMATS)
def test_separated_labels(tmp_path, format):
    joined = [" | ".join([*names, *names[:1], " "]) for names in LABEL_LISTS]
    path = file_of(tmp_path, format, labels=joined)
    corpus = open_corpus(path, label_separator="|")
    assert corpus.multilabel
    assert documents(path, label_separator="|") == MULTI


def test_repeats_in_lists_are_kept_once():
    data = pa.table({"text": ["a", "b", "c"], "label": [["x", "y", "x"], None, ["", "z", None]]})
    assert documents(data) == [("a", ["x", "y"]), ("b", []), ("c", ["z"])]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (pa.array([1, 2]), ["1", "2"]),
        (pa.array([True, False]), ["true", "false"]),
        (pa.array([1.5, 2.0]), ["1.5", "2"]),
        (pa.array(["u", "v"]).dictionary_encode(), ["u", "v"]),
        (pa.array([3, 4]).dictionary_encode(), ["3", "4"]),
        (pa.array(["u", "v"], pa.string_view()), ["u", "v"]),
        (pa.array([b"u", b"v"]), ["u", "v"]),
        (pa.array([["u"], ["v"]], pa.list_(pa.string(), 1)), ["u", "v"]),
        (pa.array([["u"], ["v"]], pa.list_view(pa.string())), ["u", "v"]),
        (pa.array([["u"], ["v"]], pa.large_list(pa.large_string())), ["u", "v"]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
def test_types_of_labels(values, expected):
    data = pa.table({"text": ["a", "b"], "label": values})
    assert documents(data) == [("a", [expected[0]]), ("b", [expected[1]])]
    # A slice has an offset, which is easily forgotten.
    assert documents(data[1:]) == [("b", [expected[1]])]


@pytest.mark.parametrize(
    "values",
    [
        pa.array(TEXTS, pa.large_string()),
        pa.array(TEXTS, pa.string_view()),
        pa.array(TEXTS).dictionary_encode(),
        pa.array([text.encode() for text in TEXTS]),
        pa.array([text.encode() for text in TEXTS], pa.large_binary()),
        pa.array([text.encode() for text in TEXTS], pa.binary_view()),
    ],
    ids=lambda value: str(value.type),
)
def test_types_of_text(values):
    assert documents(pa.table({"text": values, "label": LABELS})[2:]) == SINGLE[2:]


def test_csv_has_no_types(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("label,text\n01,1.50\nNA,null\n")
    assert documents(path) == [("1.50", ["01"]), ("null", ["NA"])]


def test_columns_by_position_and_without_header(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,first\ny,second\n")
    options = {"text": 1, "label": 0, "header": False}
    assert documents(path, **options) == [("first", ["x"]), ("second", ["y"])]
    twice = tmp_path / "b.csv"
    twice.write_text("a,a\nx,first\n")
    assert documents(twice, text=1, label=0) == [("first", ["x"])]
    parquet = write(tmp_path / "c.parquet", table(), "parquet")
    assert documents(parquet, text=1, label=2) == SINGLE


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("batch_bytes", [1, 7, 1 << 20])
def test_csv_line_ends(tmp_path, end, batch_bytes):
    path = tmp_path / "a.csv"
    path.write_bytes(f'text,label{end}{end}"a{end}b",x{end}{end}"c""d"e,"y"'.encode())
    expected = [(f"a{end}b", ["x"]), ('c"de', ["y"])]
    assert documents(path, batch_bytes=batch_bytes) == expected


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.csv.gz"])
def test_encodings(tmp_path, encoding, name):
    plain = write(
        tmp_path / Path(name).with_suffix("").with_suffix(""), table(), name.split(".")[1]
    )
    content = plain.read_bytes().decode().replace("中文", "ß").encode(encoding)
    if name.endswith(".gz"):
        with pa.output_stream(tmp_path / name) as sink:
            sink.write(content)
    else:
        (tmp_path / name).write_bytes(content)
    given = "utf-8" if encoding == "utf-8-sig" else encoding
    found = documents(tmp_path / name, encoding=given)
    assert [text.replace("ß", "x") for text, _ in found] == [
        text.replace("ß", "x").replace("中文", "x") for text in TEXTS
    ]


def test_json_labels_of_several_types(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"text": "a", "label": 1}\n\n{"label": true, "text": "b"}\n'
        '{"text": "c", "label": 2.0, "more": {"x": [1]}}\n{"text": "d", "label": "s"}'
    )
    expected = [("a", ["1"]), ("b", ["true"]), ("c", ["2"]), ("d", ["s"])]
    for batch_bytes in (1, 30, 1 << 20):
        assert documents(path, batch_bytes=batch_bytes) == expected


def test_json_lists_among_strings(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "label": ["x", "y"]}\n{"text": "b", "label": "x"}\n')
    assert documents(path) == [("a", ["x", "y"]), ("b", ["x"])]


def test_json_keeps_strings_that_look_like_dates(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "label": "x", "on": "2020-01-01T00:00:00"}\n')
    (batch,) = open_corpus(path, keep_columns=True)
    assert batch.table.to_pylist() == [{"on": "2020-01-01T00:00:00"}]


def test_folder_of_documents(tmp_path):
    for name, content in {
        "b/2": b"two",
        "b/10": b"\xef\xbb\xbften",
        "b/deep/er/x.txt": b"",
        "a/1": "größer".encode(),
        "a/.hidden": b"no",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    expected = [("größer", ["a"]), ("ten", ["b"]), ("two", ["b"]), ("", ["b"])]
    for batch_bytes in (1, 6, 1 << 20):
        assert documents(tmp_path, batch_bytes=batch_bytes) == expected
    corpus = open_corpus(tmp_path, batch_bytes=1)
    assert [batch.first_row for batch in corpus] == [0, 1, 2, 3]
    assert corpus.bytes_read == corpus.size_bytes == 8 + 6 + 3
    assert texts(open_corpus(tmp_path / "b", label=None)) == ["ten", "two", ""]
    [batch] = open_corpus(tmp_path, keep_columns=True)
    assert batch.table.to_pydict() == {"file": ["a/1", "b/10", "b/2", "b/deep/er/x.txt"]}


def test_folder_of_documents_in_another_encoding(tmp_path):
    (tmp_path / "a").mkdir()
    for i, content in enumerate((b"gr\xf6\xdfer", b"plain")):
        (tmp_path / "a" / f"{i}.txt").write_bytes(content)
    assert documents(tmp_path, encoding="latin-1") == [("größer", ["a"]), ("plain", ["a"])]
    corpus = open_corpus(tmp_path, on_error="skip")
    assert documents(corpus) == [("plain", ["a"])]
    assert "0.txt: the file is not utf-8" in corpus.skipped.reasons[0]


def test_folder_of_data_files(tmp_path):
    (tmp_path / "part").mkdir()
    write(tmp_path / "part" / "b.parquet", table()[4:], "parquet")
    write(tmp_path / "a.csv", table()[:4], "csv")
    (tmp_path / "README").write_text("notes")
    (tmp_path / "_SUCCESS.json").write_text("")
    assert documents(tmp_path) == SINGLE
    assert documents(f"{tmp_path}/**/*.[cp]*") == SINGLE
    assert documents([tmp_path / "a.csv", tmp_path / "part"]) == SINGLE
    corpus = open_corpus(tmp_path)
    assert {Path(batch.source).name for batch in corpus} == {"a.csv", "b.parquet"}


def test_format_overrides_the_extension(tmp_path):
    path = write(tmp_path / "data.txt", table(), "jsonl")
    assert documents(path, format="ndjson") == SINGLE
    (tmp_path / "docs" / "x").mkdir(parents=True)
    (tmp_path / "docs" / "x" / "a.json").write_text("[]")
    assert documents(tmp_path / "docs", format="folder") == [("[]", ["x"])]


def test_an_open_corpus_is_returned():
    corpus = open_corpus(["a"])
    assert open_corpus(corpus) is corpus


@pytest.mark.parametrize("kind", [list, tuple, np.array, lambda x: np.array(x, object), pa.array])
def test_sequences(kind):
    corpus = open_corpus(kind(TEXTS), labels=kind(LABELS), batch_bytes=10)
    assert corpus.size_bytes is None
    assert documents(corpus) == documents(corpus) == SINGLE
    assert corpus.bytes_read > 0
    assert texts(open_corpus(kind(TEXTS))) == TEXTS


@pytest.mark.parametrize(
    "labels",
    [
        LABEL_LISTS,
        [tuple(names) for names in LABEL_LISTS],
        [np.array(names, dtype=object) for names in LABEL_LISTS],
        pa.array(LABEL_LISTS),
    ],
)
def test_sequences_of_label_lists(labels):
    assert open_corpus(TEXTS, labels=labels).multilabel
    assert documents(TEXTS, labels=labels) == MULTI


def test_sets_of_labels_and_labels_of_several_types():
    assert documents(["a", "b"], labels=[{"y", "x"}, set()]) == [("a", ["x", "y"]), ("b", [])]
    mixed = [1, "s", True, 2.5, np.int64(7)]
    expected = ["1", "s", "true", "2.5", "7"]
    assert [names for _, names in documents(TEXTS[:5], labels=mixed)] == [[x] for x in expected]


def test_batches_once_and_again():
    batches = [
        Batch(pa.array(["a"], pa.large_string()), pa.array([["x"]]), "s", 0),
        Batch(pa.array(["b"], pa.large_string()), pa.array([["y"]]), "s", 1),
    ]
    assert documents(batches) == [("a", ["x"]), ("b", ["y"])]
    again = open_corpus(batches)
    assert documents(again) == documents(again)
    once = open_corpus(batch for batch in batches)
    assert not once.multilabel
    assert documents(once) == [("a", ["x"]), ("b", ["y"])]
    with pytest.raises(CorpusError, match=r"read already.*Open it anew"):
        iter(once)
    assert all(batch.labels is None for batch in open_corpus(batches, label=None))


document = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=9)
label = st.text('abü|"\n ,', min_size=1, max_size=3)


@settings(deadline=None, max_examples=60)
@given(
    rows=st.lists(st.tuples(document, label), min_size=1, max_size=12),
    batch_bytes=st.integers(1, 60),
    format=st.sampled_from(FORMATS),
    chunk=st.integers(1, 5),
)
def test_batches_never_change_the_documents(tmp_path_factory, rows, batch_bytes, format, chunk):
    data = pa.table({"text": [row[0] for row in rows], "label": [row[1] for row in rows]})
    path = tmp_path_factory.mktemp("law") / f"a.{'arrow' if format == 'stream' else format}"
    write(path, data, format)
    expected = [(text, [name]) for text, name in rows]
    assert documents(path, batch_bytes=batch_bytes) == expected
    for batch in open_corpus(path, batch_bytes=batch_bytes):
        sizes = [len(text.encode()) for text in batch.text.to_pylist()]
        assert len(sizes) == 1 or sum(sizes) <= batch_bytes
    split = pa.Table.from_batches(data.to_batches(max_chunksize=chunk))
    assert documents(split, batch_bytes=batch_bytes) == expected


def test_a_row_group_of_repeats_and_a_long_document(tmp_path):
    long = "long " * 50_000
    data = pa.table({"text": ["same"] * 5000 + [long, "short"], "label": ["x"] * 5002})
    for format in FORMATS:
        path = tmp_path / f"a.{'arrow' if format == 'stream' else format}"
        write(path, data, format)
        found = texts(open_corpus(path, batch_bytes=1000))
        assert found == data["text"].to_pylist()


def test_parquet_needs_only_its_columns(tmp_path):
    data = table().append_column("picture", pa.array([{"x": b"\0"}] * len(TEXTS)))
    pq.write_table(data, tmp_path / "a.parquet")
    assert documents(tmp_path / "a.parquet") == SINGLE
    named = data.rename_columns(["id", "a.text", "label", "a"])
    pq.write_table(named, tmp_path / "b.parquet")
    assert documents(tmp_path / "b.parquet", text="a.text") == SINGLE


def test_stream_of_batches_of_arrow():
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table().schema) as writer:
        writer.write_table(table())
    reader = pa.ipc.open_stream(sink.getvalue())
    corpus = open_corpus(reader)
    assert documents(corpus) == SINGLE
    with pytest.raises(CorpusError, match="only once"):
        iter(corpus)
