"""The entry point: commands by name, errors without tracebacks, exit codes."""

from __future__ import annotations

import importlib
import os
import sys

import click

from termfold._version import __version__
from termfold.cli.groups import Group
from termfold.cli.wording import in_options
from termfold.errors import TermfoldError

# Where each command lives; a command is imported when it runs, so that --help is instant.
_COMMANDS = {
    "demo": "Try termfold on its built-in data.",
    "fit": "Learn a model from a labelled corpus.",
    "predict": "Label texts by a model.",
    "evaluate": "Measure a model on labelled texts, or a method by cross-validation.",
    "compare": "Compare methods on a corpus of your own.",
    "explain": "Tell why a text is given its label.",
    "terms": "Rank the terms of each class of a corpus, a count file or a model.",
    "report": "Write a page that shows a corpus, its classes and how well they are told apart.",
    "serve": "Serve a page and an HTTP API over a model or count file.",
    "audit": "Find texts whose label looks wrong.",
    "update": "Learn more texts into a model.",
    "forget": "Take texts out of a model again.",
    "stats": "Count a corpus into a count file; add, subtract and show such files.",
    "study": "Run the studies of the papers again.",
    "inspect": "Tell what is in a model or count file.",
    "completion": "Print the completion script of a shell.",
}

# Exit codes, beside 0: what the caller can mend in the data, and in the call.
BAD_DATA, BAD_CALL, INTERRUPTED = 1, 2, 130

_LESS_MEMORY = (
    "Allow more, use fewer --jobs, or read less at a time: stats count in parts and stats merge, "
    "fit --spill or --max-text."
)


class _LazyGroup(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"termfold.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


# Defaults are shown by every command, which are all below this group.
@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    of_counts="termfold terms {}",
    of_model="termfold inspect {}",
    of_corpus="termfold fit {} -o OUTPUT",
)
@click.version_option(__version__, prog_name="termfold")
def cli() -> None:
    """Fold labelled text into a handful of features, and classify text with them.

    \b
    Begin with:
      termfold demo
      termfold fit tickets.csv --text body --label queue -o tickets.termfold
      termfold evaluate tickets.termfold later.csv --text body --label queue
      termfold predict tickets.termfold new.csv --text body -o labelled.csv
      termfold terms tickets.termfold --top 10

    Data goes to standard output, messages and progress to standard error. Files are written
    beside their place and put there in one step: what was there stays whole until then. Exit
    codes: 0 done, 1 something about the data, 2 something about the call, 130 interrupted.
    """


def main() -> None:
    """Run the command line; an error that a user can mend is one line, never a traceback."""
    try:
        cli.main(prog_name="termfold", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        sys.exit(BAD_CALL)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has had enough (``| head``); that is no error of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except MemoryError as error:
        click.echo(f"error: out of memory{_in_brackets(str(error))}. {_LESS_MEMORY}", err=True)
        sys.exit(BAD_DATA)
    except (TermfoldError, ValueError, OSError, OverflowError) as error:
        # The others carry a message worth reading, too.
        click.echo(f"error: {in_options(str(error)) or type(error).__name__}", err=True)
        sys.exit(BAD_DATA)
    except RuntimeError as error:
        if "can't start new thread" not in str(error):
            raise
        click.echo(f"error: no more threads are allowed. {_LESS_MEMORY}", err=True)
        sys.exit(BAD_DATA)


def _in_brackets(reason: str) -> str:
    return f" ({reason})" if reason else ""
