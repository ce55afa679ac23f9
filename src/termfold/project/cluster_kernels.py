"""Kernels of term projection: terms go to the class that χ² on occurrences assigns them to.

What is computed of a term with and without a document is one function, ``judge_term``; without a
document it sees the sums less the document's own counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Floats, Ints
from termfold._kernel import inlined, kernel
from termfold.project.pool_kernels import NORM, TFIDF, divide, input_weight, smooth_idf
from termfold.project.risk_kernels import (
    ADD_IN,
    ADD_OUT,
    LOG_RR,
    N_CONSTANTS,
    RATE,
    SCALE,
    ZERO_IN,
    ZERO_OUT,
    class_constants,
    pair_weight,
    rest_of,
)

# A share may miss its floor by rounding: with two classes it is one half, exactly.
_TOLERANCE = 1 - 1e-9


@inlined
def judge_term(
    start: int,
    stop: int,
    class_of: Ints,
    df: Floats,
    tf: Floats,
    own: Floats,
    removed: float,
    term_df: float,
    term_tf: float,
    class_tokens: Floats,
    tokens: float,
    constants: Floats,
    noise_share: float,
    positive: bool,
    best: bool,
    kind: int,
) -> Any:
    """Find a term's class, its χ² there and its weight, zero where the term is noise."""
    cluster, highest, chi_total, weight, largest = -1, 0.0, 0.0, 0.0, 0.0
    entry = np.int64(start)  # an unsigned number and a signed one add up to a float
    for k in range(len(class_tokens)):
        inside = documents = 0.0
        if entry < stop and class_of[entry] == k:
            inside = rest_of(tf[entry], own[k] * removed)
            documents = rest_of(df[entry], own[k])
            entry += 1
        determinant = inside * tokens - term_tf * class_tokens[k]
        product = term_tf * rest_of(tokens, term_tf)
        product *= class_tokens[k] * rest_of(tokens, class_tokens[k])
        if product > 0:
            chi = determinant / product * determinant * tokens
            chi_total += chi
            if chi > highest and (determinant > 0 or not positive):
                cluster, highest = k, chi
        risk = pair_weight(
            documents, rest_of(term_df, documents),
            constants[k, ADD_IN], constants[k, ADD_OUT],
            constants[k, ZERO_IN], constants[k, ZERO_OUT],
            constants[k, SCALE], constants[k, RATE],
            kind, 1.0 if kind == LOG_RR else 0.0, False,
        )  # fmt: skip
        largest = max(largest, risk)
        if cluster == k:
            weight = risk
    if best:
        weight = largest
    if cluster < 0 or highest < noise_share * chi_total * _TOLERANCE:
        weight = 0.0
    return cluster, highest, weight


@kernel
def judge_terms(
    indptr: Ints,
    class_of: Ints,
    df: Floats,
    tf: Floats,
    term_df: Floats,
    term_tf: Floats,
    class_docs: Floats,
    n_docs: float,
    class_tokens: Floats,
    tokens: float,
    smoothing: float,
    cells: float,
    noise_share: float,
    positive: bool,
    best: bool,
    kind: int,
) -> Any:
    """Cluster, χ² and weight of every term; the weight is zero for noise."""
    n_terms = len(indptr) - 1
    constants = np.zeros((len(class_docs), N_CONSTANTS))
    class_constants(class_docs, n_docs, 1.0, smoothing, cells, constants)
    nothing = np.zeros(len(class_docs))
    clusters = np.empty(n_terms, np.int32)
    chi = np.empty(n_terms)
    weights = np.empty(n_terms)
    for t in range(n_terms):
        clusters[t], chi[t], weights[t] = judge_term(
            indptr[t], indptr[t + 1], class_of, df, tf, nothing, 0.0, term_df[t], term_tf[t],
            class_tokens, tokens, constants, noise_share, positive, best, kind,
        )  # fmt: skip
    return clusters, chi, weights


@kernel
def cluster_without_self(
    x_indptr: Ints,
    x_indices: Ints,
    x_data: Floats,
    weighting: int,
    denominator: int,
    label_indptr: Ints,
    label_ids: Ints,
    cutoff: float,
    indptr: Ints,
    class_of: Ints,
    df: Floats,
    tf: Floats,
    term_df: Floats,
    term_tf: Floats,
    class_docs: Floats,
    n_docs: float,
    class_tokens: Floats,
    tokens: float,
    smoothing: float,
    cells: float,
    noise_share: float,
    positive: bool,
    best: bool,
    kind: int,
) -> Any:
    """Features of documents that are in the tables, each by the tables without itself.

    A term counts where its χ², computed anew, is not below ``cutoff``.
    """
    n_rows, n_classes = len(x_indptr) - 1, len(class_docs)
    features = np.zeros((n_rows, n_classes))
    sums, shares = np.zeros(n_classes), np.zeros(n_classes)
    own = np.zeros(n_classes)
    constants = np.zeros((n_classes, N_CONSTANTS))
    docs_left, tokens_left = class_docs.copy(), class_tokens.copy()
    for i in range(n_rows):
        size = x_data[x_indptr[i] : x_indptr[i + 1]].sum()
        for place in range(label_indptr[i], label_indptr[i + 1]):
            k = label_ids[place]
            own[k] = 1.0
            docs_left[k] = rest_of(class_docs[k], 1.0)
            tokens_left[k] = rest_of(class_tokens[k], size)
        class_constants(docs_left, n_docs - 1, 1.0, smoothing, cells, constants)
        all_left = rest_of(tokens, size)
        length = 0.0
        for place in range(x_indptr[i], x_indptr[i + 1]):
            t = x_indices[place]
            removed = x_data[place]
            idf = 1.0
            if weighting >= TFIDF:
                idf = smooth_idf(n_docs - 1, term_df[t] - 1)
            x = input_weight(removed, weighting, idf)
            length += x * x if denominator == NORM else x
            k, chi, weight = judge_term(
                indptr[t], indptr[t + 1], class_of, df, tf, own, removed,
                rest_of(term_df[t], 1.0), rest_of(term_tf[t], removed),
                tokens_left, all_left, constants, noise_share, positive, best, kind,
            )  # fmt: skip
            if weight > 0 and chi >= cutoff:
                sums[k] += x * weight
                shares[k] += x
        divide(sums, length, shares, denominator, features[i])
        for place in range(label_indptr[i], label_indptr[i + 1]):
            k = label_ids[place]
            own[k] = 0.0
            docs_left[k], tokens_left[k] = class_docs[k], class_tokens[k]
    return features
