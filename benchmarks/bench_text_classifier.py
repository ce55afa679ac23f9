"""Train and test `TextClassifier` beside scikit-learn, fastText and Vowpal Wabbit.

    TERMFOLD_DATA=<folder with the parquet files> python benchmarks/bench_text_classifier.py

Every round runs every method once, steps under two seconds three times and those over twenty in
the first round only, so that a busy minute of the machine hits all alike. Times are of raw text in
memory (a list of ``str``) and of Parquet files, reading included. Parameters (C of the SVM,
learning rates) are chosen on a third held out of the training documents and then kept in the
results; ``--choose`` chooses them anew. The test split is read for the final scores only.

fastText and Vowpal Wabbit learn from files of their own format, with the documents shuffled;
writing these is not counted, nor is the preparation of texts (line ends, punctuation) for
predicting from memory.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from _common import RESULTS, look_up_bytes, record
from _contenders import SETS, Collection, Method, methods_for

from termfold.classify import TextClassifier

NAME = "text_classifier"
RIVALS = ("fasttext-wheel", "fasttext-numpy2-wheel", "vowpalwabbit")
QUICK, SLOW = 2.0, 20.0


class Clock:
    """Seconds of the wall and of all processors."""

    def __init__(self) -> None:
        self.runs: dict[str, list[float]] = {}

    def __call__(self, name: str, step: Callable[[], Any]) -> Any:
        wall, cpu = time.perf_counter(), time.process_time()
        result = step()
        seconds = time.perf_counter() - wall, time.process_time() - cpu
        for kind, value in zip(("", "_cpu"), seconds, strict=True):
            self.runs.setdefault(name + kind, []).append(round(value, 5))
        return result


def compare(
    data: Collection, rounds: int, only: str, known: dict[tuple[str, str], dict[str, float]]
) -> Iterator[dict[str, Any]]:
    methods = {name: m for name, m in methods_for(data).items() if re.search(only, name)}
    about: dict[str, dict[str, Any]] = {}
    for name, method in methods.items():
        parameters = known.get((data.name, name))
        about[name] = {"parameters": method.tune() if parameters is None else parameters}
        if parameters:
            (method.parameter,) = parameters.values()
        method.prepare(data.X, data.y)
        about[name]["parameters"] |= method.settle()
    clocks = {name: Clock() for name in methods}
    warm_up(data)
    for _ in range(rounds):
        for name, method in methods.items():
            run(method, data, clocks[name], about[name])
    for name in methods:
        yield {
            "what": "compare", "data": data.name, "method": name, "split": data.split,
            "documents": [len(data.X), len(data.X_test)], "megabytes": data.megabytes,
            "classes": data.n_classes, "rounds": rounds, "seconds": clocks[name].runs,
        } | about[name]  # fmt: skip


def warm_up(data: Collection) -> None:
    """Compile, or load what was compiled, before the clock runs."""
    some = slice(0, None, max(1, len(data.X) // 500))  # of all classes, whatever their order
    for effort in ("refined", "head", "rule"):
        model = TextClassifier(effort=effort).fit(data.X[some], data.y[some])
        model.predict(data.X_test[:100])


def run(method: Method, data: Collection, clock: Clock, about: dict[str, Any]) -> None:
    """Fit and predict; quick steps three times."""
    for step in method.steps:
        if clock.runs.get(step, [0.0])[0] > SLOW:
            continue
        texts = method.ready(data.X_test) if step == "predict" else []
        arguments: dict[str, tuple[Any, ...]] = {
            "fit": (),
            "fit_parquet": (data.paths[0],),
            "predict": (texts,),
            "predict_parquet": (data.paths[1],),
        }
        for _ in range(3):
            found = clock(step, partial(getattr(method, step), *arguments[step]))
            if clock.runs[step][-1] > QUICK:
                break
        if step == "predict":
            about.update(data.scores(data.y_test, found))


def sizes(data: Collection) -> Iterator[dict[str, Any]]:
    """How micro-F1 falls as the model gets smaller."""
    for max_bytes in (None, 2_000_000, 1_000_000, 500_000, 250_000, 100_000, 50_000):
        model = TextClassifier(max_bytes=max_bytes).fit(data.X, data.y)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            model.save(path)
            clock = Clock()
            for _ in range(5):
                clock("load", lambda path=path: TextClassifier.load(path))
            size = path.stat().st_size
        found = list(model.predict(data.X_test))
        yield {
            "what": "size", "data": data.name, "max_bytes": max_bytes, "bytes": size,
            "terms": len(model.model_.terms), "seconds": clock.runs,
        } | data.scores(data.y_test, found)  # fmt: skip


def throughput(data: Collection, repeats: int) -> dict[str, Any]:
    """Predict, on one and two threads, beside a mere look at every byte."""
    texts = pa.array(data.X_test, pa.large_string())
    raw = np.frombuffer(texts.buffers()[2], np.uint8)
    table = np.arange(256)
    look_up_bytes(raw[:10], table)
    model = TextClassifier().fit(data.X, data.y)
    clock = Clock()
    single = data.X_test[len(data.X_test) // 2]
    for _ in range(repeats):
        clock("limit", lambda: look_up_bytes(raw, table))
        for n_jobs in (1, 2):
            model.n_jobs = n_jobs
            clock(f"list, {n_jobs}", lambda: model.predict(data.X_test))
            clock(f"arrow, {n_jobs}", lambda: model.predict(texts))
        model.n_jobs = 1
        clock("1,000 texts, one by one", lambda: [model.predict([single]) for _ in range(1000)])
    return {
        "what": "throughput", "data": data.name, "documents": len(data.X_test),
        "megabytes": data.megabytes[1], "single_text_bytes": len(single.encode()),
        "seconds": clock.runs,
    }  # fmt: skip


COLD = """
import time
start = time.perf_counter()
from termfold import datasets
from termfold.classify import TextClassifier
texts, labels = datasets.load_debian("train").pair()
read = time.perf_counter()
model = TextClassifier().fit(texts[:500], labels[:500])
fitted = time.perf_counter()
model.predict(texts[:10])
end = time.perf_counter()
print(read - start, fitted - read, end - fitted)
"""


def cold() -> dict[str, Any]:
    """Import, first fit and first predict: with nothing compiled, and with a cache on disk."""
    seconds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as cache:
        for state in ("nothing compiled", "cache on disk", "cache on disk"):
            printed = subprocess.run(
                [sys.executable, "-c", COLD],
                env=os.environ | {"NUMBA_CACHE_DIR": cache},
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            for step, value in zip(("import", "fit", "predict"), printed.split(), strict=True):
                seconds.setdefault(f"{state}: {step}", []).append(round(float(value), 4))
    return {"what": "cold", "seconds": seconds}


# -- running ----------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--data", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--methods", default="", help="regular expression")
    parser.add_argument("--choose", action="store_true", help="choose parameters anew")
    parts = ("compare", "size", "throughput", "cold")
    parser.add_argument("--only", nargs="*", default=parts, choices=parts)
    options = parser.parse_args()
    known = {} if options.choose else chosen_before()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.data:
            data = Collection(name, Path(folder))
            if "throughput" in options.only:
                write(throughput(data, 5))
            if "size" in options.only and name == "20newsgroups_bydate":
                for result in sizes(data):
                    write(result)
            if "compare" in options.only:
                for result in compare(data, options.rounds, options.methods, known):
                    write(result)
    if "cold" in options.only:
        write(cold())


def chosen_before() -> dict[tuple[str, str], dict[str, float]]:
    path = RESULTS / f"{NAME}.jsonl"
    if not path.exists():
        return {}
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {
        (line["data"], line["method"]): line["parameters"]
        for line in lines
        if line["what"] == "compare"
    }


def write(result: dict[str, Any]) -> None:
    installed = {d.metadata["Name"]: d.version for d in distributions()}
    record(NAME, **result, rivals={name: installed[name] for name in RIVALS if name in installed})


if __name__ == "__main__":
    main()
