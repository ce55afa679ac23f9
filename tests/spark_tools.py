"""What the tests on Spark share: a cluster of two executors, each a process of its own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

LOOPBACK = "127.0.0.1"
# Compiled quickly rather than well: these sessions are short.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def require_spark() -> None:
    """Skip the tests of a module where Spark cannot run."""
    pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'termfold[spark]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("no Java was found, which Spark needs", allow_module_level=True)


@contextmanager
def cluster(master: str = "local-cluster[2,1,1024]", **options: Any) -> Iterator[Any]:
    """A session on executors that are processes of their own."""
    from pyspark.sql import SparkSession

    os.environ |= {"SPARK_LOCAL_IP": LOOPBACK, "PYSPARK_PYTHON": sys.executable}
    builder = SparkSession.builder.master(master).appName("termfold-tests")
    settings = {
        "spark.driver.bindAddress": LOOPBACK,
        "spark.driver.host": LOOPBACK,
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(
            [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
        ),
        "spark.driver.extraJavaOptions": JAVA,
        "spark.executor.extraJavaOptions": JAVA,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.log.level": "ERROR",
        "spark.python.daemon.module": "termfold.spark.daemon",
        **options,
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()
