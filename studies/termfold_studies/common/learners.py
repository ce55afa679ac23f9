"""The classifiers of the studies, set up alike everywhere."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import f1_score
from sklearn.svm import LinearSVC


def linear_svm(C: float = 1.0) -> LinearSVC:
    """A linear support vector machine, one against the rest, always with the same seed.

    The primal problem is solved where there are fewer features than documents, the dual one
    otherwise; the answer is the same, the time is not.
    """
    return LinearSVC(C=C, dual="auto", random_state=0, max_iter=500)


def learn_and_test(
    model: Any, X: Any, y: Any, X_test: Any, y_test: Any
) -> tuple[NDArray[np.bool_], dict[str, Any]]:
    """Fit and predict; of each test document whether it was right, then macro-F1 and the times.

    Times are of the processor: they depend least on what else the machine does. Whether the solver
    stopped early is told, too: with very few features of large values it may.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        began = time.process_time()
        model.fit(X, y)
        trained = time.process_time()
        predicted = model.predict(X_test)
        tested = time.process_time()
    found: dict[str, Any] = {
        "macro_f1": round(float(f1_score(y_test, predicted, average="macro", zero_division=0)), 5),
        "train_seconds": round(trained - began, 5),
        "test_seconds": round(tested - trained, 5),
    }
    if any(issubclass(warning.category, ConvergenceWarning) for warning in caught):
        found["stopped_early"] = True
    return np.asarray(predicted) == np.asarray(y_test), found


def in_turn(
    contenders: Mapping[str, Callable[[], Any]], repeats: int
) -> dict[str, dict[str, list[float]]]:
    """Time each contender in each round, so that what else the machine does hits all alike.

    Returns the seconds of each by the clock on the wall and of the processor. One run of each
    before the first round is not counted: kernels are compiled in it.
    """
    for run in contenders.values():
        run()
    taken: dict[str, dict[str, list[float]]] = {
        name: {"wall": [], "cpu": []} for name in contenders
    }
    for _ in range(repeats):
        for name, run in contenders.items():
            wall, cpu = time.perf_counter(), time.process_time()
            run()
            taken[name]["wall"].append(round(time.perf_counter() - wall, 6))
            taken[name]["cpu"].append(round(time.process_time() - cpu, 6))
    return taken
