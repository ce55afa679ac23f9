"""``termfold terms``: what makes each class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from termfold.cli.console import collect_with_progress, write_rows
from termfold.cli.options import (
    WHOLE,
    analyzer_of,
    analyzer_options,
    form_option,
    reading_of,
    reading_options,
)
from termfold.peek import MODEL, STATS, kind_of

_NOT_OF_MODELS = {"score": "--score", "min_df": "--min-df", "absent": "--absent"}


@click.command("terms")
@click.argument("source")
@click.option("--score", default="chi2", help="Any score; see below.")
@click.option("--top", type=WHOLE, default=10, help="So many terms of each class.")
@click.option("--class", "classes", multiple=True, help="Only this class; may be repeated.")
@click.option("--min-df", type=WHOLE, default=1, help="Only terms in so many documents.")
@click.option("--absent", is_flag=True, help="Also terms whose absence speaks for a class.")
@form_option
@reading_options
@analyzer_options
def command(
    source: str,
    score: str,
    top: int,
    classes: tuple[str, ...],
    min_df: int,
    absent: bool,
    form: str,
    jobs: int,
    **options: Any,
) -> None:
    """Rank the terms of each class of SOURCE, a model, a count file or a corpus.

    Scores: df, dia, mi, ig, chi2, ngl, or, rs, gss, rr, log_rr, kl, chi2_tf, bns, gini, dfs, tfrf,
    acc2. Those that favour rare terms (mi, dia, or, rr) are worth a --min-df. The terms of a model
    are ranked by their lead: what an occurrence adds to the class's score, its weight, less what
    it adds elsewhere.

    \b
    Examples:
      termfold terms tickets.termfold --class billing --top 30
      termfold terms tickets.counts
      termfold terms tickets.counts --score log_rr --min-df 5 --top 20 --class billing
      termfold terms news/ --as csv > terms.csv
    """
    kind = kind_of(source)
    if kind == MODEL:
        context = click.get_current_context()
        for name, option in _NOT_OF_MODELS.items():
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                raise click.UsageError(
                    f"{option} goes with a count file or a corpus; a model's terms have weights"
                )
        _write_weights(source, classes, top, form)
        return

    from termfold.scores.top import top_terms
    from termfold.stats import TermStats

    if kind == STATS:
        stats = TermStats.load(source)
    else:
        analyzer = analyzer_of(options)
        stats = collect_with_progress(source, jobs=jobs, analyzer=analyzer, **reading_of(options))
    if min_df > 1:
        stats = stats.prune(min_df=min_df)
    best = top_terms(stats, score, top, classes=list(classes) or None, absent=absent)  # type: ignore[arg-type]
    rows = [
        (row.class_name, row.rank, row.term, row.score, row.class_docs, row.docs, row.share)
        for row in best
    ]
    columns = ("class", "rank", "term", score, "documents of class", "documents", "share")
    write_rows(columns, rows, form)


def _write_weights(path: str | Path, classes: tuple[str, ...], top: int, form: str) -> None:
    from termfold.classify import model_file
    from termfold.classify.explain import explain_class

    model = model_file.load(path)
    rows = [
        (name, rank, term.term, term.value, term.weight, term.elsewhere)
        for name in classes or model.classes
        for rank, term in enumerate(explain_class(model, name, top).terms, 1)
    ]
    write_rows(("class", "rank", "term", "lead", "weight", "elsewhere"), rows, form)
