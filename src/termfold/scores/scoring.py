"""Score every term of a ``TermStats``, block by block."""

from __future__ import annotations

import numpy as np

from termfold._arrays import Floats
from termfold.scores.contingency import Contingency
from termfold.scores.policies import PolicyName, check_policy, reduce_classes, round_robin
from termfold.scores.registry import SCORES, Score, ScoreLike, resolve
from termfold.stats import TermStats


def score_classes(stats: TermStats, score: ScoreLike = "chi2") -> Floats:
    """Score every term for every class.

    Parameters
    ----------
    stats : TermStats
    score : str, callable or Score
        One of the names in ``SCORE_NAMES``, or a function of a ``Contingency``.

    Returns
    -------
    ndarray of shape (K, M)

    Examples
    --------
    >>> stats = TermStats.from_matrix([[1, 1], [1, 0], [0, 1], [0, 0]], ["x", "x", "y", "y"])
    >>> score_classes(stats, "ngl")
    array([[ 2., 0.],
           [-2., 0.]])
    """
    found = resolve(score)
    scores = np.empty((stats.n_classes, stats.n_terms))
    for block, table in Contingency.blocks(stats, found.unit):
        scores[:, block] = score_block(found, table)
    return scores


def score_terms(stats: TermStats, score: ScoreLike = "chi2", policy: PolicyName = "max") -> Floats:
    """Score every term for all classes together.

    Parameters
    ----------
    stats : TermStats
    score : str, callable or Score
        One of the names in ``SCORE_NAMES``, or a function of a ``Contingency``.
    policy : {"max", "sum", "mean", "round_robin", "joint"}
        How the scores for the classes become one: the largest; their sum; their sum weighted by
        P(k); the place in a list to which each class in turn adds its best term that is not in
        it yet (the first of M terms scores M, the last 1); or, for ``"ig"`` only, the information
        that the term gives of all classes at once.

    Returns
    -------
    ndarray of shape (M,)

    Notes
    -----
    Memory does not grow with K × M, except for ``"round_robin"``, which must see all scores.

    Examples
    --------
    >>> stats = TermStats.from_matrix([[1, 1], [1, 0], [0, 1], [0, 0]], ["x", "x", "y", "y"])
    >>> score_terms(stats, "chi2", "sum")
    array([8., 0.])
    """
    found = resolve(score)
    check_policy(policy)
    if policy == "round_robin":
        places = np.empty(stats.n_terms)
        places[round_robin(score_classes(stats, found))] = np.arange(stats.n_terms, 0, -1)
        return places
    if policy == "joint" and found.joint is None:
        able = ", ".join(repr(name) for name, known in SCORES.items() if known.joint)
        raise ValueError(f"the policy 'joint' exists for the score {able}, not for {score!r}")

    # P(k) is a share of documents, also where the score counts occurrences.
    p_class = stats.class_docs / (stats.n_docs or 1)
    scores = np.empty(stats.n_terms)
    for block, table in Contingency.blocks(stats, found.unit):
        if policy == "joint" and found.joint is not None:
            scores[block] = found.joint(table)
        else:
            scores[block] = reduce_classes(score_block(found, table), policy, p_class)
    return scores


def score_block(score: Score, table: Contingency) -> Floats:
    """Scores of a block of terms, of shape (K, m)."""
    scores = np.asarray(score.function(table), np.float64)
    if scores.shape != table.joint.shape:
        raise ValueError(
            f"a score of these classes and terms must return an array of the shape "
            f"{table.joint.shape}, not {scores.shape}"
        )
    return scores
