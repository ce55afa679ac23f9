"""From scores to decisions: probabilities, and thresholds where a text may have several labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from termfold._arrays import Array
from termfold.project.refined_calibration import fit_sigmoids, fit_temperature
from termfold.stats import Labels

_FEW = 10


class Decision(NamedTuple):
    """How scores are read; see ``TermModel``."""

    slopes: Array
    intercepts: Array
    thresholds: Array

    @classmethod
    def by_temperature(cls, temperature: float, n_classes: int) -> Decision:
        """One label: the softmax of the scores times a factor, and the largest wins."""
        zeros = np.zeros(n_classes, np.float32)
        return cls(np.full(n_classes, temperature, np.float32), zeros, zeros)

    @classmethod
    def by_sigmoids(cls, slopes: Array, offsets: Array, thresholds: Array) -> Decision:
        """Several labels: each class by itself."""
        parts = (slopes, offsets, thresholds)
        return cls(*(np.asarray(part, np.float32) for part in parts))


def fit_decision(margins: Array, labels: Labels, multilabel: bool) -> Decision:
    """Calibrate probabilities and choose thresholds.

    Parameters
    ----------
    margins : ndarray of shape (n, K)
        Scores of the training documents, each by weights that have not learnt from it.
    labels : Labels
    multilabel : bool
        Then each class gets the threshold with the best F1; one with few documents, for which
        that would be chance, the score of which the probability is one half.
    """
    every = np.ones(len(labels))
    n_classes = margins.shape[1]
    if not multilabel:
        return Decision.by_temperature(fit_temperature(margins, labels.ids, every), n_classes)
    truth = labels.indicator().toarray()
    slopes, offsets = fit_sigmoids(margins, truth, every)
    # A class whose scores say the opposite of what they should is never chosen.
    thresholds = np.where(slopes > 0, -offsets / np.where(slopes > 0, slopes, 1), np.inf)
    for k in np.flatnonzero((truth.sum(axis=0) >= _FEW) & (slopes > 0)):
        thresholds[k] = best_threshold(margins[:, k], truth[:, k])
    return Decision.by_sigmoids(slopes, offsets, thresholds)


def best_threshold(scores: Array, truth: Array) -> float:
    """The threshold with the best F1, halfway to the next lower score; infinite if none is true.

    Examples
    --------
    >>> best_threshold(np.array([3.0, 2.0, 1.0, 0.0]), np.array([1, 1, 0, 0]))
    1.5
    """
    if not truth.any():
        return float("inf")
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], np.cumsum(truth[order])
    f1 = 2 * hits / (np.arange(1, len(hits) + 1) + truth.sum())
    f1[:-1][ranked[:-1] == ranked[1:]] = 0  # a threshold cannot part equal scores
    best = int(f1.argmax())
    if best + 1 == len(ranked):
        return float(ranked[best])
    return float((ranked[best] + ranked[best + 1]) / 2)
