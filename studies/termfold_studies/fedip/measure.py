"""Measure projections on as many features as classes, over random divisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import TruncatedSVD

from termfold import TermCounter
from termfold.datasets import load_cluto, load_debian, load_movie_reviews
from termfold_studies.common.collections import Split, random_splits
from termfold_studies.common.learners import in_turn, learn_and_test, linear_svm
from termfold_studies.common.rows import Rows
from termfold_studies.fedip.dense import DENSE, DenseLDAQR
from termfold_studies.fedip.methods import ALL, HEADS, NAMED, PUBLISHED, Way

_CLUTO = (
    "cranmed", "mm", "cacmcisi", "classic", "hitech", "k1b", "la1", "tr31", "tr12", "tr41", "re0",
    "wap", "k1a",
)  # fmt: skip
_REPEATS = 5
_TEST_SHARE = 0.33
MOVIES = "movie reviews"
ALL_TERMS = "all terms, tf-idf"


def measure(rows: Rows, quick: bool) -> None:
    """Everything of the study that the rows lack."""
    if quick:
        _collection(rows, "Debian, 12 sections (built in)", _debian_sample, 2, 3)
        return
    _collection(rows, MOVIES, _movies, _REPEATS, 7)
    for name in _CLUTO:
        _collection(rows, name, lambda name=name: _cluto(name), _REPEATS, 7)  # type: ignore[misc]


def _debian_sample() -> tuple[sp.csr_matrix, Any]:
    whole = load_debian()
    return TermCounter().fit_transform(whole.text), whole.target


def _movies() -> tuple[sp.csr_matrix, Any]:
    whole = load_movie_reviews()
    return TermCounter().fit_transform(whole.text), whole.target


def _cluto(name: str) -> tuple[sp.csr_matrix, Any]:
    whole = load_cluto(name)
    return whole.data, whole.target


# -- measurements -----------------------------------------------------------------------------


def _collection(
    rows: Rows,
    name: str,
    load: Callable[[], tuple[sp.csr_matrix, Any]],
    repeats: int,
    timings: int,
) -> None:
    X, y = load()
    whole = Split(name, "", X.tocsr(), np.asarray(y), X[:0].tocsr(), np.asarray(y)[:0])
    shape = {"documents": X.shape[0], "terms": X.shape[1], "classes": len(np.unique(y))}
    rows.measure({"what": "collection", "collection": name}, lambda: shape)
    for seed, train, test in random_splits(X.shape[0], repeats, _TEST_SHARE):
        split = whole.subset(f"random 67/33, seed {seed}", train, test)
        for method, way in ALL.items():
            _heads(rows, split, seed, method, way)
        key = _key(split, seed, method=ALL_TERMS)
        rows.measure(key, lambda split=split: _all_terms(split))  # type: ignore[misc]
        if seed == 0:
            _times(rows, split, timings)
            if shape["classes"] == 2 and name == MOVIES:
                _scatter(rows, split)


def _heads(rows: Rows, split: Split, seed: int, method: str, way: Way) -> None:
    """One row a projection, with the accuracy of all classifiers on its features."""

    def run() -> dict[str, Any]:
        train, test = project(way, split)
        accuracy = {}
        for head, make in HEADS.items():
            if head == "largest feature" and not NAMED.match(method):
                continue
            right, times = learn_and_test(make(), train, split.y, test, split.y_test)
            accuracy[head] = round(float(right.mean()), 5)
            if "stopped_early" in times:
                accuracy[f"{head}, stopped early"] = 1
        return {"accuracy": accuracy, "features": train.shape[1]}

    rows.measure(_key(split, seed, method=method), run)


def project(way: Way, split: Split) -> tuple[Any, Any]:
    """Features of training and of test documents."""
    X, X_test = split.tfidf if way.tfidf else (split.counts, split.test_counts)
    X, X_test = X.tocsr().astype(np.float64), X_test.tocsr().astype(np.float64)
    projection = way.make(len(np.unique(split.y)))
    # What fit_transform of a projection by counts returns are leave-one-out features; the papers
    # projected the training documents like any others.
    if way.leave_one_out:
        return projection.fit_transform(X, split.y), projection.transform(X_test)
    projection.fit(X, split.y)
    return projection.transform(X), projection.transform(X_test)


def _all_terms(split: Split) -> dict[str, Any]:
    X, X_test = (matrix.tocsr() for matrix in split.tfidf)
    right, _ = learn_and_test(linear_svm(), X, split.y, X_test, split.y_test)
    return {"accuracy": {"SVM": round(float(right.mean()), 5)}, "features": X.shape[1]}


def _times(rows: Rows, split: Split, repeats: int) -> None:
    """Seconds to learn a projection and to project the training documents."""
    counts = split.counts.astype(np.float64)
    n_classes = len(np.unique(split.y))
    fast_lsi = Way(lambda k: TruncatedSVD(k, algorithm="randomized", random_state=0))
    ways = {
        "FEDIP-a": PUBLISHED["FEDIP-a"],
        "FEDIP-b": PUBLISHED["FEDIP-b"],
        "LDA/QR": PUBLISHED["LDA/QR"],
        DENSE: Way(lambda k: DenseLDAQR()),
        "LSI (Lanczos)": PUBLISHED["LSI"],
        "LSI (randomized)": fast_lsi,
    }

    def once(way: Way) -> Any:
        return way.make(n_classes).fit(counts, split.y).transform(counts)

    rows.measure(
        {"what": "times", "collection": split.collection, "split": split.name, "repeats": repeats},
        lambda: {
            "seconds": in_turn(
                {name: lambda way=way: once(way) for name, way in ways.items()},  # type: ignore[misc]
                repeats,
            )
        },
    )


def _scatter(rows: Rows, split: Split) -> None:
    """The test documents of two classes in two dimensions, to be drawn."""

    def run(method: str) -> dict[str, Any]:
        _, points = project(PUBLISHED[method], split)
        return {
            "points": [[float(f"{value:.4g}") for value in point] for point in points.tolist()],
            "labels": split.y_test.tolist(),
        }

    for method in ("FEDIP-b", "LSI"):
        key = {"what": "scatter", "collection": split.collection, "method": method}
        rows.measure(key | {"split": split.name}, lambda method=method: run(method))  # type: ignore[misc]


def _key(split: Split, seed: int, **more: Any) -> dict[str, Any]:
    name = "random 67/33"
    return {"what": "accuracy", "collection": split.collection, "split": name, "seed": seed, **more}
