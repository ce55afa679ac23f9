"""Fixtures that several modules share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest

from browser_tools import browser, chromium
from spark_tools import cluster

__all__ = ["browser", "chromium", "spark"]

# How long an example takes says how busy the machine is, or that a kernel was compiled.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Two executors: started once, since that takes longer than most tests on them."""
    with cluster() as session:
        yield session
