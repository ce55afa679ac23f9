"""From a training set to a model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from termfold._arrays import Array, Ints
from termfold.classify.compress import pruned, with_precision
from termfold.classify.model import TermModel
from termfold.classify.spill import SpilledSet
from termfold.classify.training import TrainingSet
from termfold.classify.weigh import Settings, weigh
from termfold.errors import CorpusError, StatsError
from termfold.stats import Labels, TermStats

# Enough documents to see what pruning changes.
_SAMPLE = 1000


def check(training: TrainingSet | SpilledSet, min_df: int) -> None:
    """Raise an error if nothing can be learnt from these documents."""
    classes = training.labels.classes
    absent = np.flatnonzero(np.bincount(training.labels.ids, minlength=len(classes)) == 0)
    if len(absent) and len(training) < training.n_read:
        names = ", ".join(repr(str(name)) for name in classes[absent[:5]])
        raise CorpusError(
            f"the sample of the texts holds no text of {len(absent)} classes: {names}"
            f"{' …' if len(absent) > 5 else ''}; raise max_text_bytes (--max-text, maxTextBytes), "
            "or leave these classes out"
        )
    if len(training.labels.classes) < 2:
        raise ValueError(
            f"all texts are of one class, {training.labels.classes.tolist()}; "
            "a classifier needs at least two"
        )
    if len(training.terms) == 0:
        raise ValueError(
            f"no terms in {len(training):,} texts: they are empty, or hold only what the "
            f"analyzer leaves out, or terms in fewer than min_df={min_df} of them"
        )


def learn(
    training: TrainingSet | SpilledSet,
    multilabel: bool,
    settings: Settings,
    counts: TermStats | None = None,
) -> TermModel:
    """Find weights, put them into a model, and make it as small as is asked.

    Parameters
    ----------
    training : TrainingSet or SpilledSet
    multilabel : bool
    settings : Settings
    counts : TermStats, optional
        Counts of more documents than those of the training set, for weights that come from counts
        alone.
    """
    labels = training.labels
    unseen = [] if counts is None else np.setdiff1d(counts.classes, labels.classes).tolist()
    if unseen:
        names = ", ".join(map(repr, unseen[:5]))
        raise StatsError(
            f"of the texts at hand none is of {names}, of which some were counted; effort='rule' "
            "needs texts of each class: raise memory (--memory)"
        )
    present = np.unique(labels.ids)
    if len(present) < len(labels.classes):
        # of a fold held out, say: what pools counts has no place for classes without documents
        ids = np.searchsorted(present, labels.ids).astype(np.int32)
        some = replace(training, labels=Labels(labels.classes[present], labels.indptr, ids))
        return _with_classes(learn(some, multilabel, settings, counts), labels.classes, present)
    found = weigh(training, multilabel, settings, counts)
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
            "documents": training.n_read,
            "documents_used": len(training),
            "documents_of_class": np.bincount(labels.ids, minlength=len(labels.classes)).tolist(),
            "terms_seen": len(training.terms),
        },
    )
    small = with_precision(model, settings.precision)
    if settings.max_bytes is None:
        return small
    small, kept = pruned(small, found.df, settings.max_bytes)
    if len(kept) < len(model.terms):
        small.about["pruned"] = _loss(model, small, kept, training) | {
            "max_bytes": settings.max_bytes
        }
    return small


def _with_classes(model: TermModel, classes: Array, known: Ints) -> TermModel:
    """The model of more classes, of which it gives a text none but those that it knows."""

    def spread(values: Array, of_others: float) -> Array:
        wider = np.full((*values.shape[:-1], len(classes)), of_others, values.dtype)
        wider[..., known] = values
        return wider

    documents = np.zeros(len(classes), np.int64)
    documents[known] = model.about["documents_of_class"]
    return replace(
        model,
        classes=[str(name) for name in classes.tolist()],
        weights=spread(model.weights, 0),
        bias=spread(model.bias, -1e6),
        slopes=spread(model.slopes, 1),
        intercepts=spread(model.intercepts, 0),
        thresholds=spread(model.thresholds, 0),
        about=model.about | {"documents_of_class": documents.tolist()},
    )


def _loss(
    model: TermModel, small: TermModel, kept: Ints, training: TrainingSet | SpilledSet
) -> dict[str, float | int]:
    """What pruning changed, seen on some of the training documents."""
    rows = np.unique(np.linspace(0, len(training) - 1, _SAMPLE).astype(np.int64))
    ids, indptr = _occurrences(model, training, rows)
    place = np.full(len(model.terms) + 1, -1)  # the last for a term that is not in the model
    place[kept] = np.arange(len(kept))
    before = _scores(model, ids, indptr).argmax(axis=1)
    after = _scores(small, place[ids], indptr).argmax(axis=1)
    return {
        "terms_left_out": len(model.terms) - len(small.terms),
        "same_best_class_on_training": round(float(np.mean(before == after)), 4),
    }


def scores_of_rows(model: TermModel, training: TrainingSet | SpilledSet, rows: Ints) -> Array:
    """Score training documents, whose terms are counted already."""
    return _scores(model, *_occurrences(model, training, rows))


def _occurrences(
    model: TermModel, training: TrainingSet | SpilledSet, rows: Ints
) -> tuple[Ints, Ints]:
    """The model's ids of the terms of some training documents, as often as they occur; −1: none."""
    counts = training.counts_of(rows)
    terms = counts.indices
    if model.terms is not training.terms:
        _, from_model, from_training = model.terms.union(training.terms)
        place = np.full(len(training.terms), -1)
        both = (from_model >= 0) & (from_training >= 0)
        place[from_training[both]] = from_model[both]
        terms = place[terms]
    times = counts.data.astype(np.int64)
    return np.repeat(terms, times), np.concatenate([[0], np.cumsum(times)])[counts.indptr]


def _scores(model: TermModel, ids: Ints, indptr: Ints) -> Array:
    known = ids >= 0
    before = np.concatenate([[0], np.cumsum(known)])
    scores = np.empty((len(indptr) - 1, model.n_classes), np.float32)
    model.score_ids(ids[known].astype(np.int32), before[indptr], scores)
    return scores
