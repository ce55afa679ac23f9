"""Rows of all methods on all collections, as tables and advice look at them."""

from __future__ import annotations

import math
import statistics

import numpy as np
from numpy.typing import NDArray

from termfold_studies.beyond.methods import FROM_COUNTS, FROM_TEXTS, SVM
from termfold_studies.common.rows import Row, pick, values
from termfold_studies.common.significance import mean_ranks

METHODS = (*FROM_COUNTS, *FROM_TEXTS)


def complete(rows: list[Row]) -> tuple[list[str], list[str]]:
    """Methods, and the collections that all of them were measured on."""
    of = pick(rows, what="f1")
    methods = [method for method in METHODS if pick(of, method=method)]
    return methods, [
        name
        for name in values(of, "collection")
        if all(pick(of, collection=name, method=method) for method in methods)
    ]


def row_of(rows: list[Row], collection: str, method: str) -> Row:
    """The row of a method on a collection."""
    return pick(rows, what="f1", collection=collection, method=method)[0]


def scores(rows: list[Row], name: str = "f1") -> NDArray[np.float64]:
    """Collections × methods."""
    methods, collections = complete(rows)
    return np.array([[row_of(rows, c, m)[name] for m in methods] for c in collections])


def ranks(rows: list[Row]) -> dict[str, float]:
    """Mean rank of each method by micro-F1."""
    methods, _ = complete(rows)
    return dict(zip(methods, mean_ranks(scores(rows)).tolist(), strict=True))


def mean_f1(rows: list[Row]) -> dict[str, float]:
    """Mean micro-F1 of each method."""
    methods, _ = complete(rows)
    return dict(zip(methods, scores(rows).mean(axis=0).tolist(), strict=True))


def training_seconds(rows: list[Row], collection: str, method: str) -> float:
    """From texts: where a method learns from counts, the time to count is added."""
    seconds = float(row_of(rows, collection, method)["train_seconds"])
    if method in FROM_COUNTS:
        seconds += float(pick(rows, what="counting", collection=collection)[0]["train_seconds"])
    return seconds


def relative_time(rows: list[Row], method: str) -> float:
    """Time to train as a share of that of the SVM on all terms: geometric mean of collections."""
    _, collections = complete(rows)
    logs = [
        math.log(training_seconds(rows, c, method) / training_seconds(rows, c, SVM))
        for c in collections
    ]
    return math.exp(statistics.mean(logs))


def mean_features(rows: list[Row], method: str) -> float:
    """Features of a document that the last step sees: geometric mean of collections."""
    _, collections = complete(rows)
    return math.exp(
        statistics.mean(math.log(max(row_of(rows, c, method)["features"], 1)) for c in collections)
    )
