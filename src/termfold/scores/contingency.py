"""The 2×2 tables of a block of terms, which every association score is a formula of.

This is the one file where the table's cells have letters, as in the literature::

                      in class k     outside        sum
    term t present         A             B          A + B
    term t absent          C             D          C + D
    sum                  A + C         B + D          N

Everywhere else they have names: A is ``joint``, B ``term_only``, C ``class_only``, D ``neither``;
the sums are ``term_total``, ``other_terms``, ``class_total``, ``other_classes``; N is ``total``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from termfold._arrays import Bools, Floats
from termfold.errors import StatsError
from termfold.stats import TermStats

Unit: TypeAlias = Literal["documents", "occurrences"]

# A block of 128 kB an array: the handful of arrays that a formula needs stays in a core's cache.
CELLS_PER_BLOCK = 1 << 14

# A difference of sums below this share of them is rounding, not documents. Whole numbers are
# exact, so no table of fewer than 10**12 documents is touched.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Contingency:
    """The 2×2 tables of m terms and K classes, as arrays that broadcast to K × m.

    Parameters
    ----------
    joint : ndarray of shape (K, m)
        A, what is in class k and has term t: documents, or occurrences.
    term_total : ndarray of shape (1, m)
        A + B, all that has term t. Not the sum of ``joint`` over classes: a document of several
        labels counts once.
    class_total : ndarray of shape (K, 1)
        A + C, all that is in class k.
    total : float
        N, all there is; positive.

    Notes
    -----
    Rates are estimated by ratios. One that has nothing to be estimated from (no document
    outside the class, none inside) is taken to be the rate of the whole collection, which says
    that term and class have nothing to do with one another; but ``precision`` is 0 for a term
    that never occurs, so that such a term comes last. Cells of weighted (float) tables are
    rounded to zero where only rounding is left of a difference.

    Examples
    --------
    >>> stats = TermStats.from_matrix([[1, 0], [2, 1], [0, 3], [1, 1]], ["x", "x", "y", "y"])
    >>> table = Contingency.from_stats(stats)
    >>> table.joint
    array([[2., 1.],
           [1., 2.]])
    >>> table.neither
    array([[1., 0.],
           [0., 1.]])
    >>> table.tpr
    array([[1. , 0.5],
           [0.5, 1. ]])
    """

    joint: Floats
    term_total: Floats
    class_total: Floats
    total: float

    # -- making -------------------------------------------------------------------------------

    @classmethod
    def from_stats(
        cls,
        stats: TermStats,
        start: int = 0,
        stop: int | None = None,
        unit: Unit = "documents",
    ) -> Contingency:
        """Tables of the terms ``start:stop``, counted in documents or in occurrences.

        Occurrences are those of the terms that the statistics hold; pruned terms are not among
        them.
        """
        stop = stats.n_terms if stop is None else min(stop, stats.n_terms)
        return cls._block(stats, start, stop, unit, *_totals(stats, unit))

    @classmethod
    def blocks(
        cls, stats: TermStats, unit: Unit = "documents"
    ) -> Iterator[tuple[slice, Contingency]]:
        """Tables of all terms, block by block, so that memory does not grow with K × M."""
        class_total, total = _totals(stats, unit)
        width = max(1, CELLS_PER_BLOCK // stats.n_classes)
        for start in range(0, stats.n_terms, width):
            stop = min(start + width, stats.n_terms)
            yield slice(start, stop), cls._block(stats, start, stop, unit, class_total, total)

    @classmethod
    def _block(
        cls,
        stats: TermStats,
        start: int,
        stop: int,
        unit: Unit,
        class_total: Floats,
        total: float,
    ) -> Contingency:
        table, term_table = ("df", stats.term_df) if unit == "documents" else ("tf", stats.term_tf)
        return cls(
            joint=stats.dense(table, start, stop).astype(np.float64),
            term_total=term_table[None, start:stop].astype(np.float64),
            class_total=class_total,
            total=total,
        )

    # -- cells and sums -----------------------------------------------------------------------

    @property
    def term_only(self) -> Floats:
        """B: has the term, is not in the class."""
        return _remainder(self.term_total, self.joint)

    @property
    def class_only(self) -> Floats:
        """C: is in the class, has not the term."""
        return _remainder(self.class_total, self.joint)

    @property
    def neither(self) -> Floats:
        """D: neither has the term nor is in the class."""
        return _remainder(self.other_classes, self.term_only)

    @property
    def other_terms(self) -> Floats:
        """C + D: all that has not the term, of shape (1, m)."""
        return _remainder(np.asarray(self.total), self.term_total)

    @property
    def other_classes(self) -> Floats:
        """B + D: all that is not in the class, of shape (K, 1)."""
        return _remainder(np.asarray(self.total), self.class_total)

    @property
    def determinant(self) -> Floats:
        """AD − CB, computed as N·A − (A + B)(A + C): zero where term and class are independent."""
        determinant = self.joint * self.total
        determinant -= self.term_total * self.class_total
        return determinant

    @property
    def degenerate(self) -> Bools:
        """Where a sum is zero, so that the table cannot tell if term and class go together.

        So it is for a term in every document or in none, and for the only class there is.
        """
        of_term = (self.term_total == 0) | (self.other_terms == 0)
        of_class = (self.class_total == 0) | (self.other_classes == 0)
        degenerate: Bools = of_term | of_class
        return degenerate

    # -- probabilities ------------------------------------------------------------------------

    @property
    def p_term(self) -> Floats:
        """P(t), of shape (1, m)."""
        return self.term_total / self.total

    @property
    def p_class(self) -> Floats:
        """P(k), of shape (K, 1)."""
        return self.class_total / self.total

    @property
    def tpr(self) -> Floats:
        """P(t|k) = A / (A + C), the rate of true positives if the term stood for the class."""
        return self._rate(self.joint, self.class_total)

    @property
    def fpr(self) -> Floats:
        """P(t|¬k) = B / (B + D), the rate of false positives."""
        return self._rate(self.term_only, self.other_classes)

    @property
    def precision(self) -> Floats:
        """P(k|t) = A / (A + B); 0 for a term that never occurs."""
        return self.joint / _or_one(self.term_total)

    def _rate(self, part: Floats, whole: Floats) -> Floats:
        rate = part / _or_one(whole)
        if np.all(whole):
            return rate
        return np.where(whole == 0, self.p_term, rate)


def _totals(stats: TermStats, unit: Unit) -> tuple[Floats, float]:
    """Sum over all terms or documents: A + C of each class, and N."""
    if stats.n_classes == 0:
        raise StatsError("statistics without classes cannot be scored: no document has a label")
    if unit == "documents":
        class_total, total = stats.class_docs, float(stats.n_docs)
    elif unit == "occurrences":
        if stats.tf.min(initial=0) < 0:
            raise StatsError("these statistics hold negative weights, not occurrences of terms")
        # In documents that are all empty no term occurs; any total says so, and divides.
        class_total, total = stats.class_tokens, float(stats.term_tf.sum()) or 1.0
    else:
        raise ValueError(f"unit is 'documents' or 'occurrences', not {unit!r}")
    return class_total[:, None].astype(np.float64), total


def _remainder(whole: Floats, part: Floats) -> Floats:
    rest: Floats = whole - part
    rest[rest <= whole * ROUNDING] = 0
    return rest


def _or_one(whole: Floats) -> Floats:
    """Make a divisor: where the whole is zero, so is every part of it, and 0 / 1 = 0 / 0 := 0."""
    return np.where(whole == 0, 1.0, whole)
