"""The scores by name, and what a caller may give in the place of a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from termfold._arrays import Floats
from termfold.scores import association, information
from termfold.scores.contingency import Contingency, Unit
from termfold.scores.policies import unknown

ScoreName: TypeAlias = Literal[
    "acc2", "bns", "chi2", "chi2_tf", "df", "dfs", "dia", "gini", "gss", "ig", "kl", "log_rr",
    "mi", "ngl", "or", "rr", "rs", "tfrf",
]  # fmt: skip
SCORE_NAMES: tuple[ScoreName, ...] = get_args(ScoreName)


@dataclass(frozen=True)
class Score:
    """A score: the formula, and the tables it is to be given.

    Parameters
    ----------
    function : callable
        Takes a ``Contingency`` of m terms, returns an array of shape (K, m). Columns must not
        depend on one another, since terms are scored block by block.
    unit : {"documents", "occurrences"}
        What the tables count.
    joint : callable, optional
        The score of all classes at once, of shape (m,), for the policy ``"joint"``.
    """

    function: Callable[[Contingency], Floats]
    unit: Unit = "documents"
    joint: Callable[[Contingency], Floats] | None = None


ScoreLike: TypeAlias = ScoreName | Score | Callable[[Contingency], Floats]

SCORES: Mapping[ScoreName, Score] = MappingProxyType({
    "acc2": Score(association.accuracy_balance),
    "bns": Score(association.bns),
    "chi2": Score(association.chi2),
    "chi2_tf": Score(association.chi2, unit="occurrences"),
    "df": Score(association.document_frequency),
    "dfs": Score(information.distinguishing_feature_selector),
    "dia": Score(association.association_factor),
    "gini": Score(information.gini),
    "gss": Score(association.gss),
    "ig": Score(information.information_gain, joint=information.joint_information_gain),
    "kl": Score(association.kl),
    "log_rr": Score(association.log_relative_risk),
    "mi": Score(information.mutual_information),
    "ngl": Score(association.ngl),
    "or": Score(association.odds_ratio),
    "rr": Score(association.relative_risk),
    "rs": Score(association.relevancy),
    "tfrf": Score(association.relevance_frequency),
})  # fmt: skip


def resolve(score: ScoreLike) -> Score:
    """Look a score up.

    Parameters
    ----------
    score : str, callable or Score
        A name; a function of a ``Contingency``, which is given tables of documents; or a
        ``Score``. A parameter of a score is set with ``functools.partial``.

    Examples
    --------
    >>> from functools import partial
    >>> resolve("chi2_tf").unit
    'occurrences'
    >>> resolve(partial(association.relevancy, damping=0.1)).unit
    'documents'
    >>> resolve("chi")
    Traceback (most recent call last):
    ValueError: unknown score 'chi'; did you mean 'chi2'? Allowed: acc2, bns, chi2, ...
    """
    if isinstance(score, Score):
        return score
    if isinstance(score, str) and score in SCORES:
        return SCORES[score]
    if callable(score):
        return Score(score)
    raise ValueError(unknown("score", score, SCORE_NAMES))
