"""BestTerms: for each class the terms its documents need, and those that set others apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from termfold._arrays import Bools, Ints
from termfold._estimator import LabelledMatrixEstimator, check_two_classes
from termfold._notebook import ShownInNotebooks
from termfold._threads import map_threads, thread_count
from termfold.scores import ScoreLike, resolve
from termfold.select.best_terms_steps import Search, presence
from termfold.stats import Labels


class BestTerms(ShownInNotebooks, SelectorMixin, LabelledMatrixEstimator):
    r"""Keep the best term of every document: few terms, and each document is held by one.

    A score ranks the terms, but no number of terms is given: each class takes what its documents
    need. ``transform`` keeps the terms of all classes together; ``BestTermsClassifier`` gives
    each class its own.

    Parameters
    ----------
    score : str, callable or Score
        A name from ``termfold.scores.SCORE_NAMES``, or a function of a ``Contingency`` of one
        class against all else, which returns a 1 × m array.
    min_precision : float
        Least share P(k|t), from 0 to 1, of a term's documents that must be in the class for the
        term to count as positive.
    n_jobs : int or None
        Threads that share the classes; −1 uses all cores. The result does not depend on it. One
        is as fast up to some 10,000 documents.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    positive_terms_, negative_terms_ : list of K ndarrays
        Columns of the terms F⁺ and F⁻ of each class, ascending. A class without documents has
        none, and neither has one that all documents belong to.
    n_documents_ : ndarray of shape (K,)
        \|D_F\|, the documents that hold a positive term of each class.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Names of the columns, where X had such.

    See Also
    --------
    termfold.classify.BestTermsClassifier : categorizes by these terms.
    TermSelector : the filter, which keeps the best terms of the vocabulary.

    Notes
    -----
    For a class k, with the score f:

    1. A term is positive if :math:`P(k|t) > P(k)`, and usable if also :math:`P(k|t) \ge p`, the
       floor ``min_precision``; it is negative if :math:`P(k|t) < P(k)`.
    2. The best usable positive term by :math:`f(t, k)` of every document in k goes into
       :math:`F^+`.
    3. :math:`D_F` are the documents, of any class, that hold a term of :math:`F^+`.
    4. The best negative term by :math:`f(t, \bar k)` of every document in :math:`D_F` outside k
       goes into :math:`F^-`.
    5. The class's features are :math:`F^+ \cup F^-`, its documents :math:`D_F`.

    In the copy of the paper that was at hand the displayed definitions are lost: that p is a
    floor of precision, and that negative terms are scored for the complement of the class, is
    inferred from the text that is left.

    Only whether a document holds a term matters, except to scores that count occurrences. Of
    equal scores the first column wins. The time is linear in the tokens, each class taking its
    own documents and those of :math:`D_F`; no table of all classes and terms is made. There is no
    ``partial_fit``: the documents must be seen again once the counts are known.

    References
    ----------
    Fragoudis, D., Meretakis, D. and Likothanassis, S. (2005). Best terms: an efficient
    feature-selection algorithm for text categorization. Knowledge and Information Systems 8(1).

    Examples
    --------
    >>> X = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 1, 1], [1, 0, 0, 1]]
    >>> y = ["x", "x", "y", "y", "y"]
    >>> best = BestTerms("chi2", min_precision=0.5).fit(X, y)
    >>> best.positive_terms_
    [array([0]), array([3])]
    >>> best.negative_terms_
    [array([3]), array([], dtype=int64)]
    >>> best.n_documents_
    array([3, 3])
    >>> best.get_support(indices=True)
    array([0, 3])
    """

    _counts = True

    def __init__(
        self,
        score: ScoreLike = "or",
        *,
        min_precision: float = 0.25,
        n_jobs: int | None = None,
    ) -> None:
        self.score = score
        self.min_precision = min_precision
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> BestTerms:
        """Find the best terms of every class.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
            Counts, or any weights that are positive where the term is present.
        y : labels of shape (n_docs,), or indicator matrix of shape (n_docs, K), dense or sparse

        Returns
        -------
        self
        """
        n_threads = thread_count(self.n_jobs)
        search = lay_out(self, X, y, self.score, self.min_precision)

        def find(k: int) -> tuple[Ints, Ints, int]:
            terms = search.of_class(k)
            return terms.positive, terms.negative, int(np.count_nonzero(terms.kept))

        found = map_threads(find, range(search.n_classes), n_threads)
        self.classes_ = search.labels.classes
        self.positive_terms_: list[Ints] = [positive for positive, _, _ in found]
        self.negative_terms_: list[Ints] = [negative for _, negative, _ in found]
        self.n_documents_ = np.array([n_docs for _, _, n_docs in found])
        return self

    def _get_support_mask(self) -> Bools:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, np.bool_)
        mask[np.concatenate([*self.positive_terms_, *self.negative_terms_])] = True
        return mask


def lay_out(
    estimator: LabelledMatrixEstimator, X: Any, y: Any, score: ScoreLike, min_precision: float
) -> Search:
    """Check parameters and training data of an estimator, and lay the documents out."""
    found = resolve(score)
    if not 0 <= min_precision <= 1:
        raise ValueError(f"min_precision must be from 0 to 1, not {min_precision!r}")
    return Search.over(*checked(estimator, X, y), found, min_precision)


def checked(estimator: LabelledMatrixEstimator, X: Any, y: Any) -> tuple[sp.csr_array, Labels]:
    """Check the training data of an estimator."""
    documents = documents_of(estimator, X, reset=True)
    labels = estimator._labels(y, documents.shape[0])
    if labels.single:
        check_two_classes(labels.classes, "terms can be selected for")
    return documents, labels


def documents_of(estimator: Any, X: Any, *, reset: bool) -> sp.csr_array:
    """Check the documents that an estimator is given; sparse, without stored zeros."""
    X = validate_data(estimator, X, accept_sparse="csr", reset=reset)
    documents = presence(sp.csr_array(X))
    if documents.data.min(initial=0) < 0:
        raise ValueError(
            f"Negative values in data passed to {type(estimator).__name__}: "
            f"a term is in a document or not, it cannot be there less than that"
        )
    return documents
