"""A report: one summary, to be read as HTML, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from termfold.atomic import replacing
from termfold.report.html import page
from termfold.report.markdown import document

if TYPE_CHECKING:
    from termfold.classify.text_classifier import TextClassifier
    from termfold.stats import TermStats

_SUFFIXES = (".html", ".htm", ".md", ".json")


@dataclass(frozen=True, eq=False)
class Report:
    """What there is to tell of a collection, and of a classifier's work on it.

    Parameters
    ----------
    summary : dict
        Everything that is shown, of JSON types; see ``termfold.report.summary``.

    Examples
    --------
    >>> from termfold import collect
    >>> report = collect(["tea cup", "war gun"], labels=["tea", "war"]).report(title="two texts")
    >>> report.summary["corpus"]["documents"]
    2
    >>> report.save("two.html")  # doctest: +SKIP
    """

    summary: dict[str, Any] = field(repr=False)

    def to_html(self) -> str:
        """A page that needs nothing else: no network, no other file."""
        return page(self.summary)

    def to_markdown(self) -> str:
        """Text with tables, for a README or a merge request."""
        return document(self.summary)

    def to_json(self) -> str:
        """The summary, for programs."""
        return json.dumps(self.summary, ensure_ascii=False, allow_nan=False)

    def save(self, path: str | Path) -> None:
        """Write a file, in one step; its suffix, .html, .md or .json, says in which form."""
        suffix = check_suffix(path)
        forms = {".md": self.to_markdown, ".json": self.to_json}
        with replacing(path) as file:
            file.write(forms.get(suffix, self.to_html)().encode("utf-8", "replace"))

    def _repr_html_(self) -> str:
        """The page in a frame of its own, in which it can do nothing to the notebook."""
        return (
            '<iframe sandbox="allow-scripts" width="100%" height="800" '
            f'style="border:0" srcdoc="{escape(self.to_html())}"></iframe>'
        )


def check_suffix(path: str | Path) -> str:
    """The form that a file's name asks for."""
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise ValueError(f"{path}: a report is written as .html, .md or .json, not as {suffix!r}")
    return suffix


def report_stats(stats: TermStats, *, title: str = "Term statistics", n_terms: int = 15) -> Report:
    """Report on statistics, without the documents; see ``TermStats.report``."""
    from termfold.report.summary import summarize_stats

    return Report(summarize_stats(stats, title=title, n_terms=n_terms))


def make_report(
    source: Any,
    labels: Any = None,
    *,
    classifier: TextClassifier | None = None,
    test: Any = None,
    title: str | None = None,
    n_terms: int = 15,
    max_documents: int = 20_000,
    max_shown: int = 2000,
    folds: int = 3,
    seed: int = 0,
    n_jobs: int | None = -1,
    done: Callable[[str], None] = lambda what: None,
    **reading: Any,
) -> Report:
    """Report on labelled texts, and on how well their classes can be told apart.

    Parameters
    ----------
    source : anything that ``open_corpus`` reads
    labels : sequence, optional
        Of a list of texts.
    classifier : TextClassifier, optional
        A fitted one labels the texts: give it such as it has not learnt from. Otherwise each text
        is labelled by a new one, with the same parameters, that has learnt from others.
    test : anything that ``open_corpus`` reads, or a pair of texts and labels, optional
        These texts are labelled instead, by what was learnt from the source.
    title : str, optional
        By default the name of the source, where it has one.
    n_terms : int, default=15
        So many terms of each class, by each score.
    max_documents : int, default=20,000
        All texts are counted; predictions, the curve and the audit are of a random sample of this
        size, where there are more.
    max_shown : int, default=2,000
        About so many texts are points in the page.
    folds : int, default=3
        Of the cross-validation.
    seed : int
        Of the samples and of the folds.
    n_jobs : int, optional
        Threads.
    done : callable
        Called after each step, with its name.
    **reading
        Passed on to ``open_corpus``.

    Returns
    -------
    Report

    Examples
    --------
    >>> texts = ["cheap pills", "meeting at ten", "cheap watches", "lunch at ten"] * 6
    >>> report = make_report(texts, ["spam", "ham"] * 12)
    >>> report.summary["metrics"]["accuracy"]
    1.0
    """
    from termfold.classify.text_classifier import TextClassifier
    from termfold.report.summary import Plan, summarize_corpus

    if folds < 2:
        raise ValueError(f"folds={folds}; cross-validation needs at least 2")
    _check_sizes(max_documents=max_documents, max_shown=max_shown, n_terms=n_terms)
    if labels is not None:
        reading["labels"] = labels
    named = source if isinstance(source, str | Path) else getattr(source, "name", None)
    plan = Plan(
        title or (Path(named).name if isinstance(named, str | Path) else "") or "A corpus",
        n_terms,
        max_documents,
        max_shown,
        folds,
        seed,
        n_jobs,
    )
    return Report(
        summarize_corpus(
            source, classifier or TextClassifier(), plan, test=test, done=done, reading=reading
        )
    )


def _check_sizes(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name}={size}; it must be at least 1")
