"""What a report says of labels: how good those given are, and which of those there look wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Bools
from termfold.classify.audit import audit
from termfold.classify.training import TrainingSet
from termfold.errors import TooFewDocumentsError
from termfold.evaluate.curve import SIZES, Ranking, feature_curve
from termfold.evaluate.metrics import summarize
from termfold.report.documents import excerpt
from termfold.report.predictions import Predictions
from termfold.report.reading import Sample
from termfold.report.terms import rounded

if TYPE_CHECKING:
    from termfold.classify.weigh import Settings

_SUSPECTS = 50
RANKINGS: tuple[Ranking, ...] = ("ocfs", "chi2", "ig", "bns", "kl", "df")


def inside_of(sample: Sample, classes: list[str]) -> Bools:
    """Documents × classes: the labels they have."""
    place = {name: k for k, name in enumerate(classes)}
    ids = [place[name] for names in sample.labels for name in names]
    indptr = np.concatenate([[0], np.cumsum([len(names) for names in sample.labels])])
    shape = (len(sample), len(classes))
    inside: Bools = sp.csr_array((np.ones(len(ids), np.bool_), ids, indptr), shape).toarray()
    return inside


def metrics_of(tested: Sample, predictions: Predictions) -> dict[str, Any]:
    """How good the labels are that were given; as by ``evaluate.summarize``."""
    metrics = summarize(tested.y(), predictions.labels(tested.multilabel))
    # The same is in ``between``, with all classes, also those that do not occur here.
    del metrics["confusion"], metrics["confused"]
    return metrics


def curve_of(
    training: TrainingSet,
    settings: Settings,
    max_documents: int,
    seed: int,
    done: Callable[[str], None],
) -> dict[str, Any] | None:
    """Accuracy against the number of terms; None where documents are too few to hold some out."""
    try:
        return feature_curve(
            training,
            RANKINGS,
            SIZES,
            effort=settings.effort,
            C=settings.C,
            max_documents=max_documents,
            seed=seed,
            n_jobs=settings.n_jobs,
            done=done,
        )
    except TooFewDocumentsError:
        return None


def audit_of(training: TrainingSet, sample: Sample) -> list[dict[str, Any]] | None:
    """The documents whose labels look wrong; None where all are of one class."""
    if len(training.labels.classes) < 2:
        return None
    found = []
    for suspect in audit(training, sample.multilabel, n=_SUSPECTS):
        place = sample.places[suspect.row]
        found.append(
            {
                "source": place.source,
                "row": place.row,
                "text": excerpt(sample.texts[suspect.row].as_py()),
                "label": suspect.label,
                "suggested": suspect.suggested,
                "probability_of_label": rounded(suspect.probability_of_label),
                "probability_of_suggested": rounded(suspect.probability_of_suggested),
                "terms": [[term, rounded(value)] for term, value in suspect.deciding_terms],
            }
        )
    return found
