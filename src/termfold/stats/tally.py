"""Kernel that adds encoded documents to class × term sums."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from termfold._arrays import Ints
from termfold._kernel import inlined, internal, kernel
from termfold.terms.table import resized

#: So many tokens go into one tally at most: both counts of a cell then fit into half an int64.
MOST_TOKENS = 2**31 - 1

_KEY, _COUNTS = 0, 1
_ONE_DOCUMENT = 1 << 32  # documents are counted in the high half, occurrences in the low one
_MIXER = np.uint64(0x9E3779B97F4A7C15)


class Tally(NamedTuple):
    """Sums over documents, by the ids of an encoder and of a list of classes.

    ``cells`` is a hash table, open addressing: each row holds 1 + (term << 32 | class), and the
    documents and occurrences side by side in one number; a key of zero is a free row. The key is
    the pair itself.
    """

    cells: Ints  # (n, 2), n a power of two, at most three quarters in use
    used: int
    of_term: Ints  # documents and occurrences, likewise
    seen: Ints  # int32, all zero between documents


def new_tally() -> Tally:
    """A tally of nothing."""
    return Tally(np.zeros((1 << 12, 2), np.int64), 0, np.zeros(1, np.int64), np.zeros(1, np.int32))


def documents(counts: Ints) -> Ints:
    """The documents of some counts."""
    return counts >> 32


def occurrences(counts: Ints) -> Ints:
    """The occurrences of some counts."""
    return counts & (_ONE_DOCUMENT - 1)


@inlined
def _place(cells: Ints, key: Any) -> Any:
    """The row of a key, or the free row where it would go."""
    mask = np.uint64(len(cells) - 1)
    mixed = np.uint64(key) * _MIXER
    place = (mixed ^ (mixed >> np.uint64(32))) & mask
    while cells[place, _KEY] != key and cells[place, _KEY] != 0:
        place = (place + np.uint64(1)) & mask
    return np.int64(place)


@internal
def _rehashed(cells: Ints) -> Any:
    larger = np.zeros((2 * len(cells), 2), np.int64)
    for row in range(len(cells)):
        key = cells[row, _KEY]
        if key != 0:
            place = _place(larger, key)
            larger[place, _KEY] = key
            larger[place, _COUNTS] = cells[row, _COUNTS]
    return larger


@internal
def _add_cells(
    terms: Ints, counts: Ints, classes: Ints, cells: Ints, used: int, room: int, at: int
) -> Any:
    """Add a document's terms, from the one at ``at`` on; stop where the cells need more room."""
    for i in range(at, len(terms)):
        if used + len(classes) > room:
            return i, used
        for k in classes:
            key = 1 + (np.int64(terms[i]) << 32 | np.int64(k))
            place = _place(cells, key)
            used += cells[place, _KEY] == 0
            cells[place, _KEY] = key
            cells[place, _COUNTS] += _ONE_DOCUMENT + counts[i]
    return len(terms), used


@internal
def _distinct(ids: Ints, seen: Ints, terms: Ints, counts: Ints) -> int:
    """The distinct ones of some ids and how often each occurs; their number is returned.

    ``seen`` is zero for every term, before and after.
    """
    n = 0
    for term in ids:
        if seen[term] == 0:
            terms[n] = term
            n += 1
        seen[term] += 1
    for i in range(n):
        counts[i] = seen[terms[i]]
        seen[terms[i]] = 0
    return n


@kernel
def tally(
    sums: Tally, ids: Ints, indptr: Ints, label_indptr: Ints, label_ids: Ints, n_terms: int
) -> Any:
    """Add documents, given as term ids below ``n_terms`` and as class ids, to a tally.

    The given tally is not to be used again. It must not come to hold more than ``MOST_TOKENS``.
    """
    cells, used, of_term, seen = sums
    if n_terms > len(of_term):
        of_term = resized(of_term, max(n_terms, len(of_term) // 2 * 3))
        seen = np.zeros(len(of_term), np.int32)
    longest = 0
    for d in range(len(indptr) - 1):
        longest = max(longest, indptr[d + 1] - indptr[d])
    terms = np.empty(longest, np.int64)
    counts = np.empty(longest, np.int64)
    for d in range(len(indptr) - 1):
        n = _distinct(ids[indptr[d] : indptr[d + 1]], seen, terms, counts)
        for i in range(n):
            of_term[terms[i]] += _ONE_DOCUMENT + counts[i]
        classes = label_ids[label_indptr[d] : label_indptr[d + 1]]
        done = 0
        while done < n:
            room = len(cells) // 4 * 3
            done, used = _add_cells(terms[:n], counts, classes, cells, used, room, done)
            if done < n:
                cells = _rehashed(cells)
    return Tally(cells, used, of_term, seen)


def table_of(sums: Tally, ranks: Ints, class_ranks: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """The cells as a table sparse by term: ``indptr``, ``class_of``, ``df``, ``tf``.

    Parameters
    ----------
    sums : Tally
    ranks, class_ranks : ndarray of int64
        The positions that the tally's terms and classes have in the table.
    """
    cells = sums.cells
    rows = np.flatnonzero(cells[:, _KEY])
    keys = cells[rows, _KEY] - 1
    terms, classes = ranks[keys >> 32], class_ranks[keys & 0xFFFFFFFF].astype(np.int32)
    order = np.argsort(terms * max(1, len(class_ranks)) + classes)
    indptr = np.zeros(len(ranks) + 1, np.int64)
    np.cumsum(np.bincount(terms, minlength=len(ranks)), out=indptr[1:])
    rows = rows[order]
    counts = cells[rows, _COUNTS]
    return indptr, classes[order], documents(counts), occurrences(counts)
