"""Accuracy against the number of terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from termfold.evaluate.curve import RANKINGS, SIZES, Ranking, feature_curve
from termfold.plot.base import axes_of

if TYPE_CHECKING:
    from collections.abc import Sequence


class CurveDisplay:
    """What accuracy is to be expected from the best terms, by each ranking.

    Made by ``from_estimator``, or of what ``termfold.evaluate.feature_curve`` returns.

    Parameters
    ----------
    curve : dict
        As by ``feature_curve``.

    Attributes
    ----------
    ax_, figure_ : Matplotlib's axes and figure, once plotted

    Examples
    --------
    >>> from termfold import TextClassifier
    >>> from termfold.plot import CurveDisplay
    >>> texts = ["cheap pills", "meeting at ten", "cheap watches", "lunch at ten"] * 6
    >>> display = CurveDisplay.from_estimator(
    ...     TextClassifier(), texts, ["spam", "ham"] * 12, rankings=["chi2"], sizes=[1, 3])
    >>> display.ax_.get_xlabel()
    'number of terms'
    """

    def __init__(self, curve: dict[str, Any]) -> None:
        self.curve = curve

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        rankings: Sequence[Ranking] = RANKINGS,
        sizes: Sequence[int] = SIZES,
        folds: int | None = None,
        ax: Any = None,
        **reading: Any,
    ) -> CurveDisplay:
        """Measure, and plot.

        Parameters
        ----------
        estimator : TextClassifier
            Need not be fitted: its effort, C and analyzer are used, on a part of the texts.
        X, y
            As ``TextClassifier.fit`` takes them.
        rankings : sequence of str
            ``"ocfs"``, and names of scores.
        sizes : sequence of int
            Numbers of terms.
        folds : int, optional
            By cross-validation; otherwise a third is held out.
        ax : Matplotlib's axes, optional
        **reading
            Passed on to ``open_corpus``.
        """
        if y is not None:
            reading["labels"] = y
        curve = feature_curve(
            X,
            rankings,
            sizes,
            effort=estimator.effort,
            C=estimator.C,
            analyzer=estimator.analyzer,
            min_df=estimator.min_df,
            folds=folds,
            n_jobs=estimator.n_jobs,
            **reading,
        )
        return cls(curve).plot(ax=ax)

    def plot(self, *, ax: Any = None, **options: Any) -> CurveDisplay:
        """Draw.

        Parameters
        ----------
        ax : Matplotlib's axes, optional
        **options
            Of ``Axes.plot``.
        """
        self.ax_ = axes_of(ax, figsize=(6.8, 4.2))
        self.figure_ = self.ax_.figure
        measure = "micro_f1" if self.curve["multilabel"] else "accuracy"
        everything = self.curve["all_terms"]
        for number, method in enumerate(self.curve["methods"]):
            points = [*method["points"], everything]
            terms = [point["terms"] for point in points]
            values = [point[measure] for point in points]
            style = {"color": f"C{number}", "marker": "o", "markersize": 3.5, **options}
            self.ax_.plot(terms, values, label=method["name"], **style)
            if number == 0 and measure == "accuracy":
                low, high = ([point[end] for point in points] for end in ("low", "high"))
                self.ax_.fill_between(terms, low, high, color="C0", alpha=0.12, linewidth=0)
        self.ax_.set_xscale("log")
        self.ax_.set_xlabel("number of terms")
        self.ax_.set_ylabel(measure.replace("_f1", " F1"))
        self.ax_.spines[["top", "right"]].set_visible(False)
        self.ax_.grid(True, color="0.9")
        self.ax_.legend(frameon=False, title="terms by")
        return self
