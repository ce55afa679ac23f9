"""What a term is, and how often it occurs."""

from termfold.terms.analyzer import Analyzer
from termfold.terms.counter import TermCounter
from termfold.terms.encoder import Encoder
from termfold.terms.vocabulary import Vocabulary

__all__ = ["Analyzer", "Encoder", "TermCounter", "Vocabulary"]
