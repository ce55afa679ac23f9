"""BestTermsClassifier: a binary classifier per class, on the documents its best terms keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import expit, softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from termfold._arrays import Array, Floats
from termfold._estimator import LabelledMatrixEstimator
from termfold._threads import map_threads, thread_count
from termfold.classify.best_terms_head import HeadName, new_head
from termfold.classify.best_terms_rule import ClassRule, learn_rule
from termfold.scores import ScoreLike
from termfold.select.best_terms import documents_of, lay_out


def _has_proba(classifier: BestTermsClassifier) -> bool:
    return classifier.head == "naive_bayes" or hasattr(classifier.head, "predict_proba")


class BestTermsClassifier(ClassifierMixin, LabelledMatrixEstimator):
    r"""Categorize by the best terms of each class, one or several labels a document.

    A document without any positive term of a class is not of that class, at once. What is left
    is decided by a binary classifier, the class's *head*, which was trained on the documents and
    with the terms that best terms keep.

    Parameters
    ----------
    head : {"naive_bayes", "svm"} or classifier
        Bernoulli naive Bayes; a linear support vector machine (``LinearSVC`` with C = 0.1); or
        any binary classifier of scikit-learn's kind, of which each class trains a copy. It sees
        presence, a sparse matrix of ones, and the classes 0 and 1.
    term_score : str, callable or Score
        What ranks the terms, as ``score`` in ``BestTerms``; here that is the name of a method.
    min_precision : float
        Least precision of a positive term, from 0 to 1, as in ``BestTerms``.
    n_jobs : int or None
        Threads that share the classes; −1 uses all cores. The result does not depend on it. One
        is as fast up to some 10,000 documents.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    multilabel_ : bool
        Was y an indicator matrix? Then predictions are.
    rules_ : list of K ClassRule
        Of each class: ``positive``, ``negative``, ``head``.
    n_features_ : ndarray of shape (K,)
        Terms of each class.
    reduction_ : ndarray of shape (K,)
        Share of the training documents that each class keeps.
    floor_ : ndarray of shape (K,)
        Decision of each class for a document that it rejects.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Names of the columns, where X had such.

    See Also
    --------
    termfold.select.BestTerms : the method, and what of it is inferred.

    Notes
    -----
    *Several labels*: a document gets each class whose margin is positive, perhaps none.

    *One label*: the class with the largest margin, of those that accept the document, even if
    none is positive. If all reject it, the class that had the most training documents which all
    reject, counted as :math:`r_k + P(k)`; so the larger class, where there were no such.

    Both follow from ``decision_function``. It is the head's margin, at least the least margin m
    that any head gave a training document, or 0 if that is less; and for a rejected document
    :math:`m - 1 + (r_k + P(k)) / (1 + r)`, which is less than any margin, r being the training
    documents that all reject. All values are finite.

    *Without a head*: a class that kept no document from outside gives all that it accepts the
    smoothed log odds :math:`\log(|D_F| + 1)`. A class that no training document had is never
    predicted, one that all of them had (next to other labels) always.

    The default score and precision were the best of five and four on thirds held out from the
    training documents of Reuters-21578 and 20 Newsgroups, with naive Bayes.

    References
    ----------
    Fragoudis, D., Meretakis, D. and Likothanassis, S. (2005). Best terms: an efficient
    feature-selection algorithm for text categorization. Knowledge and Information Systems 8(1).

    Examples
    --------
    >>> X = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 1, 1], [1, 0, 0, 1]]
    >>> y = ["x", "x", "y", "y", "y"]
    >>> classifier = BestTermsClassifier().fit(X, y)
    >>> classifier.predict([[1, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 0]])
    array(['x', 'y', 'y'], dtype='<U1')
    >>> classifier.reduction_
    array([0.6, 0.6])
    """

    _counts = True

    def __init__(
        self,
        head: HeadName | Any = "naive_bayes",
        term_score: ScoreLike = "or",
        *,
        min_precision: float = 0.25,
        n_jobs: int | None = None,
    ) -> None:
        self.head = head
        self.term_score = term_score
        self.min_precision = min_precision
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> BestTermsClassifier:
        """Find the best terms of each class and train its head.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
            Counts, or any weights that are positive where the term is present.
        y : labels of shape (n_docs,), or indicator matrix of shape (n_docs, K), dense or sparse

        Returns
        -------
        self
        """
        new_head(self.head)  # an unknown head is an error before the work
        n_threads = thread_count(self.n_jobs)
        search = lay_out(self, X, y, self.term_score, self.min_precision)
        n_docs = len(search.labels)

        reached = np.zeros(n_docs, np.bool_)

        def learn(k: int) -> tuple[ClassRule, int, float]:
            rule, kept, least = learn_rule(search, k, self.head)
            reached[kept] = True  # threads only ever write the same
            return rule, int(np.count_nonzero(kept)), least

        learnt = map_threads(learn, range(search.n_classes), n_threads)
        self.classes_ = search.labels.classes
        self.multilabel_ = _is_indicator(y) or not search.labels.single
        self.rules_ = [rule for rule, _, _ in learnt]
        self.n_features_ = np.array([len(rule.features) for rule in self.rules_])
        self.reduction_ = np.array([n_kept / n_docs for _, n_kept, _ in learnt])

        class_docs = np.diff(search.members.indptr)
        class_lost = search.members.T @ (~reached).astype(np.int64)
        self._least = min(0.0, *(least for _, _, least in learnt))
        shares = (class_lost + class_docs / n_docs) / (1 + np.count_nonzero(~reached))
        self.floor_ = self._least - 1 + shares
        return self

    def decision_function(self, X: Any) -> Floats:
        """Margins of the classes.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)

        Returns
        -------
        ndarray of shape (n_docs, K)
            Where a document has one label of two, of shape (n_docs,): the second class's margin
            less that of the first.
        """
        decisions = self._decisions(X)
        if self._one_of_two:
            return decisions[:, 1] - decisions[:, 0]
        return decisions

    def predict(self, X: Any) -> Array:
        """Labels of documents; an indicator matrix, where y was one.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)

        Returns
        -------
        ndarray of shape (n_docs,) or (n_docs, K)
        """
        decisions = self._decisions(X)
        if self.multilabel_:
            return (decisions > 0).astype(np.int64)
        predicted: Array = self.classes_[decisions.argmax(axis=1)]
        return predicted

    @available_if(_has_proba)
    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes, if margins are log odds.

        They are for naive Bayes and logistic regression, and for classifiers that have
        probabilities but no margins. With several labels each class has its own probability,
        1 / (1 + exp(−margin)); with one label they are in proportion to exp(margin).

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)

        Returns
        -------
        ndarray of shape (n_docs, K)
        """
        decisions = self._decisions(X)
        proba: Floats = expit(decisions) if self.multilabel_ else softmax(decisions, axis=1)
        return proba

    @property
    def _one_of_two(self) -> bool:
        return not self.multilabel_ and len(self.classes_) == 2

    def _decisions(self, X: Any) -> Floats:
        check_is_fitted(self)
        by_doc = documents_of(self, X, reset=False)
        by_term = by_doc.tocsc()
        decisions = np.tile(self.floor_, (by_term.shape[0], 1))

        def decide(k: int) -> None:
            rule = self.rules_[k]
            accepted = rule.accepts(by_term)
            if accepted.any():
                margins_of = rule.margins(by_doc, by_term, accepted)
                decisions[accepted, k] = np.maximum(margins_of, self._least)

        map_threads(decide, range(len(self.rules_)), thread_count(self.n_jobs))
        return decisions

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


def _is_indicator(y: Any) -> bool:
    if sp.issparse(y):
        return True
    y = np.asarray(y)
    return bool(y.ndim == 2 and y.shape[1] > 1)
