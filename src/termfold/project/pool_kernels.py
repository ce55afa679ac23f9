"""Kernels that pool documents by given weights of terms, sparse or dense by term.

Both add a document's terms in their order and give the same sums to the last bit: what a dense row
holds beyond a sparse one is zeros, and a sum does not change by them.

Indices are unsigned: for others each access would first ask whether they count from the end.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from termfold._arrays import Array, Floats, Ints
from termfold._kernel import inlined, internal, kernel

BINARY, COUNT, SUBLINEAR, TFIDF, SUBLINEAR_TFIDF = 0, 1, 2, 3, 4
DOCUMENT, POOL, NORM, NONE = 0, 1, 2, 3

# Weights of counts below this one are looked up: a logarithm takes longer than all else that is
# done with a count.
_SMALL = 256


@inlined
def input_weight(value: float, weighting: int, idf: float) -> float:
    """Weigh a count; below one, where it is no count, the logarithm gives way to the value."""
    if weighting == BINARY:
        return 1.0
    if weighting in (SUBLINEAR, SUBLINEAR_TFIDF) and value > 1:
        value = 1 + math.log(value)
    return value * idf if weighting >= TFIDF else value


@inlined
def smooth_idf(n_docs: float, df: float) -> float:
    """Inverse document frequency as scikit-learn smooths it."""
    return math.log((1 + n_docs) / (1 + df)) + 1


@internal
def weights_of_counts(weighting: int) -> Any:
    """The weight of each small count, without idf."""
    weights = np.empty(_SMALL)
    for count in range(_SMALL):
        weights[count] = input_weight(count, weighting, 1.0)
    return weights


@internal
def longest_row(indptr: Ints) -> Any:
    """How many entries the longest row has."""
    longest = np.uint64(0)
    for i in range(len(indptr) - 1):
        longest = max(longest, indptr[i + 1] - indptr[i])
    return longest


@internal
def weigh_counts(
    terms: Ints,
    values: Array,
    weighting: int,
    of_count: Floats,
    idf: Floats,
    denominator: int,
    out: Floats,
) -> float:
    """Weigh the counts of one document; their sum, or that of their squares, is returned."""
    length = 0.0
    for place in range(len(terms)):
        value = values[place]
        if value < _SMALL and np.uint64(value) == value:
            x = of_count[np.uint64(value)]
        else:
            x = input_weight(value, weighting, 1.0)
        if weighting >= TFIDF:
            x *= idf[terms[place]]
        out[place] = x
        length += x * x if denominator == NORM else x
    return length


@kernel
def pool_sparse(
    x_indptr: Ints,
    x_terms: Ints,
    x_values: Array,
    weighting: int,
    idf: Floats,
    denominator: int,
    indptr: Ints,
    feature_of: Ints,
    weights: Floats,
    n_features: int,
) -> Any:
    """Features of documents by weights that are sparse by term."""
    n_docs = len(x_indptr) - 1
    features = np.empty((n_docs, n_features))
    sums, shares = np.zeros(n_features), np.zeros(n_features)
    of_count = weights_of_counts(weighting)
    xs = np.empty(longest_row(x_indptr))
    for i in range(n_docs):
        terms = x_terms[x_indptr[i] : x_indptr[i + 1]]
        values = x_values[x_indptr[i] : x_indptr[i + 1]]
        length = weigh_counts(terms, values, weighting, of_count, idf, denominator, xs)
        for place in range(len(terms)):
            t, x = terms[place], xs[place]
            for e in range(indptr[t], indptr[t + 1]):
                sums[feature_of[e]] += x * weights[e]
            if denominator == POOL:
                for e in range(indptr[t], indptr[t + 1]):
                    shares[feature_of[e]] += x
        divide(sums, length, shares, denominator, features[i])
    return features


@kernel
def fill_rows(
    indptr: Ints,
    feature_of: Ints,
    weights: Floats,
    n_features: int,
    width: int,
    rows: Floats,
    row_of: Ints,
    scale_of: Floats,
) -> None:
    """Write sparse rows as scaled dense ones of a given width; all that is given is zero.

    Most terms are in one pool, and need no row of their own: the first row stays zero, the next
    ones have a one for each feature, and the others are those of terms in several pools.
    """
    for r in range(n_features):
        rows[(1 + r) * width + r] = 1.0
    row = 1 + n_features
    for t in range(len(indptr) - 1):
        start, end = indptr[t], indptr[t + 1]
        if end - start == np.uint64(1):
            row_of[t] = 1 + feature_of[start]
            scale_of[t] = weights[start]
        elif end > start:
            row_of[t] = row
            scale_of[t] = 1.0
            for e in range(start, end):
                rows[row * width + feature_of[e]] = weights[e]
            row += 1


@kernel
def pool_dense(
    x_indptr: Ints,
    x_terms: Ints,
    x_values: Array,
    weighting: int,
    idf: Floats,
    denominator: int,
    rows: Floats,
    row_of: Ints,
    scale_of: Floats,
    width: int,
    n_features: int,
) -> Any:
    """Features of documents by a scaled row of weights for each term, as ``fill_rows`` makes them.

    Sums in memory are loaded and stored once for four terms, which are still added one by one.
    """
    n_docs = len(x_indptr) - 1
    wide, four = np.uint64(width), np.uint64(4)
    features = np.empty((n_docs, n_features))
    sums, shares = np.zeros(width), np.zeros(width)
    of_count = weights_of_counts(weighting)
    xs = np.empty(longest_row(x_indptr))
    scaled = np.empty(len(xs))
    starts = np.empty(len(xs), np.uint64)  # of the rows
    for i in range(n_docs):
        terms = x_terms[x_indptr[i] : x_indptr[i + 1]]
        values = x_values[x_indptr[i] : x_indptr[i + 1]]
        length = weigh_counts(terms, values, weighting, of_count, idf, denominator, xs)
        n_terms = np.uint64(len(terms))
        for place in range(n_terms):
            starts[place] = np.uint64(row_of[terms[place]]) * wide
            scaled[place] = xs[place] * scale_of[terms[place]]
        rest = n_terms % four
        for place in range(rest):
            for r in range(wide):
                sums[r] += scaled[place] * rows[starts[place] + r]
        for place in range(rest, n_terms, four):
            a, b, c, d = starts[place : place + four]
            xa, xb, xc, xd = scaled[place : place + four]
            for r in range(wide):
                total = sums[r] + xa * rows[a + r] + xb * rows[b + r]
                sums[r] = total + xc * rows[c + r] + xd * rows[d + r]
        if denominator == POOL:
            for place in range(n_terms):
                for r in range(wide):
                    shares[r] += xs[place] if rows[starts[place] + r] != 0 else 0.0
        divide(sums, length, shares, denominator, features[i])
    return features


@kernel
def pool_own(
    x_indptr: Ints,
    x_terms: Ints,
    x_values: Array,
    weighting: int,
    idf: Floats,
    denominator: int,
    row_indptr: Ints,
    rows: Ints,
    indptr: Ints,
    term_of: Ints,
    weights: Floats,
    n_terms: int,
    features: Floats,
) -> None:
    """Replace the features of the classes that documents belong to by those of other weights.

    Documents ``rows[row_indptr[k]:row_indptr[k + 1]]`` are in class k. The weights are sparse by
    feature; one feature after the other is made dense, for all documents of its class.
    """
    n_features = len(indptr) - 1
    parts = n_features // (len(row_indptr) - 1)  # of the features of each class
    column = np.zeros(n_terms)
    of_count = weights_of_counts(weighting)
    xs = np.empty(longest_row(x_indptr))
    total, share, divided = np.zeros(1), np.zeros(1), np.zeros(1)
    for r in range(n_features):
        for e in range(indptr[r], indptr[r + 1]):
            column[term_of[e]] = weights[e]
        k = r // parts
        for i in rows[row_indptr[k] : row_indptr[k + 1]]:
            terms = x_terms[x_indptr[i] : x_indptr[i + 1]]
            values = x_values[x_indptr[i] : x_indptr[i + 1]]
            length = weigh_counts(terms, values, weighting, of_count, idf, denominator, xs)
            for j in range(len(terms)):
                weight = column[terms[j]]
                total[0] += xs[j] * weight
                share[0] += xs[j] if weight != 0 else 0.0
            divide(total, length, share, denominator, divided)
            features[i, r] = divided[0]
        for e in range(indptr[r], indptr[r + 1]):
            column[term_of[e]] = 0.0


@internal
def divide(sums: Floats, length: float, shares: Floats, denominator: int, out: Floats) -> None:
    """Divide one document's sums, and clear them; a sum over nothing is zero already."""
    divisor = 1.0
    if denominator != NONE and length > 0:
        divisor = math.sqrt(length) if denominator == NORM else length
    for r in range(len(out)):
        if denominator == POOL:
            divisor = shares[r] if shares[r] > 0 else 1.0
        out[r] = sums[r] / divisor
    for r in range(len(sums)):
        sums[r] = shares[r] = 0.0
