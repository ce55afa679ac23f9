"""Projection of documents on a few features: scikit-learn transformers."""

from termfold.project.fedip import FEDIP, Pool
from termfold.project.term_projection import TermProjection

__all__ = ["FEDIP", "Pool", "TermProjection"]
