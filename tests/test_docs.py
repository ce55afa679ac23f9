"""The documentation: its code runs, and nothing public is left out of it."""

from __future__ import annotations

import inspect
import re
import runpy
from pathlib import Path

import click
import pytest

import termfold
from docs_tools import ROOT, blocks, has_code, run_page, sessions
from termfold.cli import cli

DOCS = ROOT / "docs"
WRITTEN = sorted(page for page in DOCS.rglob("*.md") if "api" not in page.parts)


@pytest.mark.parametrize("page", sessions(), ids=lambda page: page.stem)
def test_a_page_s_code_prints_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(page) > 0


def test_every_task_has_a_session():
    tasks = [page for page in (DOCS / "guide").glob("*.md") if page.stem != "index"]
    assert len(tasks) >= 13
    contents = (DOCS / "guide" / "index.md").read_text(encoding="utf-8")
    for page in tasks:
        assert has_code(page), page.name
        assert re.search(rf"^{page.stem}$", contents, re.MULTILINE), f"{page.name}: not in the list"


def test_what_a_page_shows_is_compared(tmp_path, monkeypatch):
    """The runner itself: a wrong number, a wrong word, a failing command are found."""
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "page.md"  # never written: only its text is asked for
    for text in (
        "```pycon\n>>> 1 + 1\n3\n```\n",
        "```console\n$ echo one\ntwo\n```\n",
        "```console\n$ termfold inspect nothing.termfold\n```\n",
    ):
        monkeypatch.setattr(Path, "read_text", lambda self, text=text, **_: text)
        with pytest.raises(AssertionError):
            run_page(page)
    right = (
        "```python\nx = 1\n```\n```pycon\n>>> x\n1\n```\n```console\n$ echo in 0.5 s\nin 2 s\n```\n"
    )
    monkeypatch.setattr(Path, "read_text", lambda self, **_: right)
    assert run_page(page) == 3


# -- nothing is left out ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in termfold.__all__ if name != "__version__"])
def test_every_public_name_is_written_about(name):
    said = [page for page in WRITTEN if re.search(rf"\b{name}\b", page.read_text(encoding="utf-8"))]
    assert said, f"{name} is in no page but the API reference: tell what it is for"


def _api():
    pytest.importorskip("sphinx")
    return runpy.run_path(str(DOCS / "_ext" / "api_pages.py"))


def test_every_public_name_is_in_the_reference():
    made = _api()
    pages = dict(made["pages"]())
    for module in made["public_modules"]():
        page = pages[f"{module.__name__}.rst"]
        for name in made["public_names"](module):
            thing = made["thing_of"](module, name)
            assert re.search(rf"^(   |.. py:data:: ){name}$", page, re.MULTILINE)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                assert inspect.getdoc(thing), f"{module.__name__}.{name} has no docstring"
    for name, home in termfold._HOMES.items():
        assert f"{home}.{name}" in pages["index.md"]
        assert f"   {name}\n" in pages[f"{'.'.join(home.split('.')[:2])}.rst"]


def test_every_command_shown_exists():
    """Whatever stands after ``termfold`` in any page is a command, in any kind of block."""
    context = click.Context(cli)
    known = set(cli.list_commands(context)) | {"--help", "--version"}
    for page in [*WRITTEN, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.language not in ("bash", "console", "sh"):
                continue
            for word in re.findall(
                r"(?:^|[$|&;] ?|&& )termfold ([\w-]+)", block.text, re.MULTILINE
            ):
                assert word in known, f"{page.name}, line {block.line}: termfold {word}"
