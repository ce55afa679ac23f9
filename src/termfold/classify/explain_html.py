"""Explanations as HTML: self-contained, without scripts, and safe for any text.

Colours are translucent, so that the text keeps the page's own colour, light or dark.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from termfold.classify.passages import passages, printable, segments

if TYPE_CHECKING:
    from termfold.classify.explain import ClassExplanation, ClassTerm, Explanation

_FOR, _AGAINST = "66,133,244", "230,126,34"
_N_CLASSES = 5
_BAR_WIDTH = 10.0  # em

_BOX = "font-family:system-ui,sans-serif;line-height:1.5;max-width:60em"
_TEXT = (
    "white-space:pre-wrap;overflow-wrap:anywhere;padding:.5em .8em;margin:.5em 0;"
    "border:1px solid rgba(128,128,128,.4);border-radius:4px"
)
_TABLE = "border-collapse:collapse;margin:.5em 0;background:none"
_CELL = "text-align:left;padding:.1em .8em .1em 0;border:none;overflow-wrap:anywhere"
NUMBER = "text-align:right;padding:.1em .8em .1em 0;border:none;font-variant-numeric:tabular-nums"
FAINT = "opacity:.7"


def explanation_html(explanation: Explanation, class_name: str, top: int) -> str:
    """Render the explanation of a text's score for a class."""
    shown = explanation.contributions(class_name)
    rows = [
        row(
            cell(term), cell(f"{count:,}", NUMBER), cell(f"{value:+.3f}", NUMBER),
            bar(value, abs(shown[0].value)),
        )
        for term, value, count, _ in shown[:top]
    ]  # fmt: skip
    rest = sum(contribution.value for contribution in shown[top:])
    bias = float(explanation.bias[explanation.classes.index(class_name)])
    notes = [f"bias {bias:+.3f}"]
    if len(shown) > top:
        notes.append(f"{len(shown) - top:,} more terms {rest:+.3f}")
    notes.append(f"unknown terms {explanation.n_unknown:,}")
    predicted = ", ".join(explanation.predicted) or "no class"
    return box(
        f"<div>predicted: <b>{safe(predicted)}</b></div>",
        _classes_table(explanation),
        f'<div style="{FAINT}">terms for and against <b>{safe(class_name)}</b></div>',
        _text(explanation, class_name),
        table(("term", "count", "contribution", ""), rows),
        f'<div style="{FAINT}">{" · ".join(notes)}</div>',
    )


def class_html(explanation: ClassExplanation) -> str:
    """Render what makes a class."""
    largest = explanation.terms[0].value if explanation.terms else 1.0
    rows = [_class_term(term, largest) for term in explanation.terms]
    name = explanation.class_name
    examples = [
        f'<div style="{FAINT}">text {example.row:,}, score '
        f"{example.explanation.scores[example.explanation.classes.index(name)]:.3f}</div>"
        + _text(example.explanation, name)
        for example in explanation.examples
    ]
    return box(
        f"<div>what makes <b>{safe(name)}</b></div>",
        table(("term", "lead", "weight", "elsewhere", ""), rows),
        *examples,
    )


def _class_term(term: ClassTerm, largest: float) -> str:
    numbers = (term.value, term.weight, term.elsewhere)
    return row(
        cell(term.term),
        *(cell(f"{number:+.3f}", NUMBER) for number in numbers),
        bar(term.value, largest),
    )


def _classes_table(explanation: Explanation) -> str:
    order = (-explanation.scores).argsort(kind="stable")[:_N_CLASSES].tolist()
    rows = [
        row(
            cell(explanation.classes[k]),
            cell(f"{explanation.scores[k]:+.3f}", NUMBER),
            cell(f"{explanation.probabilities[k]:.1%}", NUMBER),
        )
        for k in order
    ]
    return table(("class", "score", "probability"), rows)


def _text(explanation: Explanation, class_name: str) -> str:
    """The text, or passages of it, with its terms coloured."""
    text, marks = explanation.text, explanation.marks(class_name)
    largest = max((abs(mark.value) for mark in marks), default=1.0) or 1.0
    parts = []
    end = 0
    for lo, hi in passages(text, marks):
        parts.append(" … " if lo > end else "")
        parts += [_segment(*segment, largest) for segment in segments(text, marks, lo, hi)]
        end = hi
    parts.append(" …" if end < len(text) else "")
    return f'<div dir="auto" style="{_TEXT}">{"".join(parts)}</div>'


def _segment(text: str, value: float | None, largest: float) -> str:
    if not value:
        return safe(text)
    alpha = 0.1 + 0.5 * min(1.0, abs(value) / largest)
    style = f"background:rgba({_FOR if value > 0 else _AGAINST},{alpha:.2f});border-radius:3px"
    if value < 0:
        style += ";text-decoration:underline dotted"  # for readers who don't tell the colours
    return f'<span style="{style}" title="{value:+.4f}">{safe(text)}</span>'


def bar(value: float, largest: float) -> str:
    """Render a cell with a bar: its share of the largest value."""
    width = _BAR_WIDTH * abs(value) / largest if largest else 0.0
    style = (
        f"display:inline-block;height:.8em;width:{width:.2f}em;border-radius:2px;"
        f"background:rgba({_FOR if value >= 0 else _AGAINST},.7)"
    )
    return f'<td style="{_CELL}"><span style="{style}"></span></td>'


def table(names: tuple[str, ...], rows: list[str]) -> str:
    """Render rows below the names of their columns, all but the first of numbers."""
    heads = "".join(
        f'<th style="{NUMBER if i else _CELL};{FAINT};font-weight:normal">{name}</th>'
        for i, name in enumerate(names)
    )
    return f'<table style="{_TABLE}"><tr>{heads}</tr>{"".join(rows)}</table>'


def row(*cells: str) -> str:
    """Render cells side by side."""
    return f'<tr style="background:none">{"".join(cells)}</tr>'


def cell(text: str, style: str = _CELL) -> str:
    """Render a text in a cell; it is escaped."""
    return f'<td dir="auto" style="{style}">{safe(text)}</td>'


def box(*parts: str) -> str:
    """Put parts, which are HTML, into one box of our style."""
    return f'<div class="termfold-explanation" style="{_BOX}">{"".join(parts)}</div>'


def safe(text: str) -> str:
    """Escape a name or a text."""
    return escape(printable(text), quote=True)
