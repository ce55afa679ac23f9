"""``termfold study``: the studies of the papers, run again."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from termfold.cli.console import messages, say, show, steps

_NAMES = ("ocfs", "fedip", "best-terms", "projection", "beyond")


@click.command("study")
@click.argument("name", type=click.Choice(_NAMES))
@click.option("--quick", is_flag=True, help="On the built-in data alone, in less than a minute.")
@click.option(
    "--results",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("studies/results"),
    help="Folder of the rows of results, one JSON a line; what it holds is not measured again.",
)
@click.option(
    "--pages",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/studies"),
    help="Folder of the page and its figures.",
)
@click.option("--no-run", is_flag=True, help="Only make the page again from the rows there are.")
def command(name: str, quick: bool, results: Path, pages: Path, no_run: bool) -> None:
    """Measure what a paper claims on real collections, and write a page on what holds.

    Without --quick, the collections of termfold.datasets must lie in the folder that the
    environment variable TERMFOLD_DATA names. A run that was interrupted goes on where it was.
    Figures are drawn by Matplotlib: pip install 'termfold[study]'.

    \b
    Examples:
      termfold study ocfs --quick
      TERMFOLD_DATA=collections termfold study fedip
      termfold study beyond --no-run --pages site/studies
    """
    # By name, since nothing in the package may depend on the studies, which depend on it.
    study: Any = importlib.import_module("termfold_studies.common.study")
    label = f"{name}-quick" if quick else name
    file = results / f"{label}.jsonl"
    if not no_run:
        with steps(name, total=None) as done:
            study.measure(name, file, quick=quick, say=_log if not messages.is_terminal else done)
    made = study.report(name, file)
    path = study.write(name, made, pages / "quick" if quick else pages)
    if not quick:
        index: Any = importlib.import_module("termfold_studies.common.index")
        (pages / "index.md").write_text(index.index(results), encoding="utf-8")
    _show_claims(made)
    say(f"{file}: the rows; {path}: the page")


def _log(what: str) -> None:
    say(f"measured {what}")


def _show_claims(made: Any) -> None:
    table = Table("claim", "here", title=made.paper, title_justify="left", header_style="bold")
    for claim in made.claims:
        table.add_row(claim.said, claim.verdict)
    show(table)
