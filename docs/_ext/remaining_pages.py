"""Puts the pages that no list of contents names at the end of the front page's last one.

So a page can be added without a word anywhere else, and none is built that nobody finds.
"""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

from sphinx.application import Sphinx

MARK = "%REMAINING%"
_LIST = re.compile(r"^```\{toctree\}\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)


def with_remaining(docs: Path, front: str) -> str:
    """The front page with the pages in its folder that its lists do not name, if there are any."""
    lists = [found[1] for found in _LIST.finditer(front)]
    named = [line for body in lists for line in body.splitlines() if line and line[0] != ":"]
    pages = sorted(page.stem for page in docs.glob("*.md") if page.stem != "index")
    rest = [page for page in pages if not any(fnmatch(page, pattern) for pattern in named)]
    if rest:
        return front.replace(MARK, "\n".join(rest))
    return _LIST.sub(lambda found: "" if MARK in found[1] else found[0], front)


def fill_in(app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == "index":
        source[0] = with_remaining(Path(app.srcdir), source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
