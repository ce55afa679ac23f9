"""How far it goes: many classes, documents and terms, long texts, large counters.

Each case runs in a process of its own; its time and the peak of its memory are written down, and
what came out is checked. Texts are made up as they are read, so that memory is termfold's own.

    python benchmarks/bench_limits.py
    python benchmarks/bench_limits.py many_terms
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from _common import in_process, record, resident_peak

from termfold import TermStats, TextClassifier, collect
from termfold.corpus import Batch
from termfold.errors import StatsError

WORD = 10  # bytes, the blank behind it included
PER_BATCH = 20_000


def words(number: int) -> np.ndarray:
    """So many distinct words of equal length."""
    digits = np.arange(number)[:, None] // 26 ** np.arange(WORD - 2, -1, -1) % 26
    letters = np.full((number, WORD), ord(" "), np.uint8)
    letters[:, : WORD - 1] = digits + ord("a")
    return letters


def batch_of(rows: np.ndarray, labels: list[str]) -> Batch:
    """Documents of equal length, given as rows of bytes."""
    n, size = rows.shape
    offsets = np.arange(n + 1, dtype=np.int64) * size
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(rows))]
    texts = pa.Array.from_buffers(pa.large_string(), n, buffers)
    lists = pa.ListArray.from_arrays(pa.array(np.arange(n + 1), pa.int32()), pa.array(labels))
    return Batch(texts, lists, "made up", 0)


def random_documents(
    documents: int, per_document: int, vocabulary: int, classes: int, seed: int = 0
) -> Iterator[Batch]:
    """Documents of random words, of which some are more frequent in each class."""
    known = words(vocabulary)
    rng = np.random.default_rng(seed)
    for start in range(0, documents, PER_BATCH):
        n = min(PER_BATCH, documents - start)
        of_class = rng.integers(0, classes, n)
        ids = (vocabulary * rng.random((n, per_document)) ** 2).astype(np.int64)
        own = rng.random((n, per_document)) < 0.3
        near = of_class[:, None] * (vocabulary // classes) + ids % max(1, vocabulary // classes)
        ids = np.where(own, near, ids)
        names = [f"class {k}" for k in of_class.tolist()]
        yield batch_of(known[ids].reshape(n, -1), names)


def many_classes() -> dict[str, Any]:
    """2,000 classes, 200,000 documents: learnt, and a tenth predicted."""
    began = time.perf_counter()
    learnt = list(random_documents(200_000, 30, 100_000, 2_000))
    made = time.perf_counter() - began
    classifier = TextClassifier(max_bytes=None).fit(learnt)
    fitted = time.perf_counter() - began - made
    test = next(iter(random_documents(PER_BATCH, 30, 100_000, 2_000, seed=1)))
    found = classifier.predict(test.text)
    truth = [names[0] for names in test.labels.to_pylist()]
    assert len(classifier.classes_) == 2_000
    with tempfile.TemporaryDirectory() as folder:
        classifier.save(Path(folder) / "model")
        size = (Path(folder) / "model").stat().st_size
    return {
        "fit_seconds": fitted,
        "accuracy": float(np.mean(found == np.array(truth))),
        "model_megabytes": size / 1e6,
    }


def many_documents() -> dict[str, Any]:
    """10 million documents of 100 characters: counted."""
    stats = collect(random_documents(10_000_000, 10, 100_000, 20))
    assert stats.n_docs == 10_000_000
    assert stats.term_tf.sum() == 100_000_000
    return {"terms": stats.n_terms}


def many_terms() -> dict[str, Any]:
    """20 million distinct terms: counted, saved, loaded, added."""
    total = 20_000_000

    def documents() -> Iterator[Batch]:
        for start in range(0, total, PER_BATCH * 10):
            numbers = start + np.arange(PER_BATCH * 10)
            digits = numbers[:, None] // 26 ** np.arange(WORD - 2, -1, -1) % 26
            letters = np.full((len(numbers), WORD), ord(" "), np.uint8)
            letters[:, : WORD - 1] = digits + ord("a")
            yield batch_of(letters.reshape(-1, 100 * WORD), ["x", "y"] * (PER_BATCH // 20))

    stats = collect(documents())
    assert stats.n_terms == total
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts"
        stats.save(path)
        size = path.stat().st_size
        loaded = TermStats.load(path)
    assert loaded == stats
    both = loaded + stats
    assert both.term_tf.sum() == 2 * total
    return {"file_megabytes": size / 1e6}


def long_document() -> dict[str, Any]:
    """One document of 1 GB, counted and predicted."""
    number = 10**9 // WORD
    known = words(50_000)
    ids = np.random.default_rng(0).integers(0, len(known), number)
    long = batch_of(known[ids].reshape(1, -1), ["long"])
    stats = collect([long])
    assert stats.term_tf.sum() == number
    classifier = TextClassifier().fit(list(random_documents(2_000, 10, 50_000, 2)))
    assert np.isfinite(classifier.transform(long.text)).all()
    return {"terms": stats.n_terms}


def long_term() -> dict[str, Any]:
    """One term of 200 MB, and a million empty documents beside it."""
    term = "x" * 200_000_000
    texts = pa.array([term, *[""] * 1_000_000, f"{term} {term}y"], pa.large_string())
    n = len(texts)
    lists = pa.ListArray.from_arrays(pa.array(np.arange(n + 1), pa.int32()), pa.array(["a"] * n))
    stats = collect([Batch(texts, lists, "made up", 0)])
    assert stats.n_docs == n
    assert stats.term_df.tolist() == [2, 1]
    return {}


def uneven_classes() -> dict[str, Any]:
    """A class with one document beside one with a million."""

    def documents() -> Iterator[Batch]:
        yield from random_documents(1_000_000, 10, 50_000, 1)
        yield batch_of(words(200)[190:].reshape(1, -1), ["rare"])

    classifier = TextClassifier().fit(documents())
    text = batch_of(words(200)[190:].reshape(1, -1), ["rare"]).text
    proba = classifier.predict_proba(text)
    assert np.allclose(proba.sum(axis=1), 1)
    return {"predicted": str(classifier.predict(text)[0])}


def large_counters() -> dict[str, Any]:
    """Counts doubled until they would be beyond 64 bits: exact until then, and then refused."""
    stats = collect(["good film", "bad film"], labels=["x", "y"])
    doubled = stats
    for power in range(1, 64):
        try:
            more = doubled + doubled
        except StatsError as error:
            return {"refused_at": f"2^{power}", "message": str(error)}
        assert more.term_tf.tolist() == [2**power, 2 ** (power + 1), 2**power]
        assert more - doubled == doubled
        doubled = more
    raise AssertionError("nothing was refused")


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    case.__name__: case
    for case in (
        many_classes,
        many_documents,
        many_terms,
        long_document,
        long_term,
        uneven_classes,
        large_counters,
    )
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--alone", choices=CASES)
    options = parser.parse_args()
    if options.alone:
        collect(["to load", "and compile"], labels=["a", "b"])
        began = time.perf_counter()
        found = CASES[options.alone]()
        seconds = time.perf_counter() - began
        print(json.dumps({"seconds": seconds, "peak_megabytes": resident_peak() / 1e6, **found}))
        return
    for name in options.cases or CASES:
        measured = in_process(__file__, "--alone", name)
        record("limits", case=name, what=(CASES[name].__doc__ or "").rstrip("."), **measured)


if __name__ == "__main__":
    main()
