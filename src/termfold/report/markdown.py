"""The summary as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

# What Markdown would take for markup.
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|~:@.-])")
_TERMS, _PAIRS, _SUSPECTS = 8, 20, 20


def document(summary: dict[str, Any]) -> str:
    """Write the summary as Markdown; names and texts in it are escaped."""
    parts = [
        f"# {_safe(summary['title'])}",
        _corpus(summary),
        _classes(summary),
        _between(summary),
        _curve(summary.get("curve")),
        _audit(summary.get("audit")),
        f"Made by termfold {_safe(summary['termfold'])}.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _corpus(summary: dict[str, Any]) -> str:
    corpus = summary["corpus"]
    lines = [
        f"{corpus['documents']:,} documents in {corpus['classes']:,} classes hold "
        f"{corpus['terms']:,} different terms, {corpus['distinct_terms_per_document']:,.4g} in a "
        "document on average."
    ]
    metrics = summary.get("metrics")
    if metrics:
        measures = [
            ("accuracy", metrics["accuracy"]),
            ("micro F1", metrics["micro"]["f1"]),
            ("macro F1", metrics["macro"]["f1"]),
        ]
        said = ", ".join(f"{name} **{value:.3f}**" for name, value in measures)
        lines.append(f"Labels: {said}; {_safe(metrics['how'])}.")
    return "\n\n".join(lines)


def _classes(summary: dict[str, Any]) -> str:
    score = _first_score(summary)
    found = {
        of_class["name"]: of_class for of_class in summary.get("metrics", {}).get("classes", [])
    }
    columns = ["class", "documents", *(("precision", "recall", "F1") if found else ()), "terms"]
    rows = []
    for of_class in summary["classes"]:
        figures: list[str] = []
        if found:
            of_metrics = found.get(of_class["name"])
            names = ("precision", "recall", "f1")
            figures = [f"{of_metrics[name]:.3f}" if of_metrics else "" for name in names]
        rows.append(
            [
                _safe(of_class["name"]),
                f"{of_class['documents']:,}",
                *figures,
                " ".join(_safe(term) for term in _best(of_class, score)),
            ]
        )
    return f"## Classes\n\n{_table(columns, rows)}\n\nTerms by {_safe(score)}."


def _first_score(summary: dict[str, Any]) -> str:
    names: list[str] = [score["name"] for score in summary["scores"]]
    return "chi2" if "chi2" in names else names[0]


def _best(of_class: dict[str, Any], score: str) -> list[str]:
    return [of_class["terms"][place]["term"] for place, _ in of_class["best"][score][:_TERMS]]


def _between(summary: dict[str, Any]) -> str:
    between = summary["between"]
    names = [of_class["name"] for of_class in summary["classes"]]
    confusion = between["kind"] == "confusion"
    rows = [
        [
            _safe(names[pair["true"]]),
            _safe(names[pair["predicted"]]),
            f"{pair['documents']:,}" if confusion else f"{pair['likeness']:.3f}",
            " ".join(_safe(term) for term, _ in pair["terms"]),
        ]
        for pair in between["pairs"][:_PAIRS]
    ]
    if not rows:
        return ""
    if confusion:
        head, columns = "What is taken for what", ["true", "predicted", "documents", "terms"]
    else:
        head, columns = "What classes have in common", ["class", "class", "likeness", "terms"]
    return f"## {head}\n\n{_table(columns, rows)}"


def _curve(curve: dict[str, Any] | None) -> str:
    if not curve:
        return ""
    measure = "micro_f1" if curve["multilabel"] else "accuracy"
    sizes = [point["terms"] for point in curve["methods"][0]["points"]]
    rows = [
        [_safe(method["name"]), *(f"{point[measure]:.3f}" for point in method["points"]), ""]
        for method in curve["methods"]
    ]
    everything = f"{curve['all_terms'][measure]:.3f}"
    rows.append(["all terms", *[""] * len(sizes), everything])
    columns = ["terms by", *(f"{size:,}" for size in sizes), f"{curve['all_terms']['terms']:,}"]
    name = "Micro F1" if curve["multilabel"] else "Accuracy"
    tested = f"{curve['tested']:,} held-out documents of {curve['documents']:,}"
    return f"## {name} against the number of terms\n\n{_table(columns, rows)}\n\nOn {tested}."


def _audit(suspects: list[dict[str, Any]] | None) -> str:
    if not suspects:
        return ""
    rows = [
        [
            f"{_safe(suspect['source'])}, {suspect['row']}",
            _safe(suspect["label"] or ""),
            _safe(suspect["suggested"] or ""),
            f"{suspect['probability_of_suggested']:.3f}",
            " ".join(_safe(term) for term, _ in suspect["terms"]),
            _safe(suspect["text"]),
        ]
        for suspect in suspects[:_SUSPECTS]
    ]
    columns = ["source, row", "label", "suggested", "probability", "terms", "text"]
    return f"## Labels that look wrong\n\n{_table(columns, rows)}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _safe(text: Any) -> str:
    """Text that no reader of Markdown takes for markup, on one line."""
    return _MARKUP.sub(r"\\\1", escape(" ".join(str(text).split()), quote=False))
