"""What selectors of terms share: statistics, a ranking, a number of terms to keep."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from functools import cached_property
from typing import Any, Self

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from termfold._arrays import Array, Bools, Floats, Ints
from termfold._estimator import LabelledMatrixEstimator
from termfold._notebook import ShownInNotebooks
from termfold.errors import StatsError
from termfold.scores import PolicyName, rank
from termfold.scores.policies import check_policy
from termfold.select.extent import Extent
from termfold.stats import TermStats


class StatsSelector(ShownInNotebooks, SelectorMixin, LabelledMatrixEstimator, metaclass=ABCMeta):
    """Base of selectors that rank terms by a function of ``TermStats``.

    A subclass decides one thing: the scores, in ``_score``.
    """

    k: int | None
    percentile: float | None
    threshold: float | None
    energy: float | None
    stats_: TermStats
    n_features_in_: int

    @abstractmethod
    def _score(self, stats: TermStats) -> Floats:
        """Scores of shape (M,); −∞ for a term that must not be kept."""

    def _check_parameters(self) -> None:
        """Raise an error for a parameter out of its range, before any work is done."""
        self._extent().check()

    def _check_policy(self, policy: PolicyName) -> None:
        check_policy(policy)
        if policy == "round_robin" and self._extent().needs_sizes:
            raise ValueError(
                "the policy 'round_robin' gives an order, no sizes: "
                "use k or percentile, not threshold or energy"
            )

    # -- fitting ------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Collect the statistics of a document × term matrix and rank its columns.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
        y : labels of shape (n_docs,), indicator matrix of shape (n_docs, K), or ``Labels``
        sample_weight : array-like of shape (n_docs,), optional
            How many documents each row stands for.

        Returns
        -------
        self
        """
        self._check_parameters()
        return self._adopt(self._collect(X, y, sample_weight, reset=True))

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Add a batch of documents; any batches give what ``fit`` of all gives.

        Terms are ranked when the ranking is asked for, so a batch costs no more than its sums. A
        batch may have one class only, as long as all together have more.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
        y : labels of shape (n_docs,), indicator matrix of shape (n_docs, K), or ``Labels``
        sample_weight : array-like of shape (n_docs,), optional
            How many documents each row stands for.

        Returns
        -------
        self
        """
        self._check_parameters()
        first = not hasattr(self, "stats_")
        batch = self._collect(X, y, sample_weight, reset=first)
        self._forget()
        self.stats_ = batch if first else self.stats_ + batch
        return self

    def fit_stats(self, stats: TermStats) -> Self:
        """Rank the terms of statistics that exist already, such as those of a count file.

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
        return self._adopt(stats)

    def _collect(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> TermStats:
        X = validate_data(self, X, accept_sparse="csc", reset=reset)
        if self._counts and _minimum(X) < 0:
            raise ValueError(
                f"Negative values in data passed to {type(self).__name__}: it counts documents and "
                f"occurrences. OCFS takes any real values."
            )
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        return TermStats.from_matrix(X, self._labels(y, X.shape[0]), sample_weight=sample_weight)

    def _adopt(self, stats: TermStats) -> Self:
        self._forget()
        self.stats_ = stats
        self.get_support()  # so that what cannot be selected is an error here, not later
        return self

    def _forget(self) -> None:
        for name in ("scores_", "ranking_"):
            self.__dict__.pop(name, None)

    # -- looking ------------------------------------------------------------------------------

    @cached_property
    def scores_(self) -> Floats:
        """Score of each term, of shape (M,)."""
        if not hasattr(self, "stats_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet")
        if self.stats_.n_classes < 2:
            names = self.stats_.classes.tolist()
            found = f"one class only, {names[0]!r}" if names else "none"
            raise StatsError(f"terms are selected for two classes or more; there is {found}")
        return self._score(self.stats_)

    @cached_property
    def ranking_(self) -> Ints:
        """Columns from the best to the worst; equal scores in the order of the columns."""
        return rank(self.scores_)

    def _extent(self) -> Extent:
        return Extent(self.k, self.percentile, self.threshold, self.energy)

    def _get_support_mask(self) -> Bools:
        check_is_fitted(self)
        extent = self._extent()
        extent.check()
        mask = np.zeros(self.stats_.n_terms, np.bool_)
        mask[self.ranking_[: extent.count(self.scores_, self.ranking_)]] = True
        return mask

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the selected terms: those of X's columns, or of the statistics.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of all columns, where X had none.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self)
        if input_features is None and self.stats_.terms is not None:
            input_features = list(self.stats_.terms)
        names: Array = super().get_feature_names_out(input_features)
        return names

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "stats_")


def _minimum(X: Any) -> Any:
    values = X.data if hasattr(X, "tocsc") else X
    return values.min(initial=0)
