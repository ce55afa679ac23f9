"""From a training set to a model."""

from __future__ import annotations

import numpy as np

from termfold._arrays import Array, Ints
from termfold.classify.compress import pruned, quantised
from termfold.classify.model import TermModel
from termfold.classify.training import TrainingSet
from termfold.classify.weigh import Settings, weigh
from termfold.stats import TermStats

# Enough documents to see what pruning changes.
_SAMPLE = 2000


def learn(
    training: TrainingSet, multilabel: bool, settings: Settings, counts: TermStats | None = None
) -> TermModel:
    """Find weights, put them into a model, and make it as small as is asked.

    Parameters
    ----------
    training : TrainingSet
    multilabel : bool
    settings : Settings
    counts : TermStats, optional
        Counts of more documents than those of the training set, for weights that come from counts
        alone.
    """
    found = weigh(training, multilabel, settings, counts)
    labels = training.labels
    model = TermModel(
        classes=[str(name) for name in labels.classes.tolist()],
        multilabel=multilabel,
        analyzer=settings.analyzer,
        terms=found.terms,
        weights=found.weights,
        bias=found.bias,
        idf=found.idf,
        scale=np.ones(len(found.terms), np.float32),
        tf=found.tf,
        norm=found.norm,
        slopes=found.decision.slopes,
        intercepts=found.decision.intercepts,
        thresholds=found.decision.thresholds,
        about={
            "method": settings.method,
            "effort": settings.effort,
            "documents": len(training),
            "documents_of_class": np.bincount(labels.ids, minlength=len(labels.classes)).tolist(),
            "terms_seen": len(training.terms),
        },
    )
    small = quantised(model) if settings.precision == "int8" else model
    if settings.max_bytes is None:
        return small
    small, kept = pruned(small, found.df, settings.max_bytes)
    if len(kept) < len(model.terms):
        small.about["pruned"] = _loss(model, small, training) | {"max_bytes": settings.max_bytes}
    return small


def _loss(model: TermModel, small: TermModel, training: TrainingSet) -> dict[str, float | int]:
    """What pruning changed, seen on some of the training documents."""
    rows = np.unique(np.linspace(0, len(training) - 1, _SAMPLE).astype(np.int64))
    before, after = (scores_of_rows(m, training, rows) for m in (model, small))
    same = np.mean(before.argmax(axis=1) == after.argmax(axis=1))
    return {
        "terms_left_out": len(model.terms) - len(small.terms),
        "same_best_class_on_training": round(float(same), 4),
    }


def scores_of_rows(model: TermModel, training: TrainingSet, rows: Ints) -> Array:
    """Score training documents, whose terms are counted already."""
    _, from_model, from_training = model.terms.union(training.terms)
    place = np.full(len(training.terms), -1)
    both = (from_model >= 0) & (from_training >= 0)
    place[from_training[both]] = from_model[both]
    counts = training.counts[rows]
    terms = np.repeat(place[counts.indices], counts.data.astype(np.int64))
    ends = np.concatenate([[0], np.cumsum(counts.data.astype(np.int64))])[counts.indptr]
    known = np.concatenate([[0], np.cumsum(terms >= 0)])
    scores = np.empty((len(rows), model.n_classes), np.float32)
    model.score_ids(terms[terms >= 0].astype(np.int32), known[ends], scores)
    return scores
