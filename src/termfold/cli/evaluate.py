"""``termfold evaluate``: how good a model, or a way to make one, is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from termfold.cli.console import report_skipped, say, steps, watching, write_json, write_rows
from termfold.cli.learning import LEARNING, classifier_of, learning_options
from termfold.cli.options import json_option, reading_of, reading_options, source_of

_CONFUSED_SHOWN = 10


@click.command("evaluate")
@click.argument("paths", nargs=-1, required=True, metavar="[MODEL] CORPUS...")
@click.option(
    "--cv",
    "folds",
    type=click.IntRange(min=2),
    metavar="K",
    help="Measure by K-fold cross-validation on CORPUS; there is no MODEL then.",
)
@click.option(
    "--abstain-below",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Count labels that are less probable as none.",
)
@learning_options
@reading_options
@json_option
def command(
    paths: tuple[str, ...],
    folds: int | None,
    abstain_below: float | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Measure a MODEL on the labelled texts of CORPUS, or a method by cross-validation.

    Precision, recall and F1 for all (micro), as the mean of classes (macro), and of each class;
    what is mistaken for what; and the speed. --json has the whole confusion matrix. Options of
    ``fit`` go with --cv.

    \b
    Examples:
      termfold evaluate tickets.termfold later.csv --text body --label queue
      termfold evaluate --cv 5 tickets.csv --text body --label queue
      termfold evaluate --cv 10 news/ --method ocfs --n-terms 2000 --effort rule --json
    """
    if folds is None:
        _only_with_cv(click.get_current_context())
        summary = _of_model(paths, abstain_below, options)
    else:
        summary = _by_folds(paths, folds, abstain_below, options)
    if as_json:
        write_json(summary)
        return
    _show(summary)


def _only_with_cv(context: click.Context) -> None:
    """Refuse options of learning where nothing is learnt; they would be passed over."""
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if name in LEARNING and given:
            raise click.UsageError(
                f"{parameter.opts[-1]} says how to learn, and a model has learnt; it goes with --cv"
            )


def _of_model(
    paths: tuple[str, ...], abstain_below: float | None, options: dict[str, Any]
) -> dict[str, Any]:
    if len(paths) < 2:
        raise click.UsageError(
            "a model and a corpus are needed, or --cv and a corpus: see termfold evaluate --help"
        )
    if not Path(paths[0]).is_file():
        raise click.BadParameter(f"there is no file {paths[0]!r}", param_hint="MODEL")

    from termfold.classify import TextClassifier
    from termfold.evaluate import evaluate

    classifier = TextClassifier.load(paths[0], n_jobs=options["jobs"], abstain_below=abstain_below)
    with watching(source_of(paths[1:]), "testing", "summing up", **reading_of(options)) as corpus:
        summary = evaluate(classifier, corpus, classifier.model_.multilabel)
    report_skipped(corpus)
    return summary


def _by_folds(
    paths: tuple[str, ...], folds: int, abstain_below: float | None, options: dict[str, Any]
) -> dict[str, Any]:
    from termfold.evaluate import cross_validate, read_documents

    classifier_of(options)  # so that what it does not like is said before the reading
    with watching(source_of(paths), then="reading", **reading_of(options)) as corpus:
        documents = read_documents(corpus)
    report_skipped(corpus)
    with steps("cross-validation", folds) as done:
        return cross_validate(
            lambda: classifier_of(options, abstain_below=abstain_below),
            documents,
            folds,
            options["seed"],
            done,
        )


def _show(summary: dict[str, Any]) -> None:
    columns = ("class", "precision", "recall", "F1", "texts", "predicted")
    rows: list[tuple[Any, ...]] = [
        (c["name"], c["precision"], c["recall"], c["f1"], c["documents"], c["predicted"])
        for c in summary["classes"]
    ]
    for name in ("micro", "macro"):
        average = summary[name]
        rows.append(
            (f"{name} average", average["precision"], average["recall"], average["f1"], None, None)
        )
    write_rows(columns, [[_rounded(value) for value in row] for row in rows], "table")
    pairs = summary["confused"][:_CONFUSED_SHOWN]
    if pairs:
        rows = [(pair["true"], pair["predicted"], pair["documents"]) for pair in pairs]
        write_rows(("true class", "taken for", "texts"), rows, "table", title="most confused")
    what = "all labels right" if summary["multilabel"] else "accuracy"
    say(f"{summary['documents']:,} texts, {what} {summary['accuracy']:.4f}")
    if summary["coverage"] < 1:
        say(f"without any label: {1 - summary['coverage']:.2%}")
    if "folds" in summary:
        spread = summary["folds"]
        figures = ", ".join(
            f"{title} {spread[name]['mean']:.4f} ± {spread[name]['deviation']:.4f}"
            for name, title in (("micro_f1", "micro F1"), ("macro_f1", "macro F1"))
        )
        say(f"{spread['count']} folds: {figures}; {summary['fit_seconds']:.2f} s to learn each")
    timing = summary["timing"]
    say(
        f"predicted in {timing['seconds']:.3f} s: {timing['documents_per_second']:,.0f} texts/s, "
        f"{timing['megabytes_per_second']:,.0f} MB/s"
    )


def _rounded(value: Any) -> Any:
    return f"{value:.4f}" if isinstance(value, float) else value
