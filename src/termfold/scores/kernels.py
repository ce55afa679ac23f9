"""Kernels of the scores: sums whose order is fixed, and walks that NumPy has no words for."""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Array, Floats, Ints
from termfold._kernel import kernel


@kernel
def sum_over_classes(scores: Floats, weights: Floats) -> Any:
    """Σ_k weights[k] · scores[k, t], added in the order of the classes.

    NumPy's own sum adds in another order when a block holds a single term, and a matrix product
    in another one on each machine: a score would depend on a term's neighbours.
    """
    n_classes, n_terms = scores.shape
    sums = np.zeros(n_terms)
    for k in range(n_classes):
        for t in range(n_terms):
            sums[t] += weights[k] * scores[k, t]
    return sums


@kernel
def take_turns(orders: Ints) -> Any:
    """Let each row in turn name its first number that no row has named yet; all, in that order."""
    n_rows, size = orders.shape
    taken = np.zeros(size, np.bool_)
    next_of = np.zeros(n_rows, np.int64)
    named = np.empty(size, np.int64)
    for turn in range(size):
        row = turn % n_rows
        while taken[orders[row, next_of[row]]]:
            next_of[row] += 1
        named[turn] = orders[row, next_of[row]]
        taken[named[turn]] = True
    return named


@kernel
def scatter_of_centroids(
    indptr: Ints,
    class_of: Ints,
    sums: Array,
    term_sums: Array,
    class_docs: Array,
    n_docs: float,
    weights: Floats,
) -> Any:
    """Σ_k weights[k] · (sums[k, t] / class_docs[k] − term_sums[t] / n_docs)² of each term t.

    Classes without the term have the centroid 0 there: they add their weights times m², so only
    the entries that exist are visited.
    """
    n_terms, n_classes = len(indptr) - 1, len(weights)
    all_weights = weights.sum()
    scores = np.zeros(n_terms)
    for t in range(n_terms):
        mean = term_sums[t] / n_docs
        unseen = all_weights
        score = 0.0
        for entry in range(indptr[t], indptr[t + 1]):
            k = class_of[entry]
            distance = sums[entry] / class_docs[k] - mean
            score += weights[k] * distance * distance
            unseen -= weights[k]
        if indptr[t + 1] - indptr[t] < n_classes:  # else only rounding is left
            score += max(unseen, 0.0) * mean * mean
        scores[t] = score
    return scores
