"""``termfold forget``: take texts out of a model."""

from __future__ import annotations

from typing import Any

import click

from termfold.cli.update import change, change_options


@click.command("forget")
@change_options
def command(**options: Any) -> None:
    """Take the texts of CORPUS, with their labels, out of MODEL again.

    MODEL was made by ``fit --updatable`` and has learnt them before. After that it is what it
    would be without them, as long as it has learnt no more texts than its --memory.

    \b
    Examples:
      termfold forget tickets.termfold withdrawn.csv
      termfold forget tickets.termfold may.csv -o without-may.termfold
    """
    change(lambda classifier, texts: classifier.forget(texts), **options)
