"""Runs what the documentation shows: Python and commands, in the order of the page.

Blocks of ``pycon`` and ``python`` with prompts are doctests; ``python`` without prompts runs;
``console`` holds commands after ``$``, each with what it prints. All blocks of a page work in one
folder, and all its Python in one namespace.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cli_tools import call

ROOT = Path(__file__).parent.parent
REMEDY = "if the new output is right: python tools/refresh_docs.py, and read the prose beside it"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"\$ ((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", re.DOTALL)
# What differs from run to run; a page shows what it was once.
_TIME = re.compile(r"[\d.,]+ (?=(s|MB/s|texts/s)\b)")
# What needs no shell runs in this process, which spares starting Python.
_SIMPLE = re.compile(
    r"""(?:echo "([^"$`]*)" \| )?termfold ((?:[^|<>;&*$`'"]|'[^']*'|"[^"$`]*")*?)(?: > (\S+))?"""
)


class Block(NamedTuple):
    """A fenced part of a page: its language, its text, and the line it begins in."""

    language: str
    text: str
    line: int


class Step(NamedTuple):
    """A command of a console: all of it, the command as it stands there and in one line, output."""

    text: str
    source: str
    command: str
    output: str


def sessions() -> list[Path]:
    """The pages whose code is a session on the built-in data.

    Reference pages are made by tools, and pages about large collections and other machines show
    commands that need these.
    """
    docs = ROOT / "docs"
    names = ("index.md", "getting-started.md", "architecture.md", "faq.md", "terms.md")
    pages = [docs / name for name in names]
    pages += [*(docs / "guide").glob("*.md"), *(docs / "methods").glob("*.md")]
    return sorted(page for page in pages if has_code(page))


def has_code(page: Path) -> bool:
    """Is there something to run?"""
    languages = {block.language for block in blocks(page.read_text(encoding="utf-8"))}
    return bool(languages & {"python", "pycon", "console"})


def blocks(page: str) -> Iterator[Block]:
    """Find the fenced parts of a page.

    Examples
    --------
    >>> [block.language for block in blocks("a\\n```bash\\nls\\n```\\n```\\nb\\n```\\n")]
    ['bash', '']
    """
    for found in _FENCE.finditer(page):
        yield Block(found[1], found[2], page.count("\n", 0, found.start()) + 2)


def run_page(path: Path) -> int:
    """Run a page in the working folder; raises at the first difference. Tells how much ran."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    ran = 0
    for block in blocks(path.read_text(encoding="utf-8")):
        name = f"{path.relative_to(ROOT)}, line {block.line}"
        if block.language in ("python", "pycon"):
            ran += _run_python(block, name, scope)
        elif block.language == "console":
            ran += _run_commands(block, name)
    return ran


def _run_python(block: Block, name: str, scope: dict[str, Any]) -> int:
    if ">>>" not in block.text:
        exec(compile(block.text, name, "exec"), scope)  # our own text
        return 1
    test = doctest.DocTestParser().get_doctest(block.text, scope, name, name, block.line - 1)
    test.globs = scope  # not a copy: the next block goes on from here
    said = io.StringIO()
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.write, clear_globs=False)
    assert result.failed == 0, f"{said.getvalue()}\n-- {REMEDY}"
    assert result.attempted, name
    return result.attempted


def _run_commands(block: Block, name: str) -> int:
    assert block.text.startswith("$ "), f"{name}: a console begins with a prompt"
    for step in steps(block.text):
        code, said = run_command(step.command)
        assert (code != 0) == step.output.startswith("error:"), f"{name}: {step.source}\n{said}"
        if step.output and not same_output(step.output, said):
            shown = f"-- shown:\n{step.output}\n-- printed:\n{said}\n-- {REMEDY}"
            raise AssertionError(f"{name}: {step.source}\n{shown}")
    return len(list(steps(block.text)))


def steps(console: str) -> Iterator[Step]:
    """Take a console apart: commands after prompts, each with what it prints.

    Examples
    --------
    >>> [step] = steps("$ echo one\\none\\n")
    >>> step.command, step.output
    ('echo one', 'one')
    """
    for text in re.split(r"^(?=\$ )", console, flags=re.MULTILINE)[1:]:
        found = _STEP.fullmatch(text)
        assert found is not None
        yield Step(text, found[1], found[1].replace("\\\n", ""), found[2].strip())


def same_output(wanted: str, said: str) -> bool:
    """Is this what the page shows, but for times?"""
    texts = (_TIME.sub("", text) for text in (wanted, said))
    return doctest.OutputChecker().check_output(*texts, FLAGS)


def run_command(command: str) -> tuple[int, str]:
    """Run a command line; exit code, and what a terminal would show of the results."""
    simple = _SIMPLE.fullmatch(command)
    if simple is None:
        return _run_by_shell(command)
    said, arguments, target = simple.groups()
    result = call(*shlex.split(arguments), stdin=b"" if said is None else (said + "\n").encode())
    if target is not None:
        Path(target).write_text(result.out, encoding="utf-8")
        return result.code, result.err.strip()
    return result.code, (result.out or result.err).strip()


def _run_by_shell(command: str) -> tuple[int, str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env={**os.environ, "PATH": path}
    )
    return done.returncode, (done.stdout or done.stderr).strip()


@contextlib.contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Change to a folder and back."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def main() -> None:
    """Run pages by hand: ``python tests/docs_tools.py docs/guide/tickets.md``."""
    import tempfile

    for name in sys.argv[1:]:
        path = Path(name).resolve()
        with tempfile.TemporaryDirectory() as folder, working_in(Path(folder)):
            print(f"{name}: {run_page(path)} ran")


if __name__ == "__main__":
    main()
