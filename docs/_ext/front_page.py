"""Fits the front page's lists of contents, and links out of the folder, to the pages there are.

Patterns that no page matches are left out, and pages that no list names come into the one with the
mark. So a page can be added, or taken away, without a word anywhere else, and none is built that
nobody finds. Files beside the folder, such as CONTRIBUTING.md, are pages of the site, too.
"""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

from sphinx.application import Sphinx

MARK = "%REMAINING%"
_LIST = re.compile(r"^```\{toctree\}\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
_MADE = ("gallery/index", "api/index")  # when the site is built


def fitted(docs: Path, front: str) -> str:
    """The front page with lists of the pages that exist."""
    pages = [page.relative_to(docs).with_suffix("").as_posix() for page in docs.rglob("*.md")]
    pages += [page for page in _MADE if page not in pages]
    top = sorted(page for page in pages if "/" not in page and page != "index")

    def names(found: re.Match[str]) -> list[str]:
        return [line for line in found[1].splitlines() if line and line[0] != ":"]

    patterns = [name for found in _LIST.finditer(front) for name in names(found)]
    rest = [page for page in top if not any(fnmatch(page, pattern) for pattern in patterns)]

    def fit(found: re.Match[str]) -> str:
        text = found[0]
        kept = rest if MARK in text else []
        for name in names(found):
            if any(fnmatch(page, name) for page in pages):
                kept = [*kept, name]
            elif name != MARK:
                text = text.replace(f"\n{name}\n", "\n")
        return text.replace(MARK, "\n".join(rest)) if kept else ""

    return _LIST.sub(fit, front)


# Files beside the folder of documentation, and the pages that include them.
_OUTSIDE = {
    "CHANGELOG": "changes", "CONTRIBUTING": "contributing", "README": "index",
    "SECURITY": "security",
}  # fmt: skip


def inward(text: str) -> str:
    """Links to files beside the folder, as links to their pages."""
    return re.sub(
        r"\]\(((?:\.\./)*)\.\./([A-Z]+)\.md",
        lambda found: f"]({found[1]}{_OUTSIDE.get(found[2], found[2])}.md",
        text,
    )


def fill_in(app: Sphinx, docname: str, source: list[str]) -> None:
    source[0] = inward(source[0])
    if docname == "index":
        source[0] = fitted(Path(app.srcdir), source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
