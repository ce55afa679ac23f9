"""TermStats: the class × term tables that everything else is computed from."""

from termfold.stats.labels import Labels
from termfold.stats.term_stats import TermStats

__all__ = ["Labels", "TermStats"]
