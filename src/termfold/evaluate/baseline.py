"""A yardstick: what most would do, in scikit-learn's words."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC


class Baseline:
    """TF-IDF with sublinear counts, and a linear SVM with scikit-learn's settings.

    Examples
    --------
    >>> texts = pa.array(["cheap pills", "lunch at ten", "cheap watches", "meeting at ten"])
    >>> baseline = Baseline().fit(texts, ["spam", "ham", "spam", "ham"])
    >>> baseline.predict(pa.array(["cheap"]))
    ['spam']
    """

    def fit(self, X: pa.Array, y: list[Any]) -> Baseline:
        """Learn; lists of labels make a classifier for each class."""
        svm = LinearSVC()
        self._binarizer = MultiLabelBinarizer() if isinstance(y[0], list) else None
        if self._binarizer is not None:
            svm, y = OneVsRestClassifier(svm), self._binarizer.fit_transform(y)
        self._pipeline = make_pipeline(TfidfVectorizer(sublinear_tf=True), svm)
        self._pipeline.fit(X.to_pylist(), y)
        return self

    def predict(self, X: pa.Array) -> list[Any]:
        """Label texts."""
        found = self._pipeline.predict(X.to_pylist())
        if self._binarizer is None:
            labels: list[Any] = found.tolist()
            return labels
        return [list(names) for names in self._binarizer.inverse_transform(found)]
