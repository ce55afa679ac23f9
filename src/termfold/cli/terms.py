"""``termfold terms``: what makes each class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from termfold.cli.console import collect_with_progress, write_rows
from termfold.cli.options import analyzer_of, analyzer_options, reading_of, reading_options


@click.command("terms")
@click.argument("source")
@click.option("--score", default="chi2", show_default=True, help="Any score; see below.")
@click.option("--top", default=10, show_default=True, help="So many terms of each class.")
@click.option("--class", "classes", multiple=True, help="Only this class; may be repeated.")
@click.option("--min-df", default=1, show_default=True, help="Only terms in so many documents.")
@click.option("--absent", is_flag=True, help="Also terms whose absence speaks for a class.")
@click.option(
    "--as",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="For people or for programs.",
)
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
    """Rank the terms of each class of SOURCE, a count file or a corpus.

    Scores: df, dia, mi, ig, chi2, ngl, or, rs, gss, rr, log_rr, kl, chi2_tf, bns, gini, dfs, tfrf,
    acc2. Those that favour rare terms (mi, dia, or, rr) are worth a --min-df.

    \b
    Examples:
      termfold terms tickets.counts
      termfold terms tickets.counts --score log_rr --min-df 5 --top 20 --class billing
      termfold terms news/ --as csv > terms.csv
    """
    from termfold.scores.top import top_terms
    from termfold.stats import TermStats

    if is_count_file(source):
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


def is_count_file(source: str) -> bool:
    """Tell a count file from a corpus by how its content begins, not by its name."""
    path = Path(source)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(4096)
    # A safetensors file: the size of its header in eight bytes, then JSON.
    return start[8:9] == b"{" and b'"__metadata__"' in start and b"termfold" in start
