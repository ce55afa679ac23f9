"""TermSelector: keep the terms that a score ranks highest."""

from __future__ import annotations

from termfold._arrays import Floats
from termfold.scores import PolicyName, ScoreLike, resolve, score_terms
from termfold.select.base import StatsSelector
from termfold.stats import TermStats


class TermSelector(StatsSelector):
    """Keep the terms that a score ranks highest.

    At most one of ``k``, ``percentile``, ``threshold`` and ``energy`` says how many; without any,
    the best min(1000, M) are kept.

    Parameters
    ----------
    score : str, callable or Score
        A name from ``termfold.scores.SCORE_NAMES``, or a function of a ``Contingency`` that
        returns a K × m array. Parameters of a score are set with ``functools.partial``.
    policy : {"max", "sum", "mean", "round_robin", "joint"}
        How a term's scores for the classes become one; see ``score_terms``.
    k : int, optional
        Keep the best k; all, where there are fewer.
    percentile : float, optional
        Keep so many per cent of the terms, in (0, 100].
    threshold : float, optional
        Keep the terms that score at least so much.
    energy : float, optional
        Keep the fewest best terms whose scores sum to at least this share of the sum of all;
        negative scores count as zero.

    Attributes
    ----------
    stats_ : TermStats
        The sums everything is computed from.
    scores_ : ndarray of shape (M,)
    ranking_ : ndarray of shape (M,)
        Columns from the best to the worst; equal scores in the order of the columns, which is
        that of the terms themselves where these are sorted.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Names of the columns, where X had such.

    See Also
    --------
    OCFS : selects by the centroids of the classes; takes any real X.

    Notes
    -----
    Documents with several labels are scored one class against the rest. ``"chi2"`` is the
    statistic of the 2×2 table, not what scikit-learn's ``chi2`` computes.

    Examples
    --------
    >>> X = [[1, 0, 2], [1, 1, 0], [0, 1, 1], [0, 1, 0]]
    >>> y = ["x", "x", "y", "y"]
    >>> selector = TermSelector("chi2", k=1).fit(X, y)
    >>> selector.transform(X).ravel()
    array([1, 1, 0, 0])

    Statistics suffice, without the documents:

    >>> stats = TermStats.from_matrix(X, y, terms=["a", "b", "c"])
    >>> TermSelector("ig", "joint", k=2).fit_stats(stats).get_feature_names_out()
    array(['a', 'b'], dtype=object)
    """

    _counts = True

    def __init__(
        self,
        score: ScoreLike = "chi2",
        policy: PolicyName = "max",
        *,
        k: int | None = None,
        percentile: float | None = None,
        threshold: float | None = None,
        energy: float | None = None,
    ) -> None:
        self.score = score
        self.policy = policy
        self.k = k
        self.percentile = percentile
        self.threshold = threshold
        self.energy = energy

    def _check_parameters(self) -> None:
        super()._check_parameters()
        resolve(self.score)
        self._check_policy(self.policy)

    def _score(self, stats: TermStats) -> Floats:
        return score_terms(stats, self.score, self.policy)
