"""The one pass: whatever the source, the batches and the threads."""

from __future__ import annotations

import threading

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from termfold.collecting import Accumulator, collect
from termfold.corpus import open_corpus
from termfold.errors import CorpusError
from termfold.stats import TermStats
from termfold.terms.analyzer import Analyzer


@pytest.fixture(scope="module")
def documents() -> tuple[list[str], list[str]]:
    """Words as rare and as frequent as in a language, in classes that prefer some."""
    rng = np.random.default_rng(0)
    words = np.array([f"w{i}" for i in range(3000)] + ["größe", "中文", "Σας"])
    labels = rng.choice(["x", "y", "ü"], 3000, p=[0.7, 0.2, 0.1])
    texts = [
        " ".join(words[(rng.pareto(1, rng.integers(0, 40)) * 5 + ord(k)).astype(int) % len(words)])
        for k in labels
    ]
    return texts, labels.tolist()


@pytest.fixture(scope="module")
def expected(documents) -> TermStats:
    texts, labels = documents
    return collect(texts, labels=labels, n_jobs=1)


@pytest.fixture(scope="module")
def files(documents, tmp_path_factory):
    """Three Parquet files, one of them with many small row groups and short strings."""
    folder = tmp_path_factory.mktemp("corpus")
    table = pa.table({"text": documents[0], "label": documents[1]})
    pq.write_table(table.slice(0, 1000), folder / "a.parquet")
    pq.write_table(table.slice(1000, 1), folder / "b.parquet")
    pq.write_table(table.slice(1001), folder / "c.parquet", row_group_size=100)
    return sorted(folder.iterdir())


@pytest.mark.parametrize("n_jobs", [1, 2, 4, None, -1])
@pytest.mark.parametrize("batch_bytes", [1, 10_000, 1 << 30])
def test_files(files, expected, n_jobs, batch_bytes):
    if batch_bytes == 1:
        files = files[:2]
        texts, labels = zip(*[pair for path in files for pair in pairs(path)], strict=True)
        expected = collect(list(texts), labels=list(labels), n_jobs=1)
    found = collect(files, n_jobs=n_jobs, batch_bytes=batch_bytes)
    assert found.content_hash() == expected.content_hash()


def pairs(path):
    table = pq.read_table(path)
    return zip(table["text"].to_pylist(), table["label"].to_pylist(), strict=True)


def test_parts_of_a_corpus_add_up(files, expected):
    parts = [collect(path, n_jobs=2) for path in files]
    assert TermStats.merge(parts) == expected
    assert expected - parts[1] == collect([files[0], files[2]])


@pytest.mark.parametrize("most", [20_000, 60_000])
def test_a_full_tally_gives_way_to_a_new_one(documents, expected, monkeypatch, most):
    texts, labels = documents
    monkeypatch.setattr("termfold.collecting.MOST_TOKENS", most)
    begun = []
    begin = Accumulator._begin
    monkeypatch.setattr(Accumulator, "_begin", lambda self: (begun.append(1), begin(self))[1])
    assert collect(texts, labels=labels, n_jobs=1, batch_bytes=5_000) == expected
    assert len(begun) > 1


def test_terms_of_a_full_tally_are_still_held(documents, monkeypatch):
    texts, labels = documents
    accumulator = Accumulator(Analyzer())
    monkeypatch.setattr("termfold.collecting.MOST_TOKENS", 20_000)
    for batch in open_corpus(texts, labels=labels, batch_bytes=5_000):
        accumulator.add(batch)
        assert accumulator.n_terms >= accumulator.stats().n_terms


def test_more_terms_at_once_than_can_be_counted(documents, monkeypatch):
    texts, labels = documents
    monkeypatch.setattr("termfold.collecting.MOST_TOKENS", 100)
    with pytest.raises(CorpusError, match=r"list, row 0: a batch of [\d,]+ terms; split"):
        collect(texts, labels=labels)


def test_analyzers(documents):
    texts, labels = documents
    for analyzer in (Analyzer(ngram_range=(1, 2)), Analyzer(unit="char_wb", ngram_range=(2, 3))):
        one = collect(texts[:300], labels=labels[:300], analyzer=analyzer, n_jobs=1)
        two = collect(
            texts[:300], labels=labels[:300], analyzer=analyzer, n_jobs=2, batch_bytes=1000
        )
        assert one == two
        assert one.analyzer == analyzer


def test_progress(files):
    seen, threads = [], set()

    def progress(corpus, batch):
        seen.append(len(batch))
        threads.add(threading.get_ident())
        assert corpus.bytes_read > 0

    corpus = open_corpus(files, batch_bytes=10_000)
    stats = collect(corpus, n_jobs=2, progress=progress)
    assert sum(seen) == stats.n_docs == 3000
    assert len(seen) > 10
    assert threads == {threading.get_ident()}
    assert corpus.bytes_read == corpus.size_bytes


def test_documents_without_labels():
    for n_jobs in (1, 2):
        with pytest.raises(CorpusError, match="read without labels"):
            collect(["some text"], n_jobs=n_jobs)
    stats = collect(["aa", "bb aa"], labels=[[], ["x"]], multilabel=True)
    assert (stats.n_docs, stats.class_docs.tolist(), stats.term_df.tolist()) == (2, [1], [2, 1])


def test_one_term():
    """The smallest tables: sums that grow from one place."""
    stats = collect(["aa aa", "aa"], labels=["x", "y"])
    assert stats.term_df.tolist() == [2]
    assert stats.term_tf.tolist() == [3]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_amid_a_corpus_comes_out(n_jobs):
    texts = ["aa"] * 5000 + [7]
    with pytest.raises(CorpusError, match="5000"):
        collect(texts, labels=["x"] * 5001, n_jobs=n_jobs, batch_bytes=1000)
    stats = collect(texts, labels=["x"] * 5001, n_jobs=n_jobs, on_error="skip")
    assert stats.n_docs == 5000


def test_an_error_in_progress_comes_out(files):
    def progress(corpus, batch):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        collect(files, n_jobs=2, progress=progress, batch_bytes=1000)


def test_no_documents():
    with pytest.raises(CorpusError, match="no documents"):
        collect([], labels=[])
    with pytest.raises(ValueError, match="n_jobs=0"):
        collect(["a"], labels=["x"], n_jobs=0)
    assert Accumulator(Analyzer()).stats() == TermStats.empty(Analyzer())


def test_statistics_can_be_taken_at_any_time():
    accumulator = Accumulator(Analyzer())
    batches = list(open_corpus(["aa", "bb"] * 50, labels=["x", "y"] * 50, batch_bytes=20))
    assert len(batches) > 1
    parts = [TermStats.empty(Analyzer())]
    for batch in batches:
        accumulator.add(batch)
        single = Accumulator(Analyzer())
        single.add(batch)
        parts.append(parts[-1] + single.stats())
        assert accumulator.stats() == parts[-1]
