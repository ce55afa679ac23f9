"""The model of a text classifier: terms, and what each weighs for each class."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa

from termfold._arrays import Array, Bools, Ints
from termfold._threads import map_stream, thread_count
from termfold.classify import score_kernel
from termfold.classify.score_kernel import score_ids, tf_table
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder
from termfold.terms.texts import text_batches
from termfold.terms.vocabulary import Vocabulary

Tf: TypeAlias = Literal["binary", "count", "sublinear"]
Norm: TypeAlias = Literal["none", "l1", "l2"]

_TF: dict[Tf, int] = {
    "binary": score_kernel.BINARY,
    "count": score_kernel.COUNT,
    "sublinear": score_kernel.SUBLINEAR,
}
_NORM: dict[Norm, int] = {
    "none": score_kernel.NO_NORM,
    "l1": score_kernel.L1,
    "l2": score_kernel.L2,
}
# Texts are scored so many bytes at a time: their term ids stay in the cache, and threads have equal
# work even where there is little.
_BATCH_BYTES = 1 << 18


@dataclass(frozen=True, eq=False)
class TermModel:
    """All that is needed to score a text, and to say why.

    The score of a text for class k is Σ_t x_t · scale_t · weights[t, k] / ‖x‖ + bias_k, where
    x_t = tf(t) · idf_t: a sum over its terms, whatever method found the weights.

    Parameters
    ----------
    classes : list of str
        Names of the K classes.
    multilabel : bool
        Does a text have any number of classes, each by its own threshold, or exactly one?
    analyzer : Analyzer
    terms : Vocabulary
        The M terms that have a weight.
    weights : ndarray of shape (M, K), float32 or int8
    bias : ndarray of float32, shape (K,)
    idf : ndarray of float32, shape (M,)
        A factor of each term, in its contribution and in the norm.
    scale : ndarray of float32, shape (M,)
        What one unit of a term's weights stands for; ones unless these are int8.
    tf : {"binary", "count", "sublinear"}
        What a term counts for that occurs c times: 1, c, or 1 + log c.
    norm : {"none", "l1", "l2"}
    slopes, intercepts : ndarray of float32, shape (K,)
        Calibration: probabilities are the softmax, or for several labels the logistic function,
        of slope · score + intercept.
    thresholds : ndarray of float32, shape (K,)
        For several labels: the least score with which a text belongs to a class.
    about : dict
        How the model came about; of JSON types.
    """

    classes: list[str]
    multilabel: bool
    analyzer: Analyzer
    terms: Vocabulary
    weights: Array
    bias: Array
    idf: Array
    scale: Array
    tf: Tf
    norm: Norm
    slopes: Array
    intercepts: Array
    thresholds: Array
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.classes)

    @cached_property
    def encoder(self) -> Encoder:
        """Looks terms up; made at the first use, shared by threads."""
        return Encoder(self.analyzer, self.terms)

    @cached_property
    def _by_idf(self) -> tuple[Encoder, Array, Array]:
        """Encoder, factors and weights with the terms by idf: those often met lie side by side."""
        order = np.argsort(self.idf, kind="stable")
        encoder = Encoder(self.analyzer, self.terms.take(order))
        return encoder, self._factors()[order], self.weights[order]

    def _factors(self) -> Array:
        return np.stack([self.idf, self.scale], axis=1)

    def scores(self, texts: Any, n_jobs: int | None = -1) -> Array:
        """Score texts: a float32 array of shape (number of texts, K)."""
        encoder, factors, weights = self._by_idf

        def score(seen: Ints, batch: pa.LargeStringArray) -> Array:
            ids, indptr = encoder.encode(batch)
            scores = np.empty((len(batch), self.n_classes), np.float32)
            self._score(ids, indptr, factors, weights, seen, scores)
            return scores

        threads = [self._none_seen() for _ in range(thread_count(n_jobs))]
        parts = [part for _, part in map_stream(score, threads, text_batches(texts, _BATCH_BYTES))]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def score_ids(self, ids: Ints, indptr: Ints, scores: Array) -> None:
        """Score texts whose term ids are known."""
        self._score(ids, indptr, self._factors(), self.weights, self._none_seen(), scores)

    def _none_seen(self) -> Ints:
        return np.zeros(len(self.terms), np.int32)

    def _score(
        self, ids: Ints, indptr: Ints, factors: Array, weights: Array, seen: Ints, scores: Array
    ) -> None:
        score_ids(
            ids,
            indptr,
            _TF[self.tf],
            tf_table(_TF[self.tf]),
            _NORM[self.norm],
            factors,
            weights,
            self.bias,
            seen,
            scores,
        )

    def added(self, rows: slice | Ints = slice(None)) -> Array:
        """What an occurrence of terms adds to each class's score, before the norm: T × K."""
        factor = (self.scale * self.idf)[rows].astype(np.float64)
        return np.asarray(self.weights[rows] * factor[:, np.newaxis])

    def leads(self, rows: slice | Ints = slice(None)) -> Array:
        """The same, less the mean of what it adds to the other classes."""
        added = self.added(rows)
        elsewhere = (added.sum(axis=1, keepdims=True) - added) / max(1, self.n_classes - 1)
        return np.asarray(added - elsewhere)

    def chosen(self, scores: Array) -> Bools:
        """Mark the classes that texts of these scores get: the best, or all from a threshold on."""
        if self.multilabel:
            return np.asarray(scores >= self.thresholds)
        return np.asarray(np.arange(self.n_classes) == scores.argmax(axis=1)[:, np.newaxis])

    def probabilities(self, scores: Array) -> Array:
        """Turn scores into probabilities."""
        z = scores.astype(np.float64) * self.slopes + self.intercepts
        if self.multilabel:
            return 1 / (1 + np.exp(-np.clip(z, -500, 500)))
        z -= z.max(axis=1, keepdims=True)
        p = np.exp(z)
        return np.asarray(p / p.sum(axis=1, keepdims=True))
