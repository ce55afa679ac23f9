"""Files and texts of strangers: what campaigns of random inputs have found, and they in little."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from safetensors.numpy import save

from cli_tools import call
from corpus_tools import table, write
from termfold import Analyzer, TermStats, TextClassifier, collect, open_corpus
from termfold.classify import model_file
from termfold.errors import CorpusError, FileFormatError, StatsError
from termfold.store import read_store, write_store

ROOT = Path(__file__).parents[1]
TEXTS, LABELS = ["a goal in the match", "the bank cut its rate"], ["sport", "trade"]
DEEP = "[" * 100_000


# -- campaigns --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kernels", "files", "corpora", "cli", "counters"])
def test_a_short_campaign(name):
    """A round of each script in ``fuzz``, always the same; the long ones are in the docs."""
    done = subprocess.run(
        [sys.executable, ROOT / "fuzz" / f"fuzz_{name}.py", "--seed", "0", "--rounds", "1",
         "--no-keep"], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (done.returncode, done.stderr[-3000:])
    assert json.loads(done.stdout.splitlines()[-1])["rounds"] == 1


# -- models and counts ------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "m.termfold"
    TextClassifier(updatable=True).fit(TEXTS, LABELS).save(path)
    return path


def forge(path, change) -> None:
    """Change header or tables of a model, and give it the hash that belongs to them."""
    header, tables = read_store(path, model_file.KIND, model_file.VERSION)
    change(header, tables)
    for name in ("kind", "version", "content_hash"):
        header.pop(name)
    stated = {**header, "content_hash": model_file._hash(header, tables)}
    write_store(path, model_file.KIND, model_file.VERSION, stated, tables)


def sizes_that_lie(header, tables):
    sizes = tables["term_sizes"].astype(np.int64)
    sizes[0], sizes[1] = 10**9, sizes[0] + sizes[1] - 10**9  # the sum stays
    tables["term_sizes"] = sizes


def labels_that_moved(header, tables):
    counts = tables["kept.memory_label_counts"]
    counts[0], counts[1] = 0, counts[0] + counts[1]


def setting(name, value):
    def change(header, tables):
        *path, last = name.split(".")
        for part in path:
            header = header[part]
        header[last] = value

    return change


def filling(name, value):
    def change(header, tables):
        tables[name] = np.full_like(tables[name], value)

    return change


FORGERIES = {
    "sizes": (sizes_that_lie, "a size is out of range"),
    "order": (filling("term_bytes", ord("a")), "is not sorted after"),
    "no text": (filling("term_bytes", 0xFF), "a term is no text"),
    "nan": (filling("bias", np.nan), "bias that are not numbers"),
    "infinite": (filling("idf", np.inf), "idf that are not numbers"),
    "classes": (setting("classes", ["a", "a"]), "named twice"),
    "no classes": (setting("classes", {"a": 1}), "not names"),
    "ngrams": (setting("analyzer.ngram_range", [1.5, 2]), "integer"),
    "length": (setting("analyzer.min_length", 10**30), "min_length"),
    "stop words": (setting("analyzer.stop_words", [1]), "must be strings"),
    "parameter": (setting("kept.parameters.C", "x"), "no parameter C='x'"),
    "strange parameter": (setting("kept.parameters.eval", 1), "no parameter eval=1"),
    "label": (filling("kept.memory_labels", 99), "has no name"),
    "memory": (filling("kept.memory_sizes", 2**31), "out of range"),
    "one label": (labels_that_moved, "has not one label"),
    "documents": (setting("kept.stats.n_docs", float("nan")), "no number of documents"),
    "surrogate": (setting("about", "\ud800"), "surrogates not allowed"),
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forged_model_is_refused(model, kind):
    change, message = FORGERIES[kind]
    if kind == "surrogate":
        content = model.read_bytes()
        at = content.index(b"sport")
        model.write_bytes(content[:at] + b"\\ud80" + content[at + 5 :])  # of the same size
        message = "surrogates not allowed|nested|not a termfold-model"
    else:
        forge(model, change)
    with pytest.raises(FileFormatError, match=message):
        TextClassifier.load(model)


def test_a_file_does_not_say_how_many_threads_to_start(model):
    forge(model, setting("kept.parameters.n_jobs", 10**6))
    assert TextClassifier.load(model).n_jobs == -1


def test_brackets_without_end(tmp_path):
    path = tmp_path / "m.termfold"
    path.write_bytes(save({"a": np.zeros(1)}, {"termfold": DEEP}))
    head = f'{{"a": {DEEP}'.encode()
    other = tmp_path / "n.termfold"
    other.write_bytes(struct.pack("<Q", len(head)) + head)
    for file in (path, other):
        with pytest.raises(FileFormatError, match="nested too deeply"):
            TextClassifier.load(file)
        assert call("inspect", file).err.count("\n") == 1


def test_brackets_without_number(tmp_path):
    """Small in the file, large in memory."""
    path = tmp_path / "m.termfold"
    for text in ("[" + "[]," * 1_000_001 + "0]", "[" + "{}," * 1_000_001 + "0]"):
        header = f'{{"kind": "termfold-model", "version": 1, "about": {text}}}'
        path.write_bytes(save({"a": np.zeros(1)}, {"termfold": header}))
        with pytest.raises(FileFormatError, match="more brackets"):
            TextClassifier.load(path)


@pytest.mark.parametrize(
    ("name", "value"), [("classes", 5), ("about", []), ("analyzer", 1), ("classes", [[]])]
)
def test_a_header_that_makes_no_sense_is_no_traceback(model, name, value):
    forge(model, setting(name, value))
    result = call("inspect", model)
    assert result.code in (0, 1)
    assert "Traceback" not in result.err


def test_counts_that_contradict_themselves(tmp_path):
    stats = collect(["good film", "bad film", "good"], labels=["x", "y", "y"])
    for wrong in (
        replace(stats, n_docs=1),
        replace(stats, term_df=-stats.term_df),
        replace(stats, df=stats.df * 2),
        replace(stats, term_df=np.full(3, 4)),
        replace(stats, class_docs=stats.class_docs.astype(float)),
        replace(stats, class_of=np.sort(stats.class_of)),
    ):
        wrong.save(tmp_path / "counts")
        with pytest.raises(FileFormatError, match="do not fit together"):
            TermStats.load(tmp_path / "counts")


def test_documents_cannot_be_taken_out_that_would_leave_terms_without_any():
    stats = collect(["good", "bad"], labels=["x", "x"])
    empty = collect(["", ""], labels=["x", "x"])
    with pytest.raises(StatsError, match="never added"):
        _ = stats - empty


def test_numbers_beyond_64_bits():
    with pytest.raises(ValueError, match=r"below 2\*\*63"):
        TermStats.from_matrix(np.array([[2**63]], np.uint64), ["a"])
    with pytest.raises(ValueError, match="divide them all"):
        TermStats.from_matrix(np.array([[2**62], [2**62]]), ["a", "a"])
    with pytest.raises(ValueError, match="divide them all"):
        TermStats.from_matrix([[1], [1]], ["a", "a"], sample_weight=np.array([2**62, 2**62]))
    large = TermStats.from_matrix([[2**62]], ["a"])
    assert large.tf.tolist() == [2**62]
    with pytest.raises(StatsError, match=r"beyond 2\*\*63"):
        _ = large + large
    past_31_bits = TermStats.from_matrix([[2**31 + 1]], ["a"])
    assert (past_31_bits + past_31_bits).tf.tolist() == [2**32 + 2]
    assert TermStats.from_matrix([[1e300], [1e300]], ["a", "a"]).tf.tolist() == [2e300]


# -- corpora ----------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["null", "null ", " null", "[1]", "1", '"x"'])
def test_json_lines_that_begin_with_no_object(tmp_path, first):
    path = tmp_path / "rows.jsonl"
    path.write_text(f'{first}\n{{"text": "one two", "label": "x"}}\n')
    if first.startswith("["):
        with pytest.raises(CorpusError, match="a JSON array"):
            collect(path, on_error="skip")
        return
    corpus = open_corpus(path, on_error="skip")
    assert collect(corpus).n_docs == 1
    assert corpus.skipped.count == 1


def test_brackets_without_end_in_a_line(tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = ['{"text": "one", "label": "x"}', DEEP, f'{{"label": "x", "text": {DEEP}']
    path.write_text("\n".join(rows))
    with pytest.raises(CorpusError, match=r"line 2: not valid JSON .brackets are nested"):
        collect(path)
    corpus = open_corpus(path, on_error="skip")
    assert collect(corpus).n_docs == 1
    assert corpus.skipped.count == 2


def test_rows_of_csv_that_are_neither_whole_nor_utf8(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes(b"text,label\nab,x\n\xff\xfe,y,z\ncd,y\nef\xff,x\ng\xc3\xbc,y\n")
    with pytest.raises(CorpusError, match=r"row 3 .* 3 fields instead of 2"):
        collect(path)
    corpus = open_corpus(path, on_error="skip")
    assert [text for batch in corpus for text in batch.text.to_pylist()] == ["ab", "cd", "gü"]
    assert corpus.skipped.count == 2


def lying_offsets(kind: pa.DataType) -> pa.Array:
    """Two strings, of which the first seems to end far behind the bytes of both."""
    offsets = np.array([0, 1 << 20, 5], np.int64 if kind == pa.large_string() else np.int32)
    return pa.Array.from_buffers(kind, 2, [None, pa.py_buffer(offsets), pa.py_buffer(b"short")])


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary()])
@pytest.mark.parametrize("form", ["arrow", "arrows"])
def test_arrow_offsets_that_lead_elsewhere(tmp_path, kind, form):
    lie = lying_offsets(kind)
    batch = pa.RecordBatch.from_arrays([lie, pa.array(["x", "y"])], ["text", "label"])
    new = pa.ipc.new_file if form == "arrow" else pa.ipc.new_stream
    path = tmp_path / f"rows.{form}"
    with new(path, batch.schema) as writer:
        writer.write_batch(batch)
    with pytest.raises(CorpusError, match="cannot be read as arrow"):
        collect(path)


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "arrow", "feather"])
def test_every_cut_of_a_corpus_is_read_or_refused(tmp_path, format):
    path = write(tmp_path / f"rows.{format}", table(), format)
    content = path.read_bytes()
    whole = collect(path, multilabel=True).n_docs
    for size in range(0, len(content), max(1, len(content) // 60)):
        path.write_bytes(content[:size])
        try:
            corpus = open_corpus(path, on_error="skip", multilabel=True)
            stats = collect(corpus)
        except CorpusError:
            continue
        assert stats.n_docs <= whole
        assert format in ("csv", "jsonl")  # the others know where they end


def test_analyzers_of_odd_values():
    for values in ({"min_length": 2**40}, {"stop_words": [1, "a"]}):
        with pytest.raises(ValueError, match=next(iter(values))):
            Analyzer(**values)
    with pytest.raises(TypeError, match="integer"):
        Analyzer(ngram_range=(1.5, 2))
