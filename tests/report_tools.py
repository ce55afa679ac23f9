"""What the tests of reports share: collections of every kind, and a reader of the page."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from html.parser import HTMLParser
from typing import Any

import numpy as np

from termfold.datasets import load_debian
from termfold.report import Report, make_report

HOSTILE = (
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror=window.hacked=1>",
    "\"><svg onload='window.hacked=1'>",
    "'); window.hacked = 1; //",
    "]]><!-- <iframe srcdoc='<script>parent.hacked=1</script>'>",
    "javascript:window.hacked=1",
    "{{constructor.constructor('window.hacked=1')()}} ${window.hacked=1} `x`",
    "\u2028window.hacked=1\u2029 \x00 \ud7ff \ufffd",
)


@cache
def debian_report() -> Report:
    """The built-in data, as the page's tests look at it; made once."""
    data = load_debian("train")
    return make_report(data, title="Debian packages", max_shown=600)


def corpus(
    n_classes: int, n_docs: int = 12, *, words: int = 30, seed: int = 0
) -> tuple[list[str], list[str]]:
    """Texts of classes whose own words are mixed with those of all, and with the next class's."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for k in range(n_classes):
        own = [f"own{k}x{i}" for i in range(8)]
        near = [f"own{(k + 1) % n_classes}x{i}" for i in range(8)]
        everyone = [f"word{i}" for i in range(60)]
        for _ in range(n_docs):
            chosen = [*rng.choice(own, words // 5), *rng.choice(near, words // 10)]
            chosen += [*rng.choice(everyone, words - len(chosen))]
            texts.append(" ".join(rng.permutation(chosen).tolist()))
            labels.append(f"class {k:02}")
    return texts, labels


def hostile_corpus() -> tuple[list[str], list[str]]:
    """Classes and texts that want to run as script."""
    texts, labels = [], []
    for k, name in enumerate(HOSTILE):
        for i in range(6):
            texts.append(f"{HOSTILE[(k + i) % len(HOSTILE)]} onerror{k} script{k} alert{k} {name}")
            labels.append(name)
    return texts, labels


def scripts_of_the_world() -> tuple[list[str], list[str]]:
    """Names and terms in Chinese, Arabic, Hebrew and Devanagari, and names that are long."""
    words = {
        "体育新闻": "足球比赛 冠军联赛 进球",
        "الرياضة والأخبار": "كرة القدم مباراة هدف بطولة",
        "חדשות ספורט": "כדורגל משחק אליפות שער",
        "खेल समाचार": "फुटबॉल मैच लक्ष्य विजेता",
        "a class whose name is so long that no column of any table would ever hold it whole": (
            "averylongwordthatgoesonandonwithoutanyblank" * 2 + " plain words here"
        ),
        "x" * 200: "other words there",
    }
    texts, labels = [], []
    for k, (name, text) in enumerate(words.items()):
        for i in range(8):
            other = list(words.values())[(k + 1) % len(words)] if i == 7 else ""
            texts.append(f"{text} {text.split()[i % 3]} {other}")
            labels.append(name)
    return texts, labels


class Page(HTMLParser):
    """The parts of a page that matter for what it may do."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.blocks: dict[str, list[str]] = {"script": [], "style": []}
        self._inside: str | None = None
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in self.blocks:
            self.blocks[tag].append("")
            self._inside = tag

    def handle_endtag(self, tag):
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data):
        if self._inside:
            self.blocks[self._inside][-1] += data
        else:
            self.text += data

    def policy(self) -> dict[str, str]:
        [content] = [
            attributes["content"]
            for tag, attributes in self.tags
            if attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        return dict(part.strip().split(" ", 1) for part in (content or "").split(";"))

    def data(self) -> Any:
        return json.loads(self.blocks["script"][0])


def source_of(text: str) -> str:
    """How a content security policy names a block."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def table_widths(markdown: str) -> set[tuple[int, ...]]:
    """Of each table, the numbers of columns of its rows: of one kind, if it is whole."""
    widths: list[list[int]] = []
    for before, line in zip(["", *markdown.splitlines()], markdown.splitlines(), strict=False):
        if line.startswith("|"):
            if not before.startswith("|"):
                widths.append([])
            widths[-1].append(len(re.findall(r"(?<!\\)\|", line)))
    return {tuple(sorted(set(table))) for table in widths}
