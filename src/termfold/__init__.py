"""termfold: supervised dimension reduction and categorization of text, in one pass.

Names are imported when they are first used, so that ``import termfold`` costs nothing and no
optional package is touched before it is needed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from termfold._version import __version__

if TYPE_CHECKING:
    from termfold.classify import TextClassifier as TextClassifier
    from termfold.collect import collect as collect
    from termfold.corpus import open_corpus as open_corpus
    from termfold.stats import TermStats as TermStats
    from termfold.terms import Analyzer as Analyzer
    from termfold.terms import TermCounter as TermCounter

# Where each public name lives.
_HOMES = {
    "Analyzer": "termfold.terms",
    "TermCounter": "termfold.terms",
    "TermStats": "termfold.stats",
    "TextClassifier": "termfold.classify",
    "collect": "termfold.collect",
    "open_corpus": "termfold.corpus",
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'termfold' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
