"""``fit`` and ``predict`` on Spark."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pyarrow as pa

from termfold.cli.console import say
from termfold.cli.learning import parameters_of
from termfold.cli.predictions import Labeller
from termfold.corpus.batch import Skipped
from termfold.corpus.columns import as_strings
from termfold.errors import CorpusError
from termfold.spark.files import read_files, write_files
from termfold.spark.scoring import model_of
from termfold.spark.session import session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

    from termfold.classify import TextClassifier

# How our parameters are called by pyspark.ml.
_NAMES = {
    "method": "method",
    "effort": "effort",
    "seconds": "seconds",
    "min_df": "minDF",
    "n_terms": "nTerms",
    "precision": "precision",
    "max_bytes": "maxBytes",
    "max_text_bytes": "maxTextBytes",
    "analyzer": "analyzer",
    "C": "C",
    "random_state": "seed",
}


def fit(
    paths: Sequence[str], engine: dict[str, Any], options: dict[str, Any]
) -> tuple[TextClassifier, Skipped, float]:
    """Learn on Spark; the classifier, the rows left out, and the seconds it took."""
    parameters = parameters_of(options)
    source = click.get_current_context().get_parameter_source("max_text")
    if source is click.core.ParameterSource.DEFAULT:  # no limit is a default for one machine only
        del parameters["max_text_bytes"]
    with session(**engine) as spark:
        from termfold.spark import SparkTextClassifier

        began = time.perf_counter()
        df = _read(spark, paths, options)
        classifier = SparkTextClassifier(
            textCol=options["text"],
            labelCol=options["label"],
            labelSeparator=options["label_separator"],
            multilabel=options["multilabel"],
            handleInvalid="error" if options["on_error"] == "fail" else "skip",
            **{_NAMES[name]: value for name, value in parameters.items() if name in _NAMES},
        )
        model = classifier.fit(df)
        seconds = time.perf_counter() - began
        return model.toTextClassifier(), classifier.skipped, seconds


def predict(
    model: Path,
    inputs: Sequence[str],
    output: Path | None,
    form: str,
    engine: dict[str, Any],
    options: dict[str, Any],
    *,
    columns: bool,
    with_text: bool,
    **labelling: Any,
) -> None:
    """Label texts on Spark, and write a folder of files."""
    if output is None or not inputs or "-" in inputs:
        raise click.UsageError("on Spark, texts come from files and --output names a folder")
    content = model.read_bytes()
    with session(**engine) as spark:
        began = time.perf_counter()
        df = _read(spark, inputs, options)
        text = options["text"]
        if text not in df.columns:
            raise CorpusError(
                f"{inputs[0]}: there is no column {text!r}; its columns are "
                f"{', '.join(map(repr, df.columns))}. Name the right one with text=."
            )
        if options["on_error"] == "skip":
            df = df.filter(df[text].isNotNull())
        labelled = _labelled(df, text, content, columns, with_text, labelling)
        write_files(labelled, str(output), form)
        seconds = time.perf_counter() - began
    say(f"{output}/: written in {seconds:.2f} s on Spark")


def _read(spark: Any, paths: Sequence[str], options: dict[str, Any]) -> DataFrame:
    wanted = ("text", "format", "encoding", "on_error")
    return read_files(spark, paths, **{name: options[name] for name in wanted})


def _labelled(
    df: DataFrame,
    text: str,
    content: bytes,
    columns: bool,
    with_text: bool,
    labelling: dict[str, Any],
) -> DataFrame:
    """The input's columns, and then those of the predictions."""
    kept = [name for name in df.columns if columns and name != text]
    if with_text:
        kept.append(text)
    labeller = Labeller(model_of(content), **labelling, jobs=1)
    added = labeller.columns(pa.array([""], pa.large_string()))
    taken = [name for name in added if name in kept]
    if taken:
        raise click.BadParameter(
            f"the input has a column {taken[0]!r} already; choose another beginning for the new "
            "names, such as --prefix new_, or leave it out by --no-columns",
            param_hint="--prefix",
        )

    def label(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        labeller = Labeller(model_of(content), **labelling, jobs=1)
        for batch in batches:
            texts = as_strings(batch.column(text), "text", "the input")
            if texts.null_count:
                raise CorpusError("no text (null). Fill it in, or skip such rows (on_error='skip')")
            found = {name: batch.column(name) for name in kept} | labeller.columns(texts)
            yield pa.RecordBatch.from_pydict(found)

    chosen = df.select(*dict.fromkeys([text, *kept]))
    return chosen.mapInArrow(label, _schema(df, kept, added))


def _schema(df: DataFrame, kept: list[str], added: dict[str, pa.Array]) -> StructType:
    from pyspark.sql import types as spark

    def kind(arrow: pa.DataType) -> Any:
        if pa.types.is_list(arrow):
            return spark.ArrayType(kind(arrow.value_type))
        return spark.StringType() if pa.types.is_string(arrow) else spark.DoubleType()

    fields = [df.schema[name] for name in kept]
    return spark.StructType(
        [*fields, *(spark.StructField(name, kind(column.type)) for name, column in added.items())]
    )
