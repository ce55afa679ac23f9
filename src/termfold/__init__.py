"""termfold: supervised dimension reduction and categorization of text, in one pass.

Names are imported when they are first used, so that ``import termfold`` costs nothing and no
optional package is touched before it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from termfold._lazy import lazily
from termfold._version import __version__

if TYPE_CHECKING:
    from termfold.checkpoint import Checkpoint as Checkpoint
    from termfold.classify import BestTermsClassifier as BestTermsClassifier
    from termfold.classify import RuleClassifier as RuleClassifier
    from termfold.classify import TextClassifier as TextClassifier
    from termfold.collecting import collect as collect
    from termfold.corpus import open_corpus as open_corpus
    from termfold.project import FEDIP as FEDIP
    from termfold.project import LDAQR as LDAQR
    from termfold.project import OrthogonalCentroid as OrthogonalCentroid
    from termfold.project import RefinedProjection as RefinedProjection
    from termfold.project import TermProjection as TermProjection
    from termfold.project import WordClusters as WordClusters
    from termfold.scores import top_terms as top_terms
    from termfold.select import OCFS as OCFS
    from termfold.select import BestTerms as BestTerms
    from termfold.select import TermSelector as TermSelector
    from termfold.stats import TermStats as TermStats
    from termfold.terms import Analyzer as Analyzer
    from termfold.terms import TermCounter as TermCounter

# Where each public name lives.
_HOMES = {
    "Analyzer": "termfold.terms",
    "BestTerms": "termfold.select",
    "BestTermsClassifier": "termfold.classify",
    "Checkpoint": "termfold.checkpoint",
    "collect": "termfold.collecting",
    "FEDIP": "termfold.project",
    "LDAQR": "termfold.project",
    "OCFS": "termfold.select",
    "open_corpus": "termfold.corpus",
    "OrthogonalCentroid": "termfold.project",
    "RefinedProjection": "termfold.project",
    "RuleClassifier": "termfold.classify",
    "TermCounter": "termfold.terms",
    "TermProjection": "termfold.project",
    "TermSelector": "termfold.select",
    "TermStats": "termfold.stats",
    "TextClassifier": "termfold.classify",
    "top_terms": "termfold.scores",
    "WordClusters": "termfold.project",
}

__all__ = ["__version__", *_HOMES]


__getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
