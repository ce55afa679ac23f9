"""Parts of a training set, as if there were nothing else."""

from __future__ import annotations

import numpy as np

from termfold._arrays import Ints
from termfold.classify.order import in_content_order
from termfold.classify.training import TrainingSet
from termfold.stats import Labels


def as_if_read_alone(training: TrainingSet) -> TrainingSet:
    """Drop the terms and the classes that none of the documents has, and put these in order.

    A model that is learnt from the result is the one that would be learnt from these texts. With
    them it would know the words, and how many classes there are, of documents held out.
    """
    labels = training.labels
    present = np.bincount(training.counts.indices, minlength=len(training.terms))
    seen, ids = np.unique(labels.ids, return_inverse=True)
    part = with_terms(training, np.flatnonzero(present))
    alone = Labels(labels.classes[seen], labels.indptr, ids.astype(np.int32))
    return in_content_order(TrainingSet(part.terms, part.counts, alone, len(training)))


def with_terms(training: TrainingSet, columns: Ints) -> TrainingSet:
    """Keep the terms with the given numbers, which must be ascending."""
    counts = training.counts[:, columns]
    return TrainingSet(training.terms.take(columns), counts, training.labels, len(training))
