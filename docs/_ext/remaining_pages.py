"""Puts the pages that no list of contents names at the end of the front page's last one.

So a page can be added without a word anywhere else, and none is built that nobody finds.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

MARK = "%REMAINING%"


def remaining(docs: Path, front: str) -> list[str]:
    """The pages in the folder itself that the front page does not name."""
    named = set(re.findall(r"^([\w/-]+)$", front, re.MULTILINE)) | {"index"}
    return sorted(page.stem for page in docs.glob("*.md") if page.stem not in named)


def fill_in(app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == "index":
        names = remaining(Path(app.srcdir), source[0])
        source[0] = source[0].replace(MARK, "\n".join(names))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
