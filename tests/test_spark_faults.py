"""What goes wrong on a cluster changes nothing: machines die, vocabularies outgrow the driver."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from spark_tools import require_spark
from termfold import TextClassifier, collect
from termfold.classify import model_file
from termfold.datasets import load_debian

require_spark()
pytestmark = pytest.mark.xdist_group("spark")

from termfold.spark import SparkTextClassifier, collect_stats  # noqa: E402

LARGE = Path(__file__).parent / "spark_large_vocabulary.py"


def killing_its_executor(marker: str, at: int):
    """A pass that changes no row, but whose task ``at`` kills its executor, the first time."""

    def watch(batches):
        import os
        import signal

        from pyspark import TaskContext

        yield from batches
        if TaskContext.get().partitionId() != at:
            return
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        pid = os.getpid()
        while "CoarseGrainedExecutorBackend" not in Path(f"/proc/{pid}/cmdline").read_text():
            status = Path(f"/proc/{pid}/status").read_text()
            pid = int(status.split("PPid:")[1].split()[0])
        os.kill(pid, signal.SIGKILL)

    return watch


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="executors are found in /proc")
def test_an_executor_dies_in_the_middle(spark, tmp_path):
    table = pa.table(load_debian("train")).select(["text", "label"]).slice(0, 1000)
    df = spark.createDataFrame(table).repartition(12)
    for i, at in enumerate((7, 11)):
        marker = tmp_path / f"killed-{i}"
        dying = df.mapInArrow(killing_its_executor(str(marker), at), df.schema)
        if i == 0:
            assert collect_stats(dying) == collect(table)
        else:
            model = SparkTextClassifier().fit(dying).termModel
            local = TextClassifier().fit(table).model_
            assert model_file.dumps(model) == model_file.dumps(local)
        assert marker.exists()


@pytest.mark.slow
def test_a_vocabulary_larger_than_the_driver_s_memory():
    """Over five million terms with a driver of one gigabyte; the rare ones never come there."""
    done = subprocess.run(
        [sys.executable, str(LARGE)], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["distinct_terms"] > 5_000_000
    assert found["terms"] == found["expected_terms"]
    assert found["driver_bytes"] < 1 << 30
