"""Collect the statistics of a gigabyte of text from Parquet: rate and memory.

    TERMFOLD_DATA=<folder with the parquet files> python benchmarks/bench_collect.py

The corpus is 20 Newsgroups again and again, with letters replaced at random places, so that new
terms keep coming: at a rate that falls so that the vocabulary grows about as ``n ** 0.55``
(Heaps' law). It is made in a temporary folder; collecting runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from _common import in_process, record, resident_peak

from termfold.collecting import collect
from termfold.corpus import open_corpus
from termfold.datasets import load_20newsgroups
from termfold.terms.texts import utf8_of

SEED = 0
HEAPS = 0.55
# New terms per token of the first copy, so that the whole continues the growth within it.
FIRST_RATE = 0.02


def write_corpus(path: Path, megabytes: int, split: str | None = None) -> None:
    """Write 20 Newsgroups, or one of its splits, so often that it is of this size."""
    rng = np.random.default_rng(SEED + (split == "test"))  # no split is the other again
    dataset = load_20newsgroups(split)
    data, bounds = utf8_of(dataset.text)
    offsets = bounds - bounds[0]
    data = data[bounds[0] : bounds[-1]]
    letters = np.flatnonzero((data >= ord("a")) & (data <= ord("z")))
    writer = None
    for copy in range(max(1, round(megabytes * 1e6 / len(data)))):
        changed = data.copy()
        tokens = len(data) / 6
        n_changes = int(FIRST_RATE * tokens * (copy + 1) ** (HEAPS - 1)) if copy else 0
        changed[rng.choice(letters, n_changes)] = rng.integers(ord("a"), ord("z") + 1, n_changes)
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(changed)]
        text = pa.Array.from_buffers(pa.large_string(), len(dataset), buffers)
        table = pa.table({"text": text, "label": dataset.labels})
        writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table, row_group_size=5000)
    assert writer is not None
    writer.close()


def read(path: str) -> dict[str, float]:
    start = time.perf_counter()
    size = sum(batch.text.nbytes for batch in open_corpus(path))
    return {"seconds": time.perf_counter() - start, "bytes": size, "peak": resident_peak()}


def count(path: str, n_jobs: int) -> dict[str, float]:
    collect(["some text"], labels=["label"])  # load the kernels
    loaded = resident_peak()
    start = time.perf_counter()
    stats = collect(path, n_jobs=n_jobs)
    return {
        "seconds": time.perf_counter() - start,
        "documents": stats.n_docs,
        "terms": stats.n_terms,
        "cells": len(stats.df),
        "tokens": int(stats.term_tf.sum()),
        "peak": resident_peak(),
        "of_that_before": loaded,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--count", metavar="FILE")
    parser.add_argument("--read", metavar="FILE")
    parser.add_argument("--n-jobs", type=int, default=2)
    options = parser.parse_args()
    if options.count or options.read:
        found = count(options.count, options.n_jobs) if options.count else read(options.read)
        print(json.dumps(found))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.parquet"
        write_corpus(path, options.megabytes)
        only_read = in_process(__file__, "--read", str(path))
        for n_jobs in (1, 2):
            counted = in_process(__file__, "--count", str(path), "--n-jobs", str(n_jobs))
            record(
                "collect",
                data="20 Newsgroups, repeated with changes, Parquet (zstd)",
                seed=SEED,
                n_jobs=n_jobs,
                megabytes=only_read["bytes"] / 1e6,
                seconds_to_read=only_read["seconds"],
                megabytes_per_second=only_read["bytes"] / 1e6 / counted["seconds"],
                peak_megabytes=counted["peak"] / 1e6,
                **counted,
            )


if __name__ == "__main__":
    main()
