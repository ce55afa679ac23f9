"""termfold on Spark against MLlib, and against itself on one machine, from the same Parquet.

    TERMFOLD_DATA=<folder with the parquet files> python benchmarks/bench_spark.py [--quick]

Each contender runs in a process and a session of its own: reading, learning from the training
split of 20 Newsgroups, labelling its test split. Then statistics are collected from text of
growing size on one core and on two; the driver of a large vocabulary is limited to one gigabyte.
Needs Java. Seconds by the clock, and of all processes together, Java's and Python's.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from _common import in_process, record
from bench_collect import write_corpus

LOOPBACK = "127.0.0.1"
MEGABYTES = (25, 50, 100, 200)
# Of MLlib: as many terms as the vocabulary has are offered, so many are selected.
VOCABULARY, SELECTED = 1 << 18, 10_000
PARTITIONS = 8


# -- what is measured -------------------------------------------------------------------------


@contextmanager
def session(cores: int, **settings: str) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ |= {"SPARK_LOCAL_IP": LOOPBACK, "PYSPARK_PYTHON": sys.executable}
    builder = SparkSession.builder.master(f"local[{cores}]").appName("bench_spark")
    wanted = {
        "spark.driver.host": LOOPBACK,
        "spark.driver.memory": "6g",
        "spark.log.level": "ERROR",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        **settings,
    }
    for name, value in wanted.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.range(1000).selectExpr("sum(id)").collect()  # begun: Java has loaded what all need
    try:
        yield spark
    finally:
        spark.stop()


def cpu_of_tree() -> float:
    """Seconds of this process and of all that it has started."""
    tick = os.sysconf("SC_CLK_TCK")
    parents: dict[int, int] = {}
    seconds: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(entry.name)] = int(fields[1])
        seconds[int(entry.name)] = sum(map(int, fields[11:15])) / tick
    inside = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in inside} - inside:
        inside |= more
    return sum(seconds[pid] for pid in inside if pid in seconds)


def timed(run: Callable[[], Any]) -> tuple[dict[str, float], Any]:
    wall, cpu = time.perf_counter(), cpu_of_tree()
    result = run()
    return {"seconds": time.perf_counter() - wall, "cpu_seconds": cpu_of_tree() - cpu}, result


def accuracy(said: list[Any], truth: list[Any]) -> float:
    return sum(a == b for a, b in zip(said, truth, strict=True)) / len(truth)


# -- the contenders ---------------------------------------------------------------------------


def termfold_local(train: str, test: str, cores: int) -> dict[str, Any]:
    from termfold import TextClassifier

    def run() -> Any:
        classifier = TextClassifier(n_jobs=cores).fit(train)
        table = pq.read_table(test)
        return classifier.predict(table["text"]).tolist(), table["label"].to_pylist()

    cost, found = timed(run)
    return {**cost, "accuracy": accuracy(*found)}


def termfold_spark(train: str, test: str, cores: int, **parameters: Any) -> dict[str, Any]:
    from termfold.spark import SparkTextClassifier

    with session(cores) as spark:

        def run() -> Any:
            model = SparkTextClassifier(**parameters).fit(spark.read.parquet(train))
            scored = model.transform(spark.read.parquet(test))
            found = scored.select("prediction", "label").toArrow()
            return found["prediction"].to_pylist(), found["label"].to_pylist()

        cost, found = timed(run)
    return {**cost, "accuracy": accuracy(*found)}


def termfold_spark_rule(train: str, test: str, cores: int) -> dict[str, Any]:
    return termfold_spark(train, test, cores, effort="rule")


def mllib(train: str, test: str, cores: int, classifier: str) -> dict[str, Any]:
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import LinearSVC, NaiveBayes, OneVsRest
    from pyspark.ml.feature import (
        CountVectorizer,
        RegexTokenizer,
        StringIndexer,
        UnivariateFeatureSelector,
    )

    def made() -> Any:
        selector = UnivariateFeatureSelector(
            featuresCol="counts",
            outputCol="features",
            labelCol="index",
            selectionMode="numTopFeatures",
        )
        selector.setFeatureType("categorical").setLabelType("categorical")
        selector.setSelectionThreshold(SELECTED)
        svc = LinearSVC(labelCol="index", featuresCol="features")
        heads = {
            "nb": NaiveBayes(labelCol="index", featuresCol="features"),
            "svc": OneVsRest(classifier=svc, labelCol="index", parallelism=cores),
        }
        return Pipeline(
            stages=[
                StringIndexer(inputCol="label", outputCol="index"),
                RegexTokenizer(
                    inputCol="text", outputCol="words", pattern=r"\W+", minTokenLength=2
                ),
                CountVectorizer(inputCol="words", outputCol="counts", vocabSize=VOCABULARY),
                selector,
                heads[classifier],
            ]
        )

    with session(cores) as spark:
        pipeline = made()

        def run() -> Any:
            model = pipeline.fit(spark.read.parquet(train))
            scored = model.transform(spark.read.parquet(test))
            found = scored.select("prediction", "index").toArrow()
            return found["prediction"].to_pylist(), found["index"].to_pylist()

        cost, found = timed(run)
    return {**cost, "accuracy": accuracy(*found)}


def mllib_nb(train: str, test: str, cores: int) -> dict[str, Any]:
    return mllib(train, test, cores, "nb")


def mllib_svc(train: str, test: str, cores: int) -> dict[str, Any]:
    return mllib(train, test, cores, "svc")


def collect_growing(path: str, _: str, cores: int) -> dict[str, Any]:
    """Statistics of a corpus, twice: the first time Python workers are started."""
    from termfold.spark import collect_stats

    with tempfile.TemporaryDirectory() as log:
        logging = {
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": Path(log).as_uri(),
            "spark.eventLog.compress": "false",
        }
        with session(cores, **logging) as spark:
            df = spark.read.parquet(path)
            first, _ = timed(lambda: collect_stats(df, min_df=2))
            cost, stats = timed(lambda: collect_stats(df, min_df=2))
            tasks = df.rdd.getNumPartitions()
        shuffled = _shuffled(Path(log)) / 2
    return {
        **cost,
        "first_seconds": first["seconds"],
        "documents": stats.n_docs,
        "terms_kept": stats.n_terms,
        "tokens_kept": int(stats.term_tf.sum()),
        "tasks": tasks,
        "shuffle_bytes": shuffled,
    }


def _shuffled(log: Path) -> int:
    """Bytes that tasks have written for others, by Spark's own log of events."""
    total = 0
    for file in log.rglob("events_*"):
        for line in file.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                written = event["Task Metrics"]["Shuffle Write Metrics"]
                total += written["Shuffle Bytes Written"]
    return total


CONTENDERS = {
    run.__name__: run
    for run in (
        termfold_local,
        termfold_spark,
        termfold_spark_rule,
        mllib_nb,
        mllib_svc,
        collect_growing,
    )
}
# How often each is compared; the last takes as long as all others together.
REPEATS = {
    "termfold_local": 3,
    "termfold_spark": 3,
    "termfold_spark_rule": 3,
    "mllib_nb": 3,
    "mllib_svc": 1,
}


# -- in turn ----------------------------------------------------------------------------------


def in_own_process(name: str, train: Path, test: Path, cores: int) -> dict[str, Any]:
    print(f"{name}, {cores} cores", file=sys.stderr)
    return in_process(__file__, "--run", name, str(train), str(test), str(cores))


def compare(folder: Path, repeats: dict[str, int]) -> None:
    from termfold.datasets import load_20newsgroups

    paths = []
    for split in ("train", "test"):
        table = pa.table(load_20newsgroups(split)).select(["text", "label"])
        paths.append(folder / f"{split}.parquet")
        pq.write_table(table, paths[-1], compression="zstd", row_group_size=1500)
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in repeats}
    for turn in range(max(repeats.values())):
        for name, times in repeats.items():
            if turn < times:
                found[name].append(in_own_process(name, *paths, 2))
    for name, runs in found.items():
        record(
            "spark",
            part="compare",
            contender=name,
            data="20 Newsgroups, bydate, test split",
            cores=2,
            accuracy=runs[0]["accuracy"],
            seconds=statistics.median(run["seconds"] for run in runs),
            cpu_seconds=statistics.median(run["cpu_seconds"] for run in runs),
            runs=runs,
        )


def grow(folder: Path, sizes: tuple[int, ...]) -> None:
    for megabytes in sizes:
        path = folder / f"{megabytes}.parquet"
        write_corpus(path, megabytes)
        text = pq.read_table(path, columns=["text"])["text"]
        size = sum(chunk.nbytes for chunk in text.chunks)
        for cores in (1, 2):
            found = in_own_process("collect_growing", path, path, cores)
            record(
                "spark",
                part="growth",
                data="20 Newsgroups, repeated with changes, Parquet (zstd)",
                cores=cores,
                megabytes=size / 1e6,
                megabytes_per_second=size / 1e6 / found["seconds"],
                megabytes_per_cpu_second=size / 1e6 / found["cpu_seconds"],
                shuffle_share=found["shuffle_bytes"] / size,
                **found,
            )


def large_vocabulary() -> None:
    script = Path(__file__).parents[1] / "tests" / "spark_large_vocabulary.py"
    record("spark", part="large vocabulary", **in_process(str(script)))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="one run of each, two sizes")
    parser.add_argument("--only", choices=["compare", "growth", "vocabulary"])
    parser.add_argument("--contenders", nargs="+", choices=REPEATS, help="some of those compared")
    parser.add_argument("--run", nargs=4, metavar=("NAME", "TRAIN", "TEST", "CORES"))
    options = parser.parse_args()
    if options.run:
        name, train, test, cores = options.run
        print(json.dumps(CONTENDERS[name](train, test, int(cores))))
        return
    repeats = {
        name: 1 if options.quick else times
        for name, times in REPEATS.items()
        if name in (options.contenders or REPEATS)
    }
    with tempfile.TemporaryDirectory() as folder:
        if options.only in (None, "compare"):
            compare(Path(folder), repeats)
        if options.only in (None, "growth"):
            grow(Path(folder), MEGABYTES[:2] if options.quick else MEGABYTES)
        if options.only in (None, "vocabulary"):
            large_vocabulary()


if __name__ == "__main__":
    main()
