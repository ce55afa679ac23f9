"""The methods: each learns from counts, or from texts, with its defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, Normalizer

from termfold import (
    FEDIP,
    LDAQR,
    OCFS,
    BestTermsClassifier,
    OrthogonalCentroid,
    RuleClassifier,
    TermProjection,
    TermSelector,
    TextClassifier,
    WordClusters,
)
from termfold_studies.common.learners import linear_svm

SVM = "SVM, all terms"
DEFAULT = "TextClassifier()"
_KEPT = 1000


def _tfidf(*steps: Any) -> Any:
    return make_pipeline(TfidfTransformer(sublinear_tf=True), *steps, linear_svm())


def _selected(selector: Any) -> Any:
    """Terms by counts, weights by tf-idf: the idf does not depend on what else is kept."""
    return make_pipeline(selector, TfidfTransformer(sublinear_tf=True), linear_svm())


#: From counts. Pipelines hand on leave-one-out features where projections have them.
FROM_COUNTS: Mapping[str, Callable[[], Any]] = {
    SVM: lambda: _tfidf(),
    "multinomial naive Bayes": MultinomialNB,
    "complement naive Bayes": ComplementNB,
    "OCFS 1,000 + SVM": lambda: _tfidf(OCFS(_KEPT)),
    "IG 1,000 + SVM": lambda: _selected(TermSelector("ig", "joint", k=_KEPT)),
    "χ² 1,000 + SVM": lambda: _selected(TermSelector("chi2", k=_KEPT)),
    "best terms + naive Bayes": lambda: BestTermsClassifier(),
    "best terms + SVM": lambda: BestTermsClassifier("svm"),
    "FEDIP + rule": lambda: make_pipeline(FEDIP(), RuleClassifier()),
    "FEDIP + SVM": lambda: make_pipeline(FEDIP(), Normalizer(), linear_svm()),
    "term projection + rule": lambda: make_pipeline(TermProjection(), RuleClassifier()),
    "term projection + SVM": lambda: make_pipeline(
        TermProjection(), Normalizer(), linear_svm()
    ),
    "LDA/QR + SVM": lambda: _tfidf(LDAQR()),
    "orthogonal centroids + SVM": lambda: _tfidf(OrthogonalCentroid()),
    "word clusters + SVM": lambda: make_pipeline(WordClusters(), MaxAbsScaler(), linear_svm()),
    "LSI 100 + SVM": lambda: _tfidf(TruncatedSVD(100, random_state=0)),
}  # fmt: skip
#: From texts.
FROM_TEXTS: Mapping[str, Callable[[], Any]] = {
    DEFAULT: lambda: TextClassifier(n_jobs=1),
    'TextClassifier(effort="head")': lambda: TextClassifier(effort="head", n_jobs=1),
    'TextClassifier(effort="rule")': lambda: TextClassifier(effort="rule", n_jobs=1),
}
QUICK = (SVM, "OCFS 1,000 + SVM", "best terms + naive Bayes", "FEDIP + rule", DEFAULT)


def n_features(method: str, model: Any, n_terms: int, n_classes: int) -> int:
    """How many numbers of a document the last step sees; terms, where nothing is folded."""
    if method.startswith(("FEDIP", "term projection", "orthogonal", "word clusters")):
        return n_classes
    if method.startswith("LDA/QR"):
        return n_classes - 1
    if method.startswith("LSI"):
        return 100
    if "1,000" in method:
        return min(_KEPT, n_terms)
    if method.startswith("best terms"):
        return round(float(model.n_features_.mean()))
    if method.startswith("TextClassifier"):
        return len(model.model_.terms)
    return n_terms
