"""Write what the code in the documentation prints today into the pages: ``make refresh``.

    python tools/refresh_docs.py [PAGE...]

By default all pages that the tests run. Only outputs that differ are touched; read the difference
before you commit it: prose beside a number may be true no longer.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import docs_tools  # noqa: E402


def refreshed(text: str) -> str:
    """A page with the outputs of its code as they are now."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    for block in docs_tools.blocks(text):
        if block.language in ("python", "pycon"):
            new = _python(block.text, scope)
        elif block.language == "console":
            new = _commands(block.text)
        else:
            continue
        if new != block.text:
            text = text.replace(block.text, new, 1)
    return text


def _python(text: str, scope: dict[str, Any]) -> str:
    if ">>>" not in text:
        exec(compile(text, "page", "exec"), scope)  # our own text
        return text
    new = ""
    for example in doctest.DocTestParser().get_examples(text):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            try:
                exec(compile(example.source, "page", "single"), scope)
            except Exception as error:
                said.write("Traceback (most recent call last):\n")
                said.write("".join(traceback.format_exception_only(error)))
        printed = re.sub(r"^(?=\n)", "<BLANKLINE>", said.getvalue(), flags=re.MULTILINE)
        raised = example.exc_msg is not None and example.exc_msg.strip() in printed
        same = raised or docs_tools.same_output(example.want, printed)
        first, *more = example.source.splitlines()
        source = "".join([f">>> {first}\n", *(f"... {line}".rstrip() + "\n" for line in more)])
        new += source + (example.want if same else printed)
    return new


def _commands(text: str) -> str:
    new = ""
    for step in docs_tools.steps(text):
        _, said = docs_tools.run_command(step.command)
        said = "".join(line.rstrip() + "\n" for line in said.splitlines())
        shown = step.output and not docs_tools.same_output(step.output, said)
        new += step.text if not shown else f"$ {step.source}\n{said}"
    return new


def main(pages: list[Path]) -> None:
    for page in pages:
        before = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder, docs_tools.working_in(Path(folder)):
            after = refreshed(before)
        changed = sum(a != b for a, b in zip(before.splitlines(), after.splitlines(), strict=False))
        if before != after:
            page.write_text(after, encoding="utf-8")
        print(f"{page.relative_to(ROOT)}: {changed} lines differ")


if __name__ == "__main__":
    main([Path(name).resolve() for name in sys.argv[1:]] or docs_tools.sessions())
