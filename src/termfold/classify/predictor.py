"""What a model says of texts, in scikit-learn's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from sklearn.utils.validation import check_is_fitted

from termfold._arrays import Array
from termfold._notebook import ShownInNotebooks
from termfold.classify.explain import ClassExplanation, Explanation, explain, explain_class
from termfold.classify.model import TermModel

if TYPE_CHECKING:
    from termfold.classify.text_classifier import TextClassifier
    from termfold.report import Report


class Predictor(ShownInNotebooks):
    """The half of ``TextClassifier`` that predicts."""

    model_: TermModel
    classes_: Array
    n_jobs: int | None
    abstain_below: float | None
    _y_is_indicator: bool

    def decision_function(self, X: Any) -> Array:
        """Score texts for each class.

        Returns
        -------
        ndarray of shape (n, K), or (n,) for two classes: then the second's score less the first's
        """
        check_is_fitted(self, "model_")
        scores = self.model_.scores(X, self.n_jobs)
        if len(self.classes_) == 2 and not self.model_.multilabel:
            return np.asarray(scores[:, 1] - scores[:, 0])
        return scores

    def transform(self, X: Any) -> Array:
        """Project texts on one feature per class: the scores, always with K columns."""
        check_is_fitted(self, "model_")
        return self.model_.scores(X, self.n_jobs)

    def predict_proba(self, X: Any) -> Array:
        """Calibrated probabilities; for several labels, of each class by itself."""
        return self.model_.probabilities(self.transform(X))

    def predict(self, X: Any) -> Any:
        """Predict labels.

        Returns
        -------
        ndarray of shape (n,)
            With None where the classifier abstains; for several labels, a list of lists of
            labels, or an indicator matrix if it was fitted with one.
        """
        scores = self.transform(X)
        if self.model_.multilabel:
            chosen = scores >= self.model_.thresholds
            if self.abstain_below is not None:
                chosen &= self.model_.probabilities(scores) >= self.abstain_below
            if self._y_is_indicator:
                return chosen.astype(np.int64)
            return [self.classes_[row].tolist() for row in chosen]
        labels = self.classes_[scores.argmax(axis=1)]
        if self.abstain_below is None:
            return labels
        unsure = self.model_.probabilities(scores).max(axis=1) < self.abstain_below
        labels = labels.astype(object)
        labels[unsure] = None
        return labels

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of texts whose labels are right: all of them, where there may be several."""
        if self.model_.multilabel and not self._y_is_indicator:
            pairs = zip(self.predict(X), y, strict=True)
            right = [set(found) == set(labels) for found, labels in pairs]
            return float(np.average(right, weights=sample_weight))
        return float(super().score(X, y, sample_weight))  # type: ignore[misc]

    def predict_top(self, X: Any, k: int = 3) -> list[list[tuple[Any, float]]]:
        """The k most probable classes of each text, with their probabilities."""
        p = self.predict_proba(X)
        best = np.argsort(-p, axis=1, kind="stable")[:, :k]
        return [
            [(self.classes_[c].item(), float(row[c])) for c in columns]
            for row, columns in zip(p, best, strict=True)
        ]

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the columns of ``transform``: the classes."""
        check_is_fitted(self, "model_")
        return np.asarray(self.model_.classes, dtype=object)

    # -- explaining ---------------------------------------------------------------------------

    def explain(self, text: str) -> Explanation:
        """Take a text's scores apart into what each of its terms contributes."""
        check_is_fitted(self, "model_")
        return explain(self.model_, text)

    def explain_class(self, class_name: Any, n: int = 20, texts: Any = None) -> ClassExplanation:
        """Tell the terms that make a class, with those of some texts that are typical of it."""
        check_is_fitted(self, "model_")
        return explain_class(self.model_, str(class_name), n, texts)

    # -- for other tools ----------------------------------------------------------------------

    def to_sklearn(self) -> Any:
        """A fitted scikit-learn pipeline with the same scores."""
        from termfold.classify.export import to_sklearn

        check_is_fitted(self, "model_")
        return to_sklearn(self.model_)

    def to_frame(self, *, wide: bool = False) -> Any:
        """The weights as an Arrow table: a row for each class and term, or for each term."""
        from termfold.classify.export import to_frame

        check_is_fitted(self, "model_")
        return to_frame(self.model_, wide=wide)

    def to_sql(self, **options: Any) -> Any:
        """Tables of weights and a query that scores documents in DuckDB or Spark SQL."""
        from termfold.classify.export_sql import to_sql

        check_is_fitted(self, "model_")
        return to_sql(self.model_, **options)

    # -- showing ------------------------------------------------------------------------------

    def report(self, X: Any, y: Any = None, **options: Any) -> Report:
        """Report on labelled texts, and on how well their classes can be told apart.

        Parameters
        ----------
        X, y
            As in ``fit``. If the classifier is fitted, it labels these texts: give it such as it
            has not learnt from. Otherwise they are labelled by cross-validation.
        **options
            Of ``termfold.report.make_report``: ``title``, ``test``, ``max_documents`` and so on.

        Returns
        -------
        Report
            With ``save``, ``to_html``, ``to_markdown`` and ``to_json``.
        """
        from termfold.report import make_report

        return make_report(X, y, classifier=cast("TextClassifier", self), **options)
