"""Options that several commands share: how to read a corpus, and what a term is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from termfold.terms import Analyzer

F = TypeVar("F", bound=Callable[..., Any])

READING = ("text", "label", "label_separator", "encoding", "format", "on_error")
ANALYZING = ("unit", "ngrams", "cjk", "min_length", "numbers", "stop_words")


def reading_options(function: F) -> F:
    """Add the options that say how a corpus is read."""
    for option in reversed(
        [
            click.option("--text", default="text", show_default=True, help="Column of the texts."),
            click.option(
                "--label", default="label", show_default=True, help="Column of the classes."
            ),
            click.option(
                "--label-separator", help="Several classes in one field are separated by this."
            ),
            click.option(
                "--encoding", default="utf-8", show_default=True, help="For example latin-1."
            ),
            click.option("--format", help="Read as this format (csv, jsonl, …), not by extension."),
            click.option(
                "--on-error",
                type=click.Choice(["fail", "skip"]),
                default="fail",
                show_default=True,
                help="What to do with a broken row: stop, or leave it out and count it.",
            ),
        ]
    ):
        function = option(function)
    return function


def analyzer_options(function: F) -> F:
    """Add the options that say what a term is."""
    for option in reversed(
        [
            click.option(
                "--unit",
                type=click.Choice(["word", "char", "char_wb"]),
                default="word",
                show_default=True,
                help="What terms are made of: words, characters, characters within words.",
            ),
            click.option(
                "--ngrams",
                default="1",
                show_default=True,
                metavar="N or M-N",
                help="How many units make a term: 1-2 is words and pairs of words.",
            ),
            click.option(
                "--cjk",
                type=click.Choice(["bigram", "word"]),
                default="bigram",
                show_default=True,
                help="Chinese, Japanese, Korean: pairs of characters, or as other words.",
            ),
            click.option(
                "--min-length", default=2, show_default=True, help="Shortest word in characters."
            ),
            click.option(
                "--numbers",
                type=click.Choice(["keep", "drop"]),
                default="keep",
                show_default=True,
                help="Words without a letter.",
            ),
            click.option(
                "--stop-words", help="Leave out a list: english, german, french, spanish."
            ),
            click.option(
                "--jobs", default=-1, show_default=True, help="Threads; -1 for all cores."
            ),
        ]
    ):
        function = option(function)
    return function


def reading_of(options: dict[str, Any]) -> dict[str, Any]:
    """Pick what ``open_corpus`` takes."""
    return {name: options[name] for name in READING}


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
