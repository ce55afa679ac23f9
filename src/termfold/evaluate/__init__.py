"""How good a classifier is: metrics, cross-validation, curves, comparisons, all as plain dicts."""

from termfold.evaluate.compare import Way, compare, ways
from termfold.evaluate.curve import feature_curve
from termfold.evaluate.documents import Documents, read_documents
from termfold.evaluate.measure import cross_validate, evaluate
from termfold.evaluate.metrics import summarize

__all__ = [
    "Documents",
    "Way",
    "compare",
    "cross_validate",
    "evaluate",
    "feature_curve",
    "read_documents",
    "summarize",
    "ways",
]
