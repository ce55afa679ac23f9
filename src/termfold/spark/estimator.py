"""SparkTextClassifier: learn from a data frame of labelled texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from termfold.classify.text_classifier import TextClassifier
from termfold.classify.training import TrainingSet
from termfold.corpus.batch import Skipped
from termfold.spark._extra import missing
from termfold.spark.collect import collect_stats
from termfold.spark.gather import gather
from termfold.spark.model import SparkTextClassifierModel
from termfold.spark.params import LearningParams
from termfold.spark.reading import Reading
from termfold.stats import TermStats
from termfold.terms.analyzer import Analyzer

try:
    from pyspark import keyword_only
    from pyspark.ml import Estimator
    from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable
except ImportError as error:
    raise missing(error) from error

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class SparkTextClassifier(Estimator, LearningParams, DefaultParamsReadable, DefaultParamsWritable):
    """Learn to classify texts on Spark; the model is the one that ``TextClassifier`` learns.

    The same documents give the same model, byte for byte, on Spark and on one machine, in
    whatever order or partitions they lie.

    Parameters
    ----------
    textCol, labelCol : str, default="text", "label"
        Columns of the texts and of the classes. A column of lists gives a model for several
        labels.
    labelSeparator : str, optional
        What stands between several labels in one string.
    multilabel : bool, optional
        May a text have no or several labels? By default, if the labels are lists or a separator
        is given.
    method, effort, analyzer, minDF, nTerms, C, precision, maxBytes, seconds, seed
        As ``method``, ``effort``, ``analyzer``, ``min_df``, ``n_terms``, ``C``, ``precision``,
        ``max_bytes``, ``seconds`` and ``random_state`` of ``TextClassifier``.
    maxTextBytes : int or None, default=1_000_000_000
        Learn from a random sample, always the same, where there is more text than this.
    handleInvalid : {"error", "skip"}, default="error"
        What to do with a row without a text or label. The model has ``"keep"`` besides, which
        predicts null.
    predictionCol, probabilityCol, rawPredictionCol, indexCol, abstainBelow
        Of the model; see ``SparkTextClassifierModel``.

    Attributes
    ----------
    skipped : Skipped
        Of the last fit: how many rows were left out, and the first few with their reasons.

    Notes
    -----
    Executors read, split and count the texts. Weights are then refined by the driver, document by
    document, on what is left of them: some two to six bytes for each term of a document, of at
    most ``maxTextBytes`` of text. For ``effort="rule"`` weights come from the counts of all
    texts, however many, and only the calibration from the sample.

    Examples
    --------
    >>> classifier = SparkTextClassifier(textCol="body", labelCol="queue")  # doctest: +SKIP
    >>> model = classifier.fit(spark.table("tickets"))  # doctest: +SKIP
    >>> model.transform(spark.table("new")).select("body", "prediction").show()  # doctest: +SKIP
    """

    @keyword_only
    def __init__(
        self,
        *,
        textCol: str = "text",
        labelCol: str = "label",
        labelSeparator: str | None = None,
        multilabel: bool | None = None,
        method: str = "fedip",
        effort: str = "refined",
        analyzer: Analyzer | dict[str, Any] | None = None,
        minDF: int = 1,
        nTerms: int | None = None,
        C: float = 0.5,
        maxTextBytes: int | None = 1_000_000_000,
        precision: str = "int8",
        maxBytes: int | None = 2_000_000,
        seconds: float = 60.0,
        seed: int = 0,
        handleInvalid: str = "error",
        predictionCol: str = "prediction",
        probabilityCol: str = "probability",
        rawPredictionCol: str = "rawPrediction",
        indexCol: str = "",
        abstainBelow: float | None = None,
    ) -> None:
        super().__init__()
        self.setParams(**self._input_kwargs)

    @keyword_only
    def setParams(self, **parameters: Any) -> SparkTextClassifier:
        """Set parameters by name; see the class."""
        given = dict(self._input_kwargs)
        if given.get("analyzer", ...) is None:
            del given["analyzer"]
        self._set(**given)
        return self

    def _fit(self, dataset: DataFrame) -> SparkTextClassifierModel:
        reading = self._reading()
        _, kind = reading.columns_of(dataset)
        classifier = TextClassifier(**self._classifier_parameters())
        sampled: list[TrainingSet] = []
        self.skipped = Skipped()

        def read(analyzer: Analyzer) -> TrainingSet:
            self.skipped = Skipped()
            training = gather(
                dataset,
                reading,
                analyzer,
                min_df=classifier.min_df,
                max_bytes=classifier.max_text_bytes,
                skipped=self.skipped,
            )
            sampled.append(training)
            return training

        classifier.fit_counts(read, kind.multilabel)
        (training,) = sampled[-1:]
        by_counts = (classifier.method, classifier.effort) == ("fedip", "rule")
        if by_counts and len(training) < training.n_read:
            counts = self._count_all(dataset, reading, classifier)
            classifier.fit_counts(lambda _: training, kind.multilabel, counts)
        model = SparkTextClassifierModel(classifier.model_, abstainBelow=classifier.abstain_below)
        self._copyValues(model)
        return model

    def _reading(self) -> Reading:
        invalid = self.getHandleInvalid()
        if invalid not in ("error", "skip"):
            raise ValueError(f"handleInvalid={invalid!r}; for learning it is 'error' or 'skip'")
        return Reading(
            self.getTextCol(),
            self.getLabelCol(),
            self.getOrDefault("labelSeparator"),
            self.getOrDefault("multilabel"),
            "fail" if invalid == "error" else "skip",
        )

    def _count_all(
        self, dataset: DataFrame, reading: Reading, classifier: TextClassifier
    ) -> TermStats:
        return collect_stats(
            dataset,
            reading.text,
            str(reading.label),
            analyzer=classifier.analyzer,
            min_df=classifier.min_df,
            label_separator=reading.label_separator,
            multilabel=reading.multilabel,
            on_error=reading.on_error,
        )
