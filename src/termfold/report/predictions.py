"""What a classifier says of documents that it has not learnt from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from termfold._arrays import Array, Bools, Ints
from termfold.classify.learn import learn
from termfold.classify.model import TermModel
from termfold.classify.training import TrainingSet
from termfold.classify.weigh import Settings
from termfold.errors import TooFewDocumentsError
from termfold.evaluate.documents import deal
from termfold.evaluate.parts import as_if_read_alone


@dataclass(frozen=True, eq=False)
class Predictions:
    """Scores of documents, and the models that gave them.

    Parameters
    ----------
    classes : list of str
        All classes, of the truth and of the models; columns of scores.
    probabilities : ndarray of shape (n, K)
    chosen : ndarray of bool, shape (n, K)
        The labels given.
    models : list of TermModel
    model_of : ndarray of int, shape (n,)
        Which of them labelled each document.
    """

    classes: list[str]
    probabilities: Array
    chosen: Bools
    models: list[TermModel]
    model_of: Ints

    def labels(self, multilabel: bool) -> list[Any]:
        """The labels given: of each document one, or a list."""
        names = np.array(self.classes, dtype=object)
        if multilabel:
            return [names[row].tolist() for row in self.chosen]
        best: list[Any] = names[self.chosen.argmax(axis=1)].tolist()
        return best


def predict_by(model: TermModel, texts: pa.LargeStringArray, classes: list[str]) -> Predictions:
    """Label texts by a model that knows nothing of them."""
    predictions = _empty(classes, len(texts), [model])
    _fill(predictions, 0, np.arange(len(texts)), texts)
    return predictions


def cross_validate(
    training: TrainingSet,
    texts: pa.LargeStringArray,
    classes: list[str],
    multilabel: bool,
    settings: Settings,
    folds: int,
    seed: int = 0,
    done: Callable[[str], None] = lambda what: None,
) -> Predictions:
    """Label each text by a model of the texts in the other folds."""
    labels = training.labels
    groups = np.full(len(labels), -1)
    first = np.flatnonzero(np.diff(labels.indptr))
    groups[first] = labels.ids[labels.indptr[first]]
    fold = deal(groups, min(folds, len(groups)), seed)
    predictions = _empty(classes, len(texts), [])
    for held in range(int(fold.max()) + 1):
        rest = as_if_read_alone(training.rows(np.flatnonzero(fold != held)))
        if len(rest.labels.classes) < 2 or not len(rest.terms):
            raise TooFewDocumentsError(
                f"{len(training):,} documents are too few to label each by what is learnt from "
                "others: two classes with terms must be left to learn from"
            )
        predictions.models.append(learn(rest, multilabel, settings))
        _fill(predictions, held, np.flatnonzero(fold == held), texts)
        done(f"part {held + 1} of {int(fold.max()) + 1}")
    return predictions


def _empty(classes: list[str], n_docs: int, models: list[TermModel]) -> Predictions:
    shape = (n_docs, len(classes))
    return Predictions(
        classes, np.zeros(shape), np.zeros(shape, np.bool_), models, np.zeros(n_docs, np.int64)
    )


def _fill(predictions: Predictions, number: int, rows: Ints, texts: pa.LargeStringArray) -> None:
    """Label some of the texts; a class that the model does not know has no probability."""
    model = predictions.models[number]
    place = {name: k for k, name in enumerate(predictions.classes)}
    columns = np.array([place[name] for name in model.classes])
    scores = model.scores(texts.take(pa.array(rows)))
    predictions.probabilities[np.ix_(rows, columns)] = model.probabilities(scores)
    predictions.chosen[np.ix_(rows, columns)] = model.chosen(scores)
    predictions.model_of[rows] = number


def contributions(
    predictions: Predictions, rows: Ints, texts: pa.LargeStringArray
) -> Iterator[tuple[TermModel, Ints, sp.csr_matrix]]:
    """Take documents apart into terms, model by model.

    Yields
    ------
    model : TermModel
    rows : ndarray of int
        The documents that it labelled, of those asked for.
    x : csr_matrix
        Their terms: times ``scale · weights[t, k]``, what a term adds to the score of class k.
    """
    for number, model in enumerate(predictions.models):
        mine = rows[predictions.model_of[rows] == number]
        if len(mine):
            yield model, mine, _weighted(model, texts.take(pa.array(mine)))


def _weighted(model: TermModel, texts: pa.LargeStringArray) -> sp.csr_matrix:
    ids, indptr = model.encoder.encode(texts)
    shape = (len(texts), len(model.terms))
    x = sp.csr_matrix((np.ones(len(ids)), ids, indptr), shape)
    x.sum_duplicates()
    if model.tf == "binary":
        x.data[:] = 1
    elif model.tf == "sublinear":
        x.data = 1 + np.log(x.data)
    x.data *= model.idf[x.indices]
    if model.norm == "none":
        return x
    size = np.abs(x).sum(axis=1) if model.norm == "l1" else np.sqrt(x.multiply(x).sum(axis=1))
    x.data /= np.repeat(np.maximum(np.asarray(size).ravel(), 1e-12), np.diff(x.indptr))
    return x
