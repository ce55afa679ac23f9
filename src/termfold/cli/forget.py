"""``termfold forget``: take texts out of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from termfold.cli.options import (
    corpus_argument,
    existing_file,
    jobs_option,
    json_option,
    output_option,
    reading_options_of_model,
)
from termfold.cli.update import change


@click.command("forget")
@existing_file("model")
@corpus_argument
@output_option(required=False, help="Write here, and leave MODEL as it is.")
@reading_options_of_model
@jobs_option
@json_option
def command(
    model: Path,
    corpus: tuple[str, ...],
    output: Path | None,
    jobs: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Take the texts of CORPUS, with their labels, out of MODEL again.

    MODEL was made by ``fit --updatable`` and has learnt them before. After that it is what it
    would be without them, as long as it has learnt no more texts than its --memory.

    \b
    Examples:
      termfold forget tickets.termfold withdrawn.csv
      termfold forget tickets.termfold may.csv -o without-may.termfold
    """
    change(model, output, corpus, options, jobs, as_json, lambda one, texts: one.forget(texts))
