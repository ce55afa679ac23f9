"""What a mistake costs, by class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np

from termfold._arrays import Array, Floats

ClassCost: TypeAlias = Literal["auto", "balanced", "sqrt"] | Mapping[Any, float] | None
_NAMES = ("auto", "balanced", "sqrt", None)


def check_class_weight(weight: Any) -> None:
    """Raise an error for anything but a ``ClassCost``."""
    if not isinstance(weight, Mapping) and weight not in _NAMES:
        raise ValueError(f"class_weight={weight!r}; it must be a dict or one of {_NAMES}")


def cost_factors(
    weight: ClassCost, classes: Array, class_docs: Array, n_docs: int | float, multilabel: bool
) -> Floats:
    """Factors of C for the documents outside and inside each class.

    Parameters
    ----------
    weight : ClassCost
        As ``RefinedProjection`` has it.
    classes : ndarray
        All classes; the last ``len(class_docs)`` have a column.
    class_docs : ndarray
        Their numbers of documents.
    n_docs : int or float
    multilabel : bool

    Returns
    -------
    ndarray of shape (2, len(class_docs))

    Examples
    --------
    >>> cost_factors("sqrt", np.array(["x", "y", "z"]), np.array([1, 1, 8]), 10, False)
    array([[1. , 1. , 1. ],
           [3. , 3. , 0.5]])
    """
    factors = np.ones((2, len(class_docs)))
    if weight == "auto":
        weight = "sqrt" if multilabel else None
    if isinstance(weight, Mapping):
        names = classes.tolist()
        unknown = [name for name in weight if name not in names]
        if unknown:
            raise ValueError(f"class_weight names classes that y does not have: {unknown}")
        values = [weight.get(name, 1.0) for name in names]
        factors[1] = values[-len(class_docs) :]
        if len(class_docs) < len(names):  # two classes share a column
            factors[0] = values[0]
    elif weight is not None:
        inside = np.maximum(class_docs, 1)
        outside = np.maximum(n_docs - class_docs, 1)
        factors[1] = (outside / inside) ** (0.5 if weight == "sqrt" else 1.0)
    return factors
