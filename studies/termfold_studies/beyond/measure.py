"""Measure all methods on all collections."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np
from sklearn.metrics import f1_score

from termfold import TermCounter, TextClassifier
from termfold_studies.beyond.collections import BUILT_IN, COLLECTIONS, Texts
from termfold_studies.beyond.methods import DEFAULT, FROM_COUNTS, FROM_TEXTS, QUICK, SVM, n_features
from termfold_studies.common.learners import learn_and_test
from termfold_studies.common.rows import Rows, pack

AUTO = 'TextClassifier(method="auto")'
#: For the choice by cross-validation, as is the default.
_SECONDS = 60


def measure(rows: Rows, quick: bool) -> None:
    """Everything of the study that the rows lack."""
    names = (BUILT_IN,) if quick else tuple(COLLECTIONS)
    _warm_up()
    for name in names:
        _collection(rows, COLLECTIONS[name](), QUICK if quick else (*FROM_COUNTS, *FROM_TEXTS))
    if not quick:
        for name in names:
            texts = COLLECTIONS[name]()
            rows.measure(_key(texts, AUTO), lambda texts=texts: _automatic(texts))  # type: ignore[misc]


def _collection(rows: Rows, texts: Texts, methods: tuple[str, ...]) -> None:
    lacking = [method for method in methods if rows.lacks(**_key(texts, method))]
    counted = _count(rows, texts) if set(lacking) & set(FROM_COUNTS) else None
    for method in lacking:
        if method in FROM_COUNTS:
            run = partial(_by_counts, texts, counted, method)
        else:
            run = partial(_by_texts, texts, method)
        rows.measure(_key(texts, method), run)


def _warm_up() -> None:
    """Run each method once on little data, so that no time below holds the loading of kernels."""
    whole = COLLECTIONS[BUILT_IN]()
    some = slice(0, 400)
    small = Texts("", "", whole.train[some], whole.y[some], whole.test[:50], whole.y_test[:50])
    X = TermCounter(n_jobs=1).fit_transform(small.train)
    for make in FROM_COUNTS.values():
        learn_and_test(make(), X, small.y, X, small.y)
    for make in FROM_TEXTS.values():
        learn_and_test(make(), small.train, small.y, small.test, small.y_test)


def _count(rows: Rows, texts: Texts) -> list[Any]:
    """Matrices of counts; the time is a row of its own, since many methods share them."""
    counter = TermCounter(n_jobs=1)
    began = time.process_time()
    X = counter.fit_transform(texts.train)
    trained = time.process_time()
    X_test = counter.transform(texts.test)
    ended = time.process_time()
    about = {
        "documents": [len(texts.y), len(texts.y_test)],
        "terms": X.shape[1],
        "classes": len(np.unique(texts.y)),
        "train_seconds": round(trained - began, 5),
        "test_seconds": round(ended - trained, 5),
    }
    rows.measure(_key(texts, None) | {"what": "counting"}, lambda: about)
    return [X, X_test]


def _by_counts(texts: Texts, counted: Any, method: str) -> dict[str, Any]:
    X, X_test = counted
    model = FROM_COUNTS[method]()
    right, found = learn_and_test(model, X, texts.y, X_test, texts.y_test)
    n_classes = len(np.unique(texts.y))
    found["features"] = n_features(method, model, X.shape[1], n_classes)
    return _with_documents(found, right, method)


def _by_texts(texts: Texts, method: str) -> dict[str, Any]:
    model = FROM_TEXTS[method]()
    right, found = learn_and_test(model, texts.train, texts.y, texts.test, texts.y_test)
    found["features"] = n_features(method, model, 0, len(np.unique(texts.y)))
    return _with_documents(found, right, method)


def _automatic(texts: Texts) -> dict[str, Any]:
    """What the choice by cross-validation chose, and what that gives on the test documents."""
    model = TextClassifier("auto", seconds=_SECONDS, n_jobs=1)
    model.fit(texts.train, texts.y)
    predicted = model.predict(texts.test)
    best = max(model.trials_, key=lambda trial: trial.micro_f1)
    return {
        "f1": round(float(np.mean(predicted == texts.y_test)), 5),
        "macro_f1": round(float(f1_score(texts.y_test, predicted, average="macro")), 5),
        "chosen": best.to_dict(),
        "trials": len(model.trials_),
    }


def _with_documents(found: dict[str, Any], right: Any, method: str) -> dict[str, Any]:
    found = {"f1": round(float(right.mean()), 5), **found}
    return found | {"right": pack(right)} if method in (SVM, DEFAULT) else found


def _key(texts: Texts, method: str | None) -> dict[str, Any]:
    key = {"what": "f1", "collection": texts.collection, "split": texts.split, "seed": 0}
    return key if method is None else key | {"method": method}
