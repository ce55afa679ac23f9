"""OCFS: keep the terms along which the centroids of the classes lie farthest apart."""

from __future__ import annotations

from typing import get_args

import numpy as np

from termfold._arrays import Floats
from termfold._estimator import check_choice, check_count
from termfold.scores import (
    ClassWeight,
    PolicyName,
    ScoreLike,
    ocfs_scores,
    rank,
    resolve,
    score_terms,
)
from termfold.select.base import StatsSelector
from termfold.stats import TermStats


class OCFS(StatsSelector):
    r"""Orthogonal centroid feature selection, optionally as the first of two stages.

    At most one of ``k``, ``percentile``, ``threshold`` and ``energy`` says how many terms to keep;
    without any, the best min(1000, M) are kept. The paper takes ``energy=0.8``.

    Parameters
    ----------
    k : int, optional
        Keep the best k; all, where there are fewer.
    percentile : float, optional
        Keep so many per cent of the terms, in (0, 100].
    threshold : float, optional
        Keep the terms that score at least so much.
    energy : float, optional
        Keep the fewest best terms whose scores sum to at least this share of the sum of all.
    class_weight : {"size", "uniform", "sqrt"}
        Weight of a class: its share of the documents, as published; or, for unbalanced data, the
        same for all, or in proportion to the root of its size.
    candidates : int, optional
        In two stages: how many terms OCFS keeps for ``then`` to choose from.
    then : str, callable or Score, optional
        In two stages: the score that ranks the candidates, as in ``TermSelector``. It sees where
        terms occur, so it needs a matrix whose zeros are absent terms.
    policy : {"max", "sum", "mean", "round_robin", "joint"}
        How the classes' scores of ``then`` become one.

    Attributes
    ----------
    stats_ : TermStats
        The sums everything is computed from.
    scores_ : ndarray of shape (M,)
        The scores that decide. In two stages those of ``then``, −∞ for terms that are no
        candidates.
    ranking_ : ndarray of shape (M,)
        Columns from the best to the worst; equal scores in the order of the columns.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Names of the columns, where X had such.

    See Also
    --------
    TermSelector : selects by scores of the 2×2 tables.

    Notes
    -----
    With the centroid :math:`m_k` of class k and the mean :math:`m` of all documents, a term scores

    .. math:: \sum_k \frac{n_k}{N} (m_k[t] - m[t])^2

    Keeping the p best maximises :math:`\operatorname{trace}(W^T S_b W)` exactly, over all
    matrices W that select p terms; :math:`S_b` is the scatter between the classes. Scale matters:
    normalise the rows of X, or long documents decide.

    The paper's worked example errs. For the Iris data its formula gives 0.4214, 0.0756, 2.9140 and
    0.5361, so the best two features are the third and the *fourth*, not "the third and the first".

    References
    ----------
    Yan, J., Liu, N., Zhang, B., Yan, S., Chen, Z., Cheng, Q., Fan, W. and Ma, W.-Y. (2005). OCFS:
    optimal orthogonal centroid feature selection for text categorization. SIGIR.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = OCFS(k=2).fit(X, y)
    >>> selector.scores_.round(4)
    array([0.4214, 0.0756, 2.914 , 0.5361])
    >>> selector.get_support(indices=True)
    array([2, 3])
    """

    def __init__(
        self,
        k: int | None = None,
        *,
        percentile: float | None = None,
        threshold: float | None = None,
        energy: float | None = None,
        class_weight: ClassWeight = "size",
        candidates: int | None = None,
        then: ScoreLike | None = None,
        policy: PolicyName = "max",
    ) -> None:
        self.k = k
        self.percentile = percentile
        self.threshold = threshold
        self.energy = energy
        self.class_weight = class_weight
        self.candidates = candidates
        self.then = then
        self.policy = policy

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("class_weight", self.class_weight, get_args(ClassWeight))
        check_count("candidates", self.candidates)
        if (self.candidates is None) != (self.then is None):
            raise ValueError("two stages need both: candidates, how many OCFS keeps, and then")
        if self.then is not None:
            resolve(self.then)
            self._check_policy(self.policy)

    def _score(self, stats: TermStats) -> Floats:
        scores = ocfs_scores(stats, self.class_weight)
        if self.then is None:
            return scores
        # All terms are scored, so that a candidate's score does not depend on the other ones.
        chosen = rank(scores)[: self.candidates]
        second = np.full(stats.n_terms, -np.inf)
        second[chosen] = score_terms(stats, self.then, self.policy)[chosen]
        return second
