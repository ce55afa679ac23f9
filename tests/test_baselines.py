"""Orthogonal Centroid, LDA/QR and word clusters against their definitions."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import mutual_info_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from termfold.errors import StatsError
from termfold.project import LDAQR, OrthogonalCentroid, WordClusters

EVERY = [OrthogonalCentroid(), LDAQR(), WordClusters()]


@parametrize_with_checks([*EVERY, WordClusters(7)])
def test_sklearn(estimator, check):
    check(estimator)


def make(n_docs=80, n_terms=12, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_docs)
    rates = np.where(np.arange(n_terms) % n_classes == y[:, None], 1.0, 0.4)
    return rng.poisson(rates), np.array(["a", "b", "c", "d", "e"])[y]


def test_centroids_are_spanned():
    X, y = make()
    model = OrthogonalCentroid().fit(X, y)
    Q = model.components_.T
    np.testing.assert_allclose(Q.T @ Q, np.eye(3), atol=1e-12)
    centroids = np.array([X[y == k].mean(axis=0) for k in "abc"])
    np.testing.assert_allclose(centroids @ Q @ Q.T, centroids)
    np.testing.assert_allclose(model.transform(X), X @ Q)


def test_the_basis_keeps_all_scatter_between_classes():
    X, y = make()
    Z = OrthogonalCentroid().fit_transform(X, y)

    def between(A):
        return sum(
            (y == k).sum() * ((A[y == k].mean(axis=0) - A.mean(axis=0)) ** 2).sum() for k in "abc"
        )

    assert between(Z) == pytest.approx(between(X))


def test_ldaqr_is_lda_after_the_projection_on_centroids():
    X, y = make(300)
    Z = OrthogonalCentroid().fit_transform(X, y)
    reference = LinearDiscriminantAnalysis(solver="eigen").fit(Z, y).transform(Z)
    mine = LDAQR().fit_transform(X, y)
    assert mine.shape == (300, 2)
    for k in range(2):
        assert abs(np.corrcoef(reference[:, k], mine[:, k])[0, 1]) == pytest.approx(1)
    np.testing.assert_allclose(np.cov(mine.T, bias=True), np.eye(2), atol=1e-9)


def test_ldaqr_maximises_the_share_between_classes():
    X, y = make(60, 200)  # more terms than documents
    Q = OrthogonalCentroid().fit(X, y).components_.T
    Z = X @ Q
    centered = Z - Z.mean(axis=0)
    total = centered.T @ centered
    means = np.array([centered[y == k].mean(axis=0) for k in "abc"])
    sizes = np.array([(y == k).sum() for k in "abc"])
    between = (means * sizes[:, None]).T @ means
    expected = scipy.linalg.eigh(between, total, eigvals_only=True)[::-1][:2]
    np.testing.assert_allclose(LDAQR().fit(X, y).explained_, expected)


@pytest.mark.parametrize("model", EVERY)
def test_sparse_is_dense(model):
    X, y = make()
    dense = model.fit_transform(X, y)
    for matrix in (sp.csr_matrix(X), sp.csc_array(X)):
        np.testing.assert_allclose(model.fit_transform(matrix, y), dense, rtol=1e-9)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    pipeline = make_pipeline(clone(model), LinearSVC()).set_output(transform="pandas")
    assert pipeline.fit(X, y).score(X, y) > 0.6
    assert model.get_feature_names_out()[0] == type(model).__name__.lower() + "0"


@pytest.mark.parametrize("model", EVERY)
def test_several_labels_and_empty_classes(model):
    X, _ = make()
    Y = (np.random.default_rng(1).random((80, 4)) < [0.5, 0.3, 0.4, 0]).astype(int)
    features = model.fit(X, Y).transform(X)
    assert model.classes_.tolist() == [0, 1, 2]
    assert np.isfinite(features).all()
    np.testing.assert_allclose(model.fit(X, sp.csr_matrix(Y)).transform(X), features)


@pytest.mark.parametrize("model", EVERY)
def test_bad_input(model):
    X, y = make()
    with pytest.raises(StatsError, match="one class"):
        model.fit(X, ["a"] * 80)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.full(X.shape, np.nan), y)
    with pytest.raises(ValueError, match="80 rows, but y has 79"):
        model.fit(X, y[:79])


def test_degenerate_matrices():
    y = ["a", "a", "b", "b"]
    for model in (OrthogonalCentroid(), LDAQR()):
        assert np.isfinite(model.fit_transform(np.zeros((4, 3)), y)).all()
        assert np.isfinite(model.fit_transform(np.ones((4, 3)), y)).all()
        assert np.isfinite(model.fit_transform(np.eye(4), y)).all()
    assert not WordClusters().fit_transform(np.zeros((4, 3)), y).any()
    with pytest.raises(ValueError, match="Negative"):
        WordClusters().fit(-np.eye(4), y)
    with pytest.raises(ValueError, match="n_clusters"):
        WordClusters(0).fit(np.eye(4), y)


def lost(X, y, clusters):
    """Mutual information of terms and classes less that of clusters and classes."""
    joint = np.array([X[y == k].sum(axis=0) for k in np.unique(y)])
    merged = np.array([joint[:, clusters == j].sum(axis=1) for j in range(clusters.max() + 1)]).T
    return mutual_info_score(None, None, contingency=joint) - mutual_info_score(
        None, None, contingency=merged
    )


def test_loss_of_word_clusters():
    X, y = make(80, 30)
    for n_clusters in (2, 3, 5, 8):
        model = WordClusters(n_clusters, tol=0, max_iter=100).fit(X, y)
        assert model.transform(X).shape == (80, n_clusters)
        np.testing.assert_array_equal(model.transform(X).sum(axis=1), X.sum(axis=1))
        # the loss reported is that of the clusters before the last step, which changed nothing
        assert model.loss_ == pytest.approx(lost(X, y, model.clusters_), abs=1e-9)
        # no term alone can move to a better cluster
        for t, j in itertools.product(range(0, 30, 5), range(n_clusters)):
            moved = model.clusters_.copy()
            moved[t] = j
            if set(moved) == set(model.clusters_):
                assert lost(X, y, moved) > model.loss_ * 0.9
    np.testing.assert_array_equal(
        WordClusters().fit_stats(model.stats_).clusters_, WordClusters().fit(X, y).clusters_
    )
