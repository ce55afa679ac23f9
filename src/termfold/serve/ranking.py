"""The terms of a file in the order of a score: of each class, and of all classes together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from termfold._arrays import Array, Ints
from termfold.classify.model import TermModel
from termfold.scores import SCORES, Contingency, ScoreName, rank
from termfold.stats import TermStats

#: What the terms of a model are ranked by: what an occurrence adds to a class's lead.
LEAD = "lead"
# So many of the best terms of a class can be asked for.
DEPTH = 500
_ROWS = 4096
# Sorted together; more would take more memory than the counts themselves.
_AT_A_TIME = 2_000_000


@dataclass(frozen=True, eq=False)
class Ranking:
    """The best terms.

    Parameters
    ----------
    ids, values : list of ndarray
        Of each class up to ``DEPTH`` terms that speak for it, and their scores, the best first.
    place : ndarray of shape (M,)
        The place of each term, from 0, when it has the score of the class that it is best for.
    """

    ids: list[Ints]
    values: list[Array]
    place: Ints

    def best(self, k: int, n: int, features: int | None = None) -> tuple[Ints, Array]:
        """The best terms of a class, of those that are among so many features of all classes."""
        ids, values = self.ids[k], self.values[k]
        if features is not None:
            kept = self.place[ids] < features
            ids, values = ids[kept], values[kept]
        return ids[:n], values[:n]


class _Best:
    """The best terms seen so far; terms come in blocks, by ascending ids."""

    def __init__(self, n_classes: int, n_terms: int) -> None:
        self._n_classes = n_classes
        self._largest = np.empty(n_terms)
        self._parts: list[tuple[Ints, Ints, Array]] = []
        self._size = 0

    def add(self, start: int, scores: Array, positive: Array) -> None:
        """Take a block of scores, K × m, and which of them speak for the class."""
        self._largest[start : start + scores.shape[1]] = scores.max(axis=0)
        classes, terms = np.nonzero(positive)
        self._parts.append((classes, terms + start, scores[classes, terms]))
        self._size += len(classes)
        if self._size > _AT_A_TIME:
            self._leave_out()

    def _leave_out(self) -> None:
        """Keep the best of each class, in their order."""
        classes, ids, values = map(np.concatenate, zip(*self._parts, strict=True))
        order = np.lexsort((ids, -values, classes))
        firsts = np.searchsorted(classes[order], np.arange(self._n_classes))
        kept = order[np.arange(len(order)) - firsts[classes[order]] < DEPTH]
        self._parts = [(classes[kept], ids[kept], values[kept])]
        self._size = len(kept)

    def ranking(self) -> Ranking:
        """The ranking of all terms that were added."""
        self._leave_out()
        [(classes, ids, values)] = self._parts
        cuts = np.searchsorted(classes, np.arange(1, self._n_classes))
        place = np.empty(len(self._largest), np.int64)
        place[rank(self._largest)] = np.arange(len(place))
        return Ranking(np.split(ids, cuts), np.split(values, cuts), place)


def rank_counts(stats: TermStats, score: ScoreName, min_df: int = 1) -> Ranking:
    """Rank the terms of counts; those in fewer than ``min_df`` documents come last.

    A term speaks for a class if it is more frequent there than elsewhere. Memory does not grow
    with classes × terms.

    Examples
    --------
    >>> X, y = [[1, 0, 1], [1, 0, 0], [0, 1, 1]], ["x", "x", "y"]
    >>> ranking = rank_counts(TermStats.from_matrix(X, y), "chi2")
    >>> ranking.best(0, 5), ranking.place.tolist()
    ((array([0]), array([3.])), [0, 1, 2])
    """
    found = SCORES[score]
    best = _Best(stats.n_classes, stats.n_terms)
    for block, table in Contingency.blocks(stats, found.unit):
        frequent = stats.term_df[block] >= min_df
        documents = table
        if found.unit != "documents":
            documents = Contingency.from_stats(stats, block.start, block.stop)
        scores = np.where(frequent, np.asarray(found.function(table), np.float64), -np.inf)
        best.add(block.start, scores, (documents.determinant > 0) & frequent)
    return best.ranking()


def rank_weights(model: TermModel) -> Ranking:
    """Rank the terms of a model by what an occurrence adds to the lead of a class.

    That is idf · (w[k] − mean of w over the other classes), as ``explain_class`` has it.
    """
    best = _Best(model.n_classes, len(model.terms))
    for start in range(0, len(model.terms), _ROWS):
        rows = slice(start, start + _ROWS)
        best.add(start, lead := model.leads(rows).T, lead > 0)
    return best.ranking()
