"""``termfold fit``: from a labelled corpus to a model file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from termfold.cli.console import report_left_out, report_skipped, say, watching, write_json
from termfold.cli.engine import engine_of, engine_options
from termfold.cli.learning import classifier_of, learning_options
from termfold.cli.options import (
    WHOLE,
    checkpoint_of,
    checkpoint_options,
    corpus_argument,
    json_option,
    output_option,
    reading_of,
    reading_options,
    source_of,
)

if TYPE_CHECKING:
    from termfold.classify import TextClassifier
    from termfold.cli.watched import WatchedCorpus


@click.command("fit")
@corpus_argument
@output_option()
@learning_options
@click.option("--updatable", is_flag=True, help="Keep texts in the file, for update and forget.")
@click.option(
    "--memory", type=WHOLE, default=50_000, help="So many texts at most, with --updatable."
)
@reading_options
@engine_options
@checkpoint_options
@json_option
def command(
    corpus: tuple[str, ...],
    output: Path,
    updatable: bool,
    memory: int,
    checkpoint: Path | None,
    checkpoint_seconds: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Learn a model from CORPUS: files, a glob, or a folder with one sub-folder per class.

    CSV, TSV, JSON Lines, Parquet and Arrow files, also compressed by gzip or zstd.

    \b
    Examples:
      termfold fit tickets.csv --text body --label queue -o tickets.termfold
      termfold fit 20news-bydate-train/ --encoding latin-1 -o news.termfold
      termfold fit 'may*.jsonl.gz' --ngrams 1-2 --max-bytes 500k -o may.termfold
      termfold fit tagged.csv --label tags --label-separator '|' -o tags.termfold
      termfold fit titles.parquet --method auto --seconds 120 -o titles.termfold
      termfold fit 's3a://web/*.parquet' --engine spark --master yarn -o web.termfold

    With --engine spark, CORPUS are Parquet, JSON Lines or CSV files as Spark reads them.
    """
    engine = engine_of(options)
    if engine is not None:
        if updatable:
            raise click.UsageError("--updatable is for --engine local: a file keeps the texts")
        fit_on_spark(corpus, output, engine, options, as_json)
        return
    classifier = classifier_of(options, updatable=updatable, memory=memory)
    parts = checkpoint_of(checkpoint, checkpoint_seconds)
    began = time.perf_counter()
    with watching(source_of(corpus), **reading_of(options)) as watched:
        classifier.fit(watched, checkpoint=parts)
    seconds = time.perf_counter() - began
    classifier.save(output)
    if parts is not None:
        parts.clear()
    report_model(classifier, output, watched, seconds, as_json)


def fit_on_spark(
    corpus: tuple[str, ...],
    output: Path,
    engine: dict[str, Any],
    options: dict[str, Any],
    as_json: bool,
) -> None:
    """Learn on Spark, and report."""
    from termfold.cli import on_spark

    classifier, skipped, seconds = on_spark.fit(corpus, engine, options)
    classifier.save(output)
    summary = summary_of(classifier, output, seconds) | {"rows_left_out": skipped.count}
    if as_json:
        write_json(summary)
    say_summary(classifier, summary)
    say("  read       on Spark")
    report_pruned(classifier)
    report_left_out(skipped)


def summary_of(classifier: TextClassifier, output: Path, seconds: float) -> dict[str, Any]:
    """What was learnt, and in what time."""
    model = classifier.model_
    return {
        "file": str(output),
        "bytes": output.stat().st_size,
        "documents": model.about["documents"],
        "classes": model.n_classes,
        "multilabel": model.multilabel,
        "method": model.about["method"],
        "effort": model.about["effort"],
        "terms": len(model.terms),
        "terms_seen": model.about["terms_seen"],
        "seconds": round(seconds, 3),
    }


def say_summary(classifier: TextClassifier, summary: dict[str, Any]) -> None:
    """The same for people."""
    model = classifier.model_
    kind = "classes, any number of them a text" if model.multilabel else "classes"
    say(f"{summary['file']}: {summary['bytes']:,} bytes")
    say(f"  documents  {summary['documents']:,} in {model.n_classes:,} {kind}")
    say(f"  terms      {len(model.terms):,} of {summary['terms_seen']:,}")
    say(f"  learnt by  {summary['method']}, {summary['effort']}, in {summary['seconds']:.2f} s")


def report_model(
    classifier: TextClassifier,
    output: Path,
    watched: WatchedCorpus,
    seconds: float,
    as_json: bool,
) -> None:
    """Sum up on one screen what was learnt from what, and in what time."""
    summary = summary_of(classifier, output, seconds) | {
        "documents_read": watched.documents,
        "rows_left_out": watched.skipped.count,
        "seconds_reading": round(watched.seconds, 3),
        "text_megabytes": round(watched.text_bytes / 1e6, 3),
    }
    if as_json:
        write_json(summary)
    rate = watched.text_bytes / 1e6 / max(watched.seconds, 1e-9)
    say_summary(classifier, summary)
    say(
        f"  read       {watched.documents:,} documents, {watched.text_bytes / 1e6:,.1f} MB "
        f"of text in {watched.seconds:.2f} s ({rate:,.0f} MB/s)"
    )
    report_pruned(classifier)
    report_skipped(watched)


def report_pruned(classifier: TextClassifier) -> None:
    """Say what the limit of the file's size has cost."""
    pruned = classifier.model_.about.get("pruned")
    if pruned:
        say(
            f"  left out   {pruned['terms_left_out']:,} terms for --max-bytes; the best class is "
            f"the same for {pruned['same_best_class_on_training']:.1%} of the texts learnt from"
        )
