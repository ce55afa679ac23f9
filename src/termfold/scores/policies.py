"""Policies: one score of a term from its scores for the classes."""

from __future__ import annotations

import difflib
from typing import Literal, TypeAlias, get_args

import numpy as np

from termfold._arrays import Floats, Ints
from termfold.scores.kernels import sum_over_classes, take_turns

PolicyName: TypeAlias = Literal["max", "sum", "mean", "round_robin", "joint"]

POLICIES: tuple[PolicyName, ...] = get_args(PolicyName)


def check_policy(policy: str) -> None:
    """Raise an error that lists the policies, unless this is one."""
    if policy not in POLICIES:
        raise ValueError(unknown("policy", policy, POLICIES))


def unknown(what: str, name: object, allowed: tuple[str, ...]) -> str:
    """Say what was got and what is allowed, the closest first to the eye."""
    close = difflib.get_close_matches(str(name), allowed, n=1)
    guess = f"; did you mean {close[0]!r}?" if close else "."
    return f"unknown {what} {name!r}{guess} Allowed: {', '.join(allowed)}"


def reduce_classes(scores: Floats, policy: PolicyName, p_class: Floats) -> Floats:
    """Reduce scores of shape (K, m) to one a term.

    Parameters
    ----------
    scores : ndarray of shape (K, m)
    policy : {"max", "sum", "mean"}
        ``"max"``, the score for the class it is best for; ``"sum"``; ``"mean"``, the sum weighted
        by P(k).
    p_class : ndarray of shape (K,)
        P(k), which sum to more than one where documents have several labels.

    Examples
    --------
    >>> scores = np.array([[1.0, 0.0], [3.0, 2.0]])
    >>> reduce_classes(scores, "mean", np.array([0.75, 0.25]))
    array([1.5, 0.5])
    """
    reduced: Floats
    if policy == "max":
        reduced = scores.max(axis=0)
    elif policy == "sum":
        reduced = sum_over_classes(scores, np.ones(len(scores)))
    elif policy == "mean":
        reduced = sum_over_classes(scores, p_class)
    else:
        raise ValueError(f"the policy {policy!r} is not a function of one term's scores")
    return reduced


def rank(scores: Floats) -> Ints:
    """Columns from the best score to the worst; equal ones in their order.

    Columns of a count file are sorted terms, so there ties break by the term itself.

    Examples
    --------
    >>> rank(np.array([0.0, 2.0, 1.0, 2.0]))
    array([1, 3, 2, 0])
    """
    return np.argsort(-np.asarray(scores, np.float64), axis=-1, kind="stable")


def round_robin(scores: Floats) -> Ints:
    """Order terms by letting each class in turn name its best term not taken yet.

    Small classes get as many terms as large ones, and hard classes as many as easy ones.

    References
    ----------
    Forman, G. (2004). A pitfall and solution in multi-class feature selection for text
    classification. ICML.

    Examples
    --------
    >>> round_robin(np.array([[9.0, 8.0, 7.0], [2.0, 1.0, 0.0]]))
    array([0, 1, 2])
    """
    return take_turns(rank(scores))  # type: ignore[no-any-return]
