"""The columns that ``termfold predict`` adds to the input's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from termfold._arrays import Array, Bools
from termfold.classify.model import TermModel

_DIGITS = 6


@dataclass(frozen=True)
class Labeller:
    """Turns texts into columns of predictions.

    Parameters
    ----------
    model : TermModel
    top : int
        Also so many of the most probable classes.
    every : bool
        Also the probability of every class.
    abstain_below : float
        Give no label of a smaller probability.
    prefix : str
        Before the names of all columns.
    jobs : int
    """

    model: TermModel
    top: int = 0
    every: bool = False
    abstain_below: float = 0.0
    prefix: str = ""
    jobs: int = -1

    def warm_up(self) -> None:
        """Load kernels and make tables, so that this is not taken for slowness."""
        self.columns(pa.array([""], pa.large_string()))

    def columns(self, texts: pa.LargeStringArray) -> dict[str, pa.Array]:
        """Predict; the columns in their order."""
        scores = self.model.scores(texts, self.jobs)
        proba = self.model.probabilities(scores)
        if self.model.multilabel:
            chosen = (scores >= self.model.thresholds) & (proba >= self.abstain_below)
            found = self._lists(chosen, proba)
        else:
            found = self._one(scores, proba)
        if self.top:
            found |= self._best(proba)
        if self.every:
            found |= {
                f"probability_{name}": _rounded(proba[:, k])
                for k, name in enumerate(self.model.classes)
            }
        return {self.prefix + name: column for name, column in found.items()}

    def _names(self, ids: Array, absent: Bools | None = None) -> pa.Array:
        classes = pa.array(self.model.classes, pa.string())
        return classes.take(pa.array(ids.astype(np.int64), mask=absent))

    def _one(self, scores: Array, proba: Array) -> dict[str, pa.Array]:
        best = scores.argmax(axis=1)
        probability = proba[np.arange(len(best)), best]
        return {
            "prediction": self._names(best, probability < self.abstain_below),
            "probability": _rounded(probability),
        }

    def _lists(self, chosen: Bools, proba: Array) -> dict[str, pa.Array]:
        rows, ids = np.nonzero(chosen)
        offsets = pa.array(np.concatenate([[0], np.cumsum(chosen.sum(axis=1))]), pa.int32())
        return {
            "prediction": pa.ListArray.from_arrays(offsets, self._names(ids)),
            "probability": pa.ListArray.from_arrays(offsets, _rounded(proba[rows, ids])),
        }

    def _best(self, proba: Array) -> dict[str, pa.Array]:
        order = np.argsort(-proba, axis=1, kind="stable")[:, : self.top]
        columns = {}
        for place in range(order.shape[1]):
            ids = order[:, place]
            columns[f"top_{place + 1}"] = self._names(ids)
            columns[f"top_{place + 1}_probability"] = _rounded(proba[np.arange(len(ids)), ids])
        return columns


def _rounded(values: Array) -> pa.Array:
    return pa.array(np.round(values.astype(np.float64), _DIGITS))
