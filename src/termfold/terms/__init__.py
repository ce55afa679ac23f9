"""What a term is, and how often it occurs."""

from typing import TYPE_CHECKING

from termfold._lazy import lazily
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder
from termfold.terms.vocabulary import Vocabulary

if TYPE_CHECKING:
    from termfold.terms.counter import TermCounter as TermCounter

__all__ = ["Analyzer", "Encoder", "TermCounter", "Vocabulary"]

__getattr__ = lazily(__name__, {"TermCounter": "termfold.terms.counter"})
