"""From counts to labels."""

from typing import TYPE_CHECKING

from termfold._lazy import lazily

if TYPE_CHECKING:
    from termfold.classify.best_terms import BestTermsClassifier as BestTermsClassifier
    from termfold.classify.model import TermModel as TermModel
    from termfold.classify.rule import RuleClassifier as RuleClassifier
    from termfold.classify.text_classifier import TextClassifier as TextClassifier

_HOMES = {
    "BestTermsClassifier": "termfold.classify.best_terms",
    "RuleClassifier": "termfold.classify.rule",
    "TermModel": "termfold.classify.model",
    "TextClassifier": "termfold.classify.text_classifier",
}

__all__ = ["BestTermsClassifier", "RuleClassifier", "TermModel", "TextClassifier"]

__getattr__ = lazily(__name__, _HOMES)
