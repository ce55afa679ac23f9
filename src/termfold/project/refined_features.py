"""What ``RefinedProjection`` makes of documents once it has weights."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy.special import expit, softmax
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from termfold._arrays import Array
from termfold.project.base import counts_of
from termfold.project.refined_input import InputWeight, Weighting


class RefinedFeatures:
    """Features, labels and probabilities from weights."""

    input_weight: InputWeight
    norm: Literal["l2"] | None
    probability: bool
    classes_: Array
    multilabel_: bool
    weights_: Array
    intercept_: Array
    idf_: Array
    temperature_: float
    sigmoids_: tuple[Array, Array]

    def transform(self, X: Any) -> Array:
        """Project documents: how far each lies on the side of each class.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)

        Returns
        -------
        ndarray of shape (n_docs, K), float32
            For two classes one column, positive for the second.
        """
        check_is_fitted(self)
        counts = counts_of(validate_data(self, X, accept_sparse="csr", reset=False))
        margins: Array = self._weighting()(counts) @ self.weights_ + self.intercept_
        return margins

    def decision_function(self, X: Any) -> Array:
        """Values of ``transform``, without the second dimension where there is one column.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)

        Returns
        -------
        ndarray of shape (n_docs, K) or (n_docs,)
        """
        margins = self.transform(X)
        return margins[:, 0] if margins.shape[1] == 1 else margins

    def predict(self, X: Any) -> Array:
        """Choose the class with the largest feature, or all with a positive one.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)

        Returns
        -------
        ndarray of shape (n_docs,)
            Or, where documents may have several labels, an indicator matrix.
        """
        margins = self.transform(X)
        if self.multilabel_:
            return (margins > 0).astype(np.int64)
        if margins.shape[1] == 1:
            margins = two_sided(margins)
        predicted: Array = self.classes_[margins.argmax(axis=1)]
        return predicted

    @available_if(lambda self: self.probability)
    def predict_proba(self, X: Any) -> Array:
        """Probability of each class, calibrated.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)

        Returns
        -------
        ndarray of shape (n_docs, K)
        """
        margins = self.transform(X).astype(np.float64)
        if self.multilabel_:
            slopes, offsets = self.sigmoids_
            return np.asarray(expit(margins * slopes + offsets))
        if margins.shape[1] == 1:
            margins = two_sided(margins)
        return np.asarray(softmax(self.temperature_ * margins, axis=1))

    @property
    def coef_(self) -> Array:
        """The weights as scikit-learn's linear classifiers have them, classes in rows."""
        return self.weights_.T

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the features: those of the classes, of two the second.

        Parameters
        ----------
        input_features : ignored
            For scikit-learn's sake.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self)
        return np.asarray([str(name) for name in self._classes_with_column()], dtype=object)

    def _weighting(self) -> Weighting:
        return Weighting(self.input_weight, self.idf_, self.norm == "l2")

    def _classes_with_column(self) -> Array:
        """The classes that have a column of weights: of two exclusive ones, the second."""
        one_suffices = len(self.classes_) == 2 and not self.multilabel_
        return self.classes_[1:] if one_suffices else self.classes_


def two_sided(margins: Array) -> Array:
    """Margins of two classes from the column of the second."""
    return np.concatenate([-margins, margins], axis=1)
