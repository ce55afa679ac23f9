"""Kernel from term ids to scores: a sum over the terms of a document."""

from __future__ import annotations

from functools import cache

import numpy as np

from termfold._arrays import Array, Ints
from termfold._kernel import kernel

BINARY, COUNT, SUBLINEAR = 0, 1, 2
NO_NORM, L1, L2 = 0, 1, 2


@cache
def tf_table(kind: int) -> Array:
    """What a term counts for that occurs 0, 1, 2, … 255 times, and the step beyond.

    Made once: for a single short text it would take as long as to score it.
    """
    counts = np.arange(256, dtype=np.float32)
    if kind == BINARY:
        return np.minimum(counts, np.float32(1))
    if kind == SUBLINEAR:
        return np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0).astype(np.float32)
    return counts


@kernel
def score_ids(
    ids: Ints,
    indptr: Ints,
    tf_kind: int,
    tf_values: Array,
    norm: int,
    factors: Array,
    weights: Array,
    bias: Array,
    seen: Ints,
    scores: Array,
) -> None:
    """Score documents given as term ids; one row of ``scores`` each.

    A document's score for class k is Σ_t x_t · scale_t · weights[t, k] / ‖x‖ + bias_k with
    x_t = tf(t) · idf_t; ``factors`` holds idf and scale of each term side by side. Terms are added
    in the order of their first occurrence, so that a document's scores depend neither on the
    others nor on the terms' ids. ``seen`` is zero for every term, before and after.
    """
    n_docs, n_classes = scores.shape
    longest = 0
    for d in range(n_docs):
        longest = max(longest, indptr[d + 1] - indptr[d])
    terms = np.empty(longest + 1, np.int32)
    sums = np.empty(n_classes, np.float32)
    for d in range(n_docs):
        n = 0
        for i in range(indptr[d], indptr[d + 1]):
            # Written each time, kept if it is the first: a branch would be mispredicted too often.
            term = ids[i]
            count = seen[term]
            terms[n] = term
            n += count == 0
            seen[term] = count + 1
        sums[:] = 0
        size = np.float32(0)
        for i in range(n):
            term = terms[i]
            count = seen[term]
            seen[term] = 0
            if count < 256:
                x = tf_values[count]
            elif tf_kind == SUBLINEAR:
                x = np.float32(1 + np.log(count))
            else:
                x = np.float32(1 if tf_kind == BINARY else count)
            x *= factors[term, 0]
            size += x * x if norm == L2 else x
            x *= factors[term, 1]
            for k in range(n_classes):
                sums[k] += x * np.float32(weights[term, k])
        factor = np.float32(1)
        if norm != NO_NORM and size > 0:
            factor = np.float32(1) / (np.sqrt(size) if norm == L2 else size)
        for k in range(n_classes):
            scores[d, k] = sums[k] * factor + bias[k]
