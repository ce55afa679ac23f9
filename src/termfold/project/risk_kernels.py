"""Kernels that weigh pairs of a term and a class by relative risk, with and without a document.

The pairs are sparse by term, as the tables of ``TermStats`` are: entries
``indptr[t]:indptr[t + 1]`` of ``class_of`` and ``joint``. Weights without a document are the same
formula on tables from which the document's own counts were subtracted, so both kernels below call
one function for a pair (``pair_weight``) and one for the constants of the classes
(``class_constants``).

Indices are unsigned: for others each access would first ask whether they count from the end.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from termfold._arrays import Floats, Ints
from termfold._kernel import inlined, internal, kernel
from termfold.project.pool_kernels import NORM, TFIDF, divide, input_weight, smooth_idf

RR, LOG_RR, KL = 0, 1, 2

# Columns of the constants of a class: the factor that its counts are multiplied by, what is added
# to a count inside and outside, what a sum of zero is replaced by inside and outside, the quotient
# of the totals, and one over the total inside.
FACTOR, ADD_IN, ADD_OUT, ZERO_IN, ZERO_OUT, SCALE, RATE = range(7)
N_CONSTANTS = 7

# A difference of sums below this share of them is rounding, no count; as in ``scores``.
ROUNDING = 1e-12


@inlined
def rest_of(whole: float, part: float) -> float:
    """Subtract, zero where only rounding is left."""
    rest = whole - part
    return 0.0 if rest <= whole * ROUNDING else rest


@inlined
def pair_weight(
    inside: float,
    outside: float,
    add_in: float,
    add_out: float,
    zero_in: float,
    zero_out: float,
    scale: float,
    rate: float,
    kind: int,
    threshold: float,
    signed: bool,
) -> float:
    """Weigh a pair; zero where the term is not in the pool of the class."""
    if scale == 0 or (inside == 0 and not signed):
        return 0.0
    numerator = inside + add_in
    denominator = outside + add_out
    ratio = (numerator if numerator > 0 else zero_in) * scale
    ratio /= denominator if denominator > 0 else zero_out
    # A term that is as frequent everywhere, such as one in every document, is in no pool.
    above = ratio > threshold * (1 + ROUNDING)
    if not (above or (signed and ratio * threshold < 1 - ROUNDING)):
        return 0.0
    if kind == RR:
        return ratio
    if kind == KL:
        return numerator * rate * math.log(ratio)
    return math.log(ratio)


@inlined
def relatedness_of(weight: float, inside: float, add_in: float, rate: float, kind: int) -> float:
    """Multiply a weight by P(t|k), unless it has this factor already."""
    return weight if kind == KL else weight * (inside + add_in) * rate


@inlined
def part_of(relatedness: float, k: int, bounds: Floats) -> int:
    """Which part of its pool a pair is in: ``bounds`` are the least of each part but the last."""
    part = 0
    while part < bounds.shape[1] and relatedness < bounds[k, part]:
        part += 1
    return part


@internal
def class_constants(
    class_total: Floats, total: float, prior: float, smoothing: float, cells: float, out: Floats
) -> None:
    """Fill in the constants of every class; a scale of zero marks one that cannot be weighed.

    That is a class without documents, or one without documents outside.
    """
    n_classes = len(class_total)
    pooled = prior == 1
    norm = 0.0
    if not pooled:
        for k in range(n_classes):
            if class_total[k] > 0:
                norm += class_total[k] ** prior
    for k in range(n_classes):
        for column in range(N_CONSTANTS):
            out[k, column] = 0.0
        inside = class_total[k]
        if inside <= 0:
            continue
        out[k, FACTOR] = 1.0
        if not pooled:
            out[k, FACTOR] = inside ** (prior - 1) * total / norm
        inside *= out[k, FACTOR]
        outside = rest_of(total, inside)
        if outside == 0:
            continue
        out[k, ZERO_IN] = 0.5 * inside / total
        out[k, ZERO_OUT] = 0.5 * outside / total
        if cells > 0:
            out[k, ADD_IN] = out[k, ADD_OUT] = smoothing
            inside += cells * smoothing
            outside += cells * smoothing
        else:
            out[k, ADD_IN] = smoothing * inside / total
            out[k, ADD_OUT] = smoothing * outside / total
        out[k, SCALE] = outside / inside
        out[k, RATE] = 1 / inside


@kernel
def weigh_pairs(
    indptr: Ints,
    class_of: Ints,
    joint: Floats,
    term_total: Floats,
    class_total: Floats,
    total: float,
    prior: float,
    smoothing: float,
    cells: float,
    kind: int,
    threshold: float,
    signed: bool,
) -> Any:
    """The pairs in the pools: ``indptr``, the class, weight and relatedness of each."""
    constants = np.zeros((len(class_total), N_CONSTANTS))
    class_constants(class_total, total, prior, smoothing, cells, constants)
    pooled = np.zeros(len(indptr), np.int64)
    pool_of = np.empty(len(joint) + 1, np.int32)
    weights = np.empty(len(joint) + 1)
    relatedness = np.empty(len(joint) + 1)
    size = np.uint64(0)
    for t in range(len(indptr) - 1):
        whole = term_total[t]
        if prior != 1:
            whole = 0.0
            for e in range(indptr[t], indptr[t + 1]):
                whole += joint[e] * constants[class_of[e], FACTOR]
        for e in range(indptr[t], indptr[t + 1]):
            k = class_of[e]
            inside = joint[e] * constants[k, FACTOR]
            weight = pair_weight(
                inside, rest_of(whole, inside),
                constants[k, ADD_IN], constants[k, ADD_OUT],
                constants[k, ZERO_IN], constants[k, ZERO_OUT],
                constants[k, SCALE], constants[k, RATE],
                kind, threshold, signed,
            )  # fmt: skip
            weights[size] = weight  # and overwritten by the next pair, unless it is in a pool
            relatedness[size] = relatedness_of(
                weight, inside, constants[k, ADD_IN], constants[k, RATE], kind
            )
            pool_of[size] = k
            size += np.uint64(weight != 0)
        pooled[t + 1] = size
    return pooled, pool_of[:size], weights[:size], relatedness[:size]


@kernel
def pool_without_self(
    x_indptr: Ints,
    x_indices: Ints,
    x_data: Floats,
    weighting: int,
    term_df: Floats,
    label_indptr: Ints,
    label_ids: Ints,
    n_docs: float,
    occurrences: bool,
    bounds: Floats,
    denominator: int,
    indptr: Ints,
    class_of: Ints,
    joint: Floats,
    term_total: Floats,
    class_total: Floats,
    total: float,
    prior: float,
    smoothing: float,
    cells: float,
    kind: int,
    threshold: float,
    signed: bool,
) -> Any:
    """Features of documents that are in the tables, each by the tables without itself.

    A document has only its own terms, so only their weights are needed; but its classes' totals
    and the totals of everything move the weights for all classes, so these are computed anew for
    each pair that the document touches.
    """
    n_rows = len(x_indptr) - 1
    n_classes = len(class_total)
    parts = bounds.shape[1] + 1
    features = np.zeros((n_rows, n_classes * parts))
    sums, shares = np.zeros(n_classes * parts), np.zeros(n_classes * parts)
    own = np.zeros(n_classes)
    constants = np.zeros((n_classes, N_CONSTANTS))
    class_left = class_total.copy()
    for i in range(n_rows):
        size = 1.0
        if occurrences:
            size = x_data[x_indptr[i] : x_indptr[i + 1]].sum()
        for place in range(label_indptr[i], label_indptr[i + 1]):
            k = label_ids[place]
            own[k] = 1.0
            class_left[k] = rest_of(class_total[k], size)
        class_constants(class_left, rest_of(total, size), prior, smoothing, cells, constants)
        length = 0.0
        for place in range(x_indptr[i], x_indptr[i + 1]):
            t = x_indices[place]
            x = x_data[place]
            removed = x if occurrences else 1.0
            if weighting >= TFIDF:
                x = input_weight(x, weighting, smooth_idf(n_docs - 1, term_df[t] - 1))
            else:
                x = input_weight(x, weighting, 1.0)
            length += x * x if denominator == NORM else x
            whole = rest_of(term_total[t], removed)
            if prior != 1:
                whole = 0.0
                for e in range(indptr[t], indptr[t + 1]):
                    k = class_of[e]
                    whole += rest_of(joint[e], own[k] * removed) * constants[k, FACTOR]
            for e in range(indptr[t], indptr[t + 1]):
                k = class_of[e]
                inside = rest_of(joint[e], own[k] * removed) * constants[k, FACTOR]
                weight = pair_weight(
                    inside, rest_of(whole, inside),
                    constants[k, ADD_IN], constants[k, ADD_OUT],
                    constants[k, ZERO_IN], constants[k, ZERO_OUT],
                    constants[k, SCALE], constants[k, RATE],
                    kind, threshold, signed,
                )  # fmt: skip
                if weight != 0:
                    feature = np.uint64(k)
                    if parts > 1:
                        related = relatedness_of(
                            weight, inside, constants[k, ADD_IN], constants[k, RATE], kind
                        )
                        feature = np.uint64(k * parts + part_of(related, k, bounds))
                    sums[feature] += x * weight
                    shares[feature] += x
        divide(sums, length, shares, denominator, features[i])
        for place in range(label_indptr[i], label_indptr[i + 1]):
            k = label_ids[place]
            own[k] = 0.0
            class_left[k] = class_total[k]
    return features
