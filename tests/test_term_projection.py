"""TermProjection against formulas in plain loops, and against fits without a document."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from projection_oracles import chi2_tf, idf_of, pooled, term_projection
from termfold.project import TermProjection
from termfold.scores import score_classes
from termfold.stats import TermStats
from test_fedip import EXPECTED_FAILURES, collections


@parametrize_with_checks(
    [TermProjection(), TermProjection(50, weight="log_rr", positive=False)],
    expected_failed_checks=lambda _: EXPECTED_FAILURES,
)
def test_sklearn(estimator, check):
    check(estimator)


@st.composite
def projections(draw):
    return TermProjection(
        noise_share=draw(st.sampled_from([0, 0.5, 0.9])),
        weight=draw(st.sampled_from(["rr", "log_rr"])),
        smoothing=draw(st.sampled_from([0, 0.5, 3.0])),
        smooth=draw(st.sampled_from(["rate", "count"])),
        discriminability=draw(st.sampled_from(["cluster", "max"])),
        positive=draw(st.booleans()),
        input_weight=draw(st.sampled_from(["binary", "count", "sublinear_tfidf"])),
        denominator=draw(st.sampled_from(["document", "pool", "norm", "none"])),
    )


def undecided(X, Y, projection):
    """Is there a term whose class, or whether it is noise, hangs on rounding?"""
    chi = np.abs(chi2_tf(X, Y))
    top, total = chi.max(axis=0), chi.sum(axis=0)
    ties = (np.isclose(chi, top, 1e-7).sum(axis=0) > 1) & (top > 0)
    signed = chi2_tf(X, Y)
    faint = (chi > 0) & (chi < 1e-9)
    share = np.isclose(chi, projection.noise_share * total, 1e-7, 0) & (chi > 0)
    positive_ties = ties & ((signed > 0).sum(axis=0) != 1) if projection.positive else ties
    return bool(positive_ties.any() or faint.any() or share.any())


def expected_features(X, Y, docs, projection, cutoff=0.0):
    weights = term_projection(X, Y, projection, cutoff)
    return np.array([pooled(row, weights, idf_of(X), projection) for row in docs])


@settings(deadline=None, max_examples=150)
@given(collections(), projections())
def test_features_are_those_of_the_formulas(collection, projection):
    X, Y = collection
    if undecided(X, Y, projection):
        return
    features = projection.fit(X, Y).transform(X)
    expected = expected_features(X, Y, X, projection)
    np.testing.assert_allclose(features, expected, rtol=1e-9, atol=1e-9)


@settings(deadline=None, max_examples=150)
@given(collections(), projections())
def test_leave_one_out_is_a_fit_without_the_document(collection, projection):
    X, Y = collection
    features = projection.fit_transform(X, Y)
    for i in range(len(X)):
        others = np.delete(X, i, axis=0), np.delete(Y, i, axis=0)
        if undecided(*others, projection):
            continue
        refit = clone(projection).fit(*others)
        np.testing.assert_allclose(features[i], refit.transform(X[[i]])[0], rtol=1e-9, atol=1e-9)


def test_larger_collection():
    rng = np.random.default_rng(0)
    X = rng.poisson(0.3, (60, 40))
    Y = np.eye(4, dtype=int)[rng.integers(0, 4, 60)]
    for projection in (TermProjection(), TermProjection(weight="log_rr", input_weight="tfidf")):
        features = projection.fit_transform(X, Y)
        for i in range(0, 60, 7):
            others = np.delete(X, i, axis=0), np.delete(Y, i, axis=0)
            refit = clone(projection).fit(*others)
            np.testing.assert_allclose(features[i], refit.transform(X[[i]])[0], rtol=1e-8)


def test_selection():
    rng = np.random.default_rng(1)
    X = rng.poisson(0.3, (60, 40))
    y = rng.integers(0, 3, 60)
    Y = np.eye(3, dtype=int)[y]
    every = TermProjection(noise_share=0).fit(X, y)
    some = TermProjection(10, noise_share=0).fit(X, y)
    best = np.argsort(-every.chi2_, kind="stable")[:10]
    assert set(np.flatnonzero(some.clusters_ >= 0)) <= set(best)
    np.testing.assert_array_equal(some.clusters_[best], every.clusters_[best])
    # the least χ² looked at stays as fitted, all else is exact
    cutoff = np.sort(every.chi2_)[-10]
    features = some.fit_transform(X, y)
    for i in range(0, 60, 7):
        others = np.delete(X, i, axis=0), np.delete(Y, i, axis=0)
        expected = expected_features(*others, X[[i]], some, cutoff)[0]
        np.testing.assert_allclose(features[i], expected, rtol=1e-8)


def test_chi2_is_that_of_the_scores():
    rng = np.random.default_rng(2)
    X = rng.poisson(0.5, (50, 20))
    y = rng.integers(0, 4, 50)
    scores = score_classes(TermStats.from_matrix(X, y), "chi2_tf")
    published = TermProjection(
        weight="rr", smoothing=0, discriminability="max", positive=False,
        input_weight="tfidf", denominator="none",
    ).fit(X, y)  # fmt: skip
    np.testing.assert_allclose(published.chi2_, scores.max(axis=0), rtol=1e-9)
    kept = published.clusters_ >= 0
    np.testing.assert_array_equal(published.clusters_[kept], scores.argmax(axis=0)[kept])
    np.testing.assert_array_equal(kept, scores.max(axis=0) >= 0.5 * scores.sum(axis=0))


def test_two_classes_share_the_terms():
    # χ² is the same for both classes: one half of the sum, and no sign of which it speaks for
    X = np.array([[3, 0, 1], [2, 0, 1], [0, 2, 1], [0, 1, 1]])
    y = ["tea", "tea", "war", "war"]
    assert TermProjection().fit(X, y).clusters_.tolist() == [0, 1, -1]
    assert TermProjection(positive=False).fit(X, y).clusters_.tolist() == [0, -1, -1]
    published = TermProjection(positive=False, discriminability="max").fit(X, y)
    assert published.clusters_[:2].tolist() == [0, 0]


def test_pools_batches_names_and_pickle():
    rng = np.random.default_rng(3)
    X = sp.csr_matrix(rng.poisson(0.3, (60, 30)))
    y = np.sort(rng.choice(["c", "a", "b"], 60))
    whole = TermProjection().fit(X, y)
    parts = TermProjection()
    for start in range(0, 60, 11):
        parts.partial_fit(X[start : start + 11], y[start : start + 11])
    np.testing.assert_array_equal(parts.transform(X), whole.transform(X))
    np.testing.assert_array_equal(parts.leave_one_out(X, y), TermProjection().fit_transform(X, y))
    assert whole.get_feature_names_out().tolist() == ["a", "b", "c"]
    for k, columns in enumerate(whole.pools_.values()):
        assert set(columns) == set(np.flatnonzero(whole.clusters_ == k))
    again = pickle.loads(pickle.dumps(whole))
    np.testing.assert_array_equal(again.transform(X), whole.transform(X))
    frame = TermProjection().set_output(transform="pandas").fit_transform(X, y)
    assert frame.columns.tolist() == ["a", "b", "c"]


def test_bad_parameters():
    X, y = np.eye(4), ["a", "a", "b", "b"]
    for parameters in (
        {"n_terms": 0}, {"noise_share": 1.1}, {"weight": "kl"}, {"smoothing": -1},
        {"smooth": "more"}, {"discriminability": "min"}, {"input_weight": "x"},
        {"denominator": "x"},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=next(iter(parameters))):
            TermProjection(**parameters).fit(X, y)
