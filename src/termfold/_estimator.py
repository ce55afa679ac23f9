"""What estimators over a document × term matrix share: checks of parameters, of y and of X."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from termfold._arrays import Array
from termfold.errors import StatsError
from termfold.stats import Labels


class LabelledMatrixEstimator(BaseEstimator):
    """Base of what is fitted to a matrix, which may be sparse, and labels, of which it needs some.

    A subclass that counts has ``_counts = True``: its X must not be negative.
    """

    _counts = False

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self._counts
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags

    def _labels(self, y: Any, n_docs: int) -> Labels:
        """Read the labels of so many documents."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        labels = Labels.of_target(y)
        if len(labels) != n_docs:
            raise ValueError(f"X has {n_docs} rows, but y has {len(labels)} labels")
        return labels


def check_two_classes(classes: Array, needed: str) -> None:
    """Raise an error if there is nothing to tell apart; ``needed`` says what two are needed for."""
    if len(classes) < 2:
        raise StatsError(
            f"all documents are of one class, {classes.tolist()}; {needed} two or more"
        )


def check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Raise an error unless a parameter is one of the values allowed."""
    if value not in allowed:
        raise ValueError(f"{name} is one of {allowed}, not {value!r}")


def check_number(name: str, value: Any, *, least: float, most: float = np.inf) -> None:
    """Raise an error unless a parameter is a finite number within bounds."""
    fits = isinstance(value, numbers.Real) and least <= float(value) <= most
    if not fits or value == np.inf:
        upper = "" if most == np.inf else f" and at most {most}"
        raise ValueError(f"{name} must be a number of at least {least}{upper}, not {value!r}")


def check_count(name: str, value: Any) -> None:
    """Raise an error unless a parameter is a positive whole number, or None."""
    if value is not None and not (isinstance(value, numbers.Integral) and int(value) >= 1):
        raise ValueError(f"{name} must be a positive whole number, not {value!r}")
