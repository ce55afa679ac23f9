"""TermStats: sums over documents, and the laws of the monoid."""

from __future__ import annotations

import re

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings

from stats_tools import (
    DOCUMENT,
    DOCUMENTS,
    as_sums,
    matrix_of,
    stats_of,
    sums_of,
    unnamed,
)
from termfold.collecting import collect
from termfold.errors import StatsError
from termfold.stats import Labels, TermStats
from termfold.terms.analyzer import Analyzer

EMPTY = TermStats.empty(Analyzer())


def assert_same(a: TermStats, b: TermStats) -> None:
    assert a == b
    assert a.content_hash() == b.content_hash()


# -- what is summed ---------------------------------------------------------------------------


@settings(deadline=None)
@given(DOCUMENTS)
def test_tables_are_the_sums(documents):
    stats = stats_of(documents)
    assert as_sums(stats) == sums_of(documents)
    assert list(stats.terms) == sorted(stats.terms)
    assert stats.classes.tolist() == sorted(stats.classes)
    assert all(np.all(np.diff(stats.class_of[lo:hi]) > 0)
               for lo, hi in zip(stats.indptr, stats.indptr[1:], strict=False))  # fmt: skip


@settings(deadline=None)
@given(st.lists(DOCUMENT, min_size=1, max_size=10))
def test_a_matrix_gives_the_same(documents):
    X, y, terms = matrix_of(documents)
    expected = unnamed(stats_of(documents))
    assert_same(TermStats.from_matrix(X, y, terms=terms), expected)
    for make in (sp.csr_matrix, sp.csc_array, sp.coo_array):
        assert_same(TermStats.from_matrix(make(X), y, terms=terms), expected)
    assert_same(TermStats.from_matrix(X.astype(np.float32), y, terms=terms), expected)


@settings(deadline=None)
@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_the_order_of_documents_changes_nothing(documents, random):
    shuffled = [(text, random.sample(labels, len(labels))) for text, labels in documents]
    random.shuffle(shuffled)
    assert_same(stats_of(shuffled), stats_of(documents))


@settings(deadline=None)
@given(st.lists(DOCUMENT, min_size=1, max_size=10))
def test_the_names_of_classes_change_nothing_else(documents):
    """Renamed so that their order turns around, the classes keep their sums."""
    names = {"x": "4", "y": "3", "ü": "2", "中": "1"}
    renamed = stats_of([(text, [names[k] for k in labels]) for text, labels in documents])
    stats = stats_of(documents)
    assert renamed.classes.tolist() == [names[k] for k in stats.classes[::-1]]
    for table in ("df", "tf"):
        np.testing.assert_array_equal(renamed.dense(table), stats.dense(table)[::-1])
    np.testing.assert_array_equal(renamed.class_docs, stats.class_docs[::-1])


def test_several_labels_and_none():
    stats = stats_of([("aa bb", ["x", "y"]), ("aa", []), ("bb bb", ["y"])])
    assert stats.n_docs == 3
    assert stats.class_docs.tolist() == [1, 2]
    assert stats.term_df.tolist() == [2, 2]  # of aa: not the sum over classes
    assert stats.dense("df").tolist() == [[1, 1], [1, 2]]
    assert stats.dense("tf").tolist() == [[1, 1], [1, 3]]
    assert stats.class_tokens.tolist() == [2, 4]


def test_one_class_or_no_terms():
    assert stats_of([("aa", ["x"])]).dense("tf").tolist() == [[1]]
    nothing = stats_of([("", ["x"]), ("!", ["y"]), ("a", [])])
    assert (nothing.n_docs, nothing.n_classes, nothing.n_terms) == (3, 2, 0)
    assert nothing.dense("df").shape == (2, 0)
    assert_same(nothing - nothing, EMPTY)


def test_more_classes_and_terms_than_the_first_tables_hold():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (700, 300))
    y = [[f"k{k:03}" for k in row] for row in rng.integers(0, 200, (700, 4))]
    names = [f"t{i:03}" for i in range(300)]
    texts = [" ".join(np.array(names)[row > 0]) for row in X]
    labels = [sorted(set(row)) for row in y]
    expected = TermStats.from_matrix(X, y, terms=names)
    assert_same(unnamed(collect(texts, labels=labels, n_jobs=1)), expected)
    indicator = np.array([[f"k{k:03}" in row for k in range(200)] for row in labels])
    numbered = TermStats.from_matrix(X, indicator)
    assert numbered.classes.tolist() == list(range(200))
    np.testing.assert_array_equal(numbered.dense("tf"), expected.dense("tf"))


# -- the monoid -------------------------------------------------------------------------------


@settings(deadline=None)
@given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
def test_a_monoid(one, two, three):
    a, b, c = stats_of(one), stats_of(two), stats_of(three)
    whole = stats_of(one + two + three)
    assert_same((a + b) + c, whole)
    assert_same(a + (b + c), whole)
    assert_same(b + a, a + b)
    assert_same(sum([a, b, c]), whole)
    assert_same(TermStats.merge([a, b, c]), whole)
    for empty in (EMPTY, TermStats.empty()):
        assert_same(a + empty, a)
        assert_same(empty + a, a)
        assert_same(a - empty, a)


@settings(deadline=None)
@given(DOCUMENTS, DOCUMENTS)
def test_subtracting_inverts_adding(one, two):
    a, b = stats_of(one), stats_of(two)
    assert_same((a + b) - b, a)
    assert_same((a + b) - a, b)
    assert_same(a - a, EMPTY)


@settings(max_examples=30, deadline=None)
@given(st.lists(DOCUMENT, min_size=1, max_size=30), st.integers(1, 4), st.integers(1, 400))
def test_batches_and_threads_change_nothing(documents, n_jobs, batch_bytes):
    texts, labels = zip(*documents, strict=True)
    found = collect(
        list(texts), labels=list(labels), n_jobs=n_jobs, batch_bytes=batch_bytes, multilabel=True
    )
    assert_same(found, stats_of(documents))


@settings(deadline=None)
@given(st.lists(DOCUMENTS, max_size=9))
def test_merging_many(parts):
    documents = [document for part in parts for document in part]
    merged = TermStats.merge(stats_of(part) for part in parts)
    assert_same(merged, stats_of(documents) if parts else TermStats.empty())


@settings(deadline=None)
@given(st.lists(DOCUMENT, min_size=2, max_size=10), st.data())
def test_matrices_without_names_add_up(documents, data):
    X, y, _ = matrix_of(documents)
    at = data.draw(st.integers(0, len(y)))
    a, b = TermStats.from_matrix(X[:at], y[:at]), TermStats.from_matrix(X[at:], y[at:])
    whole = TermStats.from_matrix(X, y)
    assert_same(a + b, whole)
    assert_same(b + a, whole)
    assert_same(whole - a, b)
    assert_same(whole + TermStats.empty(), whole)


def test_classes_that_are_numbers():
    X = np.eye(3, dtype=int)
    part = TermStats.from_matrix(X, [10, 2, 10])
    assert part.classes.tolist() == [2, 10]
    assert_same(part + TermStats.from_matrix(X[:0], []), part)
    assert_same(TermStats.from_matrix(X[:0], []) + part, part)
    unlabelled = TermStats.from_matrix(X, [[], [], []])
    assert (part + unlabelled).classes.tolist() == (unlabelled + part).classes.tolist() == [2, 10]
    assert (part + TermStats.from_matrix(X, [3, 2, 1])).class_docs.tolist() == [1, 2, 1, 2]


def test_empty_ones_of_an_analyzer_and_of_none():
    assert_same(EMPTY + TermStats.empty(), EMPTY)
    assert_same(TermStats.empty() + EMPTY, EMPTY)
    assert_same(EMPTY + EMPTY, EMPTY)


# -- weights ----------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.tuples(DOCUMENT, st.integers(0, 3)), min_size=1, max_size=8))
def test_whole_weights_repeat_documents(weighted):
    documents, weights = zip(*weighted, strict=True)
    X, y, terms = matrix_of(list(documents))
    found = TermStats.from_matrix(X, y, terms=terms, sample_weight=np.array(weights))
    repeated = [document for document, weight in weighted for _ in range(weight)]
    assert_same(found, unnamed(stats_of(repeated)))


def test_real_weights():
    X = np.array([[0.5, 0.0], [1.5, 2.0], [0.25, 1.0]])
    stats = TermStats.from_matrix(X, ["x", "x", "y"], sample_weight=np.array([1.0, 0.5, 2.0]))
    assert not stats.exact
    assert stats.n_docs == 3.5
    assert stats.class_docs.tolist() == [1.5, 2.0]
    assert stats.dense("df").tolist() == [[1.5, 0.5], [2.0, 2.0]]
    assert stats.dense("tf").tolist() == [[1.25, 1.0], [0.5, 2.0]]
    assert stats.term_tf.tolist() == [1.75, 3.0]
    assert stats.class_tokens.tolist() == [2.25, 2.5]
    counts = TermStats.from_matrix(X, ["x", "x", "y"])
    assert counts.df.dtype == np.int64
    assert counts.tf.dtype == np.float64
    with pytest.raises(StatsError, match="only integer statistics can be subtracted exactly"):
        stats - stats


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9), st.sampled_from("xy")), max_size=8),
    st.integers(0, 8),
)
def test_real_weights_add_up(rows, at):
    X = np.array([row[:2] for row in rows]).reshape(-1, 2)
    y = [[row[2]] for row in rows]
    whole = TermStats.from_matrix(X, y)
    parts = TermStats.from_matrix(X[:at], y[:at]) + TermStats.from_matrix(X[at:], y[at:])
    assert parts.classes.tolist() == whole.classes.tolist()
    np.testing.assert_allclose(parts.dense("tf"), whole.dense("tf"), atol=1e-12)
    np.testing.assert_array_equal(parts.dense("df"), whole.dense("df"))
    np.testing.assert_allclose(parts.term_tf, whole.term_tf, atol=1e-12)


# -- what goes in and what does not -----------------------------------------------------------


def test_the_matrix_stays_as_it_is():
    X = sp.csc_array(([1, 2, 3], [2, 0, 1], [0, 2, 3]), (3, 2))  # rows not in order
    y = sp.csr_array(([1, 0, 1], [1, 0, 0], [0, 1, 2, 3]), (3, 2))  # an explicit zero
    before = [array.copy() for m in (X, y) for array in (m.data, m.indices, m.indptr)]
    stats = TermStats.from_matrix(X, y)
    after = [array for m in (X, y) for array in (m.data, m.indices, m.indptr)]
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)
    assert_same(stats, TermStats.from_matrix(X.toarray(), y.toarray()))


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix])
def test_entries_given_twice_are_one_document(make):
    X = make(sp.coo_matrix(([1, 2], ([0, 0], [0, 0])), (1, 1)))
    if make is not sp.coo_matrix:
        X = make(([1, 2], [0, 0], [0, 2]), (1, 1))
    assert TermStats.from_matrix(X, ["x"]).dense("df").tolist() == [[1]]
    assert TermStats.from_matrix(X, ["x"]).dense("tf").tolist() == [[3]]


@pytest.mark.parametrize(
    "y",
    [
        ["b", "a", "b"],
        ("b", "a", "b"),
        np.array(["b", "a", "b"]),
        np.array(["b", "a", "b"], object),
        pd.Series(["b", "a", "b"], index=[7, 8, 9]),
        pd.Series(["b", "a", "b"]).astype("category"),
        pa.array(["b", "a", "b"]),
        pa.chunked_array([["b"], ["a", "b"]]),
        [["b"], ["a"], ["b", "b"]],
        [("b",), {"a"}, frozenset("b")],
        pd.Series([["b"], ["a"], ["b"]], index=[7, 8, 9]),
        pa.array([["b"], ["a"], ["b"]]),
        [np.array(["b"]), np.array(["a"]), np.array(["b"])],
    ],
    ids=lambda y: type(y).__name__,
)
def test_forms_of_labels(y):
    labels = Labels.of(y)
    assert labels.classes.dtype.kind == "U"
    assert labels.classes.tolist() == ["a", "b"]
    assert labels.ids.tolist() == [1, 0, 1]
    assert labels.indptr.tolist() == [0, 1, 2, 3]
    assert labels.single
    X = np.eye(3)
    assert_same(TermStats.from_matrix(X, y), TermStats.from_matrix(X, labels))


@pytest.mark.parametrize("make", [np.array, sp.csr_matrix, sp.csc_array, pd.DataFrame])
def test_an_indicator_matrix(make):
    labels = Labels.of(make([[0, 1, 1], [0, 0, 0]]))
    assert labels.classes.tolist() == [0, 1, 2]
    assert labels.indptr.tolist() == [0, 2, 2]
    assert labels.ids.tolist() == [1, 2]
    assert not labels.single


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a", None], "the label None is not a string, while others are"),
        (["a", float("nan")], "the label nan is not a string"),
        (["a", 1], "the label 1 is not a string"),
        ([None, None], "labels must be strings or numbers"),
        ([1.0, np.nan], "NaN or infinity among the labels"),
        ([["a"], "b"], "the labels of document 1 are 'b', while others have a list"),
        ([["a"], None], "the labels of document 1 are None"),
        (["a", ["b"]], "the labels of document 0 are 'a'"),
        ([["a", None]], "the label None is not a string"),
        (np.array([[0, 2], [1, 0]]), "must be an indicator matrix of zeros and ones"),
        (pa.array(["a", None]), "the label None is not a string"),
        (["a"], "X has 2 rows, but y has 1 labels"),
    ],
)
def test_labels_that_are_none(y, message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        TermStats.from_matrix(np.eye(2), y)


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        (np.eye(2), {"terms": ["a"]}, "1 terms for a matrix of 2 columns"),
        (np.eye(2), {"terms": ["b", "a"]}, "distinct and in sorted order"),
        (np.eye(2), {"terms": ["a", "a"]}, "distinct and in sorted order"),
        (np.array([[1, np.nan], [0, 1]]), {}, "NaN or infinity among the values"),
        (np.array([[1, np.inf], [0, 1]]), {}, "NaN or infinity among the values"),
        (np.eye(2), {"sample_weight": np.ones(3)}, "3 sample weights for 2 documents"),
        (np.eye(2), {"sample_weight": np.array([1, -1])}, "must not be negative"),
        (np.eye(2), {"sample_weight": np.array([1, np.nan])}, "NaN or infinity"),
    ],
)
def test_matrices_that_are_none(X, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        TermStats.from_matrix(X, ["x", "y"], **options)


def test_statistics_that_do_not_fit():
    X, y = np.eye(2, dtype=int), ["x", "y"]
    named = TermStats.from_matrix(X, y, terms=["a", "b"])
    nameless = TermStats.from_matrix(X, y)
    collected = stats_of([("aa", ["x"])])
    pairs = [
        (named, nameless, "one of the two has named terms"),
        (nameless, TermStats.from_matrix(np.eye(3)[:2], y), "2 and 3 columns"),
        (named, collected, "made by different analyzers"),
        (collected, collect(["a"], labels=["x"], analyzer=Analyzer(min_length=1)), "different"),
        (
            nameless,
            TermStats.from_matrix(X, [0, 1]),
            "names and of the other numbers: ['x'] and [0]",
        ),
        (named.prune(2), named, "pruned statistics do not add up"),
        (named, named.prune(2), "pruned statistics do not add up"),
    ]
    for a, b, message in pairs:
        with pytest.raises(StatsError, match=re.escape(message)):
            a + b
    with pytest.raises(TypeError):
        named + 1
    assert named != nameless
    assert named != "named"


@pytest.mark.parametrize(
    ("never_added", "reason"),
    [
        ([("aa", ["y"])], "the class 'y' has -1 documents"),
        ([("bb", ["x"])], "the term 'bb' has -1 documents in the class 'x'"),
        ([("aa aa", ["x"])], "the term 'aa' has -1 occurrences in the class 'x'"),
        ([("aa", ["x"])] * 2, "the class 'x' has -1 documents"),
        ([("bb", [])], "the term 'bb' has -1 documents."),
        ([("", [])] * 2, "in more documents than there are"),
    ],
)
def test_documents_that_were_never_added_cannot_be_subtracted(never_added, reason):
    with pytest.raises(StatsError, match=f"never added: without them, .*{re.escape(reason)}"):
        stats_of([("aa", ["x"])]) - stats_of(never_added)


# -- choosing ---------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    st.lists(DOCUMENT, min_size=1, max_size=10), st.integers(1, 3), st.sampled_from([None, 2, 0.5])
)
def test_pruning(documents, min_df, max_df):
    stats = stats_of(documents)
    pruned = stats.prune(min_df, max_df)
    most = np.inf if max_df is None else max_df * (len(documents) if max_df == 0.5 else 1)
    df = sums_of(documents)["term_df"]
    kept = [term for term in stats.terms if min_df <= df[term] <= most]
    assert list(pruned.terms) == kept
    assert pruned.pruned
    positions = [list(stats.terms).index(term) for term in kept]
    for table in ("df", "tf"):
        np.testing.assert_array_equal(pruned.dense(table), stats.dense(table)[:, positions])


@settings(deadline=None)
@given(DOCUMENTS, st.integers(0, 9), st.integers(0, 9))
def test_dense_and_sparse_tables_agree(documents, start, stop):
    stats = stats_of(documents)
    start, stop = min(start, stats.n_terms), max(start, stop)
    for table in ("df", "tf"):
        whole = stats.sparse(table).toarray()
        np.testing.assert_array_equal(stats.dense(table), whole)
        if start <= min(stop, stats.n_terms):
            np.testing.assert_array_equal(stats.dense(table, start, stop), whole[:, start:stop])
    assert stats.class_tokens.tolist() == stats.dense("tf").sum(axis=1).tolist()
