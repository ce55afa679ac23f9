"""FEDIP against formulas in plain loops; leave-one-out features against fits without a document."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from projection_oracles import fedip_weights, idf_of, pooled
from termfold.errors import StatsError
from termfold.project import FEDIP
from termfold.scores import Score, score_classes
from termfold.scores.association import kl, log_relative_risk, relative_risk
from termfold.stats import TermStats

EXPECTED_FAILURES = dict.fromkeys(
    ("check_transformer_general", "check_transformer_data_not_an_array"),
    "fit_transform leaves each document out of its own features, as documented",
)


# In these checks every document has every term, so the Bernoulli variant has no pools at all.
@parametrize_with_checks(
    [FEDIP(), FEDIP("multinomial", "log_rr", signed=True, input_weight="tfidf")],
    expected_failed_checks=lambda e: EXPECTED_FAILURES if e.variant == "multinomial" else {},
)
def test_sklearn(estimator, check):
    check(estimator)


@st.composite
def collections(draw, multilabel=None):
    """A small matrix of counts and an indicator matrix, with classes that may be empty."""
    n_docs = draw(st.integers(2, 7))
    n_terms = draw(st.integers(1, 5))
    n_classes = draw(st.integers(2, 4))
    if multilabel is None:
        multilabel = draw(st.booleans())
    counts = st.lists(
        st.sampled_from([0, 0, 0, 1, 1, 2, 5]), min_size=n_docs * n_terms, max_size=n_docs * n_terms
    )
    X = np.array(draw(counts)).reshape(n_docs, n_terms)
    if multilabel:
        bits = st.lists(st.booleans(), min_size=n_docs * n_classes, max_size=n_docs * n_classes)
        Y = np.array(draw(bits)).reshape(n_docs, n_classes).astype(int)
    else:
        ids = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_docs, max_size=n_docs))
        Y = np.eye(n_classes, dtype=int)[ids]
    return X, Y


@st.composite
def fedips(draw):
    weight = draw(st.sampled_from(["rr", "log_rr", "kl"]))
    return FEDIP(
        draw(st.sampled_from(["bernoulli", "multinomial"])),
        weight,
        smoothing=draw(st.sampled_from([0, 0.01, 0.5, 3.0])),
        smooth=draw(st.sampled_from(["rate", "count"])),
        threshold=draw(st.sampled_from([1.0, 1.7])),
        signed=weight != "rr" and draw(st.booleans()),
        input_weight=draw(
            st.sampled_from(["binary", "count", "sublinear", "tfidf", "sublinear_tfidf"])
        ),
        denominator=draw(st.sampled_from(["document", "pool", "norm", "none"])),
        class_weight=draw(st.sampled_from(["size", "sqrt", "uniform"])),
    )


def expected_features(train, Y, docs, fedip):
    weights = fedip_weights(train, Y, fedip)
    return np.array([pooled(row, weights, idf_of(train), fedip) for row in docs])


@settings(deadline=None, max_examples=150)
@given(collections(), fedips())
def test_weights_and_features_are_those_of_the_formulas(collection, fedip):
    X, Y = collection
    fedip.fit(X, Y)
    np.testing.assert_allclose(fedip.weights_.toarray(), fedip_weights(X, Y, fedip), atol=1e-12)
    expected = expected_features(X, Y, X, fedip)
    np.testing.assert_allclose(fedip.transform(X), expected, rtol=1e-9, atol=1e-12)


@settings(deadline=None, max_examples=150)
@given(collections(), fedips())
def test_leave_one_out_is_a_fit_without_the_document(collection, fedip):
    X, Y = collection
    features = fedip.fit_transform(X, Y)
    for i in range(len(X)):
        others = np.delete(X, i, axis=0), np.delete(Y, i, axis=0)
        refit = clone(fedip).fit(*others)
        np.testing.assert_allclose(
            features[i], refit.transform(X[[i]])[0], rtol=1e-9, atol=1e-12, err_msg=f"{i}"
        )


def test_leave_one_out_of_single_labels_and_real_weights():
    rng = np.random.default_rng(0)
    X = rng.random((30, 12)) * (rng.random((30, 12)) < 0.4)
    y = rng.choice(["a", "b", "c"], 30)
    for variant, class_weight in itertools.product(
        ["bernoulli", "multinomial"], ["size", "sqrt", "uniform"]
    ):
        fedip = FEDIP(variant, class_weight=class_weight, input_weight="tfidf")
        features = fedip.fit_transform(X, y)
        for i in range(len(X)):
            refit = clone(fedip).fit(np.delete(X, i, axis=0), np.delete(y, i))
            np.testing.assert_allclose(features[i], refit.transform(X[[i]])[0], rtol=1e-8)


@pytest.mark.parametrize("variant", ["bernoulli", "multinomial"])
@pytest.mark.parametrize(
    ("weight", "score"), [("rr", relative_risk), ("log_rr", log_relative_risk), ("kl", kl)]
)
def test_unsmoothed_weights_are_the_scores(variant, weight, score):
    rng = np.random.default_rng(1)
    X = rng.poisson(0.4, (40, 15))
    y = rng.integers(0, 3, 40)
    fedip = FEDIP(variant, weight, smoothing=0).fit(X, y)
    unit = "documents" if variant == "bernoulli" else "occurrences"
    scores = score_classes(TermStats.from_matrix(X, y), Score(score, unit=unit)).T
    pool = fedip.weights_.toarray() != 0
    np.testing.assert_allclose(fedip.weights_.toarray()[pool], scores[pool], rtol=1e-12)
    risks = score_classes(TermStats.from_matrix(X, y), Score(relative_risk, unit=unit)).T
    np.testing.assert_array_equal(pool, risks > 1 + 1e-12)


def test_batches_add_up():
    rng = np.random.default_rng(2)
    X = sp.csr_matrix(rng.poisson(0.3, (60, 20)))
    y = np.array(["c", "a", "b"])[np.sort(rng.integers(0, 3, 60))]
    whole = FEDIP().fit(X, y)
    parts = FEDIP()
    for start in range(0, 60, 7):  # sorted, so that batches hold one class
        parts.partial_fit(X[start : start + 7], y[start : start + 7])
    assert parts.stats_ == whole.stats_
    np.testing.assert_array_equal(parts.transform(X), whole.transform(X))
    np.testing.assert_array_equal(
        parts.leave_one_out(X[5:9], y[5:9]), FEDIP().fit_transform(X, y)[5:9]
    )
    np.testing.assert_array_equal(FEDIP().fit_stats(whole.stats_).transform(X), whole.transform(X))
    with pytest.raises(ValueError, match="not fitted"):
        parts.leave_one_out(X[:1], ["d"])


def test_pools_can_be_read():
    X = pd.DataFrame([[2, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 3]], columns=["cup", "and", "gun"])
    pools = FEDIP(smoothing=0).fit(X, ["tea", "tea", "war", "war"]).pools_
    assert list(pools) == ["tea", "war"]
    assert pools["tea"].terms.tolist() == ["cup"]
    # P(cup|tea) = 1, and half a document in 4 stands for its absence elsewhere
    assert pools["tea"].weights.tolist() == [8.0]
    assert pools["tea"].relatedness.tolist() == [8.0]
    assert pools["tea"].expected == 8.0


def test_parts_of_a_pool():
    rng = np.random.default_rng(3)
    X = rng.poisson(0.5, (80, 40))
    y = rng.integers(0, 3, 80)
    one, four = FEDIP().fit(X, y), FEDIP(n_features=12).fit(X, y)
    features = four.transform(X)
    assert four.get_feature_names_out()[:5].tolist() == ["0_0", "0_1", "0_2", "0_3", "1_0"]
    np.testing.assert_allclose(features.reshape(80, 3, 4).sum(axis=2), one.transform(X))
    for pool in four.pools_.values():
        assert np.all(np.diff(pool.relatedness) <= 0)
        assert np.all(np.diff(pool.parts) >= 0)
        shares = np.bincount(pool.parts, pool.relatedness, 4) / pool.expected
        _, ties = np.unique(pool.relatedness, return_inverse=True)  # these stay together
        largest = np.bincount(ties, pool.relatedness).max() / pool.expected
        assert np.all(np.abs(np.cumsum(shares)[:3] - [0.25, 0.5, 0.75]) <= largest + 1e-12)
    left_out = four.fit_transform(X, y).reshape(80, 3, 4).sum(axis=2)
    np.testing.assert_allclose(left_out, one.fit_transform(X, y))
    with pytest.raises(ValueError, match="multiple of the number of classes, 3"):
        FEDIP(n_features=4).fit(X, y)


def test_labels_in_every_form_give_aligned_features():
    X = np.array([[1, 0, 2], [0, 1, 0], [1, 1, 0], [0, 0, 0]])
    Y = np.array([[1, 0, 0], [0, 0, 1], [1, 0, 1], [0, 0, 0]])
    dense = FEDIP().fit(X, Y)
    assert dense.transform(X).shape == (4, 3)
    assert not dense.transform(X)[:, 1].any()  # no document has class 1
    assert not dense.transform(X)[3].any()  # an empty document
    assert dense.classes_.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(FEDIP().fit(X, sp.csr_matrix(Y)).transform(X), dense.transform(X))
    lists = FEDIP().fit(X, [[0], [2], [0, 2], []])
    np.testing.assert_array_equal(lists.transform(X), dense.transform(X)[:, [0, 2]])
    partial = FEDIP().partial_fit(X[:2], Y[:2]).partial_fit(X[2:], Y[2:])
    np.testing.assert_array_equal(partial.transform(X), dense.transform(X))


def test_a_class_of_one_document_is_empty_without_it():
    X = np.array([[1, 0], [1, 1], [0, 1]])
    features = FEDIP(smoothing=0).fit_transform(X, ["a", "b", "b"])
    assert features[0, 0] == 0
    assert np.isfinite(features).all()
    # two classes, one document each: without it one class is left, and nothing to tell it from
    assert not FEDIP().fit_transform(X[:2], ["a", "b"]).any()


@pytest.mark.parametrize("weight", ["rr", "log_rr", "kl"])
@pytest.mark.parametrize("variant", ["bernoulli", "multinomial"])
def test_a_term_in_every_document_is_in_no_pool(variant, weight):
    rng = np.random.default_rng(5)
    X = np.column_stack([np.full(99, 3), np.eye(3, dtype=int)[np.arange(99) % 3]])
    fedip = FEDIP(variant, weight).fit(X, rng.permutation(99) % 3)
    assert fedip.weights_[[0]].nnz == 0


def test_bad_input():
    X = np.array([[1, 0], [1, 1], [0, 1]])
    y = ["a", "b", "b"]
    with pytest.raises(StatsError, match="one class"):
        FEDIP().fit(X, ["a", "a", "a"])
    with pytest.raises(ValueError, match="Negative values"):
        FEDIP().fit(-X, y)
    with pytest.raises(ValueError, match="Negative values"):
        FEDIP().fit(X, y).transform(-X)
    with pytest.raises(ValueError, match="NaN"):
        FEDIP().fit(np.array([[np.nan, 0], [1, 1], [0, 1]]), y)
    with pytest.raises(ValueError, match="3 rows, but y has 2"):
        FEDIP().fit(X, ["a", "b"])
    for parameters, message in (
        ({"variant": "poisson"}, "variant"),
        ({"weight": "chi2"}, "weight"),
        ({"smoothing": -1}, "smoothing"),
        ({"smoothing": np.nan}, "smoothing"),
        ({"threshold": 0.5}, "threshold"),
        ({"weight": "rr", "signed": True}, "signed"),
        ({"n_features": 0}, "n_features"),
        ({"input_weight": "bm25"}, "input_weight"),
        ({"denominator": "sum"}, "denominator"),
        ({"class_weight": "balanced"}, "class_weight"),
    ):
        with pytest.raises(ValueError, match=message):
            FEDIP(**parameters).fit(X, y)


def test_stored_zeros_and_unsorted_entries_change_nothing():
    X = np.array([[1, 0, 2], [0, 3, 0], [1, 1, 0], [0, 0, 4]])
    y = ["a", "b", "a", "b"]
    odd = sp.csr_matrix(
        (
            [2.0, 1, 0, 3, 0, 1, 1, 4, 0],
            [2, 0, 1, 1, 0, 1, 0, 2, 1],
            [0, 3, 5, 7, 9],
        ),
        (4, 3),
    )
    before = odd.copy()
    np.testing.assert_allclose(FEDIP().fit_transform(odd, y), FEDIP().fit_transform(X, y))
    np.testing.assert_array_equal(odd.data, before.data)


def test_in_pipelines():
    rng = np.random.default_rng(4)
    X = sp.csr_matrix(rng.poisson(0.5, (90, 30)))
    y = np.array(["x", "y", "z"])[rng.integers(0, 3, 90)]
    union = make_union(FEDIP("bernoulli"), FEDIP("multinomial", "log_rr", signed=True))
    model = make_pipeline(union, LinearSVC())
    search = GridSearchCV(model, {"featureunion__fedip-1__smoothing": [0.1, 5]}, cv=2).fit(X, y)
    assert search.predict(X).shape == (90,)
    frame = FEDIP().set_output(transform="pandas").fit_transform(X, y)
    assert frame.columns.tolist() == ["x", "y", "z"]
    fitted = FEDIP("multinomial").fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(X), fitted.transform(X))
