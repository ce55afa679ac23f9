"""Workers of Spark that begin with termfold loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from spark_tools import require_spark
from termfold.spark.session import settings_for

require_spark()
pytestmark = pytest.mark.xdist_group("spark")

DAEMON = "termfold.spark.daemon"
# Arrow's allocator stops its thread before a process divides, and starts one in each part.
HARMLESS = {"jemalloc_bg_thd"}
WHAT_RUNS = f"""
import json, os, sys
import {DAEMON} as daemon
daemon.load()
tasks = "/proc/self/task"
names = [open(f"{{tasks}}/{{task}}/comm").read().strip() for task in os.listdir(tasks)]
own = open("/proc/self/comm").read().strip()
print(json.dumps({{"own": own, "threads": names, "modules": list(sys.modules)}}))
"""


@pytest.fixture(scope="module")
def loaded():
    # As Spark starts it: a task has one core, and so a pool of one thread.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", WHAT_RUNS],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are found in /proc")
def test_it_divides_while_it_has_one_thread(loaded):
    others = list(loaded["threads"])
    others.remove(loaded["own"])
    assert set(others) <= HARMLESS


def test_it_loads_nothing_that_workers_do_not_need(loaded):
    assert "sklearn" not in loaded["modules"]
    assert "joblib" not in loaded["modules"]


def test_workers_begin_with_it(spark):
    def modules(rows):
        import sys

        # Not what this function brings along: its own module imports none of these.
        found = [name for name in ("numba", "termfold.spark.gather") if name in sys.modules]
        for _ in rows:
            pass
        yield pa.RecordBatch.from_pydict({"names": [",".join(found)]})

    found = spark.range(2, numPartitions=2).mapInArrow(modules, "names string").toArrow()
    assert found["names"].to_pylist() == ["numba,termfold.spark.gather"] * 2


def test_sessions_of_commands_have_it():
    assert settings_for("local[2]", {})["spark.python.daemon.module"] == DAEMON
    own = {"spark.python.daemon.module": "pyspark.daemon"}
    assert settings_for(None, own)["spark.python.daemon.module"] == "pyspark.daemon"
