"""What a term is, and how often it occurs."""

from typing import TYPE_CHECKING, Any

from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder
from termfold.terms.vocabulary import Vocabulary

if TYPE_CHECKING:
    from termfold.terms.counter import TermCounter as TermCounter

__all__ = ["Analyzer", "Encoder", "TermCounter", "Vocabulary"]


def __getattr__(name: str) -> Any:
    # Only this one needs scikit-learn: a second to import, and 70 MB in each process that counts.
    if name == "TermCounter":
        from termfold.terms.counter import TermCounter

        return TermCounter
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
