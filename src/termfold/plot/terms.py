"""The terms that make a class, as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from termfold.plot.base import axes_of, short, written
from termfold.scores import ScoreLike, top_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from termfold.stats import TermStats


class TermsDisplay:
    """Bars of the terms that make a class.

    Made by ``from_estimator`` or ``from_stats``.

    Parameters
    ----------
    terms : sequence of str
        The best first.
    values : sequence of float
    title : str, optional
    name : str, default="score"
        Of the values.

    Attributes
    ----------
    ax_, figure_ : Matplotlib's axes and figure, once plotted
    bars_ : BarContainer

    Examples
    --------
    >>> from termfold import collect
    >>> from termfold.plot import TermsDisplay
    >>> stats = collect(["tea cup", "tea", "war gun"], labels=["tea", "tea", "war"])
    >>> display = TermsDisplay.from_stats(stats, "tea", n=2)
    >>> list(display.terms)
    ['tea', 'cup']
    """

    def __init__(
        self,
        terms: Sequence[str],
        values: Sequence[float],
        *,
        title: str | None = None,
        name: str = "score",
    ) -> None:
        self.terms = terms
        self.values = values
        self.title = title
        self.name = name

    @classmethod
    def from_stats(
        cls,
        stats: TermStats,
        class_name: Any,
        score: ScoreLike = "chi2",
        n: int = 15,
        *,
        ax: Any = None,
    ) -> TermsDisplay:
        """Plot the best terms of a class by a score.

        Parameters
        ----------
        stats : TermStats
        class_name : label of a class
        score : str, callable or Score, default="chi2"
        n : int, default=15
            So many terms.
        ax : Matplotlib's axes, optional
        """
        found = top_terms(stats, score, n, classes=[class_name])
        name = score if isinstance(score, str) else "score"
        terms, values = [row.term for row in found], [row.score for row in found]
        return cls(terms, values, title=str(class_name), name=name).plot(ax=ax)

    @classmethod
    def from_estimator(
        cls, estimator: Any, class_name: Any = None, n: int = 15, *, ax: Any = None
    ) -> TermsDisplay:
        """Plot the best terms of something fitted.

        Parameters
        ----------
        estimator : TextClassifier, FEDIP, TermSelector or OCFS
        class_name : label of a class, optional
            For a classifier or a projection. Selectors rank the terms of all classes together.
        n : int, default=15
            So many terms.
        ax : Matplotlib's axes, optional
        """
        if hasattr(estimator, "explain_class"):
            found = estimator.explain_class(class_name, n=n).terms
            terms, values = [term.term for term in found], [term.value for term in found]
            name = "lead: what an occurrence adds to the class's score, and not to others"
        elif hasattr(estimator, "pools_"):
            pools = estimator.pools_
            if class_name not in pools:
                raise ValueError(f"no class {class_name!r}; there are {list(pools)}")
            terms = [str(term) for term in pools[class_name].terms[:n]]
            values, name = pools[class_name].relatedness[:n].tolist(), "relatedness"
        elif hasattr(estimator, "ranking_"):
            best = estimator.ranking_[:n]
            names = estimator.stats_.terms
            columns = getattr(estimator, "feature_names_in_", names)
            terms = [str(t) if columns is None else str(columns[int(t)]) for t in best]
            values, name = np.asarray(estimator.scores_)[best].tolist(), "score"
        else:
            raise TypeError(
                f"{type(estimator).__name__} ranks no terms; give a fitted TextClassifier, FEDIP, "
                "TermSelector or OCFS"
            )
        title = None if class_name is None else str(class_name)
        return cls(terms, values, title=title, name=name).plot(ax=ax)

    def plot(self, *, ax: Any = None, **options: Any) -> TermsDisplay:
        """Draw.

        Parameters
        ----------
        ax : Matplotlib's axes, optional
        **options
            Of ``Axes.barh``.
        """
        height = 1.1 + 0.27 * max(1, len(self.terms))
        self.ax_ = axes_of(ax, figsize=(6.4, height))
        self.figure_ = self.ax_.figure
        places = np.arange(len(self.terms))
        self.bars_ = self.ax_.barh(places, self.values, **{"height": 0.7, **options})
        self.ax_.set_yticks(places, [short(term) for term in self.terms])
        self.ax_.invert_yaxis()
        self.ax_.tick_params(axis="y", length=0)
        self.ax_.spines[["top", "right", "left"]].set_visible(False)
        self.ax_.set_xlabel(self.name)
        if self.title is not None:
            self.ax_.set_title(short(self.title), loc="left")
        written([*self.ax_.get_yticklabels(), self.ax_.title, self.ax_._left_title])
        return self
