"""TermCounter beside CountVectorizer, on the training posts of 20 Newsgroups.

    TERMFOLD_DATA=<folder with the parquet files> python benchmarks/bench_counter.py

Both are given the same list of strings. ``limit`` is the time that one thread needs just to read
the bytes and to look each up in a table of 256 entries: nothing that looks at every byte once is
faster than that by much.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

import numpy as np
from _common import in_process, in_turn, look_up_bytes, peak_of, record
from sklearn.feature_extraction.text import CountVectorizer

from termfold.datasets import load_20newsgroups
from termfold.terms.counter import TermCounter
from termfold.terms.texts import utf8_of

COUNTERS: dict[str, Callable[[], Any]] = {
    "termfold, 1 thread": lambda: TermCounter(n_jobs=1, cjk="word"),
    "termfold, 2 threads": lambda: TermCounter(n_jobs=2, cjk="word"),
    "scikit-learn": CountVectorizer,
}


def memory(name: str, texts: list[str]) -> int:
    """The peak of one ``fit_transform``, the kernels being loaded already."""
    COUNTERS[name]().fit_transform(["some text"])
    return peak_of(lambda: COUNTERS[name]().fit_transform(texts))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--memory", choices=COUNTERS)
    options = parser.parse_args()
    if options.memory:
        print(json.dumps(memory(options.memory, load_20newsgroups("train").data)))
        return

    dataset = load_20newsgroups("train")
    texts = dataset.data
    data, bounds = utf8_of(dataset.text)
    data = data[bounds[0] : bounds[-1]]
    table = np.arange(256)
    look_up_bytes(data[:1], table)
    fitted = {name: make().fit(texts) for name, make in COUNTERS.items()}
    matrices = [counter.transform(texts) for counter in fitted.values()]
    assert all((matrix != matrices[0]).nnz == 0 for matrix in matrices)

    limit = {"limit": lambda: look_up_bytes(data, table)}
    tasks: dict[str, dict[str, Callable[[], Any]]] = {
        "fit_transform": {
            name: lambda make=make: make().fit_transform(texts)  # type: ignore[misc]
            for name, make in COUNTERS.items()
        },
        "transform": {
            name: lambda counter=counter: counter.transform(texts)  # type: ignore[misc]
            for name, counter in fitted.items()
        },
    }
    for task, contenders in tasks.items():
        seconds = in_turn({**contenders, **limit}, options.repeats)
        rates = {name: len(data) / 1e6 / s["wall"]["median"] for name, s in seconds.items()}
        of_cpu = {name: len(data) / 1e6 / s["cpu"]["median"] for name, s in seconds.items()}
        record(
            "counter",
            task=task,
            data="20 Newsgroups bydate, train",
            documents=len(texts),
            megabytes=len(data) / 1e6,
            terms=len(fitted["scikit-learn"].vocabulary_),
            seconds=seconds,
            megabytes_per_second=rates,
            megabytes_per_second_of_processor=of_cpu,
            times_as_fast={name: rate / rates["scikit-learn"] for name, rate in rates.items()},
        )
    peaks = {name: in_process(__file__, "--memory", name) / 1e6 for name in COUNTERS}
    record("counter", task="peak of fit_transform", megabytes_above_the_texts=peaks)


if __name__ == "__main__":
    main()
