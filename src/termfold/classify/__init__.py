"""From counts to labels."""

from termfold.classify.text_classifier import TextClassifier

__all__ = ["TextClassifier"]
