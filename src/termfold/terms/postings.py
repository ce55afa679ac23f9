"""Kernels that turn a stream of term ids into counts.

The stream is inverted once (a bucket sort by term, in linear time); after that the documents of
each term stand in ascending order, repeated as often as the term occurs, and every table can be
read off: document frequencies, and the rows of a matrix with their columns already sorted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold._kernel import kernel
from termfold._threads import map_threads


class Postings(NamedTuple):
    """The documents of each term, ``docs[indptr[t]:indptr[t + 1]]``, once per occurrence.

    The occurrences in one document stand together. There may be postings of some documents only,
    numbered among all ``n_docs``.
    """

    indptr: Ints
    docs: Ints
    df: Ints
    n_docs: int


@kernel
def count_ids(ids: Ints, counts: Ints) -> None:
    """Add up how often each id occurs."""
    for i in range(len(ids)):
        counts[ids[i]] += 1


@kernel
def scatter(ids: Ints, doc_indptr: Ints, first_doc: int, free: Ints, docs: Ints) -> None:
    """Write documents, from ``first_doc`` on, to the next free place of each of their ids."""
    for d in range(len(doc_indptr) - 1):
        for i in range(doc_indptr[d], doc_indptr[d + 1]):
            docs[free[ids[i]]] = first_doc + d
            free[ids[i]] += 1


@kernel
def document_frequencies(indptr: Ints, docs: Ints) -> Ints:
    """How many different documents each term has."""
    df = np.zeros(len(indptr) - 1, np.int64)
    for t in range(len(df)):
        last = -1
        for i in range(indptr[t], indptr[t + 1]):
            df[t] += docs[i] != last
            last = docs[i]
    return df


@kernel
def add_row_sizes(postings: Postings, columns: Ints, sizes: Ints) -> None:
    """Add up how many different terms each document has, of those with a column."""
    for t in range(len(columns)):
        if columns[t] < 0:
            continue
        last = -1
        for i in range(postings.indptr[t], postings.indptr[t + 1]):
            doc = postings.docs[i]
            sizes[doc] += doc != last
            last = doc


@kernel
def fill_rows(postings: Postings, columns: Ints, free: Ints, indices: Ints, data: Array) -> None:
    """Write columns and counts to the next free place of each document."""
    for t in range(len(columns)):
        if columns[t] < 0:
            continue
        i, end = postings.indptr[t], postings.indptr[t + 1]
        while i < end:
            doc = postings.docs[i]
            first = i
            while i < end and postings.docs[i] == doc:
                i += 1
            indices[free[doc]] = columns[t]
            data[free[doc]] = i - first
            free[doc] += 1


def count_matrix(
    parts: list[Postings], columns: Ints, n_columns: int, dtype: Any, n_threads: int
) -> sp.csr_matrix:
    """The document × term matrix of postings.

    Parameters
    ----------
    parts : list of Postings
        Of the same terms, each document in one of them.
    columns : ndarray of int64
        The column of each term, ascending; −1 leaves it out.
    n_columns : int
    dtype : type
        Of the counts.
    n_threads : int
    """
    indptr = np.zeros(parts[0].n_docs + 1, np.int64)
    map_threads(lambda part: add_row_sizes(part, columns, indptr[1:]), parts, n_threads)
    np.cumsum(indptr, out=indptr)
    indices, data = np.empty(indptr[-1], np.int32), np.empty(indptr[-1], dtype)
    free = indptr[:-1].copy()
    map_threads(lambda part: fill_rows(part, columns, free, indices, data), parts, n_threads)
    if indptr[-1] <= np.iinfo(np.int32).max:
        indptr = indptr.astype(np.int32)
    matrix = sp.csr_matrix((data, indices, indptr), (len(indptr) - 1, n_columns))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix
