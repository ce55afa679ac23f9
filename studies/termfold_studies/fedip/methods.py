"""The projections that are compared, and the classifiers on top of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sklearn.decomposition import TruncatedSVD
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from termfold import FEDIP, LDAQR, OrthogonalCentroid, RuleClassifier
from termfold_studies.common.learners import linear_svm


@dataclass(frozen=True)
class Way:
    """A projection, and what it is given.

    Parameters
    ----------
    make : callable
        Takes the number of classes.
    tfidf : bool
        Given tf-idf of rows of length one, or counts.
    leave_one_out : bool
        Whether training documents get the features they would have without themselves.
    """

    make: Callable[[int], Any]
    tfidf: bool = False
    leave_one_out: bool = False


def _published(variant: str, denominator: str = "document") -> Way:
    return Way(
        lambda k: FEDIP(
            variant,  # type: ignore[arg-type]
            smoothing=0,
            input_weight="count",
            denominator=denominator,  # type: ignore[arg-type]
        )
    )


def _lsi(algorithm: str = "arpack") -> Callable[[int], Any]:
    return lambda k: TruncatedSVD(k, algorithm=algorithm, random_state=0)


PUBLISHED = {
    "FEDIP-a": _published("multinomial"),
    "FEDIP-b": _published("bernoulli"),
    "LSI": Way(_lsi()),
    "LDA/QR": Way(lambda k: LDAQR()),
    "LSI, tf-idf": Way(_lsi(), tfidf=True),
    "LDA/QR, tf-idf": Way(lambda k: LDAQR(), tfidf=True),
}
#: One change at a time, each beside the published form or the line before it.
IMPROVED = {
    "FEDIP-a, over the pool": _published("multinomial", "pool"),
    "FEDIP-b, over the pool": _published("bernoulli", "pool"),
    "FEDIP-a, leave one out": Way(_published("multinomial").make, leave_one_out=True),
    "FEDIP-b, leave one out": Way(_published("bernoulli").make, leave_one_out=True),
    "b, smoothed, leave one out": Way(lambda k: FEDIP(input_weight="count"), leave_one_out=True),
    "b, smoothed, 1 + log counts, leave one out (the default)": Way(
        lambda k: FEDIP(), leave_one_out=True
    ),
    "b, log ratio, smoothed, leave one out": Way(
        lambda k: FEDIP(weight="log_rr", smoothing=2), leave_one_out=True
    ),
    "a, signed log ratio, smoothed, leave one out": Way(
        lambda k: FEDIP("multinomial", "log_rr", smoothing=0.1, smooth="count", signed=True),
        leave_one_out=True,
    ),
    "b, log ratio, R = 2 K, leave one out": Way(
        lambda k: FEDIP(weight="log_rr", smoothing=2, n_features=2 * k), leave_one_out=True
    ),
    "b, log ratio, R = 4 K, leave one out": Way(
        lambda k: FEDIP(weight="log_rr", smoothing=2, n_features=4 * k), leave_one_out=True
    ),
    "orthogonal centroids, tf-idf": Way(lambda k: OrthogonalCentroid(), tfidf=True),
}
ALL = PUBLISHED | IMPROVED
#: Methods whose features are named like the classes, so that the largest one decides.
NAMED = re.compile(r"FEDIP|a, |b, ")

#: On features of any scale; the largest feature needs none but comparable ones.
HEADS: dict[str, Callable[[], Any]] = {
    "SVM": lambda: make_pipeline(StandardScaler(), linear_svm()),
    "naive Bayes": GaussianNB,
    "SVM, features not scaled": linear_svm,
    "largest feature": lambda: RuleClassifier("temperature"),
}
