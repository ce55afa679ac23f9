"""How many terms to keep: four ways to say it, of which a selector takes one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from termfold._arrays import Floats, Ints
from termfold._estimator import check_count

DEFAULT_K = 1000


@dataclass(frozen=True)
class Extent:
    """How much of a ranking to keep.

    At most one of the four is given; without any, the best min(1000, M).

    Parameters
    ----------
    k : int, optional
        The best k; all, where there are fewer.
    percentile : float, optional
        The best so many per cent of the terms, in (0, 100], rounded, at least one.
    threshold : float, optional
        Those that score at least so much.
    energy : float, optional
        The fewest best whose scores sum to at least this share, in (0, 1], of the sum of all.
        Negative scores count as zero.

    Examples
    --------
    >>> scores = np.array([1.0, 6.0, 2.0, 1.0])
    >>> Extent(energy=0.8).count(scores, np.array([1, 2, 0, 3]))
    2
    """

    k: int | None = None
    percentile: float | None = None
    threshold: float | None = None
    energy: float | None = None

    def check(self) -> None:
        """Raise an error if more than one is given, or one out of its range."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        if len(given) > 1:
            raise ValueError(
                f"give one of k, percentile, threshold and energy, not {' and '.join(given)}"
            )
        check_count("k", self.k)
        if self.percentile is not None and not 0 < self.percentile <= 100:
            raise ValueError(f"percentile must be in (0, 100], not {self.percentile!r}")
        if self.threshold is not None and not np.isfinite(self.threshold):
            raise ValueError(f"threshold must be a finite number, not {self.threshold!r}")
        if self.energy is not None and not 0 < self.energy <= 1:
            raise ValueError(f"energy must be in (0, 1], not {self.energy!r}")

    @property
    def needs_sizes(self) -> bool:
        """Do the scores matter, and not only their order?"""
        return self.threshold is not None or self.energy is not None

    def count(self, scores: Floats, ranking: Ints) -> int:
        """How many of the best to keep; never one whose score is −∞."""
        possible = int(np.count_nonzero(scores > -np.inf))
        if self.threshold is not None:
            return int(np.count_nonzero(scores >= self.threshold))
        if self.energy is not None:
            return _count_by_energy(scores[ranking], self.energy)
        if self.percentile is not None:
            return min(possible, max(1, round(len(scores) * self.percentile / 100)))
        return min(possible, DEFAULT_K if self.k is None else int(self.k))


def _count_by_energy(descending: Floats, share: float) -> int:
    sums = np.cumsum(np.maximum(descending, 0))
    if len(sums) == 0:
        return 0
    return int(np.searchsorted(sums, share * sums[-1])) + 1
