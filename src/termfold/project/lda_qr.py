"""LDAQR: linear discriminant analysis in the space of the centroids."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from termfold._arrays import Floats
from termfold.project.orthogonal_centroid import OrthogonalCentroid, centroid_basis

# Directions in which documents vary less than this share of the most are rounding.
_TOLERANCE = 1e-10


class LDAQR(OrthogonalCentroid):
    r"""Linear discriminant analysis of two stages, for more terms than documents.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The classes that have documents.
    components_ : ndarray of shape (at most K − 1, M)
        The best direction first; documents have a total variance of one along each.
    explained_ : ndarray
        Which share of that variance is between the classes.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Names of the columns, where X had such.

    Notes
    -----
    First the reduced QR decomposition of the centroids, which is ``OrthogonalCentroid``. Then, in
    its K dimensions, with the scatter between and of all :math:`\tilde S_b = Q^T S_b Q` and
    :math:`\tilde S_t = Q^T S_t Q`, the eigenvectors of

    .. math:: \tilde S_b v = \lambda \tilde S_t v

    The paper has the scatter within in the place of the total, which gives the same vectors where
    that can be inverted; this form needs no inverse. A document of several labels counts once for
    each.

    References
    ----------
    Ye, J. and Li, Q. (2005). A two-stage linear discriminant analysis via QR-decomposition. IEEE
    TPAMI 27(6).

    Examples
    --------
    >>> X = [[2, 0, 1], [4, 0, 1], [1, 1, 1], [0, 2, 1]]
    >>> LDAQR().fit_transform(X, ["tea", "tea", "war", "war"]).shape
    (4, 1)
    """

    def fit(self, X: Any, y: Any) -> LDAQR:
        """Compute the directions.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
        y : labels of shape (n_docs,), or indicator matrix of shape (n_docs, K), dense or sparse

        Returns
        -------
        self
        """
        X, membership = self._read(X, y)
        sizes = membership.sum(axis=0)
        basis = centroid_basis(X, membership, sizes)
        documents = np.asarray(X @ basis)
        # Only differences matter, and of small numbers they are more exact.
        counts = membership.sum(axis=1)
        documents -= counts @ documents / counts.sum()
        total = (documents * counts[:, None]).T @ documents / counts.sum()
        means = (membership.T @ documents) / sizes[:, None]
        between = (means * sizes[:, None]).T @ means / counts.sum()
        directions, self.explained_ = _discriminants(between, total, len(sizes) - 1)
        self.components_ = (basis @ directions).T
        return self


def _discriminants(between: Floats, total: Floats, most: int) -> tuple[Floats, Floats]:
    """Solve S_b v = λ S_t v where S_t is not zero; at most ``most`` vectors, the best first."""
    variances, axes = scipy.linalg.eigh(total)
    kept = variances > _TOLERANCE * max(variances[-1], np.finfo(float).tiny)
    whitening = axes[:, kept] / np.sqrt(variances[kept])
    shares, rotation = scipy.linalg.eigh(whitening.T @ between @ whitening)
    best = slice(None, -most - 1, -1)
    directions = whitening @ rotation[:, best]
    # The sign of an eigenvector is arbitrary: let its largest part be positive.
    largest = np.abs(directions).argmax(axis=0)
    directions *= np.where(directions[largest, np.arange(directions.shape[1])] < 0, -1.0, 1.0)
    return directions, np.clip(shares[best], 0, 1)
