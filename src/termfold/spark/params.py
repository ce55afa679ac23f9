"""Parameters of the classifier on Spark, by the conventions of ``pyspark.ml``."""

from __future__ import annotations

from functools import partial
from typing import Any

from termfold.spark._extra import missing
from termfold.terms.analyzer import Analyzer

try:
    from pyspark.ml.param import Param, Params, TypeConverters
    from pyspark.ml.param.shared import (
        HasHandleInvalid,
        HasLabelCol,
        HasPredictionCol,
        HasProbabilityCol,
        HasRawPredictionCol,
    )
except ImportError as error:
    raise missing(error) from error


def _optional(value: Any, convert: Any = TypeConverters.toBoolean) -> Any:
    return None if value is None else convert(value)


_optional_int = partial(_optional, convert=TypeConverters.toInt)
_optional_float = partial(_optional, convert=TypeConverters.toFloat)
_optional_string = partial(_optional, convert=TypeConverters.toString)


def _analyzer(value: Any) -> dict[str, Any]:
    """Plain values, since parameters are saved as JSON."""
    return (value if isinstance(value, Analyzer) else Analyzer.from_dict(value)).to_dict()


def _parameter(name: str, doc: str, convert: Any = None) -> Any:
    return Param(Params._dummy(), name, doc, convert)


class ScoringParams(
    HasPredictionCol, HasProbabilityCol, HasRawPredictionCol, HasHandleInvalid, Params
):
    """What the model needs to know to add its columns."""

    textCol: Param[str] = _parameter("textCol", "column of the texts", TypeConverters.toString)
    indexCol: Param[str] = _parameter(
        "indexCol",
        "column for the number of the predicted class, as evaluators need it; empty for none",
        TypeConverters.toString,
    )
    abstainBelow: Param[float] = _parameter(
        "abstainBelow", "predict null where no class is so probable", _optional_float
    )

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(
            textCol="text",
            predictionCol="prediction",
            probabilityCol="probability",
            rawPredictionCol="rawPrediction",
            indexCol="",
            handleInvalid="error",
            abstainBelow=None,
        )

    def getTextCol(self) -> str:
        """Column of the texts."""
        return str(self.getOrDefault(self.textCol))

    def setTextCol(self, value: str) -> Any:
        """Set the column of the texts."""
        return self._set(textCol=value)


class LearningParams(ScoringParams, HasLabelCol):
    """What learning needs besides: the parameters of ``TextClassifier`` and of its analyzer."""

    method: Param[str] = _parameter("method", "which terms are used", TypeConverters.toString)
    effort: Param[str] = _parameter(
        "effort", "how they are weighed: refined, head or rule", TypeConverters.toString
    )
    analyzer: Param[dict[str, Any]] = _parameter("analyzer", "what a term is", _analyzer)
    minDF: Param[int] = _parameter("minDF", "leave out terms in fewer texts", TypeConverters.toInt)
    nTerms: Param[int] = _parameter(
        "nTerms", "how many terms ocfs and projection keep", _optional_int
    )
    C: Param[float] = _parameter("C", "weight of errors", TypeConverters.toFloat)
    maxTextBytes: Param[int] = _parameter(
        "maxTextBytes", "learn from a sample of more text than that; null for all", _optional_int
    )
    precision: Param[str] = _parameter("precision", "int8 or float32", TypeConverters.toString)
    maxBytes: Param[int] = _parameter("maxBytes", "largest size of the model", _optional_int)
    seconds: Param[float] = _parameter("seconds", "time for auto", TypeConverters.toFloat)
    seed: Param[int] = _parameter("seed", "order in training", TypeConverters.toInt)
    labelSeparator: Param[str] = _parameter(
        "labelSeparator", "what stands between several labels in one string", _optional_string
    )

    multilabel: Param[bool] = _parameter(
        "multilabel", "may a text have no or several classes? null: as the column says", _optional
    )

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(
            labelCol="label",
            method="fedip",
            effort="refined",
            analyzer=Analyzer().to_dict(),
            minDF=1,
            nTerms=None,
            C=0.5,
            maxTextBytes=1_000_000_000,
            precision="int8",
            maxBytes=2_000_000,
            seconds=60.0,
            seed=0,
            labelSeparator=None,
            multilabel=None,
        )

    def _classifier_parameters(self) -> dict[str, Any]:
        """As ``TextClassifier`` names them."""
        names = {
            "method": "method",
            "effort": "effort",
            "minDF": "min_df",
            "nTerms": "n_terms",
            "C": "C",
            "maxTextBytes": "max_text_bytes",
            "precision": "precision",
            "maxBytes": "max_bytes",
            "seconds": "seconds",
            "seed": "random_state",
            "abstainBelow": "abstain_below",
        }
        found = {ours: self.getOrDefault(theirs) for theirs, ours in names.items()}
        return {**found, "analyzer": Analyzer.from_dict(self.getOrDefault("analyzer"))}
