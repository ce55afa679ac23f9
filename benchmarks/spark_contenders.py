"""What bench_spark.py measures: contenders that learn and predict, each in a session of its own."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

LOOPBACK = "127.0.0.1"
# Of MLlib: as many terms as the vocabulary has are offered, so many are selected.
VOCABULARY, SELECTED = 1 << 18, 10_000
PARTITIONS = 8
# Workers that begin with termfold loaded, as docs/spark.md advises.
LOADED = {"spark.python.daemon.module": "termfold.spark.daemon"}


class Task(NamedTuple):
    """Files to learn from and to label, the cores to do it with, and how often in one session."""

    train: str
    test: str
    cores: int
    times: int


# -- sessions and clocks ----------------------------------------------------------------------


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


def measured(run: Callable[[], tuple[list[Any], list[Any]]], times: int) -> dict[str, Any]:
    """Cost of the first run, and of further ones in the same session; accuracy of the last."""
    costs = []
    for _ in range(times):
        cost, (said, truth) = timed(run)
        costs.append(cost)
    right = sum(a == b for a, b in zip(said, truth, strict=True))
    return {**costs[0], "accuracy": right / len(truth), "again": costs[1:]}


# -- the contenders ---------------------------------------------------------------------------


def termfold_local(task: Task) -> dict[str, Any]:
    from termfold import TextClassifier

    def run() -> Any:
        classifier = TextClassifier(n_jobs=task.cores).fit(task.train)
        table = pq.read_table(task.test)
        return classifier.predict(table["text"]).tolist(), table["label"].to_pylist()

    return measured(run, task.times)


def termfold_spark(task: Task, settings: dict[str, str], **parameters: Any) -> dict[str, Any]:
    from termfold.spark import SparkTextClassifier

    with session(task.cores, **settings) as spark:

        def run() -> Any:
            model = SparkTextClassifier(**parameters).fit(spark.read.parquet(task.train))
            scored = model.transform(spark.read.parquet(task.test))
            found = scored.select("prediction", "label").toArrow()
            return found["prediction"].to_pylist(), found["label"].to_pylist()

        return measured(run, task.times)


def mllib(task: Task, head: str, *, tuned: bool = True, iterations: int = 100) -> dict[str, Any]:
    """One pipeline as it is mostly written, or tuned: stage by stage.

    Then words and counts are cached and not made again at each pass, and terms of one document
    are left out, which takes less time at the same accuracy.
    """
    from pyspark.ml import Pipeline, PipelineModel
    from pyspark.ml.classification import LinearSVC, NaiveBayes, OneVsRest
    from pyspark.ml.feature import (
        CountVectorizer,
        RegexTokenizer,
        StringIndexer,
        UnivariateFeatureSelector,
    )

    def stages() -> list[Any]:
        selector = UnivariateFeatureSelector(
            featuresCol="counts",
            outputCol="features",
            labelCol="index",
            selectionMode="numTopFeatures",
        )
        selector.setFeatureType("categorical").setLabelType("categorical")
        selector.setSelectionThreshold(SELECTED)
        svc = LinearSVC(labelCol="index", featuresCol="features", maxIter=iterations)
        heads = {
            "nb": NaiveBayes(labelCol="index", featuresCol="features"),
            "svc": OneVsRest(classifier=svc, labelCol="index", parallelism=task.cores),
        }
        return [
            StringIndexer(inputCol="label", outputCol="index"),
            RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\W+", minTokenLength=2),
            CountVectorizer(inputCol="words", outputCol="counts", vocabSize=VOCABULARY, minDF=2.0),
            selector,
            heads[head],
        ]

    # After the stage of this name its result is kept, and texts or words are not needed again.
    kept = {"RegexTokenizer": ["index", "words"], "CountVectorizer": ["index", "counts"]}

    def fitted_by_stages(rows: Any) -> Any:
        models, held = [], []
        for stage in stages():
            models.append(stage.fit(rows) if hasattr(stage, "fit") else stage)
            name = type(stage).__name__
            if name in ("NaiveBayes", "OneVsRest"):
                break
            rows = models[-1].transform(rows)
            if name in kept:
                rows = rows.select(kept[name]).persist()
                held.append(rows)
        for frame in held:
            frame.unpersist()
        return PipelineModel(models)

    with session(task.cores) as spark:

        def run() -> Any:
            rows = spark.read.parquet(task.train)
            model = fitted_by_stages(rows) if tuned else Pipeline(stages=stages()).fit(rows)
            scored = model.transform(spark.read.parquet(task.test))
            found = scored.select("prediction", "index").toArrow()
            return found["prediction"].to_pylist(), found["index"].to_pylist()

        return measured(run, task.times)


def collect_growing(task: Task) -> dict[str, Any]:
    """Statistics of a corpus, again and again: the first time Python workers are started."""
    from termfold.spark import collect_stats

    with tempfile.TemporaryDirectory() as log:
        logging = {
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": Path(log).as_uri(),
            "spark.eventLog.compress": "false",
            **LOADED,
        }
        with session(task.cores, **logging) as spark:
            df = spark.read.parquet(task.train)
            costs = [timed(lambda: collect_stats(df, min_df=2)) for _ in range(task.times)]
            tasks = df.rdd.getNumPartitions()
        shuffled = _shuffled(Path(log)) / task.times
    stats = costs[-1][1]
    best = min((cost for cost, _ in costs[1:]), key=lambda cost: cost["seconds"])
    return {
        **best,
        "first_seconds": costs[0][0]["seconds"],
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


CONTENDERS: dict[str, Callable[[Task], dict[str, Any]]] = {
    "termfold_local": termfold_local,
    "termfold_spark": partial(termfold_spark, settings=LOADED),
    "termfold_spark_plain": partial(termfold_spark, settings={}),
    "termfold_spark_rule": partial(termfold_spark, settings=LOADED, effort="rule"),
    "mllib_nb": partial(mllib, head="nb"),
    "mllib_nb_plain": partial(mllib, head="nb", tuned=False),
    # Each iteration is a pass over the data for each class; a hundred are the default.
    "mllib_svc_10": partial(mllib, head="svc", iterations=10),
    "mllib_svc_100": partial(mllib, head="svc", iterations=100),
    "collect_growing": collect_growing,
}


if __name__ == "__main__":
    name, train, test, cores, times = sys.argv[1:]
    print(json.dumps(CONTENDERS[name](Task(train, test, int(cores), int(times)))))
