"""Figures by Matplotlib, made as scikit-learn's displays are."""

from typing import TYPE_CHECKING

from termfold._lazy import lazily

if TYPE_CHECKING:
    from termfold.plot.confusion import ConfusionDisplay as ConfusionDisplay
    from termfold.plot.curve import CurveDisplay as CurveDisplay
    from termfold.plot.scatter import ScatterDisplay as ScatterDisplay
    from termfold.plot.terms import TermsDisplay as TermsDisplay

_HOMES = {
    "ConfusionDisplay": "termfold.plot.confusion",
    "CurveDisplay": "termfold.plot.curve",
    "ScatterDisplay": "termfold.plot.scatter",
    "TermsDisplay": "termfold.plot.terms",
}

__all__ = ["ConfusionDisplay", "CurveDisplay", "ScatterDisplay", "TermsDisplay"]

__getattr__ = lazily(__name__, _HOMES)
