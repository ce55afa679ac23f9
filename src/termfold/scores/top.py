"""The terms that make a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from termfold._arrays import Array
from termfold.scores.policies import rank
from termfold.scores.registry import ScoreLike
from termfold.scores.scoring import score_classes
from termfold.stats import TermStats


@dataclass(frozen=True)
class TopTerm:
    """A term among the best of a class, and why."""

    class_name: Any
    rank: int
    term: str
    score: float
    class_docs: int | float
    docs: int | float

    @property
    def share(self) -> float:
        """P(k|t): of the documents with the term, the share that is of the class."""
        return float(self.class_docs / self.docs)


def top_terms(
    stats: TermStats,
    score: ScoreLike = "chi2",
    n: int = 10,
    *,
    classes: list[Any] | None = None,
    absent: bool = False,
) -> list[TopTerm]:
    """Rank the terms of each class by a score.

    Parameters
    ----------
    stats : TermStats
    score : str, callable or Score, default="chi2"
    n : int, default=10
        So many terms of each class.
    classes : list, optional
        Only these classes, in this order.
    absent : bool, default=False
        Rank terms by whose absence a class is known, too. Scores such as χ² do not tell these
        from the others; without this, terms less frequent in a class than elsewhere are left out.

    Examples
    --------
    >>> stats = TermStats.from_matrix(
    ...     [[1, 0, 1], [1, 0, 0], [0, 1, 1]], ["x", "x", "y"], terms=["a", "b", "c"])
    >>> [(row.class_name, row.term, row.score) for row in top_terms(stats, n=1)]
    [('x', 'a', 3.0), ('y', 'b', 3.0)]
    """
    wanted = stats.classes.tolist() if classes is None else classes
    unknown = [name for name in wanted if name not in stats.classes.tolist()]
    if unknown:
        raise ValueError(f"no class {unknown[0]!r}; there are {stats.classes.tolist()}")
    scores = score_classes(stats, score)
    positions = [int(np.flatnonzero(stats.classes == name)[0]) for name in wanted]
    return [row for k in positions for row in _best_of_class(stats, scores[k], k, n, absent)]


def _best_of_class(stats: TermStats, scores: Array, k: int, n: int, absent: bool) -> list[TopTerm]:
    df = np.zeros(stats.n_terms, stats.df.dtype)
    entries = np.flatnonzero(stats.class_of == k)
    df[np.searchsorted(stats.indptr, entries, side="right") - 1] = stats.df[entries]
    if not absent:
        # P(t|k) > P(t|¬k) is the same as P(k|t) > P(k)
        positive = df * stats.n_docs > stats.term_df * stats.class_docs[k]
        scores = np.where(positive, scores, -np.inf)
    best = [t for t in rank(scores)[:n] if scores[t] > -np.inf]
    return [
        TopTerm(
            stats.classes[k].item(),
            place,
            stats.term_name(int(t)),
            float(scores[t]),
            df[t].item(),
            stats.term_df[t].item(),
        )
        for place, t in enumerate(best, 1)
    ]
