"""What is taken for what, as shares of the true class."""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Array
from termfold.evaluate.metrics import summarize
from termfold.plot.base import axes_of, short, written
from termfold.report.confusion import likeness_by, order_by_likeness

_NUMBERS_UP_TO = 20


class ConfusionDisplay:
    """True by predicted classes; those that are taken for one another stand side by side.

    Unlike scikit-learn's ``ConfusionMatrixDisplay``, the colours are of the mistakes: shares of
    the row, without the diagonal, which would outshine them; and the order shows groups.

    Parameters
    ----------
    counts : ndarray of shape (K, K)
        Documents, true classes in rows.
    classes : list of str

    Attributes
    ----------
    ax_, figure_ : Matplotlib's axes and figure, once plotted
    image_ : AxesImage

    Examples
    --------
    >>> from termfold.plot import ConfusionDisplay
    >>> display = ConfusionDisplay.from_predictions(["a", "a", "b"], ["a", "b", "b"])
    >>> display.counts
    array([[1, 1],
           [0, 1]])
    """

    def __init__(self, counts: Array, classes: list[str]) -> None:
        self.counts = counts
        self.classes = classes

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: Any = None, **options: Any
    ) -> ConfusionDisplay:
        """Plot what a fitted classifier makes of documents.

        Parameters
        ----------
        estimator : TextClassifier, or another classifier
        X, y : documents that it has not learnt from, and their labels
        ax : Matplotlib's axes, optional
        **options
            Of ``plot``.
        """
        return cls.from_predictions(y, estimator.predict(X), ax=ax, **options)

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, ax: Any = None, **options: Any
    ) -> ConfusionDisplay:
        """Plot labels that exist.

        Parameters
        ----------
        y_true, y_pred : sequence of labels
            One for each document; predictions may be None, which count nowhere.
        ax : Matplotlib's axes, optional
        **options
            Of ``plot``.
        """
        lists = [[None if name is None else str(name) for name in y] for y in (y_true, y_pred)]
        if any(not np.isscalar(name) and name is not None for y in (y_true, y_pred) for name in y):
            raise ValueError("documents have several labels here; a confusion is of one to one")
        found = summarize(*lists)
        names = [of_class["name"] for of_class in found["classes"]]
        return cls(np.array(found["confusion"]), names).plot(ax=ax, **options)

    def plot(
        self, *, ax: Any = None, order: str = "likeness", cmap: str = "Oranges"
    ) -> ConfusionDisplay:
        """Draw.

        Parameters
        ----------
        ax : Matplotlib's axes, optional
        order : {"likeness", "name"}
        cmap : str
            Name of Matplotlib's colour map.
        """
        if order not in ("likeness", "name"):
            raise ValueError(f"order is 'likeness' or 'name', not {order!r}")
        n = len(self.classes)
        side = min(14.0, 2.4 + 0.36 * n)
        self.ax_ = axes_of(ax, figsize=(side, side))
        self.figure_ = self.ax_.figure
        places = np.arange(n)
        if order == "likeness":
            places = np.array(order_by_likeness(likeness_by(self.counts)))
        counts = self.counts[np.ix_(places, places)]
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        mistakes = np.where(np.eye(n, dtype=bool), 0.0, shares)
        self.image_ = self.ax_.imshow(mistakes, cmap=cmap, vmin=0)
        if n <= _NUMBERS_UP_TO:
            darkest = max(float(mistakes.max(initial=0)), 1e-9)
            for (i, j), count in np.ndenumerate(counts):
                if count:
                    colour = "white" if mistakes[i, j] > 0.6 * darkest else "black"
                    self.ax_.text(j, i, f"{count:,}", ha="center", va="center", color=colour,
                                  fontsize=8)  # fmt: skip
        names = [short(self.classes[k]) for k in places]
        self.ax_.set_xticks(np.arange(n), names, rotation=90)
        self.ax_.set_yticks(np.arange(n), names)
        self.ax_.set_xlabel("predicted")
        self.ax_.set_ylabel("true")
        written([*self.ax_.get_xticklabels(), *self.ax_.get_yticklabels()])
        return self
