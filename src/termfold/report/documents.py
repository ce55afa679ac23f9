"""Documents in the space of the classes: what a report shows of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Array, Floats, Ints
from termfold.classify.training import TrainingSet
from termfold.project.fedip import FEDIP
from termfold.report.layout import discs
from termfold.report.predictions import Predictions
from termfold.report.reading import Sample

_EXCERPT_BYTES = 220
# Of a rare class, so many documents are shown where it has them.
_AT_LEAST = 8
# A feature takes three bytes in the page; documents × classes.
_FEATURES = 240_000


def map_of(
    predictions: Predictions,
    likeness: Array,
    training: TrainingSet,
    sample: Sample,
    most: int,
    seed: int,
) -> dict[str, Any]:
    """Lay out a sample of documents.

    Parameters
    ----------
    predictions : Predictions
        Of all documents.
    likeness : ndarray of shape (K, K)
        Of the classes.
    training : TrainingSet
        The documents as counts.
    sample : Sample
        The documents.
    most : int
        Show about so many; of hundreds of classes fewer.
    seed : int
        Of the choice.

    Returns
    -------
    dict
        ``documents``, each with its ``text`` (the beginning), ``labels`` and ``predicted``
        (positions of classes), ``probability`` of the best class, place ``x`` and ``y`` on the
        map, and ``features``, one for each class; ``discs``: ``x``, ``y`` and ``radius`` of each
        class; and ``shown_of``, the number of documents there are.
    """
    place = {name: k for k, name in enumerate(predictions.classes)}
    labels = [[place[name] for name in names] for names in sample.labels]
    most = min(most, max(1, _FEATURES // len(place)))
    rows = _choose(np.array([names[0] if names else -1 for names in labels]), most, seed)
    layout = discs(predictions.probabilities[rows], likeness)
    features = _features(training, predictions.classes)[rows]
    return {
        "documents": [
            {
                "text": excerpt(sample.texts[row].as_py()),
                "labels": labels[row],
                "predicted": np.flatnonzero(predictions.chosen[row]).tolist(),
                "probability": round(float(predictions.probabilities[row].max()), 3),
                "x": round(float(x), 2),
                "y": round(float(y), 2),
                "features": np.round(of_row, 4).tolist(),
            }
            for row, (x, y), of_row in zip(rows.tolist(), layout.points, features, strict=True)
        ],
        "discs": [
            {"x": round(float(x), 2), "y": round(float(y), 2), "radius": round(float(radius), 2)}
            for (x, y), radius in zip(layout.centres, layout.radii, strict=True)
        ],
        "shown_of": len(sample),
    }


def _choose(groups: Ints, most: int, seed: int) -> Ints:
    """A random sample in which the classes have their shares, but no rare one is left out."""
    if len(groups) <= most:
        return np.arange(len(groups))
    shuffled = np.random.default_rng(seed).permutation(len(groups))
    counts = np.unique(groups, return_counts=True)[1]
    quota = np.maximum(np.minimum(counts, _AT_LEAST), counts * most // len(groups))
    # The position of each document among those of its group.
    order = shuffled[np.argsort(groups[shuffled], kind="stable")]
    position = np.arange(len(groups)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.sort(order[position < np.repeat(quota, counts)])


def _features(training: TrainingSet, classes: list[str]) -> Floats:
    """One feature per class, by the counts of all documents but the one that is described.

    The mean over a document's terms of the log relative risks that speak for the class.
    """
    found = np.zeros((len(training), len(classes)))
    if len(training.labels.classes) < 2:
        return found
    pools = FEDIP("bernoulli", "log_rr", smoothing=2.0, smooth="count")
    columns = [classes.index(str(name)) for name in training.labels.classes.tolist()]
    found[:, columns] = pools.fit_transform(training.counts, training.labels)
    return found


def excerpt(text: str) -> str:
    r"""The beginning of a text on one line.

    Examples
    --------
    >>> excerpt("two\n lines")
    'two lines'
    """
    # Longer texts are cut before they are split, which would take the time of all their words.
    line = " ".join(text[: 4 * _EXCERPT_BYTES].split())
    encoded = line.encode("utf-8", "replace")
    if len(encoded) <= _EXCERPT_BYTES and len(text) <= 4 * _EXCERPT_BYTES:
        return line
    return encoded[:_EXCERPT_BYTES].decode("utf-8", "ignore").rstrip() + "…"
