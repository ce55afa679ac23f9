"""``termfold update``: learn more into a model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from termfold.atomic import locked
from termfold.cli.console import say, watching
from termfold.cli.fit import report_model
from termfold.cli.options import (
    F,
    applied,
    corpus_argument,
    existing_file,
    jobs_option,
    json_option,
    output_option,
    reading_of,
    reading_options_of_model,
    source_of,
)
from termfold.errors import FileFormatError

if TYPE_CHECKING:
    from termfold.classify import TextClassifier
    from termfold.cli.watched import WatchedCorpus


def change_options(function: F) -> F:
    """Add the arguments and options that ``change`` takes."""
    return applied(
        function,
        [
            existing_file("model"),
            corpus_argument,
            output_option(required=False, help="Write here, and leave MODEL as it is."),
            reading_options_of_model,
            jobs_option,
            json_option,
        ],
    )


@click.command("update")
@change_options
def command(**options: Any) -> None:
    """Learn the texts of CORPUS into MODEL, which was made by ``fit --updatable``.

    The result is the model of all texts at once, as long as they are no more than its --memory.

    \b
    Examples:
      termfold fit may.csv --updatable -o tickets.termfold
      termfold update tickets.termfold june.csv
      termfold update tickets.termfold july.csv -o july.termfold
    """
    change(lambda classifier, texts: classifier.partial_fit(texts), **options)


def change(
    step: Callable[[TextClassifier, WatchedCorpus], Any],
    *,
    model: Path,
    corpus: tuple[str, ...],
    output: Path | None,
    jobs: int,
    as_json: bool,
    **reading: Any,
) -> None:
    """Load a model, have it learn or forget a corpus, and write it."""
    with _changing(model, output) as target:
        classifier = _load_updatable(model, jobs)
        # With several labels each, if the model gives several.
        like_the_model = {**reading_of(reading), "multilabel": classifier.model_.multilabel}
        began = time.perf_counter()
        with watching(source_of(corpus), **like_the_model) as watched:
            step(classifier, watched)
        seconds = time.perf_counter() - began
        classifier.save(target)
    report_model(classifier, target, watched, seconds, as_json)


@contextmanager
def _changing(model: Path, output: Path | None) -> Iterator[Path]:
    """Tell where to write; if that is MODEL itself, nobody else changes it meanwhile."""
    if output is not None and not (output.exists() and output.samefile(model)):
        yield output
        return
    with locked(model, lambda: say(f"waiting for another command that changes {model}")):
        yield model


def _load_updatable(path: Path, jobs: int) -> TextClassifier:
    """Load a model together with the texts it keeps."""
    from termfold.classify import TextClassifier

    classifier = TextClassifier.load(path, n_jobs=jobs)
    if not classifier.updatable:
        raise FileFormatError(
            f"{path}: the model keeps no texts, so that nothing can be added or taken out. "
            "Make it anew: termfold fit --updatable"
        )
    return classifier
