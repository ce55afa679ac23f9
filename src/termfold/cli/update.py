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


@click.command("update")
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
    """Learn the texts of CORPUS into MODEL, which was made by ``fit --updatable``.

    The result is the model of all texts at once, as long as they are no more than its --memory.

    \b
    Examples:
      termfold fit may.csv --updatable -o tickets.termfold
      termfold update tickets.termfold june.csv
      termfold update tickets.termfold july.csv -o july.termfold
    """
    change(model, output, corpus, options, jobs, as_json, lambda one, texts: one.partial_fit(texts))


def change(
    model: Path,
    output: Path | None,
    corpus: tuple[str, ...],
    options: dict[str, Any],
    jobs: int,
    as_json: bool,
    step: Callable[[TextClassifier, WatchedCorpus], Any],
) -> None:
    """Load a model, have it learn or forget a corpus, and write it."""
    with changing(model, output) as target:
        classifier = load_updatable(model, jobs)
        began = time.perf_counter()
        with watching(source_of(corpus), **reading_like(classifier, options)) as watched:
            step(classifier, watched)
        seconds = time.perf_counter() - began
        classifier.save(target)
    report_model(classifier, target, watched, seconds, as_json)


@contextmanager
def changing(model: Path, output: Path | None) -> Iterator[Path]:
    """Tell where to write; if that is MODEL itself, nobody else changes it meanwhile."""
    if output is not None and not (output.exists() and output.samefile(model)):
        yield output
        return
    with locked(model, lambda: say(f"waiting for another command that changes {model}")):
        yield model


def load_updatable(path: Path, jobs: int) -> TextClassifier:
    """Load a model together with the texts it keeps."""
    from termfold.classify import TextClassifier

    classifier = TextClassifier.load(path, n_jobs=jobs)
    if not classifier.updatable:
        raise FileFormatError(
            f"{path}: the model keeps no texts, so that nothing can be added or taken out. "
            "Make it anew: termfold fit --updatable"
        )
    return classifier


def reading_like(classifier: TextClassifier, options: dict[str, Any]) -> dict[str, Any]:
    """How to read texts for a model: with several classes each, if it gives several."""
    return {**reading_of(options), "multilabel": classifier.model_.multilabel}
