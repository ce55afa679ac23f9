"""A plugin for pytest that runs kernels as plain Python: ``pytest -p uncompiled``.

So that coverage sees their lines, and NumPy checks every index. For tests of small collections:
Python takes a hundred times as long.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import hypothesis
import numpy as np
import pytest

os.environ["NUMBA_DISABLE_JIT"] = "1"
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))


def pytest_configure(config: pytest.Config) -> None:
    """Replace what only a compiler understands, before any test imports it."""
    import kernels_in_python

    kernels_in_python.use_python()
    hypothesis.settings.register_profile("uncompiled", deadline=None, max_examples=20)
    hypothesis.settings.load_profile("uncompiled")
    np.seterr(over="ignore")  # hashing wraps around


def pytest_runtest_setup() -> None:
    """Some tests set NumPy's errors themselves."""
    np.seterr(over="ignore")
