"""Explanations for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from termfold.classify.passages import passages, printable, segments

if TYPE_CHECKING:
    from termfold.classify.explain import ClassExplanation, Explanation

_FOR, _AGAINST = (66, 133, 244), (230, 126, 34)
_N_CLASSES = 5
_BAR_WIDTH = 20


def explanation_rich(explanation: Explanation, class_name: str, top: int) -> RenderableType:
    """Render the explanation of a text's score for a class."""
    shown = explanation.contributions(class_name)
    terms = _table("term", "count", "contribution", "")
    for term, value, count, _ in shown[:top]:
        terms.add_row(_plain(term), f"{count:,}", f"{value:+.3f}", _bar(value, abs(shown[0].value)))
    rest = sum(contribution.value for contribution in shown[top:])
    if len(shown) > top:
        terms.add_row(Text(f"{len(shown) - top:,} more terms", "dim"), "", f"{rest:+.3f}", "")
    bias = explanation.bias[explanation.classes.index(class_name)]
    terms.add_row(Text("bias", "dim"), "", f"{bias:+.3f}", "")
    score = explanation.scores[explanation.classes.index(class_name)]
    terms.add_row(Text("score", "bold"), "", f"{score:+.3f}", "")
    predicted = ", ".join(explanation.predicted) or "no class"
    return Group(
        Text.assemble("predicted: ", (printable(predicted), "bold")),
        _classes_table(explanation),
        Text.assemble("\nterms for and against ", (printable(class_name), "bold"), "\n"),
        _text(explanation, class_name),
        Text(),
        terms,
        Text(f"unknown terms: {explanation.n_unknown:,}", "dim"),
    )


def class_rich(explanation: ClassExplanation) -> RenderableType:
    """Render what makes a class."""
    table = _table("term", "lead", "weight", "elsewhere", "")
    largest = explanation.terms[0].value if explanation.terms else 1.0
    for term, value, weight, elsewhere in explanation.terms:
        table.add_row(
            _plain(term), f"{value:+.3f}", f"{weight:+.3f}", f"{elsewhere:+.3f}",
            _bar(value, largest),
        )  # fmt: skip
    name = explanation.class_name
    parts: list[RenderableType] = [Text.assemble("what makes ", (printable(name), "bold")), table]
    for row, example in explanation.examples:
        score = example.scores[example.classes.index(name)]
        parts += [Text(f"\ntext {row:,}, score {score:.3f}", "dim"), _text(example, name)]
    return Group(*parts)


def _classes_table(explanation: Explanation) -> Table:
    table = _table("class", "score", "probability")
    for k in (-explanation.scores).argsort(kind="stable")[:_N_CLASSES].tolist():
        table.add_row(
            _plain(explanation.classes[k]),
            f"{explanation.scores[k]:+.3f}",
            f"{explanation.probabilities[k]:.1%}",
        )
    return table


def _text(explanation: Explanation, class_name: str) -> Text:
    """The text, or passages of it, with its terms coloured."""
    text, marks = explanation.text, explanation.marks(class_name)
    largest = max((abs(mark.value) for mark in marks), default=1.0) or 1.0
    shown = Text()
    end = 0
    for lo, hi in passages(text, marks):
        shown.append(" … " if lo > end else "")
        for part, value in segments(text, marks, lo, hi):
            shown.append(printable(part), _style(value / largest) if value else None)
        end = hi
    shown.append(" …" if end < len(text) else "")
    return shown


def _style(share: float) -> Style:
    """Dark on a tint of white; without colours, bold speaks for and underlined against."""
    strength = 0.2 + 0.8 * min(1.0, abs(share))
    red, green, blue = (
        round(255 + strength * (c - 255)) for c in (_FOR if share > 0 else _AGAINST)
    )
    return Style(
        color="black", bgcolor=f"rgb({red},{green},{blue})", bold=share > 0, underline=share < 0
    )


def _bar(value: float, largest: float) -> Text:
    width = round(_BAR_WIDTH * abs(value) / largest) if largest else 0
    red, green, blue = _FOR if value >= 0 else _AGAINST
    return Text("█" * width, f"rgb({red},{green},{blue})")


def _table(*names: str) -> Table:
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for i, name in enumerate(names):
        table.add_column(name, justify="right" if i and name else "left")
    return table


def _plain(text: str) -> Text:
    # A Text, since square brackets in a string would be read as markup.
    return Text(printable(text))
