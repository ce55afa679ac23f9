"""What projections on class-named features share: reading X and y, statistics, names."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from termfold._arrays import Array, Floats
from termfold._estimator import (
    LabelledMatrixEstimator,
    check_choice,
    check_count,
    check_number,
    check_two_classes,
)
from termfold.stats import Labels, TermStats

# All that a projection is made of.
__all__ = [
    "CountProjection",
    "check_choice",
    "check_count",
    "check_number",
    "counts_of",
    "idf_of",
]


def counts_of(X: Any) -> sp.csr_array:
    """Documents as sparse rows without stored zeros; negative values are an error."""
    matrix = sp.csr_array(X)
    least = matrix.data.min(initial=1)
    if least < 0:
        raise ValueError(
            "Negative values in data passed to a projection that counts occurrences; "
            "OrthogonalCentroid and LDAQR take any real values."
        )
    if least == 0:
        matrix = matrix.copy()  # X may share its arrays with the caller's matrix
        matrix.eliminate_zeros()
    return matrix


def idf_of(stats: TermStats) -> Floats:
    """Inverse document frequency, smoothed as scikit-learn does: a term never seen has one too."""
    idf: Floats = np.log((1 + stats.n_docs) / (1 + stats.term_df)) + 1
    return idf


class CountProjection(TransformerMixin, LabelledMatrixEstimator, metaclass=ABCMeta):
    """Base of projections whose weights are functions of ``TermStats``.

    A subclass decides two things: the weights, in ``_weigh``, and how documents are projected.
    """

    classes_: Array
    stats_: TermStats
    n_features_in_: int
    _counts = True

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise an error for a parameter out of its range, before any work is done."""

    @abstractmethod
    def _weigh(self) -> None:
        """Compute from ``stats_`` what ``transform`` needs."""

    @abstractmethod
    def _project(self, X: sp.csr_array) -> Floats:
        """Features by the weights of all documents."""

    @abstractmethod
    def _project_without_self(self, X: sp.csr_array, labels: Labels) -> Floats:
        """Features of each document by the weights without it."""

    # -- fitting ------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> CountProjection:
        """Collect the statistics of documents and compute the weights.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
            Counts of terms, or other weights from zero up.
        y : labels of shape (n_docs,), or indicator matrix of shape (n_docs, K), dense or sparse

        Returns
        -------
        self
        """
        self._fit(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Floats:
        """Fit, and project each document as if it had not been among those fitted.

        The same as ``fit`` and then ``leave_one_out``, not as ``fit`` and then ``transform``:
        what a document taught the weights says nothing about other documents, so a classifier
        trained on it would trust the features too much. (scikit-learn's ``TargetEncoder`` fits
        and transforms in the same spirit, by folds.)

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
        y : labels of shape (n_docs,), or indicator matrix of shape (n_docs, K), dense or sparse

        Returns
        -------
        ndarray of shape (n_docs, R)
        """
        return self._project_without_self(*self._fit(X, y))

    def partial_fit(self, X: Any, y: Any) -> CountProjection:
        """Add a batch of documents; any batches give what ``fit`` of all gives.

        Weights are computed when they are first needed. A batch may hold one class only, as long
        as all together hold more.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
        y : labels of shape (n_docs,), or indicator matrix of shape (n_docs, K), dense or sparse

        Returns
        -------
        self
        """
        self._check_parameters()
        first = not hasattr(self, "stats_")
        matrix, labels = self._read(X, y, reset=first)
        batch = TermStats.from_matrix(matrix, labels)
        self.classes_ = labels.classes if first else np.union1d(self.classes_, labels.classes)
        self.stats_ = batch if first else self.stats_ + batch
        self._weighed = False
        return self

    def fit_stats(self, stats: TermStats) -> CountProjection:
        """Compute the weights from statistics that exist already, as those of a count file.

        Parameters
        ----------
        stats : TermStats

        Returns
        -------
        self
        """
        self._check_parameters()
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # of the columns of an earlier fit
        self.n_features_in_ = stats.n_terms
        self._adopt(stats, stats.classes)
        return self

    def _fit(self, X: Any, y: Any) -> tuple[sp.csr_array, Labels]:
        self._check_parameters()
        matrix, labels = self._read(X, y, reset=True)
        self._adopt(TermStats.from_matrix(matrix, labels), labels.classes)
        return matrix, labels

    def _adopt(self, stats: TermStats, classes: Array) -> None:
        self.stats_, self.classes_ = stats, classes
        self._weighed = False
        self._ready()

    def _ready(self) -> None:
        """Compute the weights, unless they are those of ``stats_`` already."""
        check_is_fitted(self)
        if self._weighed:
            return
        check_two_classes(self.classes_, "a projection needs")
        self._weigh()
        self._weighed = True

    def _read(self, X: Any, y: Any, *, reset: bool) -> tuple[sp.csr_array, Labels]:
        matrix = counts_of(validate_data(self, X, accept_sparse="csr", reset=reset))
        return matrix, self._labels(y, matrix.shape[0])

    # -- projecting ---------------------------------------------------------------------------

    def transform(self, X: Any) -> Floats:
        """Project documents.

        For the documents that were fitted, see ``fit_transform``.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)

        Returns
        -------
        ndarray of shape (n_docs, R)
        """
        self._ready()
        return self._project(counts_of(validate_data(self, X, accept_sparse="csr", reset=False)))

    def leave_one_out(self, X: Any, y: Any) -> Floats:
        """Project documents that were fitted, each by the weights without itself.

        For statistics that were collected in batches: ``partial_fit`` all, then come here.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
            Some or all of the documents that were fitted.
        y : their labels

        Returns
        -------
        ndarray of shape (n_docs, R)
        """
        self._ready()
        matrix, labels = self._read(X, y, reset=False)
        places = np.searchsorted(self.classes_, labels.classes)
        known = self.classes_[np.minimum(places, len(self.classes_) - 1)] == labels.classes
        if not known.all():
            raise ValueError(f"classes that were not fitted: {labels.classes[~known].tolist()}")
        ids = places[labels.ids].astype(np.int32)
        return self._project_without_self(matrix, Labels(self.classes_, labels.indptr, ids))

    # -- looking ------------------------------------------------------------------------------

    def _places(self) -> Array:
        """Which of ``classes_`` each class of ``stats_`` is, where those without documents lack."""
        return np.searchsorted(self.classes_, self.stats_.classes)

    def _term_names(self) -> Array:
        """Names of the columns, or their numbers where they have none."""
        if hasattr(self, "feature_names_in_"):
            return np.asarray(self.feature_names_in_)
        if self.stats_.terms is not None:
            return np.asarray(list(self.stats_.terms), dtype=object)
        return np.arange(self.n_features_in_)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the features: those of the classes.

        Parameters
        ----------
        input_features : ignored
            For scikit-learn's sake.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self)
        return np.asarray([str(name) for name in self.classes_], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "stats_")
