"""Names that are imported when they are first used."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Make the ``__getattr__`` of a package whose names live in the given modules.

    So ``import termfold`` costs nothing, a process that only predicts loads no scikit-learn (a
    second, and 70 MB), and no optional package is touched before it is needed.

    Examples
    --------
    >>> get = lazily("a_package", {"sqrt": "math"})
    >>> get("sqrt")(4.0)
    2.0
    """

    def __getattr__(name: str) -> Any:  # noqa: N807
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(homes[name]), name)

    return __getattr__
