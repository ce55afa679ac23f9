"""Is a difference more than chance? Tests over documents, over splits and over collections."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

LEVEL = 0.05
_RESAMPLES = 2_000


@dataclass(frozen=True)
class Difference:
    """A difference of two methods, its 95 % interval, and the probability that it is chance.

    Parameters
    ----------
    value, low, high : float
    p : float
        Of a difference at least as large, of either sign, if there is none in truth.
    """

    value: float
    low: float
    high: float
    p: float

    def corrected(self, p: float) -> Difference:
        """The same with a p that was corrected for being one of many."""
        return Difference(self.value, self.low, self.high, p)

    @property
    def clear(self) -> bool:
        """Whether it is unlikely to be chance."""
        return self.p < LEVEL

    @property
    def sign(self) -> int:
        """1 if clearly above zero, −1 if clearly below, else 0."""
        return int(np.sign(self.value)) if self.clear else 0

    def __str__(self) -> str:
        """In points: hundredths of one."""
        low, high = (f"{100 * end:+.1f}" for end in (self.low, self.high))
        return f"{100 * self.value:+.1f} ({low} to {high}; {show_p(self.p)})"


def show_p(p: float) -> str:
    """A probability as it stands in texts.

    Examples
    --------
    >>> show_p(0.00001), show_p(0.0321), show_p(0.4)
    ('p < 0.001', 'p = 0.032', 'p = 0.40')
    """
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def over_documents(first: Any, second: Any, seed: int = 0) -> Difference:
    """Difference in micro-F1 of two methods on the same documents, by the bootstrap.

    Parameters
    ----------
    first, second : array of shape (n,) or (n, 3)
        Of each document whether its one label was right; or its labels rightly given, wrongly
        given and missed.
    seed : int

    Notes
    -----
    Documents with the same outcome are alike, so it is the numbers of each outcome that are drawn
    again, from the multinomial distribution: the same as drawing documents, and much faster. The
    interval is that of the quantiles; p takes the standard deviation, and the difference as normal,
    for a count of draws beyond zero could not be smaller than one draw.

    Examples
    --------
    >>> over_documents([1] * 90 + [0] * 10, [1] * 60 + [0] * 40).value
    0.3
    """
    outcomes, times = np.unique(
        np.hstack([_counts(first), _counts(second)]), axis=0, return_counts=True
    )
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(times.sum(), times / times.sum(), size=_RESAMPLES)
    differences = _gain(drawn @ outcomes)
    low, high = np.quantile(differences, [0.025, 0.975])
    value = round(float(_gain((times @ outcomes)[None])[0]), 12)
    return Difference(value, float(low), float(high), _two_sided(value, float(differences.std())))


def _two_sided(value: float, error: float) -> float:
    """Probability of a normal value so far from zero."""
    if error == 0:
        return 1.0 if value == 0 else 0.0
    return float(2 * stats.norm.sf(abs(value) / error))


def _counts(outcome: Any) -> NDArray[np.int64]:
    array = np.asarray(outcome, np.int64)
    return array if array.ndim == 2 else np.column_stack([array, 1 - array, 1 - array])


def _gain(sums: NDArray[Any]) -> NDArray[np.float64]:
    right, wrong, missed = sums[:, :3].T
    right2, wrong2, missed2 = sums[:, 3:].T
    first = 2 * right / np.maximum(2 * right + wrong + missed, 1)
    second = 2 * right2 / np.maximum(2 * right2 + wrong2 + missed2, 1)
    result: NDArray[np.float64] = first - second
    return result


def over_splits(differences: Sequence[float], test_share: float) -> Difference:
    """Mean difference over random splits of one collection, by the corrected resampled t-test.

    Random splits share documents, so their differences are not independent; the variance of the
    mean is taken as larger by test / training documents (Nadeau and Bengio 2003).

    Parameters
    ----------
    differences : sequence of float
    test_share : float
        Share of the documents that is tested.
    """
    d = np.asarray(differences, float)
    n = len(d)
    mean = float(d.mean())
    error = math.sqrt((1 / n + test_share / (1 - test_share)) * float(d.var(ddof=1)))
    if error == 0:
        return Difference(mean, mean, mean, 1.0 if mean == 0 else 0.0)
    half = float(stats.t.ppf(0.975, n - 1)) * error
    p = float(2 * stats.t.sf(abs(mean) / error, n - 1))
    return Difference(mean, mean - half, mean + half, p)


def over_collections(differences: Sequence[float]) -> Difference:
    """Median difference over collections, with the least and the most; Wilcoxon's signed ranks."""
    d = np.asarray(differences, float)
    p = float(stats.wilcoxon(d).pvalue) if np.any(d) else 1.0
    return Difference(float(np.median(d)), float(d.min()), float(d.max()), p)


def holm(differences: Sequence[Difference]) -> list[Difference]:
    """Correct for testing many at once (Holm 1979).

    Examples
    --------
    >>> [d.p for d in holm([Difference(0, 0, 0, p) for p in (0.01, 0.04, 0.03)])]
    [0.03, 0.06, 0.06]
    """
    order = np.argsort([d.p for d in differences], kind="stable")
    corrected = np.zeros(len(differences))
    worst = 0.0
    for place, index in enumerate(order):
        worst = max(worst, min(1.0, (len(differences) - place) * differences[index].p))
        corrected[index] = worst
    return [d.corrected(float(p)) for d, p in zip(differences, corrected, strict=True)]


def critical_difference(n_methods: int, n_collections: int, level: float = LEVEL) -> float:
    """Nemenyi's: mean ranks that differ by less are not told apart (Demšar 2006).

    Examples
    --------
    >>> round(critical_difference(5, 14), 2)
    1.63
    """
    q = float(stats.studentized_range.ppf(1 - level, n_methods, np.inf)) / math.sqrt(2)
    return q * math.sqrt(n_methods * (n_methods + 1) / (6 * n_collections))


def mean_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean rank of each column, 1 the best; equal scores share their ranks.

    Parameters
    ----------
    scores : ndarray of shape (n_collections, n_methods)

    Examples
    --------
    >>> mean_ranks(np.array([[0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])).tolist()
    [1.0, 2.25, 2.75]
    """
    ranks: NDArray[np.float64] = stats.rankdata(-scores, axis=1).mean(axis=0)
    return ranks


def friedman(scores: NDArray[np.float64]) -> float:
    """Probability that all methods are alike, by Friedman's test on ranks."""
    return float(stats.friedmanchisquare(*scores.T).pvalue)
