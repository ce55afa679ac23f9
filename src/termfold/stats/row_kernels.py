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
    n_classes: int,
    n_terms: int,
) -> Any:
    """Sum the rows of a document × term matrix (CSR) by class; the result is that of ``tabulate``.

    ``like`` is an empty array of the type that the values are summed in. Documents are added in
    ascending order, so that sums of floats do not depend on anything else.
    """
    rows, row_of = rows_by_class(label_indptr, label_ids, n_classes)
    one = weights[:1].sum() * 0 + 1  # an int64 or a float64, as the weights are
    zero_df, zero_tf = one * 0, one * like.sum()  # in the types of the sums
    df_of = np.full(n_terms, zero_df)
    tf_of = np.full(n_terms, zero_tf)
    met = np.empty(n_terms + 1, np.uint32)
    lengths = np.zeros(n_terms + 1, np.uint64)

    # The pairs of a class and a term, by class.
    starts = np.zeros(n_classes + 1, np.uint64)
    capacity = 1024
    terms = np.empty(capacity, np.uint32)
    dfs = np.full(capacity, zero_df)
    tfs = np.full(capacity, zero_tf)
    size = 0
    for k in range(n_classes):
        n_met = np.uint64(0)
        for place in range(rows[k], rows[k + 1]):
            doc = row_of[place]
            weight = weights[doc] if len(weights) else one
            if weight == 0:
                continue
            for entry in range(x_indptr[doc], x_indptr[doc + 1]):
                value = like.dtype.type(x_values[entry])
                if value == 0:
                    continue
                t = x_terms[entry]
                met[n_met] = t  # and forgotten, unless it is new
                n_met += np.uint64(df_of[t] == 0)
                df_of[t] += weight
                tf_of[t] += weight * value
        if size + n_met > capacity:
            capacity = 2 * capacity + int(n_met)
            terms = enlarged(terms, capacity)
            dfs = enlarged(dfs, capacity)
            tfs = enlarged(tfs, capacity)
        for i in range(n_met):
            t = met[i]
            terms[size], dfs[size], tfs[size] = t, df_of[t], tf_of[t]
            df_of[t], tf_of[t] = zero_df, zero_tf
            lengths[t] += np.uint64(1)
            size += 1
        starts[k + 1] = size

    indptr = np.zeros(n_terms + 1, np.int64)
    for t in range(n_terms):
        indptr[t + 1] = indptr[t] + lengths[t]
        lengths[t] = indptr[t]  # from here on where the term's next pair goes
    class_of = np.empty(size, np.int32)
    df = np.empty(size, dfs.dtype)
    tf = np.empty(size, tfs.dtype)
    for k in range(n_classes):
        for i in range(starts[k], starts[k + 1]):
            place = lengths[terms[i]]
            class_of[place], df[place], tf[place] = k, dfs[i], tfs[i]
            lengths[terms[i]] += np.uint64(1)
    return indptr, class_of, df, tf


@kernel
def total_rows(
    x_indptr: Ints, x_terms: Ints, x_values: Array, weights: Array, like: Array, n_terms: int
) -> Any:
    """Sum the rows of a matrix whatever their classes: ``term_df`` and ``term_tf``."""
    one = weights[:1].sum() * 0 + 1
    term_df = np.full(n_terms, one * 0)
    term_tf = np.full(n_terms, one * like.sum())
    for doc in range(len(x_indptr) - 1):
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


@kernel
def all_whole(values: Array) -> bool:
    """Are finite numbers all whole?"""
    whole = True
    for value in values:  # to the end: then the processor compares many at once
        whole &= np.floor(value) == value
    return whole


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


@internal
def enlarged(array: Array, capacity: int) -> Any:
    """A copy with more room."""
    larger = np.empty(capacity, array.dtype)
    for i in range(len(array)):
        larger[i] = array[i]
    return larger
