"""Time every score on the training part of 20 Newsgroups, beside scikit-learn's scores.

    TERMFOLD_DATA=<folder with 20newsgroups_bydate.parquet> python benchmarks/bench_scores.py

All times are of the scores of all classes, given the counts: termfold's from a ``TermStats``,
scikit-learn's from the matrix. Making the statistics is timed apart; it is done once for all
scores. ``mutual_info_classif`` takes minutes on all terms, so by default it is timed on every
50th column and the table says so; ``--mi-every 1`` times it on all.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from _common import keep
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import chi2, mutual_info_classif

from termfold.scores import SCORE_NAMES, ocfs_scores, rank, score_classes, score_terms
from termfold.select import TermSelector
from termfold.stats import TermStats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--mi-every", type=int, default=50, help="columns for mutual_info_classif")
    options = parser.parse_args()

    X, y = newsgroups(Path(os.environ.get("TERMFOLD_DATA", ".")))
    stats = TermStats.from_matrix(X, y)
    times = {"TermStats.from_matrix": timed(lambda: TermStats.from_matrix(X, y), options.repeats)}
    for name in SCORE_NAMES:
        times[name] = timed(lambda name=name: score_classes(stats, name), options.repeats)
    times |= {
        "all scores": timed(lambda: all_scores(stats), options.repeats),
        "ig joint": timed(lambda: score_terms(stats, "ig", "joint"), options.repeats),
        "ig mean": timed(lambda: score_terms(stats, "ig", "mean"), options.repeats),
        "chi2 mean": timed(lambda: score_terms(stats, "chi2", "mean"), options.repeats),
        "chi2 round_robin": timed(
            lambda: score_terms(stats, "chi2", "round_robin"), options.repeats
        ),
        "ocfs": timed(lambda: ocfs_scores(stats), options.repeats),
        "rank": timed(lambda: rank(ocfs_scores(stats)), options.repeats),
        "TermSelector.fit": timed(lambda: TermSelector().fit(X, y), options.repeats),
        "sklearn chi2": timed(lambda: chi2(X, y), options.repeats),
    }
    some = X[:, :: options.mi_every]
    sklearn_mi = f"sklearn mutual_info_classif, {some.shape[1]} columns"
    times[sklearn_mi] = timed(lambda: mutual_info_classif(some, y, discrete_features=True), 1)

    report(times, X.shape)
    keep(
        "scores",
        data="20newsgroups_bydate, train, CountVectorizer",
        shape=X.shape,
        n_values=X.nnz,
        n_classes=stats.n_classes,
        repeats=options.repeats,
        mutual_info_columns=some.shape[1],
        seconds=times,
    )


def newsgroups(folder: Path) -> tuple[Any, Any]:
    columns = ["text", "label", "split"]
    table = pq.read_table(folder / "20newsgroups_bydate.parquet", columns=columns)
    train = np.array(table["split"].to_pylist()) == "train"
    texts = np.array(table["text"].to_pylist(), object)[train]
    labels = np.array(table["label"].to_pylist())[train]
    return CountVectorizer().fit_transform(texts), labels


def all_scores(stats: TermStats) -> None:
    for name in SCORE_NAMES:
        score_classes(stats, name)


def timed(step: Callable[[], object], repeats: int) -> list[float]:
    """Seconds of each repetition, after one that compiles and warms up."""
    if repeats > 1:
        step()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - start)
    return seconds


def report(times: dict[str, list[float]], shape: tuple[int, int]) -> None:
    print(f"{shape[0]:,} documents, {shape[1]:,} terms; milliseconds")
    print(f"{'':45} {'median':>10} {'min':>10} {'max':>10} {'runs':>5}")
    for name, seconds in times.items():
        values = (statistics.median(seconds), min(seconds), max(seconds))
        columns = " ".join(f"{1000 * value:10.1f}" for value in values)
        print(f"{name:45} {columns} {len(seconds):5}")


if __name__ == "__main__":
    main()
