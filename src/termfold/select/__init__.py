"""Selection of terms: scikit-learn transformers over ``TermStats``."""

from termfold.select.best_terms import BestTerms
from termfold.select.ocfs import OCFS
from termfold.select.term_selector import TermSelector

__all__ = ["OCFS", "BestTerms", "TermSelector"]
