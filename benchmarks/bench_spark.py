"""termfold on Spark against MLlib, and against itself on one machine, from the same Parquet.

    TERMFOLD_DATA=<folder with the parquet files> python benchmarks/bench_spark.py [--quick]
        [--only compare larger svc growth vocabulary]

compare
    20 Newsgroups. Each contender runs in a process and a session of its own: reading, learning
    from the training split, labelling the test split; then the same again in that session.
larger
    The same with three collections in one, and with 20 Newsgroups ten times, changed each time.
svc
    MLlib's linear support vector machines, stopped after four minutes.
growth
    Statistics are collected from text of growing size on one core and on two.
vocabulary
    Over five million terms, with a driver limited to one gigabyte.

Needs Java. Seconds by the clock, and of all processes together, Java's and Python's. What is
measured is in spark_contenders.py. Each part writes its lines when it has them, so that a run that
was broken off goes on with ``--only``. All of it takes about twenty minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from _common import in_process, record
from bench_collect import write_corpus

from termfold.datasets import load_20newsgroups, load_agnews, load_imdb

MEGABYTES = (36, 72, 144, 288)  # one copy of the collection is 36
# What is compared, and how often: what takes long is measured fewer times.
ROUNDS = {
    "compare": {
        "termfold_local": 3,
        "termfold_spark": 3,
        "termfold_spark_plain": 3,
        "termfold_spark_rule": 2,
        "mllib_nb": 2,
        "mllib_nb_plain": 2,
    },
    "larger": {"termfold_local": 2, "termfold_spark": 2, "mllib_nb": 2, "mllib_nb_plain": 1},
    "svc": {"mllib_svc_10": 1, "mllib_svc_100": 1},
}
# Seconds after which a contender is stopped, with the start of its session.
LIMITS = {"compare": 600, "larger": 600, "svc": 240, "growth": 600}
ROW_GROUP = 1500
_BEGAN = time.perf_counter()


# -- the data ---------------------------------------------------------------------------------


def newsgroups(folder: Path, split: str) -> None:
    write(folder / f"{split}.parquet", [pa.table(load_20newsgroups(split))])


def three_collections(folder: Path, split: str) -> None:
    """News, reviews and posts, with 26 classes in all."""
    loaders = {"20ng": load_20newsgroups, "imdb": load_imdb, "agnews": load_agnews}
    tables = []
    for name, load in loaders.items():
        table = pa.table(load(split))
        labels = [f"{name}/{label}" for label in table["label"].to_pylist()]
        tables.append(pa.table({"text": table["text"], "label": labels}))
    write(folder / f"{split}.parquet", tables)


def tenfold(folder: Path, split: str) -> None:
    """Copies with letters changed here and there, so that the vocabulary grows with the text."""
    size = sum(map(len, load_20newsgroups(split).data)) / 1e6
    write_corpus(folder / f"{split}.parquet", round(10 * size), split)


def write(path: Path, tables: list[pa.Table]) -> None:
    """One file with the rows in an order by chance, as a table grows in life."""
    chosen = [table.select(["text", "label"]) for table in tables]
    table = pa.concat_tables(chosen, promote_options="permissive")
    order = np.random.default_rng(0).permutation(len(table))
    pq.write_table(table.take(order), path, compression="zstd", row_group_size=ROW_GROUP)


DATA: dict[str, tuple[str, Callable[[Path, str], None]]] = {
    "20 Newsgroups": ("compare", newsgroups),
    "20 Newsgroups, IMDB and AG News in one": ("larger", three_collections),
    "20 Newsgroups tenfold, with changes": ("larger", tenfold),
}


def size_of(*paths: Path) -> float:
    """Megabytes of text."""
    columns = [pq.read_table(path, columns=["text"])["text"] for path in paths]
    return sum(chunk.nbytes for column in columns for chunk in column.chunks) / 1e6


# -- in turn ----------------------------------------------------------------------------------


def in_own_process(
    part: str, name: str, train: Path, test: Path, cores: int, times: int
) -> dict[str, Any]:
    """Run a contender; if it takes too long, end it and all that it has started."""
    say(f"  {name}, {cores} cores …")
    script = Path(__file__).with_name("spark_contenders.py")
    command = [sys.executable, script, name, train, test, str(cores), str(times)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        printed, _ = process.communicate(timeout=LIMITS[part])
    except subprocess.TimeoutExpired:
        say(f"  stopped after {LIMITS[part]} s")
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return {"seconds": LIMITS[part], "cpu_seconds": None, "accuracy": None, "again": []}
    if process.returncode:
        raise SystemExit(f"{name} ended with status {process.returncode}")
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    again = ", again ".join(f"{run['seconds']:.1f}" for run in [found, *found.get("again", [])])
    say(f"  {name}: {again} s")
    return found


def say(line: str) -> None:
    print(f"{time.perf_counter() - _BEGAN:6.0f} s  {line}", file=sys.stderr, flush=True)


def compare(part: str, most: int) -> None:
    """Measure the contenders of a part in turn, with each of its data."""
    for data, (where, make) in DATA.items():
        if where != ("larger" if part == "larger" else "compare"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            for split in ("train", "test"):
                make(Path(folder), split)
            train, test = (Path(folder) / f"{split}.parquet" for split in ("train", "test"))
            megabytes = size_of(train, test)
            say(f"{data}, {megabytes:.0f} MB")
            found: dict[str, list[dict[str, Any]]] = {name: [] for name in ROUNDS[part]}
            times = 2 if part == "compare" else 1
            for turn in range(most):
                for name, rounds in ROUNDS[part].items():
                    if turn < rounds:
                        run = in_own_process(part, name, train, test, 2, times)
                        found[name].append(run)
        for name, runs in found.items():
            record_runs(data, megabytes, name, runs)


def record_runs(data: str, megabytes: float, name: str, runs: list[dict[str, Any]]) -> None:
    again = [run["seconds"] for first in runs for run in first["again"]]
    cpu = [run["cpu_seconds"] for run in runs if run["cpu_seconds"] is not None]
    record(
        "spark",
        part="compare",
        contender=name,
        data=f"{data}: test split",
        megabytes=megabytes,
        cores=2,
        accuracy=runs[0]["accuracy"],
        seconds=statistics.median(run["seconds"] for run in runs),
        cpu_seconds=statistics.median(cpu) if cpu else None,
        again_seconds=statistics.median(again) if again else None,
        runs=runs,
    )


def grow(sizes: tuple[int, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in sizes:
            path = Path(folder) / f"{megabytes}.parquet"
            write_corpus(path, megabytes)
            size = size_of(path)
            say(f"20 Newsgroups again and again, {size:.0f} MB")
            for cores in (1, 2):
                found = in_own_process("growth", "collect_growing", path, path, cores, 3)
                record(
                    "spark",
                    part="growth",
                    data="20 Newsgroups, repeated with changes, Parquet (zstd)",
                    cores=cores,
                    megabytes=size,
                    megabytes_per_second=size / found["seconds"],
                    megabytes_per_cpu_second=size / found["cpu_seconds"],
                    shuffle_share=found["shuffle_bytes"] / size / 1e6,
                    **found,
                )


def large_vocabulary() -> None:
    say("a large vocabulary")
    script = Path(__file__).parents[1] / "tests" / "spark_large_vocabulary.py"
    record("spark", part="large vocabulary", **in_process(str(script)))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="one run of each, two sizes")
    parts = [*ROUNDS, "growth", "vocabulary"]
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    options = parser.parse_args()
    if "TERMFOLD_DATA" not in os.environ:
        parser.error("set TERMFOLD_DATA to the folder with the collections")
    for part in options.only:
        if part in ROUNDS:
            compare(part, 1 if options.quick else max(ROUNDS[part].values()))
        elif part == "growth":
            grow(MEGABYTES[:2] if options.quick else MEGABYTES)
        else:
            large_vocabulary()
    say("done")


if __name__ == "__main__":
    main()
