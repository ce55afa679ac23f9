"""OrthogonalCentroid: projection on the space that the centroids of the classes span."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from termfold._arrays import Floats, Ints
from termfold._estimator import LabelledMatrixEstimator, check_two_classes


def centroid_basis(X: Any, membership: sp.csr_array, sizes: Ints) -> Floats:
    """Orthonormal basis of the centroids, M × min(K, M), by a reduced QR decomposition.

    Signs are those of a triangular factor with a positive diagonal, so that the basis does not
    depend on the LAPACK at hand.
    """
    sums = membership.T @ X
    centroids = (sums.toarray() if sp.issparse(sums) else np.asarray(sums)) / sizes[:, None]
    basis, triangle = scipy.linalg.qr(centroids.T, mode="economic", overwrite_a=True)
    diagonal = np.diagonal(triangle)
    signed: Floats = basis * np.where(diagonal < 0, -1.0, 1.0)
    return signed


class OrthogonalCentroid(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, LabelledMatrixEstimator
):
    r"""Project documents on an orthonormal basis of the classes' centroids.

    Sparse documents stay sparse; only the K × M centroids are dense.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The classes that have documents.
    components_ : ndarray of shape (min(K, M), M)
        The basis.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Names of the columns, where X had such.

    See Also
    --------
    LDAQR : goes on from here with a linear discriminant analysis.

    Notes
    -----
    The reduced QR decomposition of the M × K matrix of centroids, whose factor Q maximises
    :math:`\operatorname{trace}(W^T S_b W)` among orthonormal W. A document of several labels is
    part of several centroids.

    References
    ----------
    Park, H., Jeon, M. and Rosen, J. B. (2003). Lower dimensional representation of text data
    based on centroids and least squares. BIT 43.

    Examples
    --------
    >>> X = [[2, 0, 0], [4, 0, 0], [1, 1, 0]]
    >>> OrthogonalCentroid().fit(X, ["tea", "tea", "war"]).components_.round(2) + 0.0
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """

    def fit(self, X: Any, y: Any) -> OrthogonalCentroid:
        """Compute the basis.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
        y : labels of shape (n_docs,), or indicator matrix of shape (n_docs, K), dense or sparse

        Returns
        -------
        self
        """
        X, membership = self._read(X, y)
        self.components_ = centroid_basis(X, membership, membership.sum(axis=0)).T
        return self

    def _read(self, X: Any, y: Any) -> tuple[Any, sp.csr_array]:
        """Check documents; tell which classes with documents each is in."""
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        labels = self._labels(y, X.shape[0])
        membership = labels.indicator()
        present = np.flatnonzero(membership.sum(axis=0))
        self.classes_ = labels.classes[present]
        check_two_classes(self.classes_, "a projection needs")
        return X, membership[:, present]

    def transform(self, X: Any) -> Floats:
        """Project documents.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)

        Returns
        -------
        ndarray of shape (n_docs, number of components)
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        projected: Floats = np.asarray(X @ self.components_.T)
        return projected

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)
