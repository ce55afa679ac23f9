"""LDA/QR by the steps as they are published, with documents less their centroids: not sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

DENSE = "LDA/QR, dense"


class DenseLDAQR:
    """LDA/QR step by step (Ye and Li, 2005): K − 1 features of each document.

    A QR of the centroids, the scatter within and between the classes in that space, and the
    eigenvectors of the quotient of the two. ``termfold.LDAQR`` finds the same space without
    subtracting a mean from a sparse matrix.
    """

    def fit(self, X: sp.csr_array, y: Any) -> DenseLDAQR:
        """Find the directions."""
        classes, ids = np.unique(y, return_inverse=True)
        sizes = np.bincount(ids)
        membership = sp.csr_array((np.ones(len(ids)), ids, np.arange(len(ids) + 1)))
        centroids = (membership.T @ X).toarray() / sizes[:, np.newaxis]
        basis, _ = np.linalg.qr(centroids.T)
        within = X.toarray()
        within -= centroids[ids]
        within = within @ basis
        mean = sizes @ centroids / sizes.sum()
        between = (centroids - mean) @ basis * np.sqrt(sizes)[:, np.newaxis]
        quotient = np.linalg.pinv(within.T @ within) @ (between.T @ between)
        values, vectors = np.linalg.eig(quotient)
        best = np.argsort(-values.real)[: len(classes) - 1]
        self.directions = basis @ vectors.real[:, best]
        return self

    def transform(self, X: sp.csr_array) -> Any:
        """Features of documents."""
        return X @ self.directions
