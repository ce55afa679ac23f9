"""The same pass on Spark: executors count, the numbers are those of one machine to the last bit.

Needs ``pip install 'termfold[spark]'`` and Java 17 or later; see ``docs/spark.md``. Nothing here is
imported before it is used.
"""

from typing import TYPE_CHECKING

from termfold._lazy import lazily

if TYPE_CHECKING:
    from termfold.spark.best import best_terms as best_terms
    from termfold.spark.centroids import collect_weights as collect_weights
    from termfold.spark.collect import collect_stats as collect_stats
    from termfold.spark.estimator import SparkTextClassifier as SparkTextClassifier
    from termfold.spark.features import class_features as class_features
    from termfold.spark.features import leave_one_out as leave_one_out
    from termfold.spark.model import SparkTextClassifierModel as SparkTextClassifierModel

_HOMES = {
    "SparkTextClassifier": "termfold.spark.estimator",
    "SparkTextClassifierModel": "termfold.spark.model",
    "best_terms": "termfold.spark.best",
    "class_features": "termfold.spark.features",
    "collect_stats": "termfold.spark.collect",
    "collect_weights": "termfold.spark.centroids",
    "leave_one_out": "termfold.spark.features",
}

__all__ = sorted(_HOMES)

__getattr__ = lazily(__name__, _HOMES)
