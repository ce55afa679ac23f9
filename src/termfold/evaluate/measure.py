"""Measure a classifier: on test documents, or a way to make one by cross-validation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from termfold.classify.model_file import size_in_bytes
from termfold.corpus import Corpus
from termfold.evaluate.documents import Documents, labels_of
from termfold.evaluate.metrics import summarize


class Classifier(Protocol):
    """What is measured: texts in, labels out."""

    def fit(self, X: Any, y: Any) -> Any:
        """Learn."""

    def predict(self, X: Any) -> Any:
        """Label texts."""


@dataclass
class Trial:
    """What a classifier said, and in what time."""

    predicted: list[Any] = field(default_factory=list)
    seconds: float = 0.0
    text_bytes: int = 0
    _warm: Classifier | None = None

    def predict(self, classifier: Classifier, texts: pa.LargeStringArray) -> list[Any]:
        """Label texts against the clock; also returns the labels."""
        if classifier is not self._warm:
            # Kernels are loaded, and tables made, at the first text: that is no matter of speed.
            classifier.predict(texts[:1])
            self._warm = classifier
        began = time.perf_counter()
        found = classifier.predict(texts)
        self.seconds += time.perf_counter() - began
        self.text_bytes += texts.nbytes
        labels: list[Any] = found if isinstance(found, list) else found.tolist()
        self.predicted += labels
        return labels

    def timing(self) -> dict[str, float]:
        """What it took, as part of a summary."""
        seconds = max(self.seconds, 1e-9)
        return {
            "seconds": self.seconds,
            "documents_per_second": len(self.predicted) / seconds,
            "megabytes_per_second": self.text_bytes / 1e6 / seconds,
        }


def evaluate(classifier: Classifier, corpus: Corpus, multilabel: bool) -> dict[str, Any]:
    """Measure a classifier on a labelled corpus, a batch at a time.

    Parameters
    ----------
    classifier : TextClassifier, or another that labels texts
    corpus : Corpus
    multilabel : bool
        Does the classifier give lists of labels?

    Returns
    -------
    dict
        As by ``summarize``, and ``timing`` of the predictions: ``seconds``,
        ``documents_per_second``, ``megabytes_per_second``.
    """
    trial = Trial()
    truth: list[Any] = []
    for batch in corpus:
        truth += labels_of(batch, multilabel)
        trial.predict(classifier, batch.text)
    return {**summarize(truth, trial.predicted), "timing": trial.timing()}


def cross_validate(
    make: Callable[[], Classifier],
    documents: Documents,
    folds: int,
    seed: int = 0,
    done: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Measure a way to make classifiers: each fold is labelled by what was learnt from the others.

    Parameters
    ----------
    make : callable
        Makes a new classifier.
    documents : Documents
    folds : int
    seed : int
        Of the division into folds.
    done : callable
        Called after each fold, with its name.

    Returns
    -------
    dict
        As by ``try_out``.
    """
    return try_out(make, documents.splits(folds, seed), done)


def try_out(
    make: Callable[[], Classifier],
    splits: Iterable[tuple[Documents, Documents]],
    done: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Measure a way to make classifiers on pairs of training and test documents.

    Returns
    -------
    dict
        As by ``evaluate`` for all test documents together; ``fit_seconds``, ``terms`` and
        ``bytes`` of a model on average, the last two None where a classifier has no model; and if
        there is more than one pair, ``folds``: their ``count``, and ``mean`` and ``deviation`` of
        ``accuracy``, ``micro_f1`` and ``macro_f1``.
    """
    trial = Trial()
    truth: list[Any] = []
    seconds: list[float] = []
    sizes: list[tuple[int, int]] = []
    figures: list[tuple[float, float, float]] = []
    for number, (train, test) in enumerate(splits, 1):
        classifier = make()
        began = time.perf_counter()
        classifier.fit(train.texts, train.labels)
        seconds.append(time.perf_counter() - began)
        predicted = trial.predict(classifier, test.texts)
        truth += test.labels
        summary = summarize(test.labels, predicted)
        figures.append((summary["accuracy"], summary["micro"]["f1"], summary["macro"]["f1"]))
        model = getattr(classifier, "model_", None)
        if model is not None:
            sizes.append((len(model.terms), size_in_bytes(model)))
        done(f"part {number}")
    terms, size = np.mean(sizes, axis=0).round().astype(int).tolist() if sizes else (None, None)
    return {
        **summarize(truth, trial.predicted),
        "timing": trial.timing(),
        "fit_seconds": float(np.mean(seconds)),
        "terms": terms,
        "bytes": size,
        **({"folds": _spread(figures)} if len(figures) > 1 else {}),
    }


def _spread(figures: list[tuple[float, float, float]]) -> dict[str, Any]:
    columns = dict(zip(("accuracy", "micro_f1", "macro_f1"), np.array(figures).T, strict=True))
    return {
        "count": len(figures),
        **{
            name: {"mean": float(column.mean()), "deviation": float(column.std(ddof=1))}
            for name, column in columns.items()
        },
    }
