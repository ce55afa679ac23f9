"""Time best terms beside the filter, and measure F1 on Reuters-21578.

    TERMFOLD_DATA=<folder with the parquet files> python benchmarks/bench_best_terms.py

Both get the same counts and begin with the same statistics. The filter scores all terms for all
classes at once, keeps the best for each class (by partition, which is faster than the sort of the
paper), restricts all training documents to them, and trains the same head; it uses the same
kernels. It keeps as many terms as best terms took in each class, or the number that was best for it
on a held-out third. All run on one thread, in alternation.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from _common import in_turn, keep
from sklearn.metrics import f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from termfold._estimator import LabelledMatrixEstimator
from termfold.classify.best_terms import BestTermsClassifier
from termfold.classify.best_terms_head import margins, new_head
from termfold.datasets import load_20newsgroups, load_reuters21578
from termfold.scores import score_classes
from termfold.select.best_terms import checked
from termfold.select.best_terms_steps import narrow
from termfold.stats import TermStats
from termfold.terms.counter import TermCounter

SIZES = (30, 100, 300, 1000)
NINE = ("dia", "chi2", "ngl", "ig", "mi", "or", "rs", "gss", "df")
COUNTER = {"stop_words": "english", "numbers": "drop", "min_df": 5}


class Collection:
    """Counts and labels of the published training and test split."""

    def __init__(self, name: str, counter_parameters: dict[str, Any] = COUNTER) -> None:
        self.counter = counter_parameters
        load = {"20newsgroups_bydate": load_20newsgroups, "reuters21578_r90": load_reuters21578}
        train, test = load[name]("train"), load[name]("test")
        counter = TermCounter(**counter_parameters)
        self.name = name
        self.X = sp.csr_array(counter.fit_transform(train.text))
        self.X_test = sp.csr_array(counter.transform(test.text))
        self.y, self.y_test = train.target, test.target
        if train.multilabel:
            binarizer = MultiLabelBinarizer().fit(self.y)
            self.y, self.y_test = binarizer.transform(self.y), binarizer.transform(self.y_test)


class Filter(LabelledMatrixEstimator):
    """The best terms of the whole vocabulary for each class, and a head on all documents."""

    def __init__(self, score: str, sizes: Any, head: str) -> None:
        self.score, self.sizes, self.head = score, sizes, head

    def fit(self, X: sp.csr_array, y: Any) -> Filter:
        X, labels = checked(self, X, y)
        by_term = X.tocsc()
        stats = TermStats.from_matrix(by_term, labels)
        scores = score_classes(stats, self.score)
        whole = np.ones(X.shape[0], bool)
        self.classes_ = labels.classes
        self.heads = []
        for k, size in enumerate(self.sizes):
            size = min(max(1, int(size)), X.shape[1])
            best = np.sort(np.argpartition(-scores[k], size - 1)[:size])
            target = np.zeros(X.shape[0], np.int64)
            target[labels.rows_of(k)] = 1
            head = new_head(self.head).fit(narrow(X, by_term, best, whole), target)
            self.heads.append((best, head))
        return self

    def predict(self, X: sp.csr_array, multilabel: bool) -> Any:
        by_term, whole = X.tocsc(), np.ones(X.shape[0], bool)
        decisions = np.column_stack(
            [margins(head, narrow(X, by_term, best, whole)) for best, head in self.heads]
        )
        return (decisions > 0) + 0 if multilabel else self.classes_[decisions.argmax(axis=1)]


def speed(data: Collection, head: str, floors: list[float], repeats: int) -> Iterator[dict]:
    n_classes = len(Filter("df", [], head).fit(data.X, data.y).classes_)
    for score in NINE:
        tuned = best_size(data, score, head, n_classes)
        methods = {"filter, tuned": Filter(score, np.full(n_classes, tuned), head)}
        about = {}
        for floor in floors:
            method = BestTermsClassifier(head, score, min_precision=floor, n_jobs=1)
            sizes = method.fit(data.X, data.y).n_features_
            methods[f"best terms, p={floor}"] = method
            methods[f"filter, as many as p={floor}"] = Filter(score, sizes, head)
            about[f"p={floor}"] = {
                "n_features": float(sizes.mean()), "reduction": float(method.reduction_.mean())
            }  # fmt: skip
        fits = {name: partial(method.fit, data.X, data.y) for name, method in methods.items()}
        taken = in_turn(fits, repeats)
        yield {
            "what": "speed", "data": data.name, "counter": data.counter, "shape": data.X.shape,
            "head": head, "score": score, "tuned_size": tuned, "of_best_terms": about,
            "cpu_seconds": {name: taken[name]["cpu"]["all"] for name in fits},
        }  # fmt: skip


def best_size(data: Collection, score: str, head: str, n_classes: int) -> int:
    """The number of terms a class at which the filter has the best micro-F1 on a held-out third."""
    held_out = np.random.default_rng(0).random(data.X.shape[0]) < 1 / 3
    multilabel = data.y.ndim == 2
    # Without classes that the rest has no document of.
    y = data.y[:, data.y[~held_out].any(axis=0)] if multilabel else data.y
    f1 = {}
    for size in SIZES:
        a_filter = Filter(score, np.full(y.shape[1] if multilabel else n_classes, size), head)
        a_filter.fit(data.X[~held_out], y[~held_out])
        predicted = a_filter.predict(data.X[held_out], multilabel)
        f1[size] = f1_score(y[held_out], predicted, average="micro")
    return max(SIZES, key=lambda size: (f1[size], -size))


def seconds_of(step: Callable[[], object]) -> float:
    """CPU time of the process, which what else runs on the machine disturbs less."""
    start = time.process_time()
    step()
    return time.process_time() - start


def growth(data: Collection, repeats: int) -> Iterator[dict]:
    order = np.random.default_rng(0).permutation(data.X.shape[0])
    for score, floor in (("or", 0.25), ("chi2", 0.0), ("df", 0.0)):
        method = BestTermsClassifier(term_score=score, min_precision=floor, n_jobs=1)
        for divisor in (16, 8, 4, 2, 1):
            rows = order[: len(order) // divisor]
            X, y = data.X[rows], data.y[rows]
            method.fit(X, y)
            seconds = [seconds_of(lambda: method.fit(X, y)) for _ in range(repeats)]  # noqa: B023
            yield {
                "what": "growth", "data": data.name, "score": score, "min_precision": floor,
                "n_docs": len(rows), "n_values": X.nnz, "cpu_seconds": seconds,
            }  # fmt: skip


def quality(data: Collection) -> Iterator[dict]:
    multilabel = data.y.ndim == 2
    n_classes = data.y.shape[1] if multilabel else len(np.unique(data.y))

    def row(**about: Any) -> dict:
        predicted = about.pop("predicted")
        f1 = {
            f"{average}_f1": f1_score(data.y_test, predicted, average=average, zero_division=0)
            for average in ("micro", "macro")
        }
        return (
            {"what": "quality", "data": data.name, "counter": data.counter, "split": "train / test"}
            | about
            | f1
        )

    for head in ("naive_bayes", "svm"):
        every = Filter("df", np.full(n_classes, data.X.shape[1]), head).fit(data.X, data.y)
        yield row(method="all terms", head=head, predicted=every.predict(data.X_test, multilabel))
        for score in NINE:
            for floor in (0.0, 0.25, 0.5, 1.0):
                method = BestTermsClassifier(head, score, min_precision=floor)
                predicted = method.fit(data.X, data.y).predict(data.X_test)
                about = {"method": "best terms", "head": head, "score": score}
                about |= {"min_precision": floor, "n_features": float(method.n_features_.mean())}
                yield row(**about, reduction=float(method.reduction_.mean()), predicted=predicted)
            for size in SIZES:
                a_filter = Filter(score, np.full(n_classes, size), head).fit(data.X, data.y)
                predicted = a_filter.predict(data.X_test, multilabel)
                about = {"method": "filter", "head": head, "score": score, "n_features": size}
                yield row(**about, predicted=predicted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", choices=["speed", "growth", "quality"])
    options = parser.parse_args()
    groups = Collection("20newsgroups_bydate")
    reuters = Collection("reuters21578_r90")
    runs = []
    if options.only in (None, "speed"):
        for data in (reuters, groups):
            runs.append(speed(data, "naive_bayes", [0, 0.25, 0.5, 1], options.repeats))
            runs.append(speed(data, "svm", [0, 0.25, 0.5], min(3, options.repeats)))
        whole = Collection("20newsgroups_bydate", {})
        runs.append(speed(whole, "naive_bayes", [0, 0.25, 0.5, 1], options.repeats))
    if options.only in (None, "growth"):
        runs.append(growth(groups, options.repeats))
    if options.only in (None, "quality"):
        runs += [quality(reuters), quality(groups)]
    for run in runs:
        for result in run:
            show(result)
            keep("best_terms", **result)


def show(result: dict[str, Any]) -> None:
    about = [str(result.get(key, "")) for key in ("what", "data", "head", "score", "min_precision")]
    if result["what"] == "speed":
        numbers = f"{result['shape'][1]} terms, tuned size {result['tuned_size']}"
        for name, seconds in result["cpu_seconds"].items():
            numbers += f"\n    {name:28} {spread(seconds)}"
    elif result["what"] == "growth":
        numbers = f"{result['n_docs']} documents, {result['n_values']} values, "
        numbers += spread(result["cpu_seconds"])
    else:
        numbers = f"{result['method']}, {result.get('n_features', 0):.0f} features, "
        numbers += f"micro {result['micro_f1']:.4f}, macro {result['macro_f1']:.4f}"
    print(*about, numbers, flush=True)


def spread(seconds: list[float]) -> str:
    low, middle, high = (1000 * f(seconds) for f in (min, statistics.median, max))
    return f"{middle:.0f} ({low:.0f}-{high:.0f}) ms"


if __name__ == "__main__":
    main()
