from __future__ import annotations

import pickle
import re
from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.multiclass import OneVsRestClassifier

from model_tools import model_of, random_model
from termfold.classify.export import to_frame, to_sklearn, to_sql
from termfold.datasets import load_debian
from termfold.terms.analyzer import Analyzer
from termfold.terms.counter import TermCounter

MIXED = [
    "Straße 42: Ünïted, a_b! x",
    "用 Python3 做文本分类。日本語のテキスト",
    "",
    "a I 7 -- !",
    "The cat, the CAT; the end of the cat ²½ x2",
    "한국어 문장 and ελληνικός Кириллица",
    "python文 Python python",
]


@pytest.fixture(scope="module")
def texts():
    return load_debian("test").data[:300] + MIXED


# -- scikit-learn -----------------------------------------------------------------------------


@pytest.mark.parametrize("tf", ["binary", "count", "sublinear"])
@pytest.mark.parametrize("norm", ["none", "l1", "l2"])
@pytest.mark.parametrize("cjk", ["word", "bigram"])
def test_pipeline_decides_as_the_model(texts, tf, norm, cjk):
    model = random_model(
        texts, analyzer=Analyzer(cjk=cjk), tf=tf, norm=norm, int8=tf == "count", share=0.8
    )
    assert_same_decisions(model, texts)


ANALYZERS = {
    "plain": Analyzer(cjk="word"),
    "long words": Analyzer(cjk="word", min_length=4, lowercase=False),
    "short words": Analyzer(cjk="word", min_length=1),
    "stop words": Analyzer(cjk="word", stop_words="english", ngram_range=(1, 2)),
    "odd stop words": Analyzer(cjk="word", stop_words=["the", "I", "don't", "x"]),
    "chars": Analyzer(unit="char", ngram_range=(2, 3)),
    "chars in words": Analyzer(unit="char_wb", ngram_range=(2, 4)),
}


@pytest.mark.parametrize("analyzer", ANALYZERS.values(), ids=ANALYZERS.keys())
def test_count_vectorizer_where_it_can_count(texts, analyzer):
    model = random_model(texts, analyzer=analyzer, share=0.8)
    assert isinstance(to_sklearn(model)["terms"], CountVectorizer)
    assert_same_decisions(model, texts[:40] + MIXED, "scikit-learn")
    assert_same_decisions(model, texts[:40] + MIXED, "termfold")


@pytest.mark.parametrize("values", [{"cjk": "bigram"}, {"cjk": "word", "numbers": "drop"}])
def test_term_counter_where_it_cannot(texts, values):
    model = random_model(texts, analyzer=Analyzer(**values))
    assert isinstance(to_sklearn(model)["terms"], TermCounter)
    with pytest.raises(ValueError, match=r"cannot express .*counter='termfold' can"):
        to_sklearn(model, "scikit-learn")
    assert_same_decisions(model, texts)


@pytest.mark.parametrize("multilabel", [False, True])
@pytest.mark.parametrize("classes", ["ab", "abcd"])
def test_two_classes_and_several_labels(texts, multilabel, classes):
    model = random_model(texts, classes=classes, multilabel=multilabel)
    assert_same_decisions(model, texts)


def assert_same_decisions(model, texts, counter="auto"):
    pipeline = to_sklearn(model, counter)
    scores = model.scores(texts)
    decisions = pipeline.decision_function(texts)
    if model.multilabel:
        assert isinstance(pipeline["classifier"], OneVsRestClassifier)
        close(decisions, scores - model.thresholds)
        assert np.array_equal(pipeline.predict(texts), scores >= model.thresholds)
    else:
        close(decisions, scores[:, 1] - scores[:, 0] if model.n_classes == 2 else scores)
        best = np.asarray(model.classes)[scores.argmax(axis=1)]
        assert np.array_equal(pipeline.predict(texts), best)
    again = pickle.loads(pickle.dumps(pipeline))
    assert np.array_equal(again.decision_function(texts[-3:]), decisions[-3:])


def close(values, expected):
    size = max(1.0, float(np.abs(expected).max()))
    assert np.abs(values - expected).max() < 1e-5 * size


def test_a_score_at_the_threshold_is_enough():
    model = model_of({"aa": (1, 2)}, multilabel=True, thresholds=np.float32([1, 2.5]))
    assert to_sklearn(model).predict(["aa", "bb"]).tolist() == [[1, 0], [0, 0]]
    never = replace(model, thresholds=np.float32([1, np.inf]))
    assert to_sklearn(never).predict(["aa"]).tolist() == [[1, 0]]


def test_wrong_counter_and_empty_model():
    with pytest.raises(ValueError, match="counter='spark'; it must be one of"):
        to_sklearn(model_of({"aa": (1, 0)}), "spark")
    with pytest.raises(ValueError, match="no terms"):
        to_sklearn(model_of({}))


# -- tables -----------------------------------------------------------------------------------


def test_long_and_wide_tables():
    model = model_of({"aa": (1, 0), "bb": (2, 3)}, idf=np.float32([2, 1]))
    rows = [("a", "aa", 2.0), ("a", "bb", 2.0), ("b", "bb", 3.0)]
    table = to_frame(model)
    assert [tuple(row.values()) for row in table.to_pylist()] == rows
    assert pl.from_arrow(table).rows() == rows
    assert list(pd.DataFrame(table.to_pydict()).itertuples(index=False, name=None)) == rows
    assert to_frame(model, wide=True).to_pylist() == [
        {"term": "aa", "a": 2, "b": 0},
        {"term": "bb", "a": 2, "b": 3},
    ]


def test_eight_bits_are_scaled():
    model = replace(
        model_of({"aa": (1, 0)}), weights=np.int8([[100, -50]]), scale=np.float32([0.5])
    )
    assert to_frame(model)["weight"].to_pylist() == [50, -25]


def test_a_class_called_term():
    model = model_of({"aa": (1, 0)}, classes=("term", "other"))
    assert to_frame(model).num_rows == 1
    with pytest.raises(ValueError, match="wide=False"):
        to_frame(model, wide=True)


# -- SQL --------------------------------------------------------------------------------------


def run(sql, texts):
    """Scores and predictions by DuckDB: dicts by row and class."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE documents (id INTEGER, text VARCHAR)")
        documents = pa.table({"id": np.arange(len(texts), dtype=np.int32), "text": texts})
        connection.register("given", documents)
        connection.execute("INSERT INTO documents SELECT id, text FROM given")
        for name, table in sql.tables.items():
            connection.register(name, table)
        return [
            {(row, name): score for row, name, score in connection.execute(query).fetchall()}
            for query in (sql.scores, sql.predictions)
        ]


def assert_same_in_sql(model, texts):
    scored, predicted = run(to_sql(model), texts)
    scores = model.scores(texts)
    found = [[scored[i, name] for name in model.classes] for i in range(len(texts))]
    assert np.abs(np.array(found) - scores).max() < 1e-4 * max(1, np.abs(scores).max())
    if model.multilabel:
        chosen = {(i, model.classes[k]) for i, k in np.argwhere(scores >= model.thresholds)}
    else:
        chosen = {(i, model.classes[k]) for i, k in enumerate(scores.argmax(axis=1))}
    assert set(predicted) == chosen


@pytest.mark.parametrize("tf", ["binary", "count", "sublinear"])
@pytest.mark.parametrize("norm", ["none", "l1", "l2"])
def test_duckdb_scores_as_the_model(texts, tf, norm):
    model = random_model(texts, tf=tf, norm=norm, int8=norm == "l2", share=0.8)
    assert_same_in_sql(model, texts)


@pytest.mark.parametrize(
    "analyzer",
    [
        Analyzer(cjk="word"),
        Analyzer(lowercase=False, min_length=3),
        Analyzer(min_length=1, numbers="drop", stop_words="english"),
    ],
    ids=["word", "as is", "left out"],
)
def test_duckdb_with_other_analyzers(texts, analyzer):
    assert_same_in_sql(random_model(texts, analyzer=analyzer), texts)


def test_duckdb_with_several_labels(texts):
    assert_same_in_sql(random_model(texts, classes=["x", "it's", '"y"'], multilabel=True), texts)


def test_duckdb_without_cjk_terms(texts):
    model = model_of({"python": (1, 2), "cat": (3, 0)})
    assert "flatten" not in to_sql(model).scores
    assert_same_in_sql(model, texts)


def test_null_texts_and_other_names():
    model = model_of({"aa": (1, 2)}, bias=np.float32([0.5, 0.25]))
    sql = to_sql(model, "m_", documents="(SELECT 1 AS nr, NULL::VARCHAR AS \"a b\") AS x",
                 id_column="nr", text_column="a b")  # fmt: skip
    assert set(sql.tables) == {"m_terms", "m_weights", "m_classes"}
    scored, predicted = run(sql, ["unused"])
    assert scored == {(1, "a"): 0.5, (1, "b"): 0.25}
    assert predicted == {(1, "a"): 0.5}


def test_what_sql_cannot_express():
    with pytest.raises(ValueError, match="unit='char' cannot be found in SQL"):
        to_sql(random_model(["some text"], analyzer=Analyzer(unit="char", ngram_range=(2, 2))))
    pairs = random_model(["some text"], analyzer=Analyzer(ngram_range=(1, 2)))
    with pytest.raises(ValueError, match="the model has 'some text'"):
        to_sql(pairs)
    with pytest.raises(ValueError, match="dialect='oracle'"):
        to_sql(model_of({"aa": (1, 2)}), dialect="oracle")
    with pytest.raises(ValueError, match="table_prefix"):
        to_sql(model_of({"aa": (1, 2)}), "x; DROP TABLE y")


@pytest.mark.parametrize("norm", ["none", "l2"])
def test_spark_text_has_the_shape_of_a_query(norm):
    model = random_model(MIXED, norm=norm)
    sql = to_sql(model, dialect="spark", text_column="a`b")
    for query in (sql.scores, sql.predictions):
        bare = re.sub(r"'[^']*'", "''", query)
        assert bare.count("(") == bare.count(")")
        assert query.count("'") % 2 == 0
        assert "lower(`a``b`)" in query
        for part in ("regexp_extract_all(", "explode(", r"'[\\p{L}\\p{N}_]{2,}', 0)"):
            assert part in query
        for part in ("unnest(", '"', "list_"):
            assert part not in query
        assert len(re.findall(r"\bSELECT\b", query)) >= 6
