"""The terms that make each class, by every score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from termfold._arrays import Array, Bools, Ints
from termfold.classify.model import TermModel
from termfold.scores import SCORE_NAMES, score_classes
from termfold.stats import TermStats

#: What a score says, for people; in the order in which they are offered.
SCORES_SAID = {
    "weight": "weight in the model: what an occurrence adds to the class's lead",
    "chi2": "χ²: how far term and class are from being independent",
    "chi2_tf": "χ² of occurrences instead of documents",
    "ig": "information gain: what the term tells of the class",
    "kl": "Kullback–Leibler part: P(t|k) log relative risk",
    "gss": "GSS: simplified χ²",
    "ngl": "NGL: signed root of χ²",
    "bns": "bi-normal separation",
    "acc2": "balanced accuracy of the term alone",
    "gini": "Gini index: purity of the term's classes",
    "dfs": "distinguishing feature selector",
    "tfrf": "relevance frequency",
    "log_rr": "logarithm of the relative risk",
    "rr": "relative risk: how many times likelier in the class",
    "or": "odds ratio",
    "rs": "relevancy score",
    "mi": "pointwise mutual information",
    "dia": "association factor: P(k|t)",
    "df": "document frequency in the class",
}
# Of so many documents, a term in fewer than this is a name or a slip of the pen.
_MANY_DOCUMENTS, _MIN_DF = 1000, 3
# A table of classes × terms takes eight bytes a cell, and there are a few at a time.
_CELLS = 30_000_000
# Of more classes fewer terms are told, so that there are no more in all.
_TERMS_OF_ALL, _AT_LEAST = 1500, 3


def terms_of_classes(
    stats: TermStats, n_terms: int, model: TermModel | None = None
) -> tuple[list[str], list[dict[str, Any]]]:
    """Rank the terms of each class by every score.

    Parameters
    ----------
    stats : TermStats
    n_terms : int
        So many of each class, by each score; of hundreds of classes fewer.
    model : TermModel, optional
        Its weights are one more score.

    Returns
    -------
    scores : list of str
        Those that could be computed, in the order of ``SCORES_SAID``.
    classes : list of dict
        Of each class ``terms``: all that are among the best by any score, each with ``term``,
        ``docs_in_class`` and ``docs``; and ``best``: by score, pairs of a position in ``terms``
        and a value.
    """
    n_terms = max(min(n_terms, _AT_LEAST), min(n_terms, _TERMS_OF_ALL // stats.n_classes))
    positive = more_frequent_inside(stats)
    ranked: dict[str, list[tuple[Ints, Array]]] = {}
    for name, scores in _tables(stats, model):
        ranked[name] = [
            _best(np.where(inside, row, -np.inf), n_terms)
            for row, inside in zip(scores, positive, strict=True)
        ]
    names = [name for name in SCORES_SAID if name in ranked]
    found = []
    for k in range(stats.n_classes):
        used = np.unique(np.concatenate([ranked[name][k][0] for name in names]))
        inside = stats.sparse("df")[[k], :][:, used].toarray()[0]
        found.append(
            {
                "terms": [
                    {
                        "term": stats.term_name(t),
                        "docs_in_class": docs,
                        "docs": stats.term_df[t].item(),
                    }
                    for t, docs in zip(used.tolist(), inside.tolist(), strict=True)
                ],
                "best": {
                    name: [
                        [place, rounded(value)]
                        for place, value in zip(
                            np.searchsorted(used, ranked[name][k][0]).tolist(),
                            ranked[name][k][1].tolist(),
                            strict=True,
                        )
                    ]
                    for name in names
                },
            }
        )
    return names, found


def without_rare(stats: TermStats) -> tuple[TermStats, int]:
    """Drop the terms too rare to show, where there is much of all; tell the least number."""
    min_df = _MIN_DF if stats.n_docs >= _MANY_DOCUMENTS else 1
    most = max(1, _CELLS // max(1, stats.n_classes))
    if stats.n_terms > most:
        commonest = np.partition(stats.term_df, stats.n_terms - most)[stats.n_terms - most]
        min_df = max(min_df, int(commonest) + 1)
    return (stats.prune(min_df=min_df), min_df) if min_df > 1 else (stats, 1)


def more_frequent_inside(stats: TermStats) -> Bools:
    """Where P(t|k) > P(t): K × M."""
    inside: Bools = stats.dense("df") * float(stats.n_docs) > stats.class_docs[
        :, None
    ] * stats.term_df.astype(np.float64)
    return inside


def rounded(value: float) -> float:
    """To five significant digits: shorter in a file, and as good to look at."""
    return float(f"{value:.5g}")


def _tables(stats: TermStats, model: TermModel | None) -> Iterator[tuple[str, Array]]:
    for name in SCORE_NAMES:
        yield name, score_classes(stats, name)
    if model is not None and stats.terms is not None:
        yield "weight", _leads(stats, model)


def _leads(stats: TermStats, model: TermModel) -> Array:
    """What an occurrence adds to a class's score, less the mean over the other classes."""
    assert stats.terms is not None
    _, from_model, from_stats = model.terms.union(stats.terms)
    both = (from_model >= 0) & (from_stats >= 0)
    leads = model.leads(from_model[both])
    lead = np.full((stats.n_classes, stats.n_terms), -np.inf)
    known = {name: k for k, name in enumerate(model.classes)}
    for k, name in enumerate(stats.classes.tolist()):
        if str(name) in known:
            lead[k, from_stats[both]] = leads[:, known[str(name)]]
    return np.where(lead > 0, lead, -np.inf)


def _best(scores: Array, n: int) -> tuple[Ints, Array]:
    """The places of the n largest numbers and these, the largest first; equal ones in order."""
    n = min(n, len(scores))
    if n == 0:
        return np.zeros(0, np.int64), np.zeros(0)
    bar = np.partition(scores, len(scores) - n)[len(scores) - n]
    places = np.flatnonzero((scores >= bar) & np.isfinite(scores))
    places = places[np.argsort(-scores[places], kind="stable")][:n]
    return places, scores[places]
