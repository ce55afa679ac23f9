"""A Spark session for a command, and errors of Spark in one sentence."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from termfold.errors import CorpusError
from termfold.spark._extra import missing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OURS = re.compile(r"(?:termfold\.errors\.\w+|ValueError): (.+)")
_LOOPBACK = "127.0.0.1"
_DAEMON = "termfold.spark.daemon"


@contextmanager
def session(
    master: str | None = None, settings: Mapping[str, str] | None = None
) -> Iterator[SparkSession]:
    """Open a session, and close it again; what Spark says of a mistake becomes one sentence.

    If one is open already, as in a notebook, it is used and left open.

    Parameters
    ----------
    master : str, optional
        ``local[2]``, ``spark://…``, ``yarn``, ``k8s://…``; by default as the environment says.
    settings : mapping, optional
        Of Spark: ``{"spark.executor.memory": "4g"}``.
    """
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise CorpusError(str(missing(error))) from error
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise CorpusError(
            "Spark needs Java, and none was found: install a Java runtime, 17 or later, or set "
            "JAVA_HOME"
        )
    opened = SparkSession.getActiveSession()
    spark = opened or _new_session(master, settings or {})
    try:
        yield spark
    except PySparkException as error:
        raise CorpusError(one_sentence(str(error))) from error
    finally:
        if opened is None:
            spark.stop()


def _new_session(master: str | None, settings: Mapping[str, str]) -> SparkSession:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("termfold")
    if master is not None:
        builder = builder.master(master)
        if master.startswith("local"):
            os.environ.setdefault("SPARK_LOCAL_IP", _LOOPBACK)
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for name, value in settings_for(master, settings).items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def settings_for(master: str | None, given: Mapping[str, str]) -> dict[str, str]:
    """Settings of a new session; those given come first.

    Examples
    --------
    >>> settings_for("yarn", {"spark.log.level": "WARN"})
    {'spark.log.level': 'WARN', 'spark.python.daemon.module': 'termfold.spark.daemon'}
    """
    wanted = {"spark.log.level": "ERROR", "spark.python.daemon.module": _DAEMON}
    if master is not None and master.startswith("local"):
        # All on this machine: no other may connect, and executors run this very Python.
        wanted |= {"spark.driver.host": _LOOPBACK, "spark.ui.enabled": "false"}
    return {**wanted, **given}


def one_sentence(message: str) -> str:
    r"""What is worth reading of an error of Spark, which may hold the tracebacks of two languages.

    Examples
    --------
    >>> one_sentence("An exception was thrown:\nTraceback\nValueError: a text is null\n")
    'a text is null'
    >>> one_sentence("[PATH_NOT_FOUND] Path does not exist: x. SQLSTATE: 42K03")
    'Path does not exist: x. SQLSTATE: 42K03'
    """
    ours = _OURS.findall(message)
    if ours:
        return str(ours[-1]).strip()
    lines = message.strip().splitlines()
    return re.sub(r"^\[[A-Z_.]+\] ", "", lines[0]) if lines else "Spark failed without a message"
