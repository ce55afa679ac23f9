"""From counts to labels."""

from termfold.classify.best_terms import BestTermsClassifier
from termfold.classify.explain import explain, explain_class
from termfold.classify.model import TermModel
from termfold.classify.rule import RuleClassifier
from termfold.classify.text_classifier import TextClassifier

__all__ = [
    "BestTermsClassifier",
    "RuleClassifier",
    "TermModel",
    "TextClassifier",
    "explain",
    "explain_class",
]
