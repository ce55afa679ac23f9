"""Rows on FEDIP, as tables and claims look at them."""

from __future__ import annotations

import statistics

from termfold_studies.common.rows import Row, pick, values
from termfold_studies.common.significance import Difference, over_collections, over_splits

TEST_SHARE = 0.33


def collections_of(rows: list[Row]) -> list[str]:
    """The collections, in the order of the study: few classes first."""
    return values(pick(rows, what="collection"), "collection")


def accuracies(rows: list[Row], collection: str, method: str, head: str) -> list[float]:
    """Accuracy on each random division, in the order of the seeds."""
    of = pick(rows, what="accuracy", collection=collection, method=method)
    ordered = sorted(of, key=lambda row: int(row["seed"]))
    return [row["accuracy"][head] for row in ordered if head in row["accuracy"]]


def mean_accuracy(rows: list[Row], collection: str, method: str, head: str) -> float:
    """Mean over the divisions."""
    return statistics.mean(accuracies(rows, collection, method, head))


def by_collection(
    rows: list[Row], first: tuple[str, str], second: tuple[str, str]
) -> dict[str, Difference]:
    """Difference of two methods with their classifiers on each collection, over its divisions."""
    found = {}
    for name in collections_of(rows):
        pairs = zip(accuracies(rows, name, *first), accuracies(rows, name, *second), strict=True)
        found[name] = over_splits([a - b for a, b in pairs], TEST_SHARE)
    return found


def overall(rows: list[Row], first: tuple[str, str], second: tuple[str, str]) -> Difference:
    """Difference of the means, over collections."""
    return over_collections(
        [
            mean_accuracy(rows, name, *first) - mean_accuracy(rows, name, *second)
            for name in collections_of(rows)
        ]
    )
