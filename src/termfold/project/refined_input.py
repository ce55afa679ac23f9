"""What ``RefinedProjection`` makes of counts before it looks at classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Floats
from termfold.project.refined_kernel import weigh_rows

InputWeight: TypeAlias = Literal["binary", "count", "sublinear", "tfidf", "sublinear_tfidf"]


def smooth_idf(term_docs: Array, n_docs: float) -> Floats:
    """Inverse document frequency as scikit-learn has it, ln((1 + N) / (1 + df)) + 1.

    Examples
    --------
    >>> smooth_idf(np.array([3, 1]), 3).round(3)
    array([1.   , 1.693])
    """
    idf: Floats = np.log((1 + n_docs) / (1 + term_docs)) + 1
    return idf


@dataclass(frozen=True, eq=False)
class Weighting:
    """From counts to weights x(i, t).

    Parameters
    ----------
    name : {"binary", "count", "sublinear", "tfidf", "sublinear_tfidf"}
    factors : ndarray of shape (M,)
        What each term's weight is multiplied by: its idf or 1, and 0 for a term left out.
    unit_length : bool
        Divide each document by its Euclidean length.

    Examples
    --------
    >>> weighting = Weighting("count", np.array([1.0, 1.0, 0.0]), unit_length=True)
    >>> weighting(sp.csr_array([[3, 4, 5]])).toarray()
    array([[0.6, 0.8, 0. ]], dtype=float32)
    """

    name: InputWeight
    factors: Floats
    unit_length: bool

    def __call__(self, counts: sp.csr_array) -> sp.csr_array:
        """Weights of a matrix of counts, as float32."""
        values = counts.data
        if self.name == "binary" or values.dtype == bool:
            values = np.ones(len(values), np.int8)
        weights = weigh_rows(
            counts.indptr,
            counts.indices,
            values,
            self.factors,
            self.name.startswith("sublinear"),
            self.unit_length,
        )
        return sp.csr_array((weights, counts.indices, counts.indptr), counts.shape)
