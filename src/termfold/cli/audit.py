"""``termfold audit``: texts whose label looks wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from termfold.cli.console import report_skipped, say, watching, write_rows
from termfold.cli.options import (
    WHOLE,
    analyzer_of,
    analyzer_options,
    corpus_argument,
    form_option,
    reading_of,
    reading_options,
    source_of,
)

if TYPE_CHECKING:
    from collections.abc import Container

    from termfold.corpus import Corpus

_COLUMNS = ("source", "row", "label", "suggested", "probability", "terms", "text")
_TEXT_SHOWN = 60


@click.command("audit")
@corpus_argument
@click.option("--top", type=WHOLE, default=20, help="So many texts, the least credible first.")
@click.option("--all", "every", is_flag=True, help="All texts whose label looks wrong.")
@click.option("--min-df", type=WHOLE, default=1, help="Leave out terms in fewer texts.")
@form_option
@analyzer_options
@reading_options
def command(
    corpus: tuple[str, ...],
    top: int,
    every: bool,
    min_df: int,
    form: str,
    jobs: int,
    **options: Any,
) -> None:
    """Find the texts of CORPUS whose label is likely to be wrong, by their terms.

    Each text is judged by all others. Told are the label it has, the one it should have, how
    probable that is, and the terms that say so. Where a text may have several labels, an empty
    label is one that seems to be missing, an empty suggestion one that seems to be too many.
    Rows count from 0, without a header and without rows left out. The texts' terms are held in
    memory.

    \b
    Examples:
      termfold audit tickets.csv --text body --label queue
      termfold audit news/ --encoding latin-1 --top 100
      termfold audit tagged.jsonl --all --as csv > doubtful.csv
    """
    from termfold.classify.audit import audit
    from termfold.classify.training import read_training_set

    reading = reading_of(options)
    with watching(source_of(corpus), then="judging", **reading) as watched:
        training = read_training_set(watched, analyzer_of(options), min_df=min_df, n_jobs=jobs)
        if len(training.labels.classes) < 2:
            raise ValueError(
                f"all texts are of one class, {training.labels.classes.tolist()}; "
                "a label can be wrong only where there are two"
            )
        suspects = audit(training, watched.multilabel, n=None if every else top)
        # Read anew, since the texts are not kept.
        places = _find(watched, {suspect.row for suspect in suspects})
    rows = [
        (
            *places[suspect.row][:2],
            suspect.label,
            suspect.suggested,
            round(suspect.probability_of_suggested, 4),
            " ".join(term for term, _ in suspect.deciding_terms),
            places[suspect.row][2] if form != "table" else _short(places[suspect.row][2]),
        )
        for suspect in suspects
    ]
    write_rows(_COLUMNS, rows, form)
    say(f"{len(rows):,} of {watched.documents:,} texts")
    report_skipped(watched)


def _find(corpus: Corpus, wanted: Container[int]) -> dict[int, tuple[str, int, str]]:
    """Source, row and text of documents that are known by their position in the corpus."""
    found = {}
    position = 0
    for batch in corpus:
        for row in range(len(batch)):
            if position + row in wanted:
                found[position + row] = (
                    batch.source,
                    batch.first_row + row,
                    batch.text[row].as_py(),
                )
        position += len(batch)
    return found


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TEXT_SHOWN else f"{line[: _TEXT_SHOWN - 1]}…"
