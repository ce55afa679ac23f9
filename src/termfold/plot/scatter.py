"""Documents between two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Array
from termfold.plot.base import axes_of, short, written
from termfold.stats import Labels


class ScatterDisplay:
    """Documents by their features for two classes.

    Made by ``from_estimator`` or ``from_predictions``.

    Parameters
    ----------
    x, y : ndarray of shape (n,)
        The features.
    belongs : ndarray of int, shape (n,)
        0 for a document of the first class, 1 of the second, −1 of neither.
    classes : pair of str

    Attributes
    ----------
    ax_, figure_ : Matplotlib's axes and figure, once plotted

    Examples
    --------
    >>> from termfold.plot import ScatterDisplay
    >>> display = ScatterDisplay.from_predictions([[1.0, 0.1], [0.2, 0.9]], ["tea", "war"])
    >>> display.ax_.get_xlabel(), display.ax_.get_ylabel()
    ('tea', 'war')
    """

    def __init__(self, x: Array, y: Array, belongs: Array, classes: tuple[str, str]) -> None:
        self.x = x
        self.y = y
        self.belongs = belongs
        self.classes = classes

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        classes: tuple[Any, Any] | None = None,
        *,
        ax: Any = None,
    ) -> ScatterDisplay:
        """Plot what a fitted projection or classifier makes of documents.

        Parameters
        ----------
        estimator : FEDIP, TermProjection, TextClassifier or another with one feature per class
            Documents that it was fitted on look too good: give others, or the features of
            ``fit_transform``, which leave each document out, to ``from_predictions``.
        X : the documents, as the estimator takes them
        y : their labels
        classes : pair of labels, optional
            By default the first two.
        ax : Matplotlib's axes, optional
        """
        names = [str(name) for name in estimator.get_feature_names_out()]
        return cls.from_predictions(estimator.transform(X), y, classes, feature_names=names, ax=ax)

    @classmethod
    def from_predictions(
        cls,
        features: Any,
        y: Any,
        classes: tuple[Any, Any] | None = None,
        *,
        feature_names: list[str] | None = None,
        ax: Any = None,
    ) -> ScatterDisplay:
        """Plot features that exist.

        Parameters
        ----------
        features : array of shape (n, K)
        y : labels, as ``Labels.of`` takes them
        classes : pair of labels, optional
            By default the first two.
        feature_names : list of str, optional
            The classes of the columns; by default the sorted labels.
        ax : Matplotlib's axes, optional
        """
        features = np.asarray(features, np.float64)
        labels = Labels.of(y)
        known = [str(name) for name in labels.classes.tolist()]
        names = feature_names or known
        if features.ndim != 2 or features.shape != (len(labels), len(names)):
            raise ValueError(
                f"features of shape {features.shape} for {len(labels):,} labels and "
                f"{len(names)} classes; there must be a row of each and a column of each"
            )
        pair = [str(name) for name in (classes or names[:2])]
        for name in pair:
            if name not in names:
                raise ValueError(f"no class {name!r}; there are {names}")
        belongs = np.full(len(labels), -1)
        for place, name in reversed(list(enumerate(pair))):
            if name in known:
                belongs[labels.rows_of(known.index(name))] = place
        x, y = (features[:, names.index(name)] for name in pair)
        return cls(x, y, belongs, (pair[0], pair[1])).plot(ax=ax)

    def plot(self, *, ax: Any = None, **options: Any) -> ScatterDisplay:
        """Draw.

        Parameters
        ----------
        ax : Matplotlib's axes, optional
        **options
            Of ``Axes.scatter``.
        """
        self.ax_ = axes_of(ax, figsize=(5.6, 5.6))
        self.figure_ = self.ax_.figure
        for place, name, colour in ((-1, "others", "0.75"), (0, None, "C0"), (1, None, "C1")):
            of_class = self.belongs == place
            if of_class.any():
                self.ax_.scatter(
                    self.x[of_class],
                    self.y[of_class],
                    **{
                        "s": 14,
                        "color": colour,
                        "alpha": 0.7,
                        "linewidths": 0,
                        "label": name or short(self.classes[place]),
                        **options,
                    },
                )
        both = np.concatenate([self.x, self.y])
        ends = [float(both.min(initial=0)), float(both.max(initial=0))]
        self.ax_.plot(ends, ends, color="0.6", linestyle=":", linewidth=1, zorder=0)
        self.ax_.set_xlabel(short(self.classes[0]))
        self.ax_.set_ylabel(short(self.classes[1]))
        self.ax_.spines[["top", "right"]].set_visible(False)
        legend = self.ax_.legend(frameon=False)
        written([self.ax_.xaxis.label, self.ax_.yaxis.label, *legend.get_texts()])
        return self
