"""An order of training documents that follows from their content alone.

Weights are refined document by document, so a model depends on the order in which documents are
taken. This order is the same however they were read: from one file or many, in threads, or by
Spark, whose partitions have no order.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from termfold._arrays import Array, Ints
from termfold._kernel import inlined, kernel
from termfold.classify.training import TrainingSet


def in_content_order(training: TrainingSet) -> TrainingSet:
    """Sort the documents by a hash of their terms, counts and classes.

    Documents that are the same in all of these stay as they are, which makes no difference. So
    would two that share a hash of 64 bits by chance; that may be taken for never.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from termfold.stats import Labels
    >>> from termfold.terms.vocabulary import Vocabulary
    >>> terms = Vocabulary.from_terms(["be", "not"])
    >>> counts = sp.csr_matrix(np.array([[1, 0], [2, 1], [0, 3]], np.float32))
    >>> one = in_content_order(TrainingSet(terms, counts, Labels.of(["x", "y", "y"])))
    >>> other = in_content_order(TrainingSet(terms, counts[::-1], Labels.of(["y", "y", "x"])))
    >>> (one.counts != other.counts).nnz
    0
    """
    counts, labels = training.counts, training.labels
    hashes = hash_rows(counts.indptr, counts.indices, counts.data, labels.indptr, labels.ids)
    order = np.argsort(hashes, kind="stable")
    sorted_counts = counts[order]
    sorted_counts.has_sorted_indices = True
    sorted_counts.has_canonical_format = True
    return replace(training, counts=sorted_counts, labels=labels.take(order))


@inlined
def _mixed(state: Any) -> Any:
    """Spread each bit of a word over all of them."""
    state = (state ^ (state >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return state ^ (state >> np.uint64(29))


@kernel
def hash_rows(indptr: Ints, terms: Ints, counts: Array, label_indptr: Ints, label_ids: Ints) -> Any:
    """A hash of each document."""
    hashes = np.empty(len(indptr) - 1, np.uint64)
    for d in range(len(hashes)):
        state = np.uint64(0)
        for i in range(label_indptr[d], label_indptr[d + 1]):  # a sum: labels come in any order
            state += _mixed(np.uint64(label_ids[i] + 1))
        for i in range(indptr[d], indptr[d + 1]):
            state = _mixed(state ^ (np.uint64(terms[i]) << np.uint64(32)) ^ np.uint64(counts[i]))
        hashes[d] = state
    return hashes
