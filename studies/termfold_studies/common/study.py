"""A study: what it measures, and the page that is made of it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from termfold_studies.common.figures import Draw, pyplot
from termfold_studies.common.page import Claim
from termfold_studies.common.rows import Row, Rows, read_rows

NAMES: Mapping[str, str] = {
    "ocfs": "Orthogonal centroid feature selection against information gain and χ².",
    "fedip": "One feature a class by discrimination information, against LSI and LDA/QR.",
    "best-terms": "The best terms of each document, against the filter.",
    "projection": "Terms projected on classes by χ² of occurrences, Chinese and English.",
    "beyond": "All methods on all collections: which one to use.",
}


class IncompleteError(ValueError):
    """There are too few rows for a page."""


@dataclass(frozen=True)
class Report:
    """What a study says.

    Parameters
    ----------
    paper : str
        What was repeated, in a few words.
    text : str
        The page in Markdown.
    claims : sequence of Claim
    figures : sequence of callables
        Draw the figures of the page into a folder.
    """

    paper: str
    text: str = field(repr=False)
    claims: Sequence[Claim] = ()
    figures: Sequence[Draw] = ()


def measure(name: str, results: Path, *, quick: bool, say: Callable[[str], None]) -> None:
    """Measure what the file of results lacks."""
    pyplot()  # that the page cannot be drawn is said before the work, not after it
    _module(name, "measure").measure(Rows(results, say), quick)


def report(name: str, results: Path) -> Report:
    """Make the page from the file of results."""
    return report_of(name, read_rows(results))


def report_of(name: str, rows: list[Row]) -> Report:
    """Make the page from rows."""
    if not rows:
        raise ValueError(f"there are no results of the study {name} yet")
    made: Report = _module(name, "page").report(rows)
    return made


def write(name: str, made: Report, folder: Path) -> Path:
    """Write the page and its figures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for draw in made.figures:
        draw(folder / "figures")
    path = folder / f"{name}.md"
    path.write_text(made.text, encoding="utf-8")
    return path


def _module(name: str, part: str) -> Any:
    if name not in NAMES:
        raise ValueError(f"unknown study {name!r}; there are {', '.join(NAMES)}")
    return importlib.import_module(f"termfold_studies.{name.replace('-', '_')}.{part}")
