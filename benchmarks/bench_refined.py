"""Compare RefinedProjection with LinearSVC on eight collections: quality on the test split, time.

    TERMFOLD_DATA=<folder with the parquet files> python benchmarks/bench_refined.py

Both get the counts of the same terms. LinearSVC is given them as tf-idf (sublinear, rows of length
1), made before its time is taken; RefinedProjection makes it within its time. What is tuned is
tuned on a third held out of the training split; the test split is read once, at the end. Fits
alternate, and a ratio is the median over rounds of the ratio within a round.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import scipy.sparse as sp
from _common import in_turn, keep
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import f1_score, log_loss
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC

from termfold.project.refined import RefinedProjection
from termfold.terms.counter import TermCounter

SVM_COSTS = (0.1, 0.25, 0.5, 1, 2, 4, 8)
REFINED_GRID = tuple(itertools.product((0, 0.05, 0.1, 0.2), (0.25, 0.5, 1, 2)))

# file; what rows to take; names of the training and the test split, if published
COLLECTIONS: dict[str, tuple[str, tuple[str, Any] | None, tuple[str, str] | None]] = {
    "20newsgroups": ("20newsgroups_bydate", None, ("train", "test")),
    "agnews": ("agnews_partial", None, ("train", "test")),
    "dbpedia": ("dbpedia14_sample14000", None, None),
    "debian58": ("debian", ("lang", "en"), ("train", "test")),
    "imdb": ("imdb", None, ("train", "test")),
    "movie_reviews": ("movie_reviews_v2", None, None),
    "reuters_r90": ("reuters21578", ("r90", True), ("train", "test")),
    "thucnews_titles": ("zh_thucnews_titles", None, ("dev", "test")),
}


class Collection:
    """Counts and labels of the training and the test split."""

    def __init__(self, name: str) -> None:
        file, only, splits = COLLECTIONS[name]
        table = pq.read_table(Path(os.environ["TERMFOLD_DATA"]) / f"{file}.parquet")
        if only is not None:
            table = table.filter(pc.equal(table[only[0]], only[1]))
        if splits is None:  # none published: a third, drawn at random
            draw = np.random.default_rng(0).permutation(len(table))
            train, test = (table.take(rows) for rows in np.split(draw, [2 * len(draw) // 3]))
        else:
            train, test = (table.filter(pc.equal(table["split"], split)) for split in splits)
        counter = TermCounter()
        self.name = name
        self.counts = sp.csr_array(counter.fit_transform(train["text"]))
        self.test_counts = sp.csr_array(counter.transform(test["text"]))
        self.y, self.test_y = self._labels(train), self._labels(test)
        self.multilabel = name == "reuters_r90"
        if self.multilabel:
            binarizer = MultiLabelBinarizer().fit(self.y)
            self.y, self.test_y = binarizer.transform(self.y), binarizer.transform(self.test_y)

    @staticmethod
    def _labels(table: Any) -> Any:
        if "labels90" in table.column_names:
            return table["labels90"].to_pylist()
        return np.asarray(table["label"].to_pylist())

    def split(self) -> tuple[Any, Any]:
        """Training documents to tune on, and the third to judge by."""
        draw = np.random.default_rng(1).permutation(len(self.y))
        judged, learnt = np.split(draw, [len(draw) // 3])
        return learnt, judged

    def svm(self, cost: float) -> Any:
        svm = LinearSVC(C=cost)
        return OneVsRestClassifier(svm) if self.multilabel else svm


def f1(truth: Any, predicted: Any, average: str = "micro") -> float:
    return float(f1_score(truth, predicted, average=average, zero_division=0))


def tuned(data: Collection) -> tuple[float, tuple[float, float]]:
    """Choose C of LinearSVC, and prior and C of RefinedProjection, on training documents."""
    learnt, judged = data.split()
    tfidf = TfidfTransformer(sublinear_tf=True)
    x, z = tfidf.fit_transform(data.counts[learnt]), tfidf.transform(data.counts[judged])

    def svm(cost: float) -> float:
        return f1(data.y[judged], data.svm(cost).fit(x, data.y[learnt]).predict(z))

    def refined(pair: tuple[float, float]) -> float:
        model = RefinedProjection(*pair, probability=False)
        model.fit(data.counts[learnt], data.y[learnt])
        return f1(data.y[judged], model.predict(data.counts[judged]))

    return max(SVM_COSTS, key=svm), max(REFINED_GRID, key=refined)


def quality(data: Collection) -> Iterator[dict[str, Any]]:
    cost, pair = tuned(data)
    tfidf = TfidfTransformer(sublinear_tf=True)
    x, z = tfidf.fit_transform(data.counts), tfidf.transform(data.test_counts)
    methods: dict[str, Callable[[], tuple[Any, Any, Any]]] = {
        "LinearSVC": lambda: (data.svm(1), x, z),
        "LinearSVC tuned": lambda: (data.svm(cost), x, z),
        "RefinedProjection": lambda: (RefinedProjection(), data.counts, data.test_counts),
        "RefinedProjection no prior": lambda: (
            RefinedProjection(0), data.counts, data.test_counts
        ),
        "RefinedProjection tuned": lambda: (
            RefinedProjection(*pair), data.counts, data.test_counts
        ),
        "RefinedProjection min_df=2": lambda: (
            RefinedProjection(min_df=2), data.counts, data.test_counts
        ),
    }  # fmt: skip
    for method, make in methods.items():
        model, train, test = make()
        model.fit(train, data.y)
        predicted = model.predict(test)
        row = {
            "what": "quality", "data": data.name, "shape": data.counts.shape, "method": method,
            "micro_f1": f1(data.test_y, predicted),
            "macro_f1": f1(data.test_y, predicted, "macro"),
        }  # fmt: skip
        if isinstance(model, RefinedProjection):
            row |= {"prior": model.prior, "C": model.C, "epochs": float(model.n_epochs_.mean())}
            row |= calibration(model, test, data)
        else:
            row["C"] = cost if method.endswith("tuned") else 1
        yield row


def calibration(model: RefinedProjection, test: Any, data: Collection) -> dict[str, float]:
    """Cross-entropy, and how far the probability of a decision is from how often it is right."""
    probability = model.predict_proba(test)
    if data.multilabel:
        clipped = np.clip(probability, 1e-12, 1 - 1e-12)
        truth = data.test_y
        loss = -np.where(truth, np.log(clipped), np.log1p(-clipped)).sum(axis=1).mean()
        sure, right = np.maximum(clipped, 1 - clipped), (clipped > 0.5) == truth
    else:
        loss = log_loss(data.test_y, probability, labels=model.classes_)
        sure = probability.max(axis=1)
        right = model.classes_[probability.argmax(axis=1)] == data.test_y
    bins = np.minimum((sure * 15).astype(int), 14).ravel()
    error = np.abs(np.bincount(bins, sure.ravel()) - np.bincount(bins, right.ravel())).sum()
    return {"log_loss": float(loss), "calibration_error": float(error / sure.size)}


def speed(data: Collection, repeats: int) -> dict[str, Any]:
    tfidf = TfidfTransformer(sublinear_tf=True)
    x = tfidf.fit_transform(data.counts)
    fits: dict[str, Callable[[], Any]] = {
        "LinearSVC": lambda: data.svm(1).fit(x, data.y),
        "tf-idf": lambda: tfidf.fit_transform(data.counts),
        "refined, 1 thread": lambda: RefinedProjection(n_jobs=1).fit(data.counts, data.y),
        "refined, 2 threads": lambda: RefinedProjection(n_jobs=2).fit(data.counts, data.y),
        "refined, 2 threads, no probabilities": lambda: RefinedProjection(
            n_jobs=2, probability=False
        ).fit(data.counts, data.y),
    }
    for fit in fits.values():
        fit()  # compile
    taken = in_turn(fits, repeats)
    seconds, cpu = ({name: taken[name][kind]["all"] for name in fits} for kind in ("wall", "cpu"))
    ratios = {
        name: statistics.median(
            svm / own for svm, own in zip(seconds["LinearSVC"], seconds[name], strict=True)
        )
        for name in fits
    }
    return {
        "what": "speed", "data": data.name, "shape": data.counts.shape, "values": data.counts.nnz,
        "seconds": seconds, "cpu_seconds": cpu, "ratios": ratios,
    }  # fmt: skip


def show(result: dict[str, Any]) -> None:
    print(result["what"], result["data"], end=" ")
    if result["what"] == "speed":
        for name, seconds in result["seconds"].items():
            low, middle, high = (1000 * f(seconds) for f in (min, statistics.median, max))
            ratio = result["ratios"][name]
            print(f"| {name} {middle:.0f} ({low:.0f}-{high:.0f}) ms, {ratio:.1f}x", end=" ")
        print(flush=True)
    else:
        rest = {
            key: result[key]
            for key in ("prior", "C", "epochs", "log_loss", "calibration_error")
            if key in result
        }
        numbers = " ".join(f"{key} {value:.3f}" for key, value in rest.items())
        print(f"{result['method']}: micro {result['micro_f1']:.4f}, "
              f"macro {result['macro_f1']:.4f}, {numbers}", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", choices=["speed", "quality"])
    parser.add_argument("--data", nargs="*", choices=list(COLLECTIONS), default=list(COLLECTIONS))
    parser.add_argument("--dry", action="store_true", help="write no results")
    options = parser.parse_args()
    for name in options.data:
        data = Collection(name)
        results: list[dict[str, Any]] = []
        if options.only != "quality":
            results.append(speed(data, options.repeats))
            show(results[-1])
        if options.only != "speed":
            for row in quality(data):
                show(row)
                results.append(row)
        if not options.dry:
            for result in results:
                keep("refined", **result)


if __name__ == "__main__":
    main()
