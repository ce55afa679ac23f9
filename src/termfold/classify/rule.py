"""RuleClassifier: the largest of the class-named features wins."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logsumexp, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from termfold._arrays import Array, Floats
from termfold._estimator import check_choice, check_two_classes
from termfold.classify.decide import best_threshold
from termfold.stats import Labels

Calibration: TypeAlias = Literal["class", "temperature"]

# Slopes are of features scaled to a standard deviation of one, which 1 ± a few fits well; the
# penalty binds only where features never err, and no slope would be large enough.
_PENALTY = 1e-3


class RuleClassifier(ClassifierMixin, BaseEstimator):
    r"""Read class-named features: the class with the largest calibrated feature wins.

    No weights of terms are learnt here, only how to compare the features: one slope and one
    offset a class, or one factor for all. Together with a projection this is a complete
    classifier: ``make_pipeline(FEDIP(), RuleClassifier())``, whose ``fit`` hands over
    the leave-one-out features that ``FEDIP.fit_transform`` returns. Fitted on features that have
    seen their own labels, the calibration would trust them too much.

    Parameters
    ----------
    calibration : {"class", "temperature"}
        A slope and an offset for each class; or one factor for all, which leaves the decisions
        with the largest feature itself, as published. Documents with several labels have
        always a slope and a threshold for each class.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        For an indicator matrix the numbers of its columns.
    slopes_, offsets_ : ndarray of shape (K,)
        The score of class k is ``slopes_[k] * feature + offsets_[k]``.
    multilabel_ : bool
    n_features_in_ : int

    Notes
    -----
    Columns of X are the features of the classes in sorted order, R / K for each, which are
    summed. With one label a document,

    .. math:: P(k|i) = \frac{e^{a_k y_{ik} + b_k}}{\sum_l e^{a_l y_{il} + b_l}}

    where a and b minimise the mean log loss, a convex problem of 2 K numbers; for
    ``"temperature"``, a is one number and b zero. Offsets matter more the less the features of
    classes are on one scale: those of rare classes tend to be larger.

    With several labels, a class is given where its feature reaches the threshold with the best
    F1, and :math:`P(k|i)`, the sigmoid of the score, is one half there.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from termfold.project import FEDIP
    >>> X = [[2, 1, 0], [1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 3], [0, 0, 1]]
    >>> model = make_pipeline(FEDIP(), RuleClassifier())
    >>> model.fit(X, ["tea", "tea", "tea", "war", "war", "war"]).predict([[1, 0, 0], [0, 0, 1]])
    array(['tea', 'war'], dtype='<U3')
    """

    def __init__(self, calibration: Calibration = "class") -> None:
        self.calibration = calibration

    def fit(self, X: Any, y: Any) -> RuleClassifier:
        """Calibrate on features of documents that these were not computed from.

        Parameters
        ----------
        X : array of shape (n_docs, R)
            Features, R / K for each class in sorted order.
        y : labels of shape (n_docs,), or indicator matrix of shape (n_docs, K), dense or sparse

        Returns
        -------
        self
        """
        check_choice("calibration", self.calibration, get_args(Calibration))
        if y is None:
            raise ValueError("RuleClassifier requires y to be passed, but the target y is None")
        if _is_list_of_lists(y):  # scikit-learn's checks know no such labels
            X = validate_data(self, X, dtype=np.float64)
        else:
            X, y = validate_data(self, X, y, dtype=np.float64, multi_output=_is_indicator(y))
            check_classification_targets(y)
        labels = Labels.of_target(y)
        if len(labels) != len(X):
            raise ValueError(f"X has {len(X)} rows, but y has {len(labels)} labels")
        self.classes_ = labels.classes
        self.multilabel_ = not labels.single or _is_indicator(y)
        check_two_classes(self.classes_, "a rule needs")
        if X.shape[1] % len(self.classes_):
            raise ValueError(
                f"X has n_features={X.shape[1]}, which is no multiple of the number of classes, "
                f"{len(self.classes_)}; a rule needs as many features for each class, in the order "
                "of the classes, as FEDIP and TermProjection give"
            )
        features = self._sums(X)
        truth = labels.indicator().toarray()
        if self.multilabel_:
            self.slopes_, self.offsets_ = _fit_sigmoids(features, truth)
        else:
            self.slopes_, self.offsets_ = _fit_softmax(
                features, truth, own=self.calibration == "class"
            )
        return self

    def _sums(self, X: Floats) -> Floats:
        """The features of each class, summed."""
        sums: Floats = X.reshape(len(X), len(self.classes_), -1).sum(axis=2)
        return sums

    def _scores(self, X: Any) -> Floats:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scores: Floats = self._sums(X) * self.slopes_ + self.offsets_
        return scores

    def decision_function(self, X: Any) -> Floats:
        """Calibrated score of each class.

        Parameters
        ----------
        X : array of shape (n_docs, R)

        Returns
        -------
        ndarray of shape (n_docs, K), or (n_docs,), the second class's score less the first's,
        where a document has one of two classes
        """
        scores = self._scores(X)
        if len(self.classes_) == 2 and not self.multilabel_:
            difference: Floats = scores[:, 1] - scores[:, 0]
            return difference
        return scores

    def predict(self, X: Any) -> Array:
        """Name the class with the largest score, or all whose score is not negative.

        Parameters
        ----------
        X : array of shape (n_docs, R)

        Returns
        -------
        ndarray of shape (n_docs,), or an indicator matrix of shape (n_docs, K) where documents
        may have several labels
        """
        scores = self._scores(X)
        if self.multilabel_:
            return (scores >= 0).astype(np.int64)
        chosen: Array = self.classes_[scores.argmax(axis=1)]
        return chosen

    def predict_proba(self, X: Any) -> Floats:
        """Probability of each class; with several labels, of each by itself.

        Parameters
        ----------
        X : array of shape (n_docs, R)

        Returns
        -------
        ndarray of shape (n_docs, K)
        """
        scores = self._scores(X)
        probabilities: Floats = expit(scores) if self.multilabel_ else softmax(scores, axis=1)
        return probabilities

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


def _is_list_of_lists(y: Any) -> bool:
    return isinstance(y, list) and any(isinstance(labels, list | tuple | set) for labels in y)


def _is_indicator(y: Any) -> bool:
    return getattr(y, "ndim", 1) == 2 and y.shape[1] > 1


def _fit_softmax(features: Floats, truth: Floats, *, own: bool) -> tuple[Floats, Floats]:
    """Slopes and offsets of the least log loss; one slope for all, and no offsets, unless own."""
    n_docs, n_classes = features.shape
    unit = features.std() or 1.0
    scaled = features / unit
    start = np.concatenate([np.ones(n_classes), np.zeros(n_classes)]) if own else np.ones(1)
    spread = 1.0 if own else np.ones(n_classes)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        slopes, offsets = parameters[:n_classes] * spread, parameters[n_classes:]
        scores = scaled * slopes
        if own:
            scores += offsets
        normalizers = logsumexp(scores, axis=1)
        value = (normalizers.sum() - (scores * truth).sum()) / n_docs
        wrong = (np.exp(scores - normalizers[:, None]) - truth) / n_docs
        of_slopes = (wrong * scaled).sum(axis=0)
        gradient = np.concatenate([of_slopes, wrong.sum(axis=0)]) if own else of_slopes.sum()[None]
        distance = parameters - start
        return value + _PENALTY / 2 * distance @ distance, gradient + _PENALTY * distance

    # A slope below zero would turn the meaning of a feature round.
    bounds = [(0, None)] * (n_classes if own else 1) + [(None, None)] * (n_classes if own else 0)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    slopes = found[:n_classes] * spread / unit
    return slopes, found[n_classes:] if own else np.zeros(n_classes)


def _fit_sigmoids(features: Floats, truth: Floats) -> tuple[Floats, Floats]:
    """Slopes of the least log loss, with offsets that are zero at the threshold of the best F1.

    A class that no document has gets an offset of −∞: it is never given.
    """
    unit = features.std() or 1.0
    thresholds = np.array([best_threshold(f, t) for f, t in zip(features.T, truth.T, strict=True)])
    known = np.isfinite(thresholds)
    distances = np.where(known, features - np.where(known, thresholds, 0), 0) / unit

    def loss(slopes: Floats) -> tuple[float, Floats]:
        scores = distances * slopes
        value = (np.logaddexp(0, scores) - truth * scores).sum() / len(features)
        gradient = ((expit(scores) - truth) * distances).sum(axis=0) / len(features)
        deviation = slopes - 1
        return value + _PENALTY / 2 * deviation @ deviation, gradient + _PENALTY * deviation

    start = np.ones(len(thresholds))
    bounds = [(1e-3, None)] * len(start)
    slopes = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x / unit
    return slopes, np.where(known, -slopes * np.where(known, thresholds, 0), -np.inf)
