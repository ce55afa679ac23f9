"""``termfold explain``: why a text gets its label, and what makes a class."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from termfold.cli.console import show, write_json
from termfold.cli.options import WHOLE, existing_file, json_option
from termfold.errors import CorpusError


@click.command("explain")
@existing_file("model")
@click.argument("text", required=False)
@click.option("--class", "class_name", help="Explain the score of this class, not of the best.")
@click.option("--top", type=WHOLE, default=10, help="So many terms.")
@json_option
def command(model: Path, text: str | None, class_name: str | None, top: int, as_json: bool) -> None:
    """Tell which terms of TEXT make its label by MODEL; - reads it from standard input.

    A score is the sum of what the terms add to it: nothing is approximated. With --class and
    without TEXT, the terms that make the class are told.

    \b
    Examples:
      termfold explain tickets.termfold 'My card was charged twice'
      termfold explain tickets.termfold - < letter.txt
      termfold explain tickets.termfold --class billing --top 30
      termfold explain tickets.termfold 'My card was charged twice' --class fraud --json
    """
    from termfold.classify import model_file
    from termfold.classify.explain import explain, explain_class, position_of

    loaded = model_file.load(model)
    if class_name is not None:
        position_of(loaded.classes, class_name)  # an unknown class is said before anything else
    if text is None and class_name is not None:
        terms = explain_class(loaded, class_name, top)
        if as_json:
            write_json(terms.to_dict())
        else:
            show(terms)
        return
    if text == "-" or (text is None and not sys.stdin.isatty()):
        text = _standard_input()
    if text is None:
        raise click.UsageError("give a text, - for standard input, or --class")
    found = explain(loaded, text)
    if as_json:
        write_json(found.to_dict(top))
    else:
        show(found.to_rich(class_name, top))


def _standard_input() -> str:
    content = sys.stdin.buffer.read()
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise CorpusError(f"standard input: not UTF-8 ({error}). Convert it with iconv.") from error
