"""Explanations: a score taken apart into its terms, and a class into the terms that make it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from termfold._arrays import Array, Ints
from termfold.classify.model import TermModel
from termfold.classify.passages import Mark, locate
from termfold.terms.encoder import Encoder
from termfold.terms.texts import text_array

if TYPE_CHECKING:
    from rich.console import RenderableType

_N_EXAMPLES = 3


class Contribution(NamedTuple):
    """What a term adds to the score of a class, and where it stands in the text."""

    term: str
    value: float
    occurrences: int
    positions: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a text got its scores: for each class they are the sum of the terms' contributions.

    Parameters
    ----------
    text : str
    classes : tuple of str
    predicted : tuple of str
        The predicted class; for several labels, any number of them.
    scores, probabilities, bias : ndarray of shape (K,)
        ``scores`` are those of ``TermModel.scores``.
    terms : tuple of str
        The text's terms that the model knows, by falling size of their contribution to the
        score of the best class.
    counts : ndarray of int, shape (T,)
        How often each occurs.
    values : ndarray of shape (T, K)
        Their contributions: ``values.sum(axis=0) + bias`` are the scores, up to the rounding
        of 32-bit numbers.
    positions : tuple of tuples of (start, end)
        Where each stands: ``text[start:end]``. Of a text longer than 30,000 characters only the
        passages are searched in which the terms weigh most.
    n_unknown : int
        Occurrences of terms that the model does not know; they add nothing.
    """

    text: str = field(repr=False)
    classes: tuple[str, ...]
    predicted: tuple[str, ...]
    scores: Array
    probabilities: Array
    bias: Array = field(repr=False)
    terms: tuple[str, ...] = field(repr=False)
    counts: Ints = field(repr=False)
    values: Array = field(repr=False)
    positions: tuple[tuple[tuple[int, int], ...], ...] = field(repr=False)
    n_unknown: int

    @property
    def best(self) -> str:
        """The class with the largest score, whether that suffices for its label or not."""
        return self.classes[int(self.scores.argmax())]

    def contributions(self, class_name: Any = None) -> list[Contribution]:
        """What each term adds to the score of a class (by default the best), largest first."""
        column = self.values[:, self._position(class_name)]
        return [
            Contribution(self.terms[i], float(column[i]), int(self.counts[i]), self.positions[i])
            for i in np.argsort(-np.abs(column), kind="stable")
        ]

    def marks(self, class_name: Any = None) -> list[Mark]:
        """Every place of a term, with what the term adds to the score there."""
        return [
            Mark(start, end, value / occurrences)
            for _, value, occurrences, positions in self.contributions(class_name)
            for start, end in positions
        ]

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """Plain values for JSON, without the text; so many terms, or all."""
        k = slice(None) if top is None else slice(top)
        return {
            "predicted": list(self.predicted),
            "classes": [
                {"name": name, "score": score, "probability": probability, "bias": bias}
                for name, score, probability, bias in zip(
                    self.classes,
                    self.scores.tolist(),
                    self.probabilities.tolist(),
                    self.bias.tolist(),
                    strict=True,
                )
            ],
            "terms": [
                {
                    "term": term,
                    "count": count,
                    "contributions": values,
                    "positions": [list(span) for span in positions],
                }
                for term, count, values, positions in zip(
                    self.terms[k],
                    self.counts[k].tolist(),
                    self.values[k].tolist(),
                    self.positions[k],
                    strict=True,
                )
            ],
            "n_known": int(self.counts.sum()),
            "n_unknown": self.n_unknown,
        }

    def to_rich(self, class_name: Any = None, top: int = 10) -> RenderableType:
        """Render for the terminal: the text coloured by its terms, and these with bars."""
        from termfold.classify.explain_rich import explanation_rich

        return explanation_rich(self, self.classes[self._position(class_name)], top)

    def to_html(self, class_name: Any = None, top: int = 10) -> str:
        """Render as HTML that needs nothing else; names and text are escaped."""
        from termfold.classify.explain_html import explanation_html

        return explanation_html(self, self.classes[self._position(class_name)], top)

    def __rich__(self) -> RenderableType:
        return self.to_rich()

    def _repr_html_(self) -> str:
        return self.to_html()

    def _position(self, class_name: Any) -> int:
        return position_of(self.classes, self.best if class_name is None else class_name)


class ClassTerm(NamedTuple):
    """A term that makes a class: the value it is ranked by, and what that is made of.

    One occurrence adds ``weight`` to the class's score, and ``elsewhere`` to the mean score of
    the other classes; both before the division by the text's length.
    """

    term: str
    value: float
    weight: float
    elsewhere: float


class Example(NamedTuple):
    """A text with a high score for a class, and its row."""

    row: int
    explanation: Explanation


@dataclass(frozen=True, eq=False)
class ClassExplanation:
    """What makes a class: its terms, and texts that have them."""

    class_name: str
    terms: tuple[ClassTerm, ...]
    examples: tuple[Example, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "class": self.class_name,
            "terms": [term._asdict() for term in self.terms],
            "examples": [
                {
                    "row": example.row,
                    "text": example.explanation.text,
                    **example.explanation.to_dict(),
                }
                for example in self.examples
            ],
        }

    def to_html(self) -> str:
        """Render as HTML that needs nothing else; names and texts are escaped."""
        from termfold.classify.explain_html import class_html

        return class_html(self)

    def __rich__(self) -> RenderableType:
        from termfold.classify.explain_rich import class_rich

        return class_rich(self)

    def _repr_html_(self) -> str:
        return self.to_html()


def position_of(classes: Sequence[str], class_name: Any) -> int:
    """The column of a class; a number or another label that is no text goes by its name."""
    try:
        return list(classes).index(str(class_name))
    except ValueError:
        raise ValueError(f"no class {class_name!r}; there are {list(classes)}") from None


def explain(model: TermModel, text: str) -> Explanation:
    """Take a text's scores apart.

    Parameters
    ----------
    model : TermModel
    text : str

    Returns
    -------
    Explanation

    Notes
    -----
    A term that occurs c times adds x · scale · w[k] / ‖x of all terms‖ to the score of class k,
    with x = tf(c) · idf. Nothing is approximated: the score is this sum, and the bias.

    Examples
    --------
    >>> from termfold.classify.text_classifier import TextClassifier
    >>> texts = ["cheap pills", "meeting at ten", "cheap watches", "lunch at ten"]
    >>> y = ["spam", "ham", "spam", "ham"]
    >>> model = TextClassifier(effort="rule").fit(texts, y).model_
    >>> explanation = explain(model, "Cheap, cheap lunch today!")
    >>> explanation.predicted, explanation.n_unknown
    (('spam',), 1)
    >>> first = explanation.contributions("spam")[0]
    >>> first.term, first.occurrences, first.positions
    ('cheap', 2, ((0, 5), (7, 12)))
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {text!r:.80} of type {type(text).__name__}, not a string")
    scores = model.scores([text])
    ids, _ = model.encoder.encode([text])
    known, counts = np.unique(ids, return_counts=True)
    values = _values(model, known, counts)
    best = scores[0].argmax()
    # Before they are sorted: ids are in the order of the terms, so that ties go by these.
    strength = np.abs(values[:, best])
    names = [model.terms[int(term)] for term in known]
    places: dict[str, list[tuple[int, int]]] = {name: [] for name in names}
    for term, start, end in locate(model.encoder, text, known, strength / counts):
        if term in places:
            places[term].append((start, end))
    order = np.argsort(-strength, kind="stable")
    all_terms, _ = Encoder(model.analyzer).encode([text])
    return Explanation(
        text=text,
        classes=tuple(model.classes),
        predicted=tuple(model.classes[k] for k in np.flatnonzero(model.chosen(scores))),
        scores=scores[0],
        probabilities=model.probabilities(scores)[0],
        bias=model.bias.astype(np.float64),
        terms=tuple(names[i] for i in order),
        counts=counts[order],
        values=values[order],
        positions=tuple(tuple(places[names[i]]) for i in order),
        n_unknown=len(all_terms) - len(ids),
    )


def _values(model: TermModel, ids: Ints, counts: Ints) -> Array:
    """Contributions of distinct terms, in double precision."""
    tf = {
        "binary": np.ones(len(counts)),
        "count": counts.astype(np.float64),
        "sublinear": 1 + np.log(counts),
    }[model.tf]
    x = tf * model.idf[ids]
    length = {"none": 1.0, "l1": x.sum(), "l2": np.sqrt((x * x).sum())}[model.norm]
    factor = x * model.scale[ids] / (length if length > 0 else 1.0)
    return np.asarray(factor[:, None] * model.weights[ids])


def explain_class(
    model: TermModel, class_name: Any, n: int = 20, texts: Any = None
) -> ClassExplanation:
    """Tell what makes a class.

    Parameters
    ----------
    model : TermModel
    class_name : str
    n : int, default=20
        So many terms.
    texts : list of str or Arrow strings, optional
        Show those with the highest score for the class.

    Returns
    -------
    ClassExplanation

    Notes
    -----
    Terms are ranked by idf · (w[k] − mean of w over the other classes): what an occurrence adds
    to the class's lead. Only positive values are listed. How frequent a term is does not enter,
    since the model does not know it.
    """
    k = position_of(model.classes, class_name)
    added = model.added()
    own = added[:, k]
    elsewhere = (added.sum(axis=1) - own) / max(1, model.n_classes - 1)
    lead = own - elsewhere
    best = [int(t) for t in np.argsort(-lead, kind="stable")[:n] if lead[t] > 0]
    terms = [
        ClassTerm(model.terms[t], float(lead[t]), float(own[t]), float(elsewhere[t])) for t in best
    ]
    return ClassExplanation(model.classes[k], tuple(terms), tuple(_examples(model, k, texts)))


def _examples(model: TermModel, k: int, texts: Any) -> list[Example]:
    if texts is None:
        return []
    array = text_array(texts)
    order = np.argsort(-model.scores(array)[:, k], kind="stable")[:_N_EXAMPLES]
    return [Example(int(row), explain(model, array[int(row)].as_py())) for row in order]
