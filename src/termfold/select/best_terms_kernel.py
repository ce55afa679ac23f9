"""Kernels of best terms: walks over the terms of documents and the documents of terms.

Documents are rows of a CSR matrix (``indptr``, ``terms``), terms columns of a CSC matrix
(``term_indptr``, ``docs``), both sorted and without zeros. Nothing here takes longer than the
tokens, or the postings, that it is given; arrays as long as the vocabulary are only ever zeroed,
and the pages that no term touches are never written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Bools, Floats, Ints
from termfold._kernel import kernel


@kernel
def best_of_each(
    indptr: Ints, terms: Ints, rows: Ints, place: Ints, scores: Floats, chosen: Bools
) -> None:
    """Mark in ``chosen`` the scores that are the best of a document, for some documents.

    ``place[t]`` is 1 + the position of term t in ``scores``, or not positive; a score of −∞ is
    as good as none. The terms of a row ascend, so the first of equal scores wins.
    """
    ceiling = -np.inf
    for score in scores:
        ceiling = max(ceiling, score)
    for row in rows:
        best = -1
        highest = -np.inf
        for entry in range(indptr[row], indptr[row + 1]):
            at = place[terms[entry]]
            if at > 0 and scores[at - 1] > highest:
                highest = scores[at - 1]
                best = at - 1
                if highest == ceiling:  # soon so, where many terms are pure and tie
                    break
        if best >= 0:
            chosen[best] = True


@kernel
def terms_against(
    indptr: Ints,
    terms: Ints,
    rows: Ints,
    class_place: Ints,
    class_df: Ints,
    term_df: Ints,
    class_docs: int,
    n_docs: int,
) -> Any:
    """List the terms of some documents that speak against a class: P(k|t) < P(k).

    ``class_place[t]`` is 1 + the position of term t in ``class_df``, the documents of the class
    that hold it, or 0. The answer is the terms and their ``place``, as ``best_of_each`` takes it.
    """
    place = np.zeros(len(term_df), np.int32)
    against = np.empty(1024, np.int64)
    size = 0
    for row in rows:
        for entry in range(indptr[row], indptr[row + 1]):
            t = terms[entry]
            if place[t] != 0:
                continue
            joint = class_df[class_place[t] - 1] if class_place[t] > 0 else 0
            # In whole numbers: a term as frequent in the class as outside is neither.
            if joint * n_docs >= term_df[t] * class_docs:
                place[t] = -1
                continue
            if size == len(against):
                longer = np.empty(2 * size, np.int64)
                longer[:size] = against
                against = longer
            against[size] = t
            size += 1
            place[t] = size
    return against[:size], place


@kernel
def take_in_turn(
    term_indptr: Ints, docs: Ints, terms: Ints, order: Ints, still_open: Bools, chosen: Bools
) -> None:
    """Let terms take the open documents that they hold, the best term first.

    ``order`` are positions in ``terms``; ``chosen`` marks those that take a document, which is
    not open any more.
    """
    n_open = still_open.sum()
    for at in order:
        if n_open == 0:
            break
        for entry in range(term_indptr[terms[at]], term_indptr[terms[at] + 1]):
            if still_open[docs[entry]]:
                still_open[docs[entry]] = False
                n_open -= 1
                chosen[at] = True


@kernel
def holders(term_indptr: Ints, docs: Ints, terms: Ints, n_docs: int) -> Any:
    """Mark the documents that hold at least one of some terms."""
    held: Bools = np.zeros(n_docs, np.bool_)
    for t in terms:
        for entry in range(term_indptr[t], term_indptr[t + 1]):
            held[docs[entry]] = True
    return held


@kernel
def narrowed_rows(indptr: Ints, terms: Ints, rows: Ints, place: Ints) -> Any:
    """Restrict a matrix to some rows and columns, from its rows.

    ``place[t]`` is 1 + the new column of term t, or 0. Returns ``indptr`` and ``indices`` of a CSR
    matrix, whose values are all one.
    """
    capacity = 0
    for row in rows:
        capacity += indptr[row + 1] - indptr[row]
    new_indptr = np.zeros(len(rows) + 1, np.int64)
    indices = np.empty(capacity, np.int32)
    size = 0
    for i in range(len(rows)):
        for entry in range(indptr[rows[i]], indptr[rows[i] + 1]):
            at = place[terms[entry]]
            if at > 0:
                indices[size] = at - 1
                size += 1
        new_indptr[i + 1] = size
    return new_indptr, indices[:size].copy()


@kernel
def narrowed_columns(term_indptr: Ints, docs: Ints, terms: Ints, kept: Bools) -> Any:
    """Do the same from the matrix's columns: some, ascending, and the rows marked."""
    n_rows = 0
    row_of = np.empty(len(kept), np.int32)
    for doc in range(len(kept)):
        row_of[doc] = n_rows if kept[doc] else -1
        n_rows += kept[doc]
    indptr = np.zeros(n_rows + 1, np.int64)
    free = np.zeros(n_rows, np.int64)
    for t in terms:
        for entry in range(term_indptr[t], term_indptr[t + 1]):
            row = row_of[docs[entry]]
            if row >= 0:
                free[row] += 1
    for row in range(n_rows):
        indptr[row + 1] = indptr[row] + free[row]
        free[row] = indptr[row]
    indices = np.empty(indptr[n_rows], np.int32)
    for column in range(len(terms)):
        for entry in range(term_indptr[terms[column]], term_indptr[terms[column] + 1]):
            row = row_of[docs[entry]]
            if row >= 0:
                indices[free[row]] = column
                free[row] += 1
    return indptr, indices
