"""SparkTextClassifierModel: predict the classes of a column of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from termfold.classify import model_file
from termfold.classify.model import TermModel
from termfold.classify.text_classifier import TextClassifier
from termfold.spark._extra import missing
from termfold.spark.params import ScoringParams
from termfold.spark.persistence import ModelReader, ModelWriter
from termfold.spark.scoring import schema_of, scorer

try:
    from pyspark.ml import Model
    from pyspark.ml.functions import array_to_vector
    from pyspark.ml.util import MLReadable, MLWritable
    from pyspark.sql import functions as sql
except ImportError as error:
    raise missing(error) from error

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame


class SparkTextClassifierModel(
    Model, ScoringParams, MLReadable["SparkTextClassifierModel"], MLWritable
):
    """Label texts on Spark, in batches or in a stream.

    Parameters
    ----------
    model : TermModel, optional
    textCol : str, default="text"
    predictionCol : str, default="prediction"
        The class's name; for several labels, a list of names.
    probabilityCol : str, default="probability"
        Vector of the classes' probabilities, in the order of ``labels``.
    rawPredictionCol : str, default="rawPrediction"
        Vector of the class-named features, one per class.
    indexCol : str, default=""
        If given: the number of the class predicted, as a double, for the evaluators of
        ``pyspark.ml``.
    handleInvalid : {"error", "skip", "keep"}, default="error"
        For a null text: raise an error, leave the row out, or predict null.
    abstainBelow : float, optional
        Predict null where no class is so probable.

    Examples
    --------
    >>> model = SparkTextClassifierModel.fromFile("queues.termfold")  # doctest: +SKIP
    >>> routed = model.transform(spark.readStream.table("tickets"))  # doctest: +SKIP
    """

    def __init__(self, model: TermModel | None = None, **parameters: Any) -> None:
        super().__init__()
        self._model = model
        self._set(**parameters)

    @property
    def termModel(self) -> TermModel:
        """The terms and their weights."""
        assert self._model is not None, "a model without weights exists only while it is read"
        return self._model

    @property
    def labels(self) -> list[str]:
        """The classes, in the order of the vectors, as ``StringIndexerModel`` names them."""
        return list(self.termModel.classes)

    @property
    def numClasses(self) -> int:
        """How many classes there are."""
        return self.termModel.n_classes

    # -- predicting ---------------------------------------------------------------------------

    def _transform(self, dataset: DataFrame) -> DataFrame:
        invalid = self.getHandleInvalid()
        if invalid not in ("error", "skip", "keep"):
            raise ValueError(f"handleInvalid={invalid!r}; it is 'error', 'skip' or 'keep'")
        text = sql.col(self.getTextCol())
        score = sql.arrow_udf(
            scorer(
                model_file.dumps(self.termModel),
                keep_nulls=invalid == "keep",
                abstain_below=self.getOrDefault("abstainBelow"),
            ),
            schema_of(self.termModel),
        )
        rows = dataset.filter(text.isNotNull()) if invalid == "skip" else dataset
        scored = f"{self.uid}_scored"
        rows = rows.withColumn(scored, score(text))
        found = rows[scored]
        columns = {
            self.getRawPredictionCol(): _vector(found["features"]),
            self.getProbabilityCol(): _vector(found["probability"]),
            self.getPredictionCol(): found["prediction"],
            self.getOrDefault("indexCol"): self._index(found["prediction"]),
        }
        wanted = {name: column for name, column in columns.items() if name}
        return rows.withColumns(wanted).drop(scored)

    def _index(self, prediction: Any) -> Any:
        if self.termModel.multilabel:
            return sql.lit(None).cast("double")
        names = sql.array(*(sql.lit(name) for name in self.labels))
        return (sql.array_position(names, prediction) - 1).cast("double")

    # -- keeping ------------------------------------------------------------------------------

    def write(self) -> ModelWriter:
        """Write a folder of parameters with the model file in it; ``save`` is short for it."""
        return ModelWriter(self)

    @classmethod
    def read(cls) -> ModelReader:
        """Read what ``write`` has written; ``load`` is short for it."""
        return ModelReader()

    @classmethod
    def fromFile(cls, path: str | Path, **parameters: Any) -> SparkTextClassifierModel:
        """Take a model file, wherever it was learnt."""
        return cls(model_file.load(path), **parameters)

    def toTextClassifier(self) -> TextClassifier:
        """The same model for one machine, which explains, exports and saves it as one file."""
        below = self.getOrDefault("abstainBelow")
        return TextClassifier.of(self.termModel, abstain_below=below)


def _vector(column: Any) -> Any:
    """An array as a vector of ``pyspark.ml``; null stays null."""
    return sql.when(column.isNotNull(), array_to_vector(column))
