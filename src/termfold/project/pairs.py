"""The pairs of a term and a class that a projection weighs, as arrays for the kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from termfold._arrays import Floats, Ints, unsigned
from termfold.project.risk_kernels import ROUNDING
from termfold.stats import TermStats


class Pairs(NamedTuple):
    """Counts of pairs, sparse by term, with the sums they are parts of.

    Entries ``indptr[t]:indptr[t + 1]`` of ``class_of`` and ``joint`` are those of term t. All
    indices are unsigned; see ``risk_kernels``.
    """

    indptr: Ints
    class_of: Ints
    joint: Floats
    term_total: Floats
    class_total: Floats
    total: float

    @classmethod
    def of(
        cls, stats: TermStats, places: Ints, n_classes: int, table: str, *, every: bool
    ) -> Pairs:
        """Take the pairs of statistics.

        Parameters
        ----------
        stats : TermStats
        places : ndarray
            The number of each class of ``stats`` among ``n_classes``; the others are empty.
        n_classes : int
        table : {"df", "tf"}
            What to count: documents or occurrences.
        every : bool
            All M × K pairs, not only those of terms that occur in the class.
        """
        documents = table == "df"
        of_class = stats.class_docs if documents else stats.class_tokens
        of_term = stats.term_df if documents else stats.term_tf
        class_total = np.zeros(n_classes)
        class_total[places] = of_class
        indptr = stats.indptr.astype(np.int64, copy=False)
        class_of = unsigned(stats.class_of.astype(np.int32, copy=False))
        if not np.array_equal(places, np.arange(stats.n_classes)):
            class_of = places.astype(np.uint32)[class_of]
        joint = getattr(stats, table).astype(np.float64)
        if every:
            full = np.zeros((stats.n_terms, n_classes))
            full[np.repeat(np.arange(stats.n_terms), np.diff(indptr)), class_of] = joint
            joint = full.ravel()
            indptr = np.arange(stats.n_terms + 1) * n_classes
            class_of = np.tile(np.arange(n_classes, dtype=np.uint32), stats.n_terms)
        return cls(
            unsigned(indptr),
            class_of,
            joint,
            of_term.astype(np.float64),
            class_total,
            float(stats.n_docs if documents else of_term.sum()),
        )

    def without_a_document(self, *, own: bool) -> Pairs:
        """The pairs as they are for a document that has their terms, but not among those counted.

        Parameters
        ----------
        own : bool
            Whether the document was of the class of each pair, or of other classes only.
        """
        total = float(_less_one(self.total))
        left = self._replace(term_total=_less_one(self.term_total), total=total)
        if not own:
            return left
        return left._replace(joint=_less_one(self.joint), class_total=_less_one(self.class_total))


def _less_one(whole: Any) -> Any:
    """Subtract one as ``risk_kernels.rest_of`` does: zero where only rounding is left."""
    rest = whole - 1
    return np.where(rest <= whole * ROUNDING, 0.0, rest)


def divide_pools(class_of: Ints, relatedness: Floats, n_classes: int, parts: int) -> Floats:
    """Divide the pool of each class into parts; tell the least relatedness in each but the last.

    Pairs are taken by descending relatedness, and a part is full when its pairs have an equal
    share of the sum of all sizes. Pairs of equal relatedness stay together, so that a pair's part
    is a function of its relatedness alone, with and without a document.

    Parameters
    ----------
    class_of, relatedness : ndarray
        Of the pairs in the pools.
    n_classes, parts : int

    Returns
    -------
    ndarray of shape (n_classes, parts - 1)

    Examples
    --------
    >>> divide_pools(np.zeros(4, int), np.array([1.0, 4.0, 2.0, 1.0]), 1, 2)
    array([[4.]])
    """
    bounds = np.full((n_classes, parts - 1), -np.inf)
    if parts == 1:
        return bounds
    for k in range(n_classes):
        pool = np.sort(relatedness[class_of == k])[::-1]
        if len(pool) == 0:
            continue
        filled = np.cumsum(np.abs(pool))
        last = np.searchsorted(filled, filled[-1] * np.arange(1, parts) / parts)
        bounds[k] = pool[np.minimum(last, len(pool) - 1)]
    return bounds
