"""WordClusters: terms with like distributions over the classes make one feature."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import xlogy
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from termfold._arrays import Floats, Ints
from termfold._estimator import (
    LabelledMatrixEstimator,
    check_count,
    check_number,
    check_two_classes,
)
from termfold.project.base import counts_of
from termfold.stats import TermStats


class WordClusters(ClassNamePrefixFeaturesOutMixin, TransformerMixin, LabelledMatrixEstimator):
    r"""Cluster terms by their distributions over the classes, divisively; count the clusters.

    Parameters
    ----------
    n_clusters : int, optional
        Number of features; by default that of the classes.
    max_iter : int
        Most passes over the terms.
    tol : float
        Stop when a pass loses less than this share of the information already lost.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    stats_ : TermStats
    clusters_ : ndarray of shape (M,)
        The cluster of each term; −1 if it does not occur in any class.
    loss_ : float
        Mutual information of terms and classes, in nats, that the clusters lose.
    n_iter_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray
        Names of the columns, where X had such.

    Notes
    -----
    Minimises the information lost,

    .. math::

        I(C; W) - I(C; W^C) = \sum_j \sum_{w \in W_j} \pi(w) KL(P(C|w) \| P(C|W_j)),

    as k-means does: each term goes to the cluster that it diverges least from. Only the class ×
    term table is needed. A term starts with the class it is likeliest in; where there are more
    clusters than classes, a class's terms are parted by how likely they are in it, so that parts
    have about equal weight. Nothing is random.

    References
    ----------
    Dhillon, I. S., Mallela, S. and Kumar, R. (2003). A divisive information-theoretic feature
    clustering algorithm for text classification. Journal of Machine Learning Research 3.

    Examples
    --------
    >>> X = [[2, 1, 0, 0], [1, 2, 0, 1], [0, 0, 2, 0], [0, 0, 1, 2]]
    >>> clusters = WordClusters().fit(X, ["tea", "tea", "war", "war"])
    >>> clusters.clusters_
    array([0, 0, 1, 1])
    >>> clusters.transform([[1, 1, 0, 3]])
    array([[2., 3.]])
    """

    _counts = True

    def __init__(
        self, n_clusters: int | None = None, *, max_iter: int = 30, tol: float = 1e-3
    ) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: Any) -> WordClusters:
        """Cluster the terms of documents.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
            Counts of terms, or other weights from zero up.
        y : labels of shape (n_docs,), or indicator matrix of shape (n_docs, K), dense or sparse

        Returns
        -------
        self
        """
        self._check_parameters()
        matrix = counts_of(validate_data(self, X, accept_sparse="csr"))
        return self._adopt(TermStats.from_matrix(matrix, self._labels(y, matrix.shape[0])))

    def fit_stats(self, stats: TermStats) -> WordClusters:
        """Cluster the terms of statistics that exist already, as those of a count file.

        Parameters
        ----------
        stats : TermStats

        Returns
        -------
        self
        """
        self._check_parameters()
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # of the columns of an earlier fit
        self.n_features_in_ = stats.n_terms
        return self._adopt(stats)

    def _check_parameters(self) -> None:
        check_count("n_clusters", self.n_clusters)
        check_count("max_iter", self.max_iter)
        check_number("tol", self.tol, least=0)

    def _adopt(self, stats: TermStats) -> WordClusters:
        check_two_classes(stats.classes, "a projection needs")
        self.stats_, self.classes_ = stats, stats.classes
        table = stats.sparse("tf").T.tocsr().astype(np.float64)
        weights = table.sum(axis=1)
        seen = np.flatnonzero(weights)
        shares = table[seen]
        shares.data /= np.repeat(weights[seen], np.diff(shares.indptr))
        weights = weights[seen] / (weights.sum() or 1)
        n_clusters = len(self.classes_) if self.n_clusters is None else int(self.n_clusters)
        clusters = _start(shares, weights, n_clusters)
        uncertainty = sp.csr_array(
            (-xlogy(shares.data, shares.data), shares.indices, shares.indptr), shares.shape
        )
        conditional = weights @ uncertainty.sum(axis=1)
        self.loss_ = np.inf
        for n_passes in range(1, self.max_iter + 1):
            likelihood = _log_likelihood(shares, weights, clusters, n_clusters)
            clusters = likelihood.argmax(axis=1)
            before, self.loss_ = (
                self.loss_,
                float(-(weights @ likelihood.max(axis=1)) - conditional),
            )
            self.n_iter_ = n_passes
            if before - self.loss_ <= self.tol * self.loss_:
                break
        self._n_features_out = n_clusters
        self.clusters_ = np.full(stats.n_terms, -1)
        self.clusters_[seen] = clusters
        return self

    def transform(self, X: Any) -> Floats:
        """Sum each document's terms by cluster.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)

        Returns
        -------
        ndarray of shape (n_docs, n_clusters)
        """
        check_is_fitted(self)
        matrix = counts_of(validate_data(self, X, accept_sparse="csr", reset=False))
        seen = np.flatnonzero(self.clusters_ >= 0)
        cluster_of = sp.csr_array(
            (np.ones(len(seen)), (seen, self.clusters_[seen])),
            (len(self.clusters_), self._n_features_out),
        )
        sums: Floats = (matrix @ cluster_of).toarray()
        return sums


def _start(shares: sp.csr_array, weights: Floats, n_clusters: int) -> Ints:
    """Assign each term to its likeliest class, and divide or join the classes into clusters."""
    n_classes = shares.shape[1]
    likeliest = np.asarray(shares.argmax(axis=1)).ravel()
    if n_clusters <= n_classes:
        joined: Ints = likeliest * n_clusters // n_classes
        return joined
    clusters = np.empty(len(likeliest), np.int64)
    bounds = np.arange(n_classes + 1) * n_clusters // n_classes
    highest = shares.max(axis=1).toarray().ravel()
    for k in range(n_classes):
        terms = np.flatnonzero(likeliest == k)
        terms = terms[np.argsort(-highest[terms], kind="stable")]
        middles = np.cumsum(weights[terms]) - weights[terms] / 2
        n_parts = bounds[k + 1] - bounds[k]
        parts = middles / max(weights[terms].sum(), np.finfo(float).tiny) * n_parts
        clusters[terms] = bounds[k] + np.minimum(parts.astype(np.int64), n_parts - 1)
    return clusters


def _log_likelihood(
    shares: sp.csr_array, weights: Floats, clusters: Ints, n_clusters: int
) -> Floats:
    """Σ_c P(c|w) log P(c|W_j) of each term and cluster; −∞ where the cluster excludes the term."""
    terms = np.arange(len(clusters))
    member = sp.csr_array((weights, (clusters, terms)), (n_clusters, len(clusters)))
    of_cluster = (member @ shares).toarray()
    sizes = of_cluster.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.where(sizes > 0, of_cluster / sizes, 0))
    likelihood: Floats = shares @ logs.T
    return likelihood
