"""Term projection as published and as here, and what it is compared with."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from termfold import RuleClassifier, TermProjection, TermSelector
from termfold_studies.common.collections import Split
from termfold_studies.common.learners import learn_and_test, linear_svm
from termfold_studies.common.rows import pack

PUBLISHED: dict[str, Any] = {
    "weight": "rr",
    "smoothing": 0,
    "discriminability": "max",
    "positive": False,
    "input_weight": "tfidf",
    "denominator": "none",
}
FORMS: dict[str, dict[str, Any]] = {"published": PUBLISHED, "default": {}}
HEADS: dict[str, Callable[[], Any]] = {
    "largest feature": lambda: _Largest(),
    "SVM": lambda: make_pipeline(Normalizer(), linear_svm()),
}
#: With the features of the default form, which are on one scale and made for it.
DEFAULT_HEADS: dict[str, Callable[[], Any]] = {"calibrated rule": lambda: RuleClassifier()}


class _Largest:
    """The class of the largest feature, as published: nothing is learnt."""

    def fit(self, X: Any, y: Any) -> _Largest:
        self.classes = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return self.classes[np.asarray(X).argmax(axis=1)]


def selected_svm(split: Split, score: str, size: int, ranking: Any = None) -> dict[str, Any]:
    """The traditional way: the best terms by a score, tf-idf, linear SVM."""
    X, X_test = split.tfidf
    began = time.process_time()
    if ranking is None:
        ranking = ranking_of(split, score)
    columns = np.sort(ranking[:size])
    selecting = time.process_time() - began
    right, times = learn_and_test(
        linear_svm(), X[:, columns].tocsr(), split.y, X_test[:, columns].tocsr(), split.y_test
    )
    return {**_found(right, times), "select_seconds": round(selecting, 5)}


def ranking_of(split: Split, score: str) -> Any:
    """Columns by the largest score for a class."""
    selector: Any = TermSelector(score, "max", k=1)  # type: ignore[arg-type]
    return selector.fit_stats(split.stats).ranking_


def projected(split: Split, n_terms: int | None, form: str) -> dict[str, Any]:
    """K features, and all classifiers on them."""
    began = time.process_time()
    projection = TermProjection(n_terms, **FORMS[form])
    if form == "published":
        train = projection.fit(split.counts, split.y).transform(split.counts)
    else:
        train = projection.fit_transform(split.counts, split.y)
    fitted = time.process_time()
    test = projection.transform(split.test_counts)
    seconds = {"project_train": fitted - began, "project_test": time.process_time() - fitted}
    found: dict[str, Any] = {
        "kept": int(np.count_nonzero(projection.clusters_ >= 0)),
        "features": train.shape[1],
        "seconds": {name: round(value, 5) for name, value in seconds.items()},
        "heads": {},
    }
    heads = HEADS if form == "published" else {**HEADS, **DEFAULT_HEADS}
    for head, make in heads.items():
        right, times = learn_and_test(make(), train, split.y, test, split.y_test)
        found["heads"][head] = _found(right, times)
    return found


def latent(split: Split, dimensions: int) -> dict[str, Any]:
    """Latent semantic analysis and a linear SVM."""
    X, X_test = (matrix.tocsr() for matrix in split.tfidf)
    began = time.process_time()
    lsa = TruncatedSVD(dimensions, algorithm="arpack", random_state=0)
    train = lsa.fit_transform(X)
    fitted = time.process_time()
    test = lsa.transform(X_test)
    ended = time.process_time()
    right, times = learn_and_test(linear_svm(), train, split.y, test, split.y_test)
    seconds = {"project_train": round(fitted - began, 5), "project_test": round(ended - fitted, 5)}
    return {**_found(right, times), "features": dimensions, "seconds": seconds}


def _found(right: Any, times: dict[str, Any]) -> dict[str, Any]:
    return {"f1": round(float(right.mean()), 5), **times, "right": pack(right)}
