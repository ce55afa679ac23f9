"""The rankings of terms that are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from termfold import OCFS, TermSelector
from termfold.scores import SCORE_NAMES
from termfold_studies.common.collections import Split

#: The three of the paper: IG of all classes at once, and χ² averaged over classes by P(k).
PAPER = ("ocfs", "ig", "chi2")
EXTENSIONS = (
    "ocfs, sqrt weights",
    "ocfs, uniform weights",
    "ocfs, then ig",
    "ocfs, then chi2",
    "ocfs, rows not normalised",
)
#: All other scores, by the largest value for a class.
OTHERS = tuple(f"{name}, max" for name in SCORE_NAMES)
SIZES = (10, 100, 200, 500, 1000, 10_000)

#: In two stages: how many terms OCFS leaves for the other score to choose from.
_CANDIDATES = 4


def selector(method: str, size: int) -> Any:
    """The selector of a method that keeps so many terms."""
    made: dict[str, Callable[[], Any]] = {
        "ocfs": lambda: OCFS(size),
        "ig": lambda: TermSelector("ig", "joint", k=size),
        "chi2": lambda: TermSelector("chi2", "mean", k=size),
        "ocfs, sqrt weights": lambda: OCFS(size, class_weight="sqrt"),
        "ocfs, uniform weights": lambda: OCFS(size, class_weight="uniform"),
        "ocfs, then ig": lambda: OCFS(
            size, candidates=_CANDIDATES * size, then="ig", policy="joint"
        ),
        "ocfs, then chi2": lambda: OCFS(
            size, candidates=_CANDIDATES * size, then="chi2", policy="mean"
        ),
        "ocfs, rows not normalised": lambda: OCFS(size),
    }
    if method in made:
        return made[method]()
    score: Any
    policy: Any
    score, _, policy = method.partition(", ")
    return TermSelector(score, policy, k=size)


def input_of(method: str, split: Split) -> Any:
    """The matrix a method chooses by: tf-idf for centroids, counts for everything else."""
    if method == "ocfs, rows not normalised":
        from sklearn.feature_extraction.text import TfidfTransformer

        return TfidfTransformer(norm=None).fit_transform(split.counts)
    return split.tfidf[0] if method.startswith("ocfs") else split.counts
