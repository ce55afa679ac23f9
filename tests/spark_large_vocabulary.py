"""Count texts of over five million distinct terms with a driver of one gigabyte; print what came.

A program of its own: the memory of a driver is settled when its Java begins.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

from spark_tools import cluster
from termfold.spark import collect_stats

DOCS, RARE, COMMON = 50_500, 100, 20


def main() -> None:
    # With the daemon that comes with Spark, which is what most sessions have.
    settings = {"spark.driver.memory": "1g", "spark.python.daemon.module": "pyspark.daemon"}
    with cluster("local[2]", **settings) as spark:
        # Each text has a hundred words that no other has, and some of twenty that many have.
        words = (
            f"concat_ws(' ', transform(sequence(0, {RARE - 1}), "
            f"i -> concat('w', hex(id * {RARE} + i))), "
            f"concat('common', id % {COMMON}), 'all')"
        )
        df = spark.range(DOCS, numPartitions=8).selectExpr(
            f"{words} as text", "concat('c', id % 3) as label"
        )
        began = time.perf_counter()
        stats = collect_stats(df, min_df=2)
        status = Path("/proc/self/status").read_text()
        print(
            json.dumps(
                {
                    "distinct_terms": DOCS * RARE + COMMON + 1,
                    "terms": stats.n_terms,
                    "expected_terms": COMMON + 1,
                    "seconds": round(time.perf_counter() - began, 1),
                    "driver_bytes": 1024 * int(status.split("VmHWM:")[1].split()[0]),
                    "driver_java_heap": spark.sparkContext.getConf().get("spark.driver.memory"),
                }
            )
        )


if __name__ == "__main__":
    main()
