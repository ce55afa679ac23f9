"""Pooling by dense rows of weights and by sparse ones is one sum, to the last bit."""

from __future__ import annotations

import math

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings

from termfold.project import FEDIP, pooling

DENOMINATORS = ["document", "pool", "norm", "none"]
WEIGHTS = ["binary", "count", "sublinear", "tfidf", "sublinear_tfidf"]


@st.composite
def pools(draw):
    """Documents with small counts, large ones and numbers that are none; weights of any sign."""
    n_docs, n_terms, n_features = (draw(st.integers(least, 9)) for least in (0, 1, 1))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = draw(st.sampled_from([[0, 0, 1, 2, 255, 256, 7000], [0, 0, 0.4, 1.0, 3.7, 255.5]]))
    X = sp.csr_array(rng.choice(kinds, (n_docs, n_terms)))
    kept = rng.random((n_terms, n_features)) < 0.6
    weights = sp.csr_array(np.where(kept, rng.normal(size=kept.shape), 0))
    return X, weights, rng.random(n_terms) + 1


def pooled(X, weights, weighting, idf, denominator, monkeypatch, dense):
    monkeypatch.setattr(pooling, "_dense_is_faster", lambda X, weights: dense)
    return pooling.pool_documents(X, weighting, idf, denominator, weights)


@settings(deadline=None, max_examples=200)
@given(pools(), st.sampled_from(range(5)), st.sampled_from(range(4)))
def test_dense_rows_and_sparse_ones_give_the_same(given_pools, weighting, denominator):
    X, weights, idf = given_pools
    with pytest.MonkeyPatch.context() as patch:
        dense = pooled(X, weights, weighting, idf, denominator, patch, True)
        sparse = pooled(X, weights, weighting, idf, denominator, patch, False)
    np.testing.assert_array_equal(dense.view(np.int64), sparse.view(np.int64))
    expected = plain(X, weights, weighting, idf, denominator)
    np.testing.assert_allclose(dense, expected, rtol=1e-9, atol=1e-9)


def plain(X, weights, weighting, idf, denominator):
    """The same in plain loops, in the order of the terms."""
    out = np.zeros((X.shape[0], weights.shape[1]))
    for i, row in enumerate(X.toarray()):
        xs = np.array(
            [weighed(float(c), WEIGHTS[weighting], w) for c, w in zip(row, idf, strict=True)]
        )
        for r, column in enumerate(weights.toarray().T):
            total = math.fsum(xs * column)
            share = {
                "document": xs.sum(),
                "pool": xs[column != 0].sum(),
                "norm": math.sqrt((xs**2).sum()),
                "none": 1.0,
            }[DENOMINATORS[denominator]]
            out[i, r] = total / share if share > 0 else 0.0
    return out


def weighed(count, name, idf):
    if count == 0:
        return 0.0
    x = 1.0 if name == "binary" else count
    if name.startswith("sublinear") and count > 1:
        x = 1 + math.log(count)
    return x * idf if name.endswith("tfidf") else x


def test_sums_that_are_infinite_leave_the_others_alone():
    X = sp.csr_array(np.full((100, 3), 1e200))
    weights = sp.csr_array(np.array([[1e200, 0], [0, 1.0], [0, 1e-200]]))
    features = pooling.pool_documents(X, 1, np.zeros(0), 3, weights)
    assert np.all(features == [np.inf, 1e200 + 1])


@pytest.mark.parametrize("n_classes", [2, 7, 40])
def test_what_is_faster_changes_nothing(n_classes, monkeypatch):
    rng = np.random.default_rng(0)
    X = sp.csr_array(rng.poisson(0.5, (300, 50)))
    fedip = FEDIP("multinomial", "log_rr").fit(X, rng.integers(0, n_classes, 300))
    chosen = fedip.transform(X)
    for dense in (True, False):
        monkeypatch.setattr(pooling, "_dense_is_faster", lambda X, weights, dense=dense: dense)
        np.testing.assert_array_equal(fedip.transform(X), chosen)


def test_where_dense_rows_are_taken():
    """Many documents with terms in many pools; not one document, nor terms in one pool each."""
    X = sp.csr_array(np.ones((200, 10)))
    many, one = sp.csr_array(np.ones((10, 8))), sp.csr_array(np.eye(10))
    assert pooling._dense_is_faster(X, many)
    assert not pooling._dense_is_faster(X[:1, :0], many[:0])
    assert not pooling._dense_is_faster(X, sp.csr_array((10, 8)))
    assert not pooling._dense_is_faster(X * 1e200, many * 1e200)
    wide = sp.csr_array((np.ones(10), np.arange(10), np.arange(11)), (10, 100))
    assert not pooling._dense_is_faster(X, wide)
    assert not pooling._dense_is_faster(sp.csr_array(np.eye(1, 10)), one)
