"""What projections that pool the weights of terms share: the weights of counts, and pooling."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Floats, Ints, unsigned
from termfold.project.base import CountProjection, idf_of
from termfold.project.pool_kernels import TFIDF, fill_rows, pool_dense, pool_own, pool_sparse
from termfold.stats import Labels

InputWeight: TypeAlias = Literal["binary", "count", "sublinear", "tfidf", "sublinear_tfidf"]
Denominator: TypeAlias = Literal["document", "pool", "norm", "none"]

# Rows of the weights are filled up to a multiple of so many, which the processor adds at once.
_LANES = 4
# At most so many numbers are made dense: 256 MB.
_MOST_DENSE = 2**25
# What it costs to add one number of a sparse row and of a dense one, and to make a dense one.
_SPARSE, _DENSE, _MADE = 2.5, 0.25, 0.5
_SAMPLE = 4096
# Products below this one stay finite, also times an idf.
_FINITE = 1e300


class PoolingProjection(CountProjection):
    """Base of projections whose features are sums over a document's terms, count times weight."""

    input_weight: InputWeight
    denominator: Denominator

    @property
    def idf_(self) -> Floats:
        """Inverse document frequency, smoothed as scikit-learn does."""
        return idf_of(self.stats_)

    def _codes(self) -> tuple[int, int]:
        """The input weight and the denominator, as the kernels know them."""
        return (
            get_args(InputWeight).index(self.input_weight),
            get_args(Denominator).index(self.denominator),
        )

    def _pool(self, X: sp.csr_array, weights: sp.csr_array) -> Floats:
        """Features by given weights of each term."""
        weighting, denominator = self._codes()
        idf = self.idf_ if weighting >= TFIDF else np.zeros(0)
        return pool_documents(X, weighting, idf, denominator, weights)

    def _pool_without_self(
        self, X: sp.csr_array, labels: Labels, others: sp.csr_array, own: sp.csr_array
    ) -> Floats:
        """Features by the weights of terms for other classes than a document's, and for its own."""
        weighting, denominator = self._codes()
        stats = self.stats_
        left = 1 + np.maximum(stats.term_df - 1, 0)  # of the documents with each term, and one
        idf = np.log(stats.n_docs / left) + 1 if weighting >= TFIDF else np.zeros(0)
        features = pool_documents(X, weighting, idf, denominator, others)
        members, by_feature = labels.indicator(np.bool_).tocsc(), own.tocsc()
        pool_own(
            *documents_of(X),
            weighting,
            idf,
            denominator,
            unsigned(members.indptr),
            unsigned(members.indices),
            unsigned(by_feature.indptr),
            unsigned(by_feature.indices),
            by_feature.data,
            own.shape[0],
            features,
        )
        return features


def rows_of(X: sp.csr_array) -> tuple[Ints, Ints, Floats]:
    """Documents as the kernels take them."""
    return unsigned(X.indptr), unsigned(X.indices), X.data.astype(np.float64, copy=False)


def documents_of(X: sp.csr_array) -> tuple[Ints, Ints, Array]:
    """Documents as the kernels take them that have no need of converted counts."""
    # To convert them would take as long as to look at them.
    values = X.data if X.data.dtype == np.int64 else X.data.astype(np.float64, copy=False)
    return unsigned(X.indptr), unsigned(X.indices), values


def pool_documents(
    X: sp.csr_array, weighting: int, idf: Floats, denominator: int, weights: sp.csr_array
) -> Floats:
    """Features of documents by weights of shape (M, R), by the kernel that takes less time."""
    documents = *documents_of(X), weighting, idf, denominator
    of_terms = unsigned(weights.indptr), unsigned(weights.indices), weights.data
    n_features = weights.shape[1]
    features: Floats
    if _dense_is_faster(X, weights):
        width = -(-n_features // _LANES) * _LANES
        several = np.count_nonzero(np.diff(weights.indptr) > 1)
        rows = np.zeros((1 + n_features + several) * width)
        row_of, scale_of = np.zeros(weights.shape[0], np.uint32), np.zeros(weights.shape[0])
        fill_rows(*of_terms, n_features, width, rows, row_of, scale_of)
        features = pool_dense(*documents, rows, row_of, scale_of, width, n_features)
    else:
        features = pool_sparse(*documents, *of_terms, n_features)
    return features


def _dense_is_faster(X: sp.csr_array, weights: sp.csr_array) -> bool:
    """Is it worth the while to make the weights dense? Terms of the documents are asked, a few.

    Frequent terms are in many pools, and sums in the order of memory take a tenth of the time of
    sums at places that are looked up.
    """
    n_terms, n_features = weights.shape
    if not 0 < n_terms * n_features <= _MOST_DENSE:
        return False
    sample = X.indices[:: max(1, X.nnz // _SAMPLE)]
    if len(sample) == 0:
        return False
    # In a row, what is not of a term's pools is multiplied by zero, which infinity must not be.
    weight = max(-float(weights.data.min(initial=0)), float(weights.data.max(initial=0)))
    if not float(X.data.max()) * weight < _FINITE:
        return False
    looks = (weights.indptr[sample + 1] - weights.indptr[sample]).mean()
    saved = X.nnz * (_SPARSE * looks - _DENSE * n_features)
    return bool(saved > _MADE * n_terms * n_features)
