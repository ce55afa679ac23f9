"""The sample in the wheel, and the loaders of collections that do not come with termfold."""

from __future__ import annotations

import os
from importlib import resources

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from corpus_tools import documents
from termfold import datasets
from termfold.corpus import open_corpus
from termfold.errors import CorpusError

needs_data = pytest.mark.skipif(
    "TERMFOLD_DATA" not in os.environ,
    reason="the collections do not come with termfold: set TERMFOLD_DATA to their folder",
)


def test_sample():
    everything = datasets.load_debian()
    train, test = datasets.load_debian("train"), datasets.load_debian("test")
    assert len(everything) == len(train) + len(test) == 7166
    assert train.classes == test.classes == train.target_names
    assert len(train.classes) == 12
    assert not set(train.ids.to_pylist()) & set(test.ids.to_pylist())
    assert everything.text.type == pa.large_string()
    assert everything.text.null_count == everything.labels.null_count == 0
    assert len(set(everything.data)) == len(everything)
    # Nothing long: `repr` is what a notebook shows.
    assert repr(train) == "Dataset(name='debian')"


def test_sample_is_small_and_explains_its_licence():
    folder = resources.files("termfold") / "data"
    assert len((folder / "debian_sample.parquet").read_bytes()) < 1_000_000
    assert "Free Software Guidelines" in (folder / "README.md").read_text(encoding="utf-8")


def test_sources_never_straddle_the_split():
    file = resources.files("termfold") / "data" / "debian_sample.parquet"
    table = pq.read_table(pa.BufferReader(file.read_bytes()), columns=["source", "split"])
    sides = table.group_by("source").aggregate([("split", "count_distinct")])
    assert set(sides["split_count_distinct"].to_pylist()) == {1}


def test_sample_in_scikit_learn():
    X, y = datasets.load_debian("train").pair()
    test = datasets.load_debian("test")
    model = make_pipeline(TfidfVectorizer(), MultinomialNB(alpha=0.1)).fit(X, y)
    assert model.score(test.data, test.target) > 0.75


def test_dataset_is_a_corpus():
    dataset = datasets.load_debian("test")
    corpus = open_corpus(dataset)
    assert not corpus.multilabel
    assert documents(corpus) == documents(dataset.text, labels=dataset.labels)
    assert next(iter(corpus)).source == "Dataset"


def test_unknown_split():
    with pytest.raises(CorpusError, match=r"debian has no split 'dev': its splits are test, train"):
        datasets.load_debian("dev")


@pytest.fixture
def imdb(tmp_path):
    data = {"id": ["1", "2"], "text": ["a", "b"], "label": ["x", "y"], "split": ["train", "test"]}
    pq.write_table(pa.table(data), tmp_path / "imdb.parquet")
    return tmp_path


def test_where_collections_are_found(imdb, monkeypatch):
    monkeypatch.setenv("TERMFOLD_DATA", str(imdb))
    assert datasets.load_imdb("train").data == ["a"]
    monkeypatch.delenv("TERMFOLD_DATA")
    assert datasets.load_imdb("test", path=imdb).target.tolist() == ["y"]
    assert len(datasets.load_imdb(path=imdb / "imdb.parquet")) == 2


@pytest.mark.parametrize("name", [name for name in datasets.__all__ if name.startswith("load")])
def test_absent_collections_name_both_remedies(name, monkeypatch, tmp_path):
    if name == "load_debian":
        return
    load = getattr(datasets, name)
    arguments = ("re0",) if name == "load_cluto" else ()
    monkeypatch.delenv("TERMFOLD_DATA", raising=False)
    with pytest.raises(CorpusError, match=r"TERMFOLD_DATA is not set. Give path=.* or set TERM"):
        load(*arguments)
    with pytest.raises(CorpusError, match=r"there is no .*Give path=.* or set TERMFOLD_DATA"):
        load(*arguments, path=tmp_path / "none")
    assert load.__name__ == name
    assert "path : str or Path" in load.__doc__


def test_no_published_split(tmp_path):
    data = {"id": ["1"], "text": ["a"], "label": ["x"], "split": pa.array([None], pa.string())}
    pq.write_table(pa.table(data), tmp_path / "movie_reviews_v2.parquet")
    with pytest.raises(CorpusError, match=r"it has no splits. Leave split out"):
        datasets.load_movie_reviews("train", path=tmp_path)
    assert len(datasets.load_movie_reviews(path=tmp_path)) == 1


@needs_data
@pytest.mark.parametrize(
    ("name", "split", "size", "classes"),
    [
        ("20newsgroups", "train", 11_314, 20),
        ("20newsgroups", None, 18_846, 20),
        ("reuters21578", "train", 7_770, 90),
        ("reuters21578", "test", 3_019, 90),
        ("movie_reviews", None, 2_000, 2),
        ("imdb", "test", 25_000, 2),
        ("agnews", "test", 7_600, 4),
        ("dbpedia", None, 14_000, 14),
        ("thucnews_titles", "dev", 29_289, 11),
        ("toutiao_titles", "train", 1_185, 15),
        ("debian_full", None, 61_089, 58),
    ],
)
def test_collections(name, split, size, classes):
    dataset = getattr(datasets, f"load_{name}")(split)
    assert len(dataset) == size
    assert len(dataset.classes) == classes
    assert dataset.multilabel == (name == "reuters21578")
    assert dataset.text.null_count == 0


@needs_data
def test_reuters_is_multilabel():
    dataset = datasets.load_reuters21578("train")
    assert dataset.target[:2] == dataset.labels[:2].to_pylist()
    corpus = open_corpus(dataset)
    assert corpus.multilabel
    assert sum(len(batch) for batch in corpus) == len(dataset)


def test_cluto(tmp_path):
    (tmp_path / "cluto").mkdir()
    arrays = {
        "data": np.array([1, 2], np.uint8),
        "indices": np.array([0, 2], np.uint16),
        "indptr": np.array([0, 1, 2], np.int32),
        "shape": np.array([2, 3]),
        "y": np.array([0, 1], np.int16),
        "y_k1b": np.array([0, 0], np.int16),
    }
    np.savez(tmp_path / "cluto" / "k1a.npz", **arrays)
    for path in (tmp_path, tmp_path / "cluto", tmp_path / "cluto" / "k1a.npz"):
        fine = datasets.load_cluto("k1a", path=path)
        assert fine.data.toarray().tolist() == [[1, 0, 0], [0, 0, 2]]
        assert fine.target.tolist() == [0, 1]
        assert fine.feature_names is fine.target_names is None
    assert datasets.load_cluto("k1b", path=tmp_path).target.tolist() == [0, 0]


@needs_data
@pytest.mark.parametrize(("name", "shape"), [("re0", (1504, 2886)), ("k1b", (2340, 21839))])
def test_cluto_collections(name, shape):
    matrix = datasets.load_cluto(name)
    assert matrix.data.shape == shape
    assert len(matrix.target) == shape[0]


@needs_data
def test_cluto_with_names():
    matrix = datasets.load_cluto("classic4_with_terms")
    assert len(matrix.feature_names) == matrix.data.shape[1]
    assert len(matrix.target_names) == 4
