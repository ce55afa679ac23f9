"""Kernels that turn a stream of term ids into counts.

The stream is inverted once (a bucket sort by term, in linear time); after that the documents of
each term stand in ascending order, repeated as often as the term occurs, and every table can be
read off: document frequencies, and the rows of a matrix with their columns already sorted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from termfold._arrays import Array, Ints
from termfold._kernel import kernel


class Postings(NamedTuple):
    """The documents of each term, ``docs[indptr[t]:indptr[t + 1]]``, once per occurrence."""

    indptr: Ints
    docs: Ints
    df: Ints
    n_docs: int


@kernel
def invert(ids: Ints, doc_indptr: Ints, ranks: Ints) -> Any:
    """Sort a stream of term ids into postings; id ``i`` becomes the term ``ranks[i]``."""
    n_terms = len(ranks)
    occurrences = np.zeros(n_terms, np.int64)  # by id
    for i in range(len(ids)):
        occurrences[ids[i]] += 1
    indptr = np.zeros(n_terms + 1, np.int64)
    for i in range(n_terms):
        indptr[ranks[i] + 1] = occurrences[i]
    for t in range(n_terms):
        indptr[t + 1] += indptr[t]
    cursor = occurrences
    for i in range(n_terms):
        cursor[i] = indptr[ranks[i]]
    docs = np.empty(len(ids), np.int32)
    n_docs = len(doc_indptr) - 1
    for d in range(n_docs):
        for i in range(doc_indptr[d], doc_indptr[d + 1]):
            term = ids[i]
            docs[cursor[term]] = d
            cursor[term] += 1
    df = np.zeros(n_terms, np.int64)
    for t in range(n_terms):
        last = -1
        for i in range(indptr[t], indptr[t + 1]):
            df[t] += docs[i] != last
            last = docs[i]
    return Postings(indptr, docs, df, n_docs)


@kernel
def rows_of(postings: Postings, columns: Ints, zero: Any) -> Any:
    """The document × term matrix of postings, as CSR.

    Parameters
    ----------
    postings : Postings
    columns : ndarray of int64
        The column of each term, ascending; −1 leaves it out.
    zero : ndarray of shape (0,)
        Its type is that of the counts.

    Returns
    -------
    indptr, indices, data : ndarray
    """
    indptr = np.zeros(postings.n_docs + 1, np.int64)
    for t in range(len(columns)):
        if columns[t] < 0:
            continue
        last = -1
        for i in range(postings.indptr[t], postings.indptr[t + 1]):
            doc = postings.docs[i]
            indptr[doc + 1] += doc != last
            last = doc
    for d in range(postings.n_docs):
        indptr[d + 1] += indptr[d]
    indices = np.empty(indptr[-1], np.int32)
    data = np.empty(indptr[-1], zero.dtype)
    cursor = indptr[:-1].copy()
    for t in range(len(columns)):
        if columns[t] < 0:
            continue
        i, end = postings.indptr[t], postings.indptr[t + 1]
        while i < end:
            doc = postings.docs[i]
            first = i
            while i < end and postings.docs[i] == doc:
                i += 1
            indices[cursor[doc]] = columns[t]
            data[cursor[doc]] = i - first
            cursor[doc] += 1
    return indptr, indices, data


def concatenated(parts: list[tuple[Ints, Ints, Array]]) -> tuple[Ints, Ints, Array]:
    """Stack the rows of several CSR matrices."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0] + [indptr[-1] for indptr, _, _ in parts])
    indptr = np.concatenate([[0]] + [p[0][1:] + s for p, s in zip(parts, starts, strict=False)])
    return indptr, np.concatenate([p[1] for p in parts]), np.concatenate([p[2] for p in parts])
