"""Write docs/cli.md from the commands' own help: ``python tools/make_cli_docs.py``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from termfold.cli import cli

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
WIDTH = 92

INTRODUCTION = """\
# The command line

<!-- Made by tools/make_cli_docs.py with Click {click}; edit the commands' help instead. -->

{table}

Data goes to standard output, messages and progress to standard error, so that results can be \
piped on. Most commands print JSON with `--json`.

| exit code | meaning |
| --- | --- |
| 0 | done |
| 1 | something about the data: a missing column, a broken row, a file of another kind |
| 2 | something about the call: an unknown option, a number out of range, a folder not there |
| 130 | interrupted (Ctrl-C) |

An output file is written beside its place and put there in one step. If the program is \
interrupted or killed, the file that was there before is still there, whole.

A row that cannot be used (broken, without a label, not of the encoding) ends the program with its \
place and a remedy. With `--on-error skip` such rows are left out and counted, the first ten with \
their reasons.
"""


def commands(
    group: click.Group, parent: click.Context | None = None
) -> Iterator[tuple[click.Context, click.Command]]:
    """All commands that do something themselves, each with the context of its name."""
    context = click.Context(
        group,
        info_name=group.name if parent else "termfold",
        parent=parent,
        terminal_width=WIDTH,
        **group.context_settings,
    )
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, context)
        else:
            yield (
                click.Context(command, info_name=name, parent=context, terminal_width=WIDTH),
                command,
            )


def page() -> str:
    """The whole page."""
    version = click_version()
    rows = ["| command | what it does |", "| --- | --- |"]
    sections = []
    for context, command in commands(cli):
        path = context.command_path
        anchor = path.replace(" ", "-")
        rows.append(f"| [`{path}`](#{anchor}) | {command.get_short_help_str(200)} |")
        sections.append(f"## {path}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    introduction = INTRODUCTION.format(click=version, table="\n".join(rows))
    return "\n".join([introduction, *sections])


def click_version() -> str:
    """Major and minor version: Click lays help out in another way now and then."""
    from importlib.metadata import version

    return ".".join(version("click").split(".")[:2])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.name}: {len(list(commands(cli)))} commands")
