"""The error of an installation without PySpark."""

from __future__ import annotations


def missing(error: ImportError) -> ImportError:
    """Say what to install."""
    return ImportError(
        "termfold.spark needs PySpark and Java: pip install 'termfold[spark]', and have a Java "
        f"runtime, 17 or later, on the PATH or at JAVA_HOME ({error})"
    )
