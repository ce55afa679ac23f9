"""Passes over documents with the table known give what one machine gives."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from spark_tools import require_spark
from termfold import FEDIP, OCFS, BestTerms, TermCounter, TermProjection, collect
from termfold.datasets import load_debian
from termfold.errors import CorpusError
from termfold.stats import Labels

require_spark()
pytestmark = pytest.mark.xdist_group("spark")

from termfold.spark import best_terms, class_features, collect_weights, leave_one_out  # noqa: E402

N = 500


@pytest.fixture(scope="module")
def table():
    return pa.table(load_debian("train")).select(["text", "label"]).slice(0, N)


@pytest.fixture(scope="module")
def stats(table):
    return collect(table)


@pytest.fixture(scope="module")
def tagged(table):
    pairs = zip(table["text"].to_pylist(), table["label"].to_pylist(), strict=True)
    tags = [[label, "long"] if len(text) > 300 else [label] for text, label in pairs]
    return pa.table({"text": table["text"], "label": tags})


def matrix(table):
    return TermCounter().fit_transform(table["text"])


def rows(df, name):
    """A column of lists in the order of the texts, which are distinct."""
    found = df.select("text", name).toArrow().sort_by("text")
    return np.array(found[name].to_pylist())


def in_order(values, table):
    return values[np.argsort(np.array(table["text"].to_pylist(), dtype=object))]


@pytest.mark.parametrize("kind", ["fedip", "projection", "tags"])
def test_leave_one_out_features(spark, table, tagged, kind):
    table = tagged if kind == "tags" else table
    local = TermProjection() if kind == "projection" else FEDIP("multinomial", "log_rr")
    labels = Labels.of(table["label"].to_pylist())
    expected = local.fit_transform(matrix(table).astype(float), labels)
    projection = type(local)(**local.get_params()).fit_stats(collect(table))
    df = spark.createDataFrame(table).repartition(3)
    df = df.withColumn("loo", leave_one_out(projection)).withColumn(
        "all", class_features(projection)
    )
    assert np.array_equal(rows(df, "loo"), in_order(expected, table))
    assert np.array_equal(rows(df, "all"), in_order(local.transform(matrix(table)), table))


def test_a_null_text_has_no_features(spark, stats):
    projection = FEDIP().fit_stats(stats)
    df = spark.createDataFrame([("a game", "games"), (None, "games")], "text string, label string")
    found = df.select(leave_one_out(projection).alias("f")).collect()
    assert len(found[0]["f"]) == stats.n_classes
    assert found[1]["f"] is None


@pytest.mark.parametrize("score", ["or", "chi2_tf"])
@pytest.mark.parametrize("several", [False, True])
def test_best_terms(spark, table, tagged, score, several):
    table = tagged if several else table
    labels = Labels.of(table["label"].to_pylist())
    local = BestTerms(score).fit(matrix(table), labels)
    df = spark.createDataFrame(table).repartition(4)
    found = best_terms(df, collect(table), score=score)
    assert np.array_equal(found.n_documents_, local.n_documents_)
    for name in ("positive_terms_", "negative_terms_"):
        for one, other in zip(getattr(found, name), getattr(local, name), strict=True):
            assert np.array_equal(one, other)
    assert np.array_equal(found.get_support(), local.get_support())


def weights_of(table, stats):
    """Each document by itself, in plain NumPy."""
    X = matrix(table).toarray().astype(float)
    X[X > 0] = 1 + np.log(X[X > 0])
    X *= np.log((1 + len(X)) / (1 + stats.term_df)) + 1
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def test_centroids_of_unit_documents(spark, table, stats):
    X = weights_of(table, stats)
    labels = np.array(table["label"].to_pylist())
    sums = np.stack([X[labels == name].sum(axis=0) for name in stats.classes])
    df = spark.createDataFrame(table)
    found = collect_weights(df.repartition(3), stats)
    assert found == collect_weights(df.repartition(5), stats, n_shards=2)
    assert np.allclose(found.dense("tf"), sums, atol=1e-5)
    assert np.array_equal(found.dense("df"), stats.dense("df"))
    best = OCFS(200).fit_stats(found).get_support(indices=True)
    local = OCFS(200).fit(X, labels).get_support(indices=True)
    assert len(np.intersect1d(best, local)) >= 199


def test_statistics_of_other_documents_are_told(spark, table, stats):
    df = spark.createDataFrame([("a game", "unheard of")], "text string, label string")
    with pytest.raises(CorpusError, match="unheard of"):
        collect_weights(df, stats)
