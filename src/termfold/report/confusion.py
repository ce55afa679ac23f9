"""Which classes are taken for one another, and by which terms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from termfold._arrays import Array, Bools, Ints
from termfold.report.predictions import Predictions, contributions
from termfold.report.terms import more_frequent_inside, rounded
from termfold.stats import TermStats

# So many pairs of classes have their terms told.
_PAIRS = 300
# A picture of more classes could not be read.
_CLASSES = 100


def counts_of(predictions: Predictions, inside: Bools) -> Ints:
    """Count documents by true and predicted class, a K × K array.

    A document of several labels counts in the cell (a, b) if label a was missed and b was given
    wrongly.
    """
    missed, wrong = _mistakes(predictions, inside)
    counts: Ints = missed.astype(np.int64).T @ wrong.astype(np.int64)
    return counts + np.diag((inside & predictions.chosen).sum(axis=0))


def _mistakes(predictions: Predictions, inside: Bools) -> tuple[Bools, Bools]:
    """The labels that were missed, and those that were given wrongly."""
    return inside & ~predictions.chosen, predictions.chosen & ~inside


def confusion_of(
    counts: Ints,
    predictions: Predictions,
    inside: Bools,
    texts: pa.LargeStringArray,
    n_terms: int,
) -> dict[str, Any]:
    """Tell which classes are mistaken for which, and the terms that misled.

    Parameters
    ----------
    counts : ndarray of shape (K, K)
        As by ``counts_of``.
    predictions : Predictions
    inside : ndarray of bool, shape (n, K)
        The labels that the documents have.
    texts : pyarrow.LargeStringArray
    n_terms : int
        So many terms of each pair of classes.

    Returns
    -------
    dict
        ``classes``: the positions of those compared, which are all, or the hundred that are
        mistaken most; ``counts``: of these, rows of true by columns of predicted classes;
        ``totals``: of all classes, the sums of their rows; ``order``: places in ``classes`` so
        that those alike are neighbours; ``pairs``: the most frequent first, each ``true``,
        ``predicted`` (positions of classes), ``documents``, and ``terms``: pairs of a term and
        the mean of what it adds to the wrong class's lead over the right one, over the documents
        mistaken.
    """
    off = counts * (1 - np.eye(len(counts), dtype=np.int64))
    shown = _most(off.sum(axis=0) + off.sum(axis=1))
    pairs = _frequent_pairs(off)
    terms = _misleading_terms(predictions, inside, texts, pairs, n_terms)
    return {
        "kind": "confusion",
        "classes": shown.tolist(),
        "counts": counts[np.ix_(shown, shown)].tolist(),
        "totals": counts.sum(axis=1).tolist(),
        "order": order_by_likeness(likeness_by(counts)[np.ix_(shown, shown)]),
        "pairs": [
            {"true": a, "predicted": b, "documents": int(counts[a, b]), "terms": terms[a, b]}
            for a, b in pairs
        ],
    }


def likeness_by(counts: Array) -> Array:
    """How much two classes have in common, by how often they are taken for one another."""
    size = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    share = counts / size
    likeness: Array = (share + share.T) / 2
    np.fill_diagonal(likeness, 1)
    return likeness


def order_by_likeness(likeness: Array) -> list[int]:
    """Put classes in a row so that those alike are neighbours."""
    if len(likeness) < 3:
        return list(range(len(likeness)))
    distance = 1 - np.minimum(likeness, 1)
    np.fill_diagonal(distance, 0)
    tree = linkage(squareform(distance, checks=False), "average", optimal_ordering=True)
    order: list[int] = leaves_list(tree).tolist()
    return order


def _most(sizes: Array) -> Ints:
    """The positions of the largest, as many as a picture has room for, in their order."""
    return np.sort(np.argsort(-sizes, kind="stable")[:_CLASSES])


def _frequent_pairs(off: Array) -> list[tuple[int, int]]:
    rows, columns = np.nonzero(off)
    order: Ints = np.lexsort((columns, rows, -off[rows, columns]))[:_PAIRS]
    return [(int(rows[i]), int(columns[i])) for i in order]


def _misleading_terms(
    predictions: Predictions,
    inside: Bools,
    texts: pa.LargeStringArray,
    pairs: list[tuple[int, int]],
    n_terms: int,
) -> dict[tuple[int, int], list[list[Any]]]:
    """Sum over the documents of each pair what every term adds to the wrong class's lead."""
    missed, wrong = _mistakes(predictions, inside)
    rows = np.flatnonzero(missed.any(axis=1) & wrong.any(axis=1))
    sums: dict[tuple[int, int], dict[str, float]] = {pair: {} for pair in pairs}
    for model, mine, x in contributions(predictions, rows, texts):
        column = {name: k for k, name in enumerate(model.classes)}
        for (a, b), found in sums.items():
            mistaken = np.flatnonzero(missed[mine, a] & wrong[mine, b])
            names = predictions.classes[a], predictions.classes[b]
            if not len(mistaken) or any(name not in column for name in names):
                continue
            x_of_pair: sp.csr_matrix = x[mistaken]
            used = np.unique(x_of_pair.indices)
            true, said = (model.weights[used, column[name]].astype(np.float64) for name in names)
            added = np.asarray(x_of_pair[:, used].sum(axis=0)).ravel()
            added *= (said - true) * model.scale[used]
            # More would be cut in the end anyway.
            for i in np.argsort(-added, kind="stable")[: 4 * n_terms].tolist():
                if added[i] > 0:
                    term = model.terms[int(used[i])]
                    found[term] = found.get(term, 0.0) + float(added[i])
    documents = missed.astype(np.int64).T @ wrong.astype(np.int64)
    return {
        pair: [
            [term, rounded(value / documents[pair])]
            for term, value in sorted(found.items(), key=lambda item: (-item[1], item[0]))[:n_terms]
        ]
        for pair, found in sums.items()
    }


def likeness_of(stats: TermStats, n_terms: int) -> dict[str, Any]:
    """What classes have in common, from counts alone.

    Returns
    -------
    dict
        As by ``confusion_of``, with ``likeness`` for ``counts``: the cosine between classes,
        described by P(t|k) idf(t) of the terms more frequent in them than elsewhere. ``terms`` of
        a pair add most to it.
    """
    idf = np.log(max(stats.n_docs, 1) / np.maximum(stats.term_df, 1))
    rates = stats.dense("df") / np.maximum(stats.class_docs, 1)[:, None] * idf
    rates[~more_frequent_inside(stats)] = 0
    rates /= np.maximum(np.linalg.norm(rates, axis=1, keepdims=True), 1e-12)
    likeness = rates @ rates.T
    upper = np.triu(likeness, 1)
    rows, columns = np.nonzero(upper > 0)
    order = np.lexsort((columns, rows, -upper[rows, columns]))[:_PAIRS]
    pairs = []
    for a, b in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        both = rates[a] * rates[b]
        best = np.argsort(-both, kind="stable")[:n_terms]
        pairs.append(
            {
                "true": a,
                "predicted": b,
                "likeness": rounded(float(likeness[a, b])),
                "terms": [
                    [stats.term_name(int(t)), rounded(float(both[t]))] for t in best if both[t] > 0
                ],
            }
        )
    shown = _most(upper.sum(axis=0) + upper.sum(axis=1))
    likeness = likeness[np.ix_(shown, shown)]
    return {
        "kind": "likeness",
        "classes": shown.tolist(),
        "likeness": np.round(likeness, 4).tolist(),
        "order": order_by_likeness(likeness),
        "pairs": pairs,
    }
