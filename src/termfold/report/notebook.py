"""What a notebook shows of statistics, selectors and classifiers: tables without scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from termfold.classify.explain import explain_class
from termfold.classify.explain_html import FAINT, NUMBER, bar, box, cell, row, safe, table
from termfold.classify.predictor import Predictor
from termfold.report.terms import without_rare
from termfold.scores import top_terms
from termfold.select import BestTerms
from termfold.select.base import StatsSelector
from termfold.stats import TermStats

_CLASSES, _OF_CLASS, _OF_SELECTOR = 60, 10, 20
_LONGEST = 60


def view(thing: Any) -> str:
    """Render what a notebook is to show of something of ours, as HTML."""
    views: tuple[tuple[type, Callable[[Any], str]], ...] = (
        (TermStats, stats_html),
        (Predictor, classifier_html),
        (StatsSelector, selector_html),
        (BestTerms, best_terms_html),
    )
    for kind, render in views:
        if isinstance(thing, kind):
            return render(thing)
    return box(f"<pre>{safe(repr(thing))}</pre>")


def stats_html(stats: TermStats) -> str:
    """Render each class with its size and its best terms by χ²."""
    if stats.n_classes < 2 or not stats.exact:
        return box(f"<div>{safe(repr(stats))}</div>")
    names = stats.classes[:_CLASSES].tolist()
    best = top_terms(without_rare(stats)[0], "chi2", _OF_CLASS, classes=names)
    terms: dict[Any, list[str]] = {name: [] for name in names}
    for found in best:
        terms[found.class_name].append(found.term)
    rows = [
        row(_name(name), cell(f"{docs:,}", NUMBER), _terms(terms[name]))
        for name, docs in zip(names, stats.class_docs.tolist(), strict=False)
    ]
    return box(
        f"<div><b>{safe(repr(stats))}</b></div>",
        table(("class", "documents", "terms, by χ²"), rows),
        _more(stats.n_classes),
    )


def classifier_html(classifier: Predictor) -> str:
    """Render each class with the terms that make it."""
    if not hasattr(classifier, "model_"):
        return box(f"<pre>{safe(repr(classifier))}</pre>")
    model = classifier.model_
    rows = [
        row(
            _name(name),
            _terms([found.term for found in explain_class(model, name, _OF_CLASS).terms]),
        )
        for name in model.classes[:_CLASSES]
    ]
    return box(
        f"<div><b>{safe(repr(classifier))}</b>: {len(model.terms):,} terms</div>",
        table(("class", "terms, by what they add to its lead"), rows),
        _more(model.n_classes),
    )


def selector_html(selector: StatsSelector) -> str:
    """Render the best terms with their scores."""
    if not selector.__sklearn_is_fitted__():
        return box(f"<pre>{safe(repr(selector))}</pre>")
    mask = selector.get_support()
    kept = int(mask.sum())
    best = selector.ranking_[: min(kept, _OF_SELECTOR)]
    scores = np.asarray(selector.scores_, np.float64)[best]
    largest = float(np.abs(scores).max(initial=0))
    rows = [
        row(_name(_column(selector, t)), cell(f"{score:.4g}", NUMBER), bar(score, largest))
        for t, score in zip(best.tolist(), scores.tolist(), strict=True)
    ]
    more = f"<div style='{FAINT}'>and {kept - len(best):,} more</div>" if kept > len(best) else ""
    return box(
        f"<div><b>{safe(repr(selector))}</b>: keeps {kept:,} of {len(mask):,} terms</div>",
        table(("term", "score", ""), rows),
        more,
    )


def best_terms_html(selector: BestTerms) -> str:
    """Render the best terms for and against each class."""
    if not hasattr(selector, "classes_"):
        return box(f"<pre>{safe(repr(selector))}</pre>")
    rows = [
        row(
            _name(name),
            *(_terms([_column(selector, t) for t in terms[:_OF_CLASS].tolist()]) for terms in both),
        )
        for name, both in zip(
            selector.classes_[:_CLASSES].tolist(),
            zip(selector.positive_terms_, selector.negative_terms_, strict=True),
            strict=False,
        )
    ]
    kept = int(selector.get_support().sum())
    extent = f"keeps {kept:,} of {selector.n_features_in_:,} terms"
    return box(
        f"<div><b>{safe(repr(selector))}</b>: {extent}</div>",
        table(("class", "terms for it", "terms against it"), rows),
        _more(len(selector.classes_)),
    )


def _column(selector: Any, t: int) -> str:
    """The name of a column, or its number where it has none."""
    if hasattr(selector, "feature_names_in_"):
        return str(selector.feature_names_in_[t])
    terms = getattr(getattr(selector, "stats_", None), "terms", None)
    return str(t) if terms is None else str(terms[t])


def _name(name: Any) -> str:
    text = str(name)
    return cell(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")


def _terms(terms: list[str]) -> str:
    return cell(" ".join(terms))


def _more(n_classes: int) -> str:
    left = n_classes - _CLASSES
    return f"<div style='{FAINT}'>and {left:,} more classes</div>" if left > 0 else ""
