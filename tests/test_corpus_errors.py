"""Bad input has a defined answer: the place and the remedy, or a counted skip."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from corpus_tools import TEXTS, documents, table, texts, write
from termfold.corpus import Batch, Skipped, open_corpus
from termfold.errors import CorpusError

SKIP = r"skip such rows \(on_error='skip'\)"


def fails(source: object, *patterns: str, **options: object) -> None:
    """Check that opening or reading a source fails with a message of all these patterns."""
    with pytest.raises(CorpusError, match="(?s)" + ".*".join(patterns)):
        documents(source, **options)


# --- sources ---------------------------------------------------------------------------------


def test_no_such_source(tmp_path):
    fails(tmp_path / "none.csv", "none.csv: there is no such file or folder", "Check the path")
    fails("a single text", "there is no such file", r"given as a list, \[text\]")
    fails(f"{tmp_path}/*.csv", r"\*.csv: no file matches this pattern")
    fails(tmp_path, "the folder holds no files")
    fails(5, "A int cannot be read", "Give a path")
    fails({"train": 1}, "A dict with the keys", "choose one of the splits")


def test_unknown_options(tmp_path):
    write(tmp_path / "a.csv", table(), "csv")
    (tmp_path / "a.doc").write_text("x")
    fails(tmp_path / "a.doc", "a.doc: the extension '.doc' tells no format", "format=")
    fails(tmp_path / "a.csv", "format='pdf' is unknown", "csv, tsv", format="pdf")
    fails(tmp_path / "a.csv", "format='folder' needs a folder", format="folder")
    fails(tmp_path / "a.csv", "on_error='ignore' is unknown", "'fail' or 'skip'", on_error="ignore")
    fails(tmp_path / "a.csv", "batch_bytes=0 is too small", batch_bytes=0)
    fails(tmp_path / "a.csv", "encoding='utf-9' is unknown", "latin-1", encoding="utf-9")


def test_folders_that_are_none_of_documents(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    fails(tmp_path, "has no sub-folders", "Put the files of each class", "label=None")
    fails(tmp_path, "no file in the folder has an extension", "as a pattern", format="csv")
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "b.txt").write_text("y")
    fails(tmp_path, "a.txt: the file lies in no class", "Move it", SKIP)
    corpus = open_corpus(tmp_path, on_error="skip")
    assert documents(corpus) == [("y", ["x"])]
    assert corpus.skipped.count == 1
    fails([tmp_path], "cannot be one of several sources", "Open it by itself")
    (tmp_path / "a.txt").unlink()
    (tmp_path / "x" / "c.txt").write_bytes(b"\xff")
    fails(tmp_path, "c.txt: the file is not utf-8", "latin-1", SKIP)
    assert documents(open_corpus(tmp_path, on_error="skip")) == [("y", ["x"])]


def test_names_of_files_are_no_documents(tmp_path):
    path = write(tmp_path / "a.csv", table(), "csv")
    fails([str(path)], "names of files", "Give a list of Path")
    assert texts(open_corpus([str(path), "a document"])) == [str(path), "a document"]
    assert texts(open_corpus(["no/such.csv", "\0.csv"])) == ["no/such.csv", "\0.csv"]


def test_labels_beside_a_source_that_has_them(tmp_path):
    fails(table(), "labels= goes with a sequence of str, not with a Table", labels=["a"])
    fails(Path("a.csv"), "label=", labels=["a"])


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "arrow"])
def test_no_such_column(tmp_path, format):
    path = write(tmp_path / f"a.{format}", table(), format)
    fails(
        path,
        "there is no column 'txet'; its columns are 'id', 'text', 'label'.",
        "Did you mean text='text'",
        text="txet",
    )
    fails(path, "there is no column 'topic'", "or label=None to read unlabelled", label="topic")
    if format != "jsonl":
        fails(path, "no column at position 3 for text=", "count from 0", text=3)
        fails(path, "no column at position -1", text=-1)


def test_columns_that_cannot_serve(tmp_path):
    twice = tmp_path / "a.csv"
    twice.write_text("text,text,label\na,b,c\n")
    fails(twice, "2 columns are called 'text'", "text=0 or text=1")
    fails(table(), "the text column holds int64, not strings", "text=", text="id")
    structs = pa.table({"text": ["a"], "label": [{"x": 1}]})
    fails(structs, "a label cannot be struct", "label=")
    fails(table([["a"]] * 8), "are lists already", "label_separator", label_separator=",")
    (tmp_path / "a.jsonl").write_text("{}")
    fails(tmp_path / "a.jsonl", "have no position", "Name them", text=0)


def test_nothing_to_read(tmp_path):
    for name in ("a.csv", "a.jsonl"):
        (tmp_path / name).write_bytes(b"")
        fails(tmp_path / name, "The corpus has no documents", "Check that the source")
        (tmp_path / name).write_bytes(b"\n\n\n")
        fails(tmp_path / name, "The corpus has no documents")
    (tmp_path / "a.csv").write_text("text,label\n")
    fails(tmp_path / "a.csv", "no documents")
    fails(write(tmp_path / "a.parquet", table()[:0], "parquet"), "no documents")
    fails(write(tmp_path / "a.arrow", table()[:0], "arrow"), "no documents")
    fails([], "no documents", labels=[])
    fails(iter([]), "no documents")
    nothing = pa.table({"text": pa.array([None], pa.string()), "label": ["a"]})
    fails(nothing, r"all 1 rows were skipped, the first as Table, row 0.*no text", on_error="skip")


# --- files that are broken as a whole --------------------------------------------------------


@pytest.mark.parametrize("format", ["csv", "jsonl", "arrow", "stream"])
@pytest.mark.parametrize("compression", [".gz", ".zst"])
@pytest.mark.parametrize("on_error", ["fail", "skip"])
def test_cut_compressed_files(tmp_path, format, compression, on_error):
    suffix = "arrow" if format == "stream" else format
    rng = np.random.default_rng(0)
    random = [rng.bytes(30).hex() for _ in range(5000)]
    data = pa.table({"text": random, "label": ["x"] * 5000})
    path = write(tmp_path / f"a.{suffix}{compression}", data, format)
    path.write_bytes(path.read_bytes()[:-100])
    fails(path, "the file cannot be read as", "fetch it anew", on_error=on_error)


@pytest.mark.parametrize("format", ["parquet", "arrow", "stream", "feather"])
def test_cut_arrow_files(tmp_path, format):
    path = write(tmp_path / f"a.{'arrow' if format == 'stream' else format}", table(), format)
    path.write_bytes(path.read_bytes()[:-30] if format != "stream" else path.read_bytes()[:-300])
    fails(path, "the file cannot be read as", "If it was cut or altered")


def test_files_of_another_format(tmp_path):
    (tmp_path / "a.parquet").write_text("text,label\na,b\n" * 9)
    fails(tmp_path / "a.parquet", "cannot be read as parquet", "format=")
    (tmp_path / "a.arrow").write_text("text,label\na,b\n" * 9)
    fails(tmp_path / "a.arrow", "cannot be read as arrow")
    (tmp_path / "a.csv.gz").write_text("text,label\na,b\n")
    fails(tmp_path / "a.csv.gz", "cannot be read as csv in gzip")
    (tmp_path / "a.parquet.gz").write_bytes(gzip.compress(b"x"))
    fails(tmp_path / "a.parquet.gz", "Parquet cannot be read through .gz", "Decompress")
    pyarrow.feather.write_feather(pa.table({"text": ["a"]}), tmp_path / "a.feather")
    (tmp_path / "a.feather").write_bytes(b"FEA1" + bytes(99))
    fails(tmp_path / "a.feather", "Feather version 1", "write_feather")
    (tmp_path / "a.json").write_text('[{"text": "a", "label": "b"}]')
    fails(tmp_path / "a.json", "a JSON array", "jq -c")


# --- broken rows -----------------------------------------------------------------------------


@pytest.mark.parametrize("batch_bytes", [1, 1 << 20])
def test_broken_rows_of_csv(tmp_path, batch_bytes):
    path = tmp_path / "a.csv"
    path.write_bytes(b'text,label\n"a\nb",x\nbad\n,y\nc,x,z\nd,\n\xff,z\nlast,\xfe\ne,f\n')
    fails(path, r"a.csv, row 3 \(the header is row 1\): 1 fields instead of 2", "Mend", SKIP)
    corpus = open_corpus(path, on_error="skip", batch_bytes=batch_bytes)
    assert documents(corpus) == [("a\nb", ["x"]), ("", ["y"]), ("e", ["f"])]
    assert corpus.skipped.count == 5
    problems = [reason.removeprefix(str(path)) for reason in corpus.skipped.reasons]
    place = " (the header is row 1): "
    assert sorted(problems) == [
        f", row 3{place}1 fields instead of 2",
        f", row 5{place}3 fields instead of 2",
        f", row 6{place}no label (null or empty)",
        f", row 7{place}the text is not valid UTF-8",
        f", row 8{place}a label is not valid UTF-8",
    ]
    rows = [batch.first_row for batch in open_corpus(path, on_error="skip", batch_bytes=1)]
    assert rows == [0, 2, 7]


@pytest.mark.parametrize("columns", ["text,label,more", "more,label,text", "label,text,more"])
def test_a_quote_left_open(tmp_path, columns):
    path = tmp_path / "a.csv"
    path.write_text(f'{columns}\na,b,c\nd,e,"f\ng,h,i\nj,k,l\n')
    fails(path, "row 3", "quote opened in this row is never closed", "3 lines", "Mend the file")
    corpus = open_corpus(path, on_error="skip")
    assert len(documents(corpus)) == 1
    assert corpus.skipped.count == 3


def test_a_row_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("termfold.corpus.streams.LONGEST_RECORD", 1 << 20)
    path = tmp_path / "a.csv"
    path.write_text('text,label\na,b\n"' + "c,d\n" * (1 << 19))
    fails(path, "row 3", "longer than 1 MB", "quote is never closed", batch_bytes=1 << 16)


def test_broken_lines_of_json(tmp_path):
    path = tmp_path / "a.jsonl"
    lines = [
        b'{"text": "a", "label": "x"}',
        b"",
        b'{"text": "b", "label": ',
        b'{"text": "\xff", "label": "x"}',
        b'{"text": 5, "label": "x"}',
        b'{"text": ["b"], "label": "x"}',
        b'{"text": "c", "label": {"x": 1}}',
        b'{"text": "d"}',
        b'{"label": "x"}',
        b'{"text": "\\ud800", "label": "x"}',
        b'["e"]',
        b'{"text": "f", "label": "x"}{"text": "g", "label": "x"}',
        b'{"text": "\\ud83d\\ude00", "label": "y"}',
    ]
    path.write_bytes(b"\n".join(lines))
    fails(path, "a.jsonl, line 3: not valid JSON", "Mend the line: one whole object", SKIP)
    for batch_bytes in (1, 100, 1 << 20):
        corpus = open_corpus(path, on_error="skip", batch_bytes=batch_bytes)
        assert documents(corpus) == [("a", ["x"]), ("😀", ["y"])]
        problems = sorted(
            (reason.removeprefix(f"{path}, line ") for reason in corpus.skipped.reasons),
            key=lambda reason: int(reason.partition(":")[0]),
        )
        assert corpus.skipped.count == len(problems) == 10
        for problem, expected in zip(
            problems,
            [
                "3: not valid JSON",
                "4: the (line|text) is not valid UTF-8",
                "5: the text is a number",
                "6: the text is a list",
                "7: a label is an object",
                "8: no label",
                "9: no text",
                "10: half of a surrogate pair",
                "11: a JSON list, not an object",
                "12: not valid JSON",
            ],
            strict=True,
        ):
            assert re.match(expected, problem)


def test_other_fields_of_json_may_be_broken(tmp_path):
    path = tmp_path / "a.jsonl"
    lines = [b'{"text": "a", "label": 1, "more": "\xff"}', b'{"text": "b", "label": "x"}']
    path.write_bytes(b"\n".join([*lines, b'{"text": "c", "label": 2, "more": "\\ud800"}']))
    for batch_bytes in (1, 1 << 20):
        assert texts(open_corpus(path, batch_bytes=batch_bytes)) == ["a", "b", "c"]
    fails(path, "line 1: the line is not valid UTF-8", keep_columns=True)


def test_wrong_encodings(tmp_path):
    for name, content in (("a.csv", "text,label\nä,b\n"), ("a.jsonl", '{"text": "ä"}\n')):
        path = tmp_path / name
        path.write_bytes(content.encode("latin-1"))
        label = "label" if name == "a.csv" else None
        fails(path, "is not valid UTF-8", "encoding='latin-1'", SKIP, label=label)
        fails(path, "the file is not ascii", "encoding='latin-1'", label=label, encoding="ascii")
    (tmp_path / "header.csv").write_bytes("täxt,label\na,b\n".encode("latin-1"))
    fails(tmp_path / "header.csv", "the file is not utf-8", "encoding='latin-1'")
    (tmp_path / "docs" / "x").mkdir(parents=True)
    (tmp_path / "docs" / "x" / "1").write_bytes(b"\xff")
    fails(tmp_path / "docs", "x/1: the file is not utf-8", "encoding='latin-1'", SKIP)
    assert documents(tmp_path / "docs", encoding="latin-1") == [("ÿ", ["x"])]


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary()])
def test_arrow_strings_that_are_no_utf8(tmp_path, kind):
    string = pa.string() if kind == pa.binary() else pa.large_string()
    broken = pa.array([b"a", b"\xff", b"c"], kind).view(string)
    good = pa.array(["x", "y", "z"])
    pq.write_table(pa.table({"text": broken, "label": good}), tmp_path / "a.parquet")
    fails(tmp_path / "a.parquet", r"row 1 \(counting from 0\): the text is not valid UTF-8", SKIP)
    corpus = open_corpus(tmp_path / "a.parquet", on_error="skip")
    assert documents(corpus) == [("a", ["x"]), ("c", ["z"])]
    for options in ({}, {"label_separator": ","}):
        labels = pa.table({"text": good, "label": broken})
        corpus = open_corpus(labels, on_error="skip", **options)
        assert documents(corpus) == [("x", ["a"]), ("z", ["c"])]
        fails(labels, "row 1", "a label is not valid UTF-8", **options)
    lists = pa.table({"text": ["x"], "label": pa.ListArray.from_arrays([0, 3], broken)})
    fails(lists, "row 0", "a label is not valid UTF-8")


def test_missing_texts_and_labels():
    data = pa.table({"text": ["a", None, "c"], "label": ["x", "y", None]})
    fails(data, r"Table, row 1 \(counting from 0\): no text", "Fill it in or drop the row", SKIP)
    fails(data[2:], "row 0", "no label", "label=None", SKIP)
    corpus = open_corpus(data, on_error="skip")
    assert documents(corpus) == [("a", ["x"])]
    assert corpus.skipped.count == 2
    assert documents(corpus) == [("a", ["x"])]
    assert corpus.skipped.count == 2  # of the last pass, not of all
    # A document that may have several labels may have none.
    assert documents(data[2:], multilabel=True) == [("c", [])]
    assert texts(open_corpus(data[2:], label=None)) == ["c"]


def test_several_labels_where_one_was_expected():
    lists = pa.array([["x"], ["y", "z"]])
    batches = [
        Batch(pa.array(["a"], pa.large_string()), lists[:1], "s", 0),
        Batch(pa.array(["b"], pa.large_string()), lists[1:], "s", 1),
    ]
    fails(iter(batches), "s, row 1", "2 labels, where documents have one each", "multilabel=True")
    assert len(documents(iter(batches), multilabel=True)) == 2
    unlabelled = Batch(pa.array(["b"], pa.large_string()), None, "s", 1)
    fails([batches[0], unlabelled], "there are no labels", "label=None")
    fails(iter(["text"]), "yields str, where Batch is expected", "list of str")
    data = pa.table({"text": ["a"], "label": [["x", "y"]]})
    fails(data, "2 labels", multilabel=False)


# --- documents in memory ---------------------------------------------------------------------


def test_python_strings_that_cannot_be_written():
    source = ["a", "b\ud800", "c", 5]
    fails(source, r"list, row 1 \(counting from 0\): half of a surrogate pair", "Clean it", SKIP)
    fails(source[3:] + source, "row 0", "of type int, not a string", r"str\(\)", SKIP)
    corpus = open_corpus(source, labels=["x", "y", "z", "z"], on_error="skip")
    assert documents(corpus) == [("a", ["x"]), ("c", ["z"])]
    assert corpus.skipped.count == 2
    fails(["a"], "row 0", "the label '.ud800'", labels=["\ud800"])


def test_values_of_other_types():
    fails([5, 6], "the text column holds int64, not strings")
    fails(["a", "b"], "2 documents but 1 labels", "one label", labels=["x"])
    fails(["a"], "an array of shape", "list of lists", labels=np.eye(1))
    fails(["a"], "labels=: a str, where a list", labels="x")
    fails(["a", "b"], "the label <object", "Convert it", labels=["x", object()])
    fails(["a", "b"], "some labels near row 0 are lists", labels=[["x"], "y"])
    fails(["a"], "no columns to keep", labels=["x"], keep_columns=True)
    assert documents(["a", np.str_("b"), b"c"], labels=[1, 2, 3])[2] == ("c", ["3"])


def test_pandas_objects():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {"text": ["a", "b\ud800", 7, None], "label": list("wxyz"), "more": [1, "x", 3, 4]},
        dtype=object,
    )
    corpus = open_corpus(frame, on_error="skip")
    assert documents(corpus) == [("a", ["w"])]
    assert corpus.skipped.count == 3
    fails(frame[:1], "no column 'topic'", label="topic")
    fails(frame.assign(text="a"), "other columns cannot be kept", keep_columns=True)
    kept = open_corpus(frame.assign(more=1), on_error="skip", keep_columns=True)
    assert [batch.table.to_pydict() for batch in kept] == [{"more": [1]}]


def test_only_some_reasons_are_kept():
    skipped = Skipped()
    for i in range(100):
        skipped.add(str(i))
    assert skipped.count == 100
    assert skipped.reasons == [str(i) for i in range(10)]


def test_empty_documents_are_documents():
    assert texts(open_corpus(["", " "])) == ["", " "]
    assert len(TEXTS) == len(texts(open_corpus(TEXTS)))
