"""Precision, recall, F1 and what is mistaken for what, for one or several labels a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array

#: The labels of documents: of each one (or None, where a classifier abstained), or a list.
DocumentLabels: TypeAlias = Sequence[str | None] | Sequence[Sequence[str]]

_MOST_CONFUSED = 20


def summarize(truth: DocumentLabels, predicted: DocumentLabels) -> dict[str, Any]:
    """Compare predicted labels with the true ones.

    Parameters
    ----------
    truth, predicted : sequence of str, or of sequences of str
        The labels of each document, in the same order. None, or an empty list, is no label.

    Returns
    -------
    dict
        Of JSON types:

        - ``documents``, ``multilabel``
        - ``accuracy``: share of the documents with all labels right and no other
        - ``coverage``: share of the documents with a predicted label
        - ``micro``, ``macro``: each ``precision``, ``recall``, ``f1``
        - ``classes``: of each its ``name``, ``precision``, ``recall``, ``f1``, ``documents``,
          ``predicted``, ``right``
        - ``confused``: pairs of a missed and a wrongly given class, ``true``, ``predicted``,
          ``documents``, the most frequent first
        - ``confusion``: rows of the matrix of true by predicted classes, in the order of
          ``classes``; None if there are several labels

    Notes
    -----
    The figures are those of scikit-learn's ``precision_recall_fscore_support``, which cannot do
    with fewer than two classes.

    Macro averages are over the classes that occur among the true or the predicted labels. A
    precision without predictions, or a recall without documents, is 0. If all documents have one
    true and one predicted label, micro precision, recall and F1 are the accuracy.

    Examples
    --------
    >>> summary = summarize(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    >>> summary["accuracy"], summary["micro"]["f1"], round(summary["macro"]["f1"], 3)
    (0.75, 0.75, 0.733)
    >>> summary["confused"]
    [{'true': 'a', 'predicted': 'b', 'documents': 1}]
    >>> summarize([["a", "b"], ["b"]], [["a"], ["b"]])["micro"]["recall"]
    0.6666666666666666
    """
    if len(truth) != len(predicted):
        raise ValueError(f"{len(truth):,} true labels, but {len(predicted):,} predicted")
    if not len(truth):
        raise ValueError("there are no documents to compare the labels of")
    multilabel = any(isinstance(labels, list | tuple) for labels in (*truth[:1], *predicted[:1]))
    names = sorted({name for labels in (truth, predicted) for name in _flat(labels)})
    true = _indicator(truth, names)
    said = _indicator(predicted, names)
    right = true.multiply(said).tocsr()
    of_classes = [np.asarray(labels.sum(axis=0)) for labels in (true, said, right)]
    return {
        "documents": len(truth),
        "multilabel": multilabel,
        "accuracy": float(np.mean((true != said).sum(axis=1) == 0)),
        "coverage": float(np.mean(said.sum(axis=1) > 0)),
        "micro": _average(*(counts.sum(keepdims=True) for counts in of_classes)),
        "macro": _average(*of_classes),
        "classes": _classes(names, *of_classes),
        "confused": _confused(names, true - right, said - right),
        "confusion": None if multilabel else (true.T @ said).toarray().tolist(),
    }


def _flat(labels: DocumentLabels) -> list[str]:
    return [name for names in labels for name in _as_list(names)]


def _as_list(labels: str | Sequence[str] | None) -> Sequence[str]:
    if labels is None:
        return []
    return [labels] if isinstance(labels, str) else labels


def _indicator(labels: DocumentLabels, names: list[str]) -> sp.csr_array:
    """Documents × classes."""
    number = {name: i for i, name in enumerate(names)}
    lists = [_as_list(some) for some in labels]
    indptr = np.concatenate([[0], np.cumsum([len(some) for some in lists])])
    ids = np.array([number[name] for some in lists for name in some], np.int64)
    return sp.csr_array((np.ones(len(ids), np.int64), ids, indptr), (len(lists), len(names)))


def _average(true: Array, said: Array, right: Array) -> dict[str, float]:
    figures = _figures(true, said, right)
    # No class at all, where nothing has a label and none was given.
    return {name: float(np.mean(values)) if len(true) else 0.0 for name, values in figures.items()}


def _classes(names: list[str], true: Array, said: Array, right: Array) -> list[dict[str, Any]]:
    columns = {
        **_figures(true, said, right),
        "documents": true,
        "predicted": said,
        "right": right,
    }
    lists = {name: column.tolist() for name, column in columns.items()}
    return [
        {"name": name, **{key: values[k] for key, values in lists.items()}}
        for k, name in enumerate(names)
    ]


def _figures(true: Array, said: Array, right: Array) -> dict[str, Array]:
    """Precision, recall and F1 from numbers of labels; 0 where there are none."""

    def share(part: Array, whole: Array) -> Array:
        return np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)

    return {
        "precision": share(right, said),
        "recall": share(right, true),
        "f1": share(2 * right, true + said),
    }


def _confused(names: list[str], missed: sp.csr_array, wrong: sp.csr_array) -> list[dict[str, Any]]:
    pairs = (missed.T @ wrong).tocoo()
    order: Array = np.lexsort((pairs.col, pairs.row, -pairs.data))
    kept = [i for i in order.tolist() if pairs.data[i]][:_MOST_CONFUSED]
    return [
        {
            "true": names[pairs.row[i]],
            "predicted": names[pairs.col[i]],
            "documents": int(pairs.data[i]),
        }
        for i in kept
    ]
