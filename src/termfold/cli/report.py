"""``termfold report``: a page to look at."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from termfold.cli.console import report_skipped, say, steps, watching
from termfold.cli.learning import EFFORTS, METHODS
from termfold.cli.options import (
    WHOLE,
    analyzer_of,
    analyzer_options,
    corpus_argument,
    output_option,
    reading_of,
    reading_options,
    source_of,
)
from termfold.peek import MODEL, STATS, kind_of

if TYPE_CHECKING:
    from termfold.classify import TextClassifier
    from termfold.report import Report

# Counting, scoring, measuring and so on, the parts of the cross-validation, and the curve.
_STEPS_ABOUT = 75


@click.command("report")
@corpus_argument
@output_option(help="The file to write: .html, .md or .json.")
@click.option("--model", help="Label the texts by this model, which has not learnt from them.")
@click.option("--test", multiple=True, help="Label these texts instead; may be repeated.")
@click.option("--title", help="Of the report; by default the name of the corpus.")
@click.option("--top", type=WHOLE, default=15, help="So many terms of each class, by each score.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="fedip",
    help="Which terms the texts are labelled by; as in fit.",
)
@click.option(
    "--effort",
    type=click.Choice(EFFORTS),
    default="refined",
    help="How these are weighed; as in fit.",
)
@click.option(
    "--cv",
    "folds",
    type=click.IntRange(min=2),
    default=3,
    metavar="K",
    help="Without --model and --test, texts are labelled by K-fold cross-validation.",
)
@click.option(
    "--max-documents",
    type=click.IntRange(min=2),
    default=20_000,
    help="Label a random sample of so many texts, where there are more; all are counted.",
)
@click.option(
    "--max-shown", type=WHOLE, default=2000, help="About so many texts are points in the page."
)
@click.option("--seed", default=0, help="Of samples and folds.")
@analyzer_options
@reading_options
def command(
    corpus: tuple[str, ...],
    output: Path,
    model: str | None,
    test: tuple[str, ...],
    title: str | None,
    **options: Any,
) -> None:
    """Write a report on CORPUS, or on a count file: one page that needs no network.

    It tells what makes each class, by any score; which classes are taken for one another, and by
    which terms; shows the texts on a map; how many terms are enough; and which labels look wrong.
    Every text is labelled by what was learnt from others. Of a count file, there are no texts to
    tell of. The page draws itself with a script of its own and asks nothing of any other place;
    the same as Markdown or JSON is for programs.

    \b
    Examples:
      termfold report tickets.csv --text body --label queue -o tickets.html
      termfold report may.csv --test june.csv --title 'May and June' -o june.html
      termfold report later.csv --model tickets.termfold -o later.md
      termfold report spring.counts -o spring.html
    """
    from termfold.report import report_stats
    from termfold.report.report import check_suffix
    from termfold.stats import TermStats

    try:
        check_suffix(output)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--output") from None
    kind = kind_of(corpus[0]) if len(corpus) == 1 else None
    if kind == MODEL:
        raise click.UsageError(
            f"{corpus[0]} is a model: name the texts to report on, and it as --model {corpus[0]}"
        )
    if kind == STATS:
        if model or test:
            raise click.UsageError("a count file has no texts to label; leave out --model, --test")
        stats = TermStats.load(corpus[0])
        report: Report = report_stats(
            stats, title=title or Path(corpus[0]).name, n_terms=options["top"]
        )
    else:
        report = _of_corpus(corpus, model, test, title, options)
    report.save(output)
    say(f"{output}: {output.stat().st_size / 1000:,.0f} kB")


def _of_corpus(
    corpus: tuple[str, ...],
    model: str | None,
    test: tuple[str, ...],
    title: str | None,
    options: dict[str, Any],
) -> Report:
    from termfold.report import make_report

    reading = reading_of(options)
    classifier = _classifier(model, options)
    with ExitStack() as bars:
        watched = bars.enter_context(watching(source_of(corpus), "counting", **reading))
        step: Callable[[str], None] | None = None

        def done(what: str) -> None:
            nonlocal step
            if step is None:  # all is read: the next bar
                bars.close()
                step = bars.enter_context(steps("reporting", _STEPS_ABOUT))
            step(what)

        report = make_report(
            watched,
            classifier=classifier,
            test=source_of(test) if test else None,
            title=title or ", ".join(Path(path).name for path in corpus),
            n_terms=options["top"],
            max_documents=options["max_documents"],
            max_shown=options["max_shown"],
            folds=options["folds"],
            seed=options["seed"],
            n_jobs=options["jobs"],
            done=done,
            **reading,
        )
    report_skipped(watched)
    return report


def _classifier(model: str | None, options: dict[str, Any]) -> TextClassifier:
    from termfold.classify import TextClassifier

    if model is not None:
        return TextClassifier.load(model)
    return TextClassifier(options["method"], options["effort"], analyzer=analyzer_of(options))
