"""The entry point: commands by name, errors without tracebacks, exit codes."""

from __future__ import annotations

import importlib
import os
import sys

import click

from termfold._version import __version__

# Where each command lives; a command is imported when it runs, so that --help is instant.
_COMMANDS = {
    "demo": "Try termfold on its built-in data.",
    "stats": "Count a corpus into a count file; add, subtract and show such files.",
    "terms": "Rank the terms of each class.",
}

# Exit codes, beside 0: what the caller can mend in the data, and in the call.
BAD_DATA, BAD_CALL, INTERRUPTED = 1, 2, 130


class _LazyGroup(click.Group):
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


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="termfold")
def cli() -> None:
    """Fold labelled text into a handful of features, and see what sets its classes apart.

    \b
    Begin with:
      termfold demo
      termfold stats count tickets.csv --text body --label queue -o tickets.counts
      termfold terms tickets.counts --score chi2 --top 10

    Data goes to standard output, messages and progress to standard error. Exit codes: 0 done,
    1 something about the data, 2 something about the call, 130 interrupted.
    """


def main() -> None:
    """Run the command line; an error that a user can mend is one line, never a traceback."""
    try:
        cli.main(prog_name="termfold", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(BAD_CALL)
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
    except (ValueError, OSError, MemoryError) as error:
        # TermfoldError is a ValueError; the others carry a message worth reading, too.
        click.echo(f"error: {error or type(error).__name__}", err=True)
        sys.exit(BAD_DATA)
