"""Each command teaches by example, and is in the documentation as it is in the program."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).parent.parent
TOOL = ROOT / "tools" / "make_cli_docs.py"

made = runpy.run_path(str(TOOL))
COMMANDS: dict[str, click.Command] = {
    context.command_path: command for context, command in made["commands"](made["cli"])
}


def test_the_page_is_up_to_date() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    version = re.search(r"with Click ([\d.]+);", page)
    assert version is not None
    if version[1] != made["click_version"]():
        pytest.skip(f"the page was made with Click {version[1]}, which lays help out its own way")
    assert page == made["page"](), "run: python tools/make_cli_docs.py"


@pytest.mark.parametrize("path", COMMANDS)
def test_each_command_is_in_the_table(path: str) -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert f"| [`{path}`](#{path.replace(' ', '-')}) |" in page


@pytest.mark.parametrize("path", COMMANDS)
def test_each_command_has_examples_that_parse(path: str) -> None:
    command = COMMANDS[path]
    lines = [line for line in (command.help or "").splitlines() if path in line]
    assert lines, "an example in the help"
    for line in lines:
        example = line[line.index(path) :].partition("   ")[0]  # a remark stands far to the right
        example = re.sub(r"""\s[|<>]\s.*|\)"$""", "", example)  # what only the shell sees
        arguments = shlex.split(example)[len(path.split()) :]
        _, rest, _ = command.make_parser(click.Context(command)).parse_args(arguments)
        assert rest == [], line


@pytest.mark.parametrize("path", COMMANDS)
def test_each_option_has_a_help(path: str) -> None:
    for parameter in COMMANDS[path].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.opts


def test_the_list_of_commands_says_the_same_of_all() -> None:
    listed = made["cli"].list_commands(click.Context(made["cli"]))
    assert {path.split()[1] for path in COMMANDS} == set(listed)
