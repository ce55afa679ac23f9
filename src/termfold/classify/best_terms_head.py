"""What decides for one class among the documents that best terms keep: a binary classifier."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import scipy.sparse as sp
from scipy.special import expit, logit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.svm import LinearSVC
from sklearn.utils.validation import check_is_fitted

from termfold._arrays import Array, Floats, Ints

HeadName: TypeAlias = Literal["naive_bayes", "svm"]

# C by held-out thirds of the training documents of Reuters-21578 and 20 Newsgroups: 0.1 was better
# than 1 on both. Features are 0 or 1, not of unit length.
SVM_C = 0.1


class PresenceBayes(ClassifierMixin, BaseEstimator):
    r"""Bernoulli naive Bayes of two classes, folded into a linear rule.

    It decides as scikit-learn's ``BernoulliNB`` does, whose checks take ten times as long as the
    sums where a class keeps a hundred documents. There are none here: X must be a CSR matrix of
    ones, y of zeros and ones with both present.

    Parameters
    ----------
    alpha : float
        Added to the documents with and without each term.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    classes_ : ndarray
        Always 0 and 1.

    Notes
    -----
    With :math:`q_{tc} = (N_{tc} + \alpha) / (N_c + 2 \alpha)`, the share of the documents of
    class c that hold term t, the log odds of a document x are linear in x:

    .. math::

        \log \frac{N_1}{N_0} + \sum_t \log \frac{1 - q_{t1}}{1 - q_{t0}}
        + \sum_t x_t \left( \log \frac{q_{t1}}{1 - q_{t1}} - \log \frac{q_{t0}}{1 - q_{t0}} \right)

    References
    ----------
    McCallum, A. and Nigam, K. (1998). A comparison of event models for naive Bayes text
    classification. AAAI workshop on learning for text categorization.

    Examples
    --------
    >>> X = sp.csr_matrix([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> PresenceBayes().fit(X, np.array([1, 1, 0])).decision_function(X).round(3)
    array([ 1.91 ,  1.216, -0.575])
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, X: sp.csr_matrix, y: Ints) -> PresenceBayes:
        """Count the documents of both classes that hold each term."""
        n_features = X.shape[1]
        inside = np.repeat(y, np.diff(X.indptr)).astype(np.bool_)
        present = np.bincount(X.indices, minlength=n_features)
        present_inside = np.bincount(X.indices[inside], minlength=n_features)
        n_inside = int(np.count_nonzero(y))
        logits, absent = zip(
            self._logits(present_inside, n_inside),
            self._logits(present - present_inside, len(y) - n_inside),
            strict=True,
        )
        self.classes_ = np.array([0, 1])
        self.coef_: Floats = logits[0] - logits[1]
        prior = np.log(n_inside / (len(y) - n_inside))
        self.intercept_ = float(prior + np.sum(absent[0] - absent[1]))
        return self

    def _logits(self, present: Ints, n_docs: int) -> tuple[Floats, Floats]:
        """The logit of each term's share of a class's documents, and log(1 − share)."""
        with_term = present + self.alpha
        without_term = n_docs - present + self.alpha
        total = n_docs + 2 * self.alpha
        return np.log(with_term / without_term), np.log(without_term / total)

    def decision_function(self, X: sp.csr_matrix) -> Floats:
        """Log odds of class 1."""
        check_is_fitted(self)
        odds: Floats = X @ self.coef_ + self.intercept_
        return odds

    def predict_proba(self, X: sp.csr_matrix) -> Floats:
        """Probabilities of the classes 0 and 1."""
        odds = self.decision_function(X)
        return np.column_stack([expit(-odds), expit(odds)])

    def predict(self, X: sp.csr_matrix) -> Array:
        """1 where the log odds are positive, else 0."""
        return (self.decision_function(X) > 0).astype(np.int64)


def new_head(head: Any) -> Any:
    """Make an unfitted binary classifier: a named one, or a copy of the one given."""
    if not isinstance(head, str):
        return clone(head)
    if head == "naive_bayes":
        return PresenceBayes()
    if head == "svm":
        return LinearSVC(C=SVM_C, random_state=0)
    raise ValueError(
        f"unknown head {head!r}; allowed: {', '.join(get_args(HeadName))}, or a binary classifier"
    )


def margins(head: Any, X: sp.csr_matrix) -> Floats:
    """How sure a fitted binary classifier is of class 1: positive for yes, and finite.

    The classifier's ``decision_function``; for one without, its log odds.
    """
    if hasattr(head, "decision_function"):
        margin: Floats = np.asarray(head.decision_function(X), np.float64)
        return margin
    if hasattr(head, "predict_joint_log_proba"):  # naive Bayes: no rounding to 0 and 1
        joint = head.predict_joint_log_proba(X)
        return np.asarray(joint[:, 1] - joint[:, 0])
    tiny = np.finfo(np.float64).eps
    return np.asarray(logit(np.clip(head.predict_proba(X)[:, 1], tiny, 1 - tiny)))
