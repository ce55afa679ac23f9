"""Kernels that fill and merge the tables of ``TermStats``.

A table is sparse by term: the entries ``indptr[t]:indptr[t + 1]`` of ``class_of``, ``df`` and
``tf`` say in which classes term t occurs, in ascending order, in how many documents, how often.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Array, Ints
from termfold._kernel import internal, kernel

# A term in so many times fewer documents than there are classes has no need to look at all of them.
_RARE = 4


@kernel
def tabulate(
    indptr: Ints,
    docs: Ints,
    values: Array,
    label_indptr: Ints,
    label_ids: Ints,
    weights: Array,
    n_classes: int,
) -> Any:
    """Sum the columns of a document × term matrix (CSC) by class.

    Documents are added in ascending order, so that sums of floats do not depend on anything else.
    """
    n_terms = len(indptr) - 1
    one = weights[:1].sum() * 0 + 1  # an int64 or a float64, as the weights are
    zero_df, zero_tf = one * 0, one * values[:0].sum()  # in the types of the sums
    df_of = np.full(n_classes, zero_df)
    tf_of = np.full(n_classes, zero_tf)
    seen = np.zeros(n_classes, np.bool_)
    met = np.empty(n_classes + 1, np.int32)
    out_indptr = np.zeros(n_terms + 1, np.int64)
    term_df = np.full(n_terms, zero_df)
    term_tf = np.full(n_terms, zero_tf)

    capacity = 1024
    class_of = np.empty(capacity, np.int32)
    df = np.full(capacity, zero_df)
    tf = np.full(capacity, zero_tf)
    size = 0
    for t in range(n_terms):
        for entry in range(indptr[t], indptr[t + 1]):
            value = values[entry]
            if value == 0:
                continue
            doc = docs[entry]
            weight = weights[doc] if len(weights) else one
            if weight == 0:
                continue
            term_df[t] += weight
            term_tf[t] += weight * value
            for place in range(label_indptr[doc], label_indptr[doc + 1]):
                k = label_ids[place]
                seen[k] = True
                df_of[k] += weight
                tf_of[k] += weight * value
        if size + n_classes > capacity:
            capacity = 2 * capacity + n_classes
            class_of = _grown(class_of, capacity)
            df = _grown(df, capacity)
            tf = _grown(tf, capacity)
        if _RARE * (indptr[t + 1] - indptr[t]) > n_classes:
            n_met = all_seen(seen, met)
        else:
            n_met = seen_by(docs[indptr[t] : indptr[t + 1]], label_indptr, label_ids, seen, met)
        for i in range(n_met):
            k = met[i]
            class_of[size], df[size], tf[size] = k, df_of[k], tf_of[k]
            size += 1
            seen[k], df_of[k], tf_of[k] = False, zero_df, zero_tf
        out_indptr[t + 1] = size
    return out_indptr, class_of[:size].copy(), df[:size].copy(), tf[:size].copy(), term_df, term_tf


@internal
def all_seen(seen: Array, met: Ints) -> int:
    """List the classes seen, by looking at all."""
    n_met = 0
    for k in range(len(seen)):
        met[n_met] = k
        n_met += seen[k]
    return n_met


@internal
def seen_by(docs: Ints, label_indptr: Ints, label_ids: Ints, seen: Array, met: Ints) -> int:
    """List the classes seen, by looking at those of a few documents; they are forgotten."""
    n_met = 0
    for doc in docs:
        for place in range(label_indptr[doc], label_indptr[doc + 1]):
            k = label_ids[place]
            if not seen[k]:
                continue
            seen[k] = False
            i = n_met
            while i > 0 and met[i - 1] > k:
                met[i] = met[i - 1]
                i -= 1
            met[i] = k
            n_met += 1
    return n_met


@internal
def _grown(array: Array, capacity: int) -> Any:
    larger = np.empty(capacity, array.dtype)
    for i in range(len(array)):
        larger[i] = array[i]
    return larger


@kernel
def merge_tables(
    from_a: Ints,
    a_indptr: Ints,
    a_class_of: Ints,
    a_df: Array,
    a_tf: Array,
    from_b: Ints,
    b_indptr: Ints,
    b_class_of: Ints,
    b_df: Array,
    b_tf: Array,
    sign: int,
) -> Any:
    """Compute ``a + sign · b`` entry by entry; entries that become zero are dropped.

    ``from_a[t]`` and ``from_b[t]`` are the ids of the result's term t in a and b, −1 where it is
    absent; the class ids of both are the result's already.
    """
    n_terms = len(from_a)
    capacity = len(a_class_of) + len(b_class_of)
    indptr = np.zeros(n_terms + 1, np.int64)
    class_of = np.empty(capacity, np.int32)
    df = np.empty(capacity, a_df.dtype)
    tf = np.empty(capacity, a_tf.dtype)
    size = 0
    for t in range(n_terms):
        i = i_end = j = j_end = 0
        if from_a[t] >= 0:
            i, i_end = a_indptr[from_a[t]], a_indptr[from_a[t] + 1]
        if from_b[t] >= 0:
            j, j_end = b_indptr[from_b[t]], b_indptr[from_b[t] + 1]
        while i < i_end or j < j_end:
            in_a = j >= j_end or (i < i_end and a_class_of[i] <= b_class_of[j])
            in_b = i >= i_end or (j < j_end and b_class_of[j] <= a_class_of[i])
            k = a_class_of[i] if in_a else b_class_of[j]
            df_sum, tf_sum = a_df[:0].sum(), a_tf[:0].sum()
            if in_a:
                df_sum += a_df[i]
                tf_sum += a_tf[i]
                i += 1
            if in_b:
                df_sum += sign * b_df[j]
                tf_sum += sign * b_tf[j]
                j += 1
            if df_sum != 0 or tf_sum != 0:
                class_of[size], df[size], tf[size] = k, df_sum, tf_sum
                size += 1
        indptr[t + 1] = size
    return indptr, class_of[:size].copy(), df[:size].copy(), tf[:size].copy()
