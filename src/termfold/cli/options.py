"""Options that several commands share: how to read a corpus, what a term is, where to write."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from termfold.checkpoint import Checkpoint
    from termfold.terms import Analyzer

F = TypeVar("F", bound=Callable[..., Any])

# Numbers that options take.
WHOLE = click.IntRange(min=1)
POSITIVE = click.FloatRange(min=0, min_open=True)

READING = ("text", "label", "label_separator", "multilabel", "encoding", "format", "on_error")
LABELS = ("label", "label_separator", "multilabel")
ANALYZING = ("unit", "ngrams", "cjk", "min_length", "numbers", "stop_words")

_READING = {
    "text": click.option("--text", default="text", help="Column of the texts."),
    "label": click.option("--label", default="label", help="Column of the classes."),
    "label_separator": click.option(
        "--label-separator", help="Several classes in one field are separated by this."
    ),
    "multilabel": click.option(
        "--multilabel",
        is_flag=True,
        flag_value=True,
        default=None,
        help="A text may have no or several classes; by default as the first labels show.",
    ),
    "encoding": click.option("--encoding", default="utf-8", help="For example latin-1."),
    "format": click.option(
        "--format", help="Read as this format (csv, jsonl, …), not by extension."
    ),
    "on_error": click.option(
        "--on-error",
        type=click.Choice(["fail", "skip"]),
        default="fail",
        help="What to do with a broken row: stop, or leave it out and count it.",
    ),
}


def check_folder(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Look before the work, not after it, whether a file can be written in its folder."""
    if value is None:
        return None
    if not value.parent.is_dir():
        raise click.BadParameter(f"{value}: there is no folder {value.parent}; make it first")
    if not os.access(value.parent, os.W_OK):
        raise click.BadParameter(f"{value}: the folder {value.parent} cannot be written to")
    return value


def applied(function: F, decorators: Sequence[Callable[[F], F]]) -> F:
    """Apply decorators so that options are listed in their order."""
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


def existing_file(name: str) -> Callable[[F], F]:
    """Add an argument that is a file."""
    kind = click.Path(exists=True, dir_okay=False, path_type=Path)
    return click.argument(name, type=kind)


def corpus_argument(function: F) -> F:
    """Add the argument CORPUS: files, a glob, or a folder."""
    return click.argument("corpus", nargs=-1, required=True)(function)


def output_option(required: bool = True, help: str = "The file to write.") -> Callable[[F], F]:
    """Add ``--output``."""
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option(
        "-o", "--output", required=required, type=kind, callback=check_folder, help=help
    )


def json_option(function: F) -> F:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(
        function
    )


def form_option(function: F) -> F:
    """Add ``--as``, and ``--json`` for short."""
    return applied(
        function,
        [
            click.option(
                "--as",
                "form",
                type=click.Choice(["table", "csv", "json"]),
                default="table",
                help="For people or for programs.",
            ),
            click.option("--json", "form", flag_value="json", help="The same as --as json."),
        ],
    )


def jobs_option(function: F) -> F:
    """Add ``--jobs``."""
    return click.option("--jobs", default=-1, help="Threads; -1 for all cores.")(function)


def checkpoint_options(function: F) -> F:
    """Add ``--checkpoint`` and how often it is written."""
    return applied(
        function,
        [
            click.option(
                "--checkpoint",
                type=click.Path(file_okay=False, path_type=Path),
                metavar="FOLDER",
                help="Keep there what was read so far, and go on from it when the command is run "
                "again.",
            ),
            click.option(
                "--checkpoint-seconds",
                type=click.FloatRange(min=0),
                default=60,
                help="So much work is lost at most.",
            ),
        ],
    )


def checkpoint_of(folder: Path | None, seconds: float) -> Checkpoint | None:
    """The checkpoint that the options describe."""
    from termfold.checkpoint import Checkpoint
    from termfold.cli.console import say

    if folder is None:
        return None
    return Checkpoint(
        folder, seconds, lambda documents: say(f"{folder}: {documents:,} documents are done")
    )


def reading_options(function: F) -> F:
    """Add the options that say how a corpus is read."""
    return applied(function, list(_READING.values()))


def reading_options_of_model(function: F) -> F:
    """Add those for texts with labels, where the model knows how many a text may have."""
    return _reading_options_without(function, ("multilabel",))


def text_reading_options(function: F) -> F:
    """Add those for texts without labels."""
    return _reading_options_without(function, LABELS)


def _reading_options_without(function: F, names: Sequence[str]) -> F:
    return applied(function, [option for name, option in _READING.items() if name not in names])


def analyzer_options(function: F) -> F:
    """Add the options that say what a term is."""
    return applied(
        function,
        [
            click.option(
                "--unit",
                type=click.Choice(["word", "char", "char_wb"]),
                default="word",
                help="What terms are made of: words, characters, characters within words.",
            ),
            click.option(
                "--ngrams",
                default="1",
                metavar="N or M-N",
                help="How many units make a term: 1-2 is words and pairs of words.",
            ),
            click.option(
                "--cjk",
                type=click.Choice(["bigram", "word"]),
                default="bigram",
                help="Chinese, Japanese, Korean: pairs of characters, or as other words.",
            ),
            click.option(
                "--min-length", type=WHOLE, default=2, help="Shortest word in characters."
            ),
            click.option(
                "--numbers",
                type=click.Choice(["keep", "drop"]),
                default="keep",
                help="Words without a letter.",
            ),
            click.option(
                "--stop-words", help="Leave out a list: english, german, french, spanish."
            ),
            jobs_option,
        ],
    )


def source_of(paths: Sequence[str]) -> Any:
    """What ``open_corpus`` takes, of the paths, globs or folder on the command line."""
    return paths[0] if len(paths) == 1 else [Path(path) for path in paths]


def reading_of(options: dict[str, Any]) -> dict[str, Any]:
    """Pick what ``open_corpus`` takes."""
    return {name: options[name] for name in READING if name in options}


def analyzer_of(options: dict[str, Any]) -> Analyzer:
    """Make the analyzer that the options describe."""
    from termfold.terms import Analyzer

    low, _, high = options["ngrams"].partition("-")
    if not low.isdecimal() or (high and not high.isdecimal()):
        raise click.BadParameter(f"{options['ngrams']!r} is not N or M-N", param_hint="--ngrams")
    return Analyzer(
        unit=options["unit"],
        ngram_range=(int(low), int(high or low)),
        cjk=options["cjk"],
        min_length=options["min_length"],
        numbers=options["numbers"],
        stop_words=options["stop_words"],
    )
