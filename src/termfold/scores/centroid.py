"""The OCFS score: how far the classes' centroids lie from the mean, term by term."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from termfold._arrays import Floats
from termfold.errors import StatsError
from termfold.scores.kernels import scatter_of_centroids
from termfold.stats import TermStats

ClassWeight: TypeAlias = Literal["size", "uniform", "sqrt"]


def class_weights(stats: TermStats, class_weight: ClassWeight = "size") -> Floats:
    """Weights π_k of the classes in the scatter between them.

    ``"size"``: n[k] / N, as published; they sum to more than one where documents have several
    labels. For unbalanced data ``"uniform"``, 1 / K, and ``"sqrt"``, in proportion to √n[k].
    """
    if stats.n_classes == 0:
        raise StatsError("statistics without classes cannot be scored: no document has a label")
    sizes: Floats = stats.class_docs.astype(np.float64)
    if class_weight == "size":
        return sizes / stats.n_docs
    if class_weight == "uniform":
        return np.full(len(sizes), 1 / len(sizes))
    if class_weight == "sqrt":
        roots: Floats = np.sqrt(sizes) / np.sqrt(sizes).sum()
        return roots
    raise ValueError(f"class_weight is one of {get_args(ClassWeight)}, not {class_weight!r}")


def ocfs_scores(stats: TermStats, class_weight: ClassWeight = "size") -> Floats:
    r"""Score terms by the scatter between the classes' centroids.

    Parameters
    ----------
    stats : TermStats
        Its ``tf`` table holds the sums of the weights of terms, whichever these were.
    class_weight : {"size", "uniform", "sqrt"}
        The weights π of the classes.

    Returns
    -------
    ndarray of shape (M,)

    Notes
    -----
    With the centroids :math:`m_k = s_k / n_k` and the mean of all documents :math:`m = s / N`,

    .. math:: \sum_k \pi_k (m_k[t] - m[t])^2, \qquad \pi_k = n_k / N \text{ as published}

    are the diagonal of the between-class scatter matrix. Only the entries of the sparse table are
    visited, so the cost does not grow with K × M.

    References
    ----------
    Yan, J., Liu, N., Zhang, B., Yan, S., Chen, Z., Cheng, Q., Fan, W. and Ma, W.-Y. (2005). OCFS:
    optimal orthogonal centroid feature selection for text categorization. SIGIR.

    Examples
    --------
    >>> stats = TermStats.from_matrix([[4, 1], [2, 1], [0, 1]], ["x", "x", "y"])
    >>> ocfs_scores(stats)
    array([2., 0.])
    """
    return scatter_of_centroids(  # type: ignore[no-any-return]
        stats.indptr,
        stats.class_of,
        stats.tf,
        stats.term_tf,
        stats.class_docs,
        float(stats.n_docs),
        class_weights(stats, class_weight),
    )


def ocfs_class_scores(stats: TermStats, class_weight: ClassWeight = "size") -> Floats:
    r"""Compute each class's part of the OCFS scores, a dense K × M array.

    Notes
    -----
    .. math:: \pi_k (m_k[t] - m[t])^2

    Examples
    --------
    >>> stats = TermStats.from_matrix([[4, 1], [2, 1], [0, 1]], ["x", "x", "y"])
    >>> ocfs_class_scores(stats).round(3)
    array([[0.667, 0.   ],
           [1.333, 0.   ]])
    """
    weights = class_weights(stats, class_weight)
    distances = stats.dense("tf") / stats.class_docs[:, None]
    distances -= stats.term_tf / stats.n_docs
    return weights[:, None] * np.square(distances)
