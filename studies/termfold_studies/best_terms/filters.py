"""The filter: the best terms of the vocabulary by a score, and naive Bayes or a linear SVM."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.multiclass import OneVsRestClassifier

from termfold import TermStats
from termfold.scores import SCORES, rank, score_classes, score_terms
from termfold_studies.common.learners import linear_svm

SVM_C = 0.1  # as in BestTermsClassifier


def scores_of(stats: TermStats, score: str, policy: str) -> Any:
    """One order of the terms for all classes, or one for each: arrays of ranks of columns."""
    name, _, damping = score.partition(", d = ")
    function: Any = name
    if damping:
        relevancy: Any = SCORES["rs"].function
        function = partial(relevancy, damping=float(damping))
    if policy == "local":
        return rank(score_classes(stats, function))
    return rank(score_terms(stats, function, "max"))


class PresenceBayes:
    """Bernoulli naive Bayes of every class against the rest, for any choice of terms at once.

    The log odds are a sum over the terms chosen, so the weights are computed once and a choice
    of terms only masks them. Decides as scikit-learn's ``BernoulliNB`` for each class.

    Parameters
    ----------
    X : sparse matrix of presence
    Y : indicator matrix
    """

    def __init__(self, X: Any, Y: NDArray[Any]) -> None:
        docs = Y.sum(axis=0).astype(float)
        joint = np.asarray(X.T @ Y.astype(float))
        term = np.asarray(X.sum(axis=0)).reshape(-1, 1)
        others = len(Y) - docs
        inside = (joint + 1) / (docs + 2)
        outside = (term - joint + 1) / (others + 2)
        self._absent = np.log1p(-inside) - np.log1p(-outside)
        self._weights = np.log(inside) - np.log(outside) - self._absent
        self._prior = np.log(docs) - np.log(others)

    def predict(self, X: Any, ranking: NDArray[Any], size: int) -> NDArray[np.bool_]:
        """Labels by the first terms of a ranking: of shape (M,), or (K, M) for one each class."""
        if ranking.ndim == 1:
            kept = ranking[:size]
            weights, absent = self._weights[kept], self._absent[kept].sum(axis=0)
            margins = X[:, kept] @ weights
        else:
            mask = np.zeros(self._weights.shape, bool)
            np.put_along_axis(mask, ranking[:, :size].T, True, axis=0)
            margins = X @ (self._weights * mask)
            absent = (self._absent * mask).sum(axis=0)
        chosen: NDArray[np.bool_] = np.asarray(margins) + absent + self._prior > 0
        return chosen


def svm_predict(X: Any, Y: NDArray[Any], X_test: Any) -> NDArray[np.bool_]:
    """Labels by a linear SVM of each class against the rest."""
    model = OneVsRestClassifier(linear_svm(SVM_C)).fit(X, Y)
    return np.asarray(model.predict(X_test)).astype(bool)
