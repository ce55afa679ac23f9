"""Kernel that fills the tables of ``TermStats`` from the rows of a matrix, without turning it.

The documents of one class after the other are added to one row of sums, which is short enough to
stay in the processor's cache; what is left of the class are the few terms that it has. These are
then put in order of the terms. A matrix of columns would have to be made from the rows first, at
several times the cost of the sums.

Indices are unsigned: for others each access would first ask whether they count from the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Array, Ints
from termfold._kernel import internal, kernel


@kernel
def tabulate_rows(
    x_indptr: Ints,
    x_terms: Ints,
    x_values: Array,
    label_indptr: Ints,
    label_ids: Ints,
    weights: Array,
    like: Array,
    sums: Array,
    n_classes: int,
) -> Any:
    """Sum the rows of a document × term matrix (CSR) by class; the result is that of ``tabulate``.

    ``like`` is an empty array of the type of the values' sums. ``sums`` are zeros, two for each
    term, of a type that has room for all documents and all values. Documents are added in
    ascending order, so that sums of floats do not depend on anything else.
    """
    one = weights[:1].sum() * 0 + 1  # an int64 or a float64, as the weights are
    rows, row_of = rows_by_class(label_indptr, label_ids, n_classes)
    n_terms, two = len(sums) // 2, np.uint64(2)
    met = np.empty(n_terms + 1, np.uint32)
    indptr = np.zeros(n_terms + 2, np.int64)

    # The pairs of a class and a term, by class. No class has more than entries in its documents;
    # memory that is never written to is not taken.
    most = np.uint64(0)
    for doc in row_of:
        most += np.uint64(x_indptr[doc + np.uint64(1)] - x_indptr[doc])
    terms = np.empty(most, np.uint32)
    dfs, tfs = np.full(0, one), np.full(0, one * like.sum())  # for their types
    dfs, tfs = np.empty(most, dfs.dtype), np.empty(most, tfs.dtype)
    starts = np.zeros(n_classes + 1, np.uint64)
    size = np.uint64(0)
    for k in range(n_classes):
        n_met = np.uint64(0)
        for doc in row_of[rows[k] : rows[k + 1]]:
            weight = weights[doc] if len(weights) else one
            if weight == 0:
                continue
            for entry in range(x_indptr[doc], x_indptr[doc + np.uint64(1)]):
                value = like.dtype.type(x_values[entry])
                if value == 0:
                    continue
                both = np.uint64(x_terms[entry]) * two
                met[n_met] = x_terms[entry]  # and forgotten, unless it is new
                n_met += np.uint64(sums[both] == 0)
                sums[both] += weight
                sums[both + np.uint64(1)] += weight * value
        for i in range(n_met):
            both = np.uint64(met[i]) * two
            terms[size], dfs[size], tfs[size] = met[i], sums[both], sums[both + np.uint64(1)]
            sums[both] = sums[both + np.uint64(1)] = 0
            indptr[met[i] + two] += 1
            size += np.uint64(1)
        starts[k + 1] = size

    # In order of the terms: entry t + 1 is where the next pair of term t goes.
    for t in range(n_terms):
        indptr[t + 1] += indptr[t]
    class_of = np.empty(size, np.int32)
    df = np.empty(size, dfs.dtype)
    tf = np.empty(size, tfs.dtype)
    for k in range(n_classes):
        for i in range(starts[k], starts[k + 1]):
            follows = terms[i] + np.uint64(1)
            place = np.uint64(indptr[follows])
            class_of[place], df[place], tf[place] = k, dfs[i], tfs[i]
            indptr[follows] += 1
    return indptr[: n_terms + 1], class_of, df, tf


@kernel
def total_rows(
    x_indptr: Ints, x_terms: Ints, x_values: Array, weights: Array, like: Array, n_terms: int
) -> Any:
    """Sum the rows of a matrix whatever their classes: ``term_df`` and ``term_tf``."""
    one = weights[:1].sum() * 0 + 1
    term_df = np.full(n_terms, one * 0)
    term_tf = np.full(n_terms, one * like.sum())
    for doc in range(np.uint64(len(x_indptr) - 1)):
        weight = weights[doc] if len(weights) else one
        if weight == 0:
            continue
        for entry in range(x_indptr[doc], x_indptr[doc + 1]):
            value = like.dtype.type(x_values[entry])
            if value != 0:
                term_df[x_terms[entry]] += weight
                term_tf[x_terms[entry]] += weight * value
    return term_df, term_tf


@kernel
def total_pairs(indptr: Ints, df: Array, tf: Array) -> Any:
    """Sum a table over the classes: ``total_rows`` of integers, where documents have one label."""
    term_df = np.zeros(len(indptr) - 1, df.dtype)
    term_tf = np.zeros(len(indptr) - 1, tf.dtype)
    for t in range(len(term_df)):
        documents, occurrences = df[:0].sum(), tf[:0].sum()
        for entry in range(indptr[t], indptr[t + 1]):
            documents += df[entry]
            occurrences += tf[entry]
        term_df[t], term_tf[t] = documents, occurrences
    return term_df, term_tf


@internal
def rows_by_class(label_indptr: Ints, label_ids: Ints, n_classes: int) -> Any:
    """The documents of each class k, ascending: ``row_of[indptr[k]:indptr[k + 1]]``."""
    indptr = np.zeros(n_classes + 1, np.uint64)
    for k in label_ids:
        indptr[k + 1] += np.uint64(1)
    for k in range(n_classes):
        indptr[k + 1] += indptr[k]
    following = indptr.copy()
    row_of = np.empty(len(label_ids), np.uint64)
    for doc in range(len(label_indptr) - 1):
        for place in range(label_indptr[doc], label_indptr[doc + 1]):
            k = label_ids[place]
            row_of[following[k]] = doc
            following[k] += np.uint64(1)
    return indptr, row_of
