"""Data frames and datasets of other libraries."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from corpus_tools import LABEL_LISTS, LABELS, MULTI, SINGLE, TEXTS, documents, table, texts
from termfold.corpus import open_corpus
from termfold.errors import CorpusError


def test_arrow():
    assert documents(table()) == SINGLE
    assert documents(table().to_batches()[0]) == SINGLE
    assert documents(table(LABEL_LISTS)) == MULTI
    (batch,) = open_corpus(table(), keep_columns=True)
    assert batch.table.to_pydict() == {"id": list(range(len(TEXTS)))}
    assert batch.source == "Table"


@pytest.mark.parametrize("dtype", [object, "str", "category", "string"])
def test_pandas(dtype):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"label": LABELS, "text": TEXTS, 3: 1.5}, index=range(90, 98))
    frame = frame.astype({"text": dtype, "label": dtype})
    assert documents(frame) == SINGLE
    assert documents(frame, batch_bytes=5) == SINGLE
    assert documents(frame, text=1, label=0) == SINGLE
    assert documents(frame["text"], labels=frame["label"]) == SINGLE
    assert texts(open_corpus(frame["text"])) == TEXTS
    kept = [batch.table for batch in open_corpus(frame, keep_columns=True, batch_bytes=20)]
    assert pa.Table.from_batches(kept)["3"].to_pylist() == [1.5] * len(TEXTS)


def test_pandas_lists_numbers_and_missing_values():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"text": TEXTS, "label": LABEL_LISTS})
    assert open_corpus(frame).multilabel
    assert documents(frame) == MULTI
    assert documents(frame["text"], labels=frame["label"]) == MULTI
    numbers = pd.DataFrame({"text": ["a", np.nan, "c"], "label": [7, 8, 9]})
    corpus = open_corpus(numbers, on_error="skip")
    assert documents(corpus) == [("a", ["7"]), ("c", ["9"])]
    assert corpus.skipped.reasons == ["DataFrame, row 1 (counting from 0): no text (null)"]


def test_a_column_of_pandas_called_like_an_attribute():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"dtype": TEXTS, "label": LABELS})
    assert documents(frame, text="dtype") == SINGLE


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"id": range(8), "text": TEXTS, "label": LABELS})
    assert documents(frame) == SINGLE
    assert documents(frame, batch_bytes=5) == SINGLE
    assert documents(frame.with_columns(pl.col("label").cast(pl.Categorical))) == SINGLE
    assert documents(frame["text"], labels=frame["label"]) == SINGLE
    assert documents(frame.with_columns(label=pl.Series(LABEL_LISTS))) == MULTI
    lists = pl.Series(LABEL_LISTS, dtype=pl.List(pl.Categorical))
    assert documents(frame.with_columns(label=lists)) == MULTI
    with pytest.raises(CorpusError, match=r"LazyFrame is only a plan.*collect\(\)"):
        open_corpus(frame.lazy())


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("docs", table())
    corpus = open_corpus(connection.sql("select label, text from docs"))
    # Opening a corpus does not keep the connection busy.
    assert connection.sql("select 1").fetchall() == [(1,)]
    assert documents(corpus) == documents(corpus) == SINGLE
    assert next(iter(corpus)).source == "DuckDBPyRelation"
    lists = connection.sql("select 'a' as text, ['x', 'y'] as label")
    assert documents(lists) == [("a", ["x", "y"])]


def test_an_object_that_streams_once():
    class Once:
        def __init__(self) -> None:
            self.reader = table().to_reader()

        def __arrow_c_stream__(self, requested_schema=None):
            reader, self.reader = self.reader, None
            if reader is None:
                raise pa.ArrowInvalid("already consumed")
            return reader.__arrow_c_stream__(requested_schema)

    corpus = open_corpus(Once())
    assert documents(corpus) == SINGLE
    with pytest.raises(CorpusError, match=r"Once: its Arrow stream cannot be opened.*new one"):
        list(corpus)


@pytest.fixture
def hugging_face():
    return pytest.importorskip("datasets", exc_type=ImportError)


def test_hugging_face(hugging_face):
    rows = {"id": list(range(8)), "text": TEXTS, "label": LABELS}
    dataset = hugging_face.Dataset.from_dict(rows)
    assert documents(dataset) == SINGLE
    # Its table on disk is in another order than the dataset.
    assert documents(dataset.select([5, 1])) == [SINGLE[5], SINGLE[1]]
    assert documents(dataset.to_iterable_dataset()) == SINGLE
    (batch,) = open_corpus(dataset, keep_columns=True)
    assert batch.table.to_pydict() == {"id": list(range(8))}
    splits = hugging_face.DatasetDict({"train": dataset})
    with pytest.raises(CorpusError, match="choose one of the splits"):
        open_corpus(splits)


def test_hugging_face_class_names(hugging_face):
    names = hugging_face.ClassLabel(names=["neg", "pos"])
    text = hugging_face.Value("string")
    dataset = hugging_face.Dataset.from_dict(
        {"text": ["a", "b", "c"], "label": [1, 0, -1]},
        features=hugging_face.Features({"text": text, "label": names}),
    )
    corpus = open_corpus(dataset, on_error="skip")
    assert documents(corpus) == [("a", ["pos"]), ("b", ["neg"])]
    assert "no label" in corpus.skipped.reasons[0]
    lists = hugging_face.Dataset.from_dict(
        {"text": ["a", "b"], "label": [[1, 0], []]},
        features=hugging_face.Features({"text": text, "label": hugging_face.List(names)}),
    )
    assert documents(lists.select([1, 0])) == [("b", []), ("a", ["pos", "neg"])]


class FakeDataset:
    """Has of a dataset of Hugging Face what is called, for where it is not installed."""

    def __init__(self, data: pa.Table, names: list[str] | None) -> None:
        self.data = data
        self.features = {"label": type("ClassLabel", (), {"names": names})()} if names else None

    def with_format(self, kind: str) -> FakeDataset:
        assert kind == "arrow"
        return self

    def select_columns(self, names: list[str]) -> FakeDataset:
        other = FakeDataset(self.data.select(names), None)
        other.features = self.features
        return other

    def iter(self, batch_size: int):
        for start in range(0, len(self.data), batch_size):
            yield self.data[start : start + batch_size]


def test_like_hugging_face():
    assert documents(FakeDataset(table(), None)) == SINGLE
    assert documents(FakeDataset(table(LABEL_LISTS), None)) == MULTI
    numbers = pa.table({"text": ["a", "b"], "label": [1, 0]})
    assert documents(FakeDataset(numbers, ["neg", "pos"])) == [("a", ["pos"]), ("b", ["neg"])]
    lists = pa.table({"text": ["a", "b", "c"], "label": [[1, 0], [], [0]]})[1:]
    assert documents(FakeDataset(lists, ["n", "p"])) == [("b", []), ("c", ["n"])]
    with pytest.raises(CorpusError, match="no documents"):
        documents(FakeDataset(numbers[:0], None))
