"""RefinedProjection: class-named features whose weights are refined from what counts say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from termfold._arrays import Array
from termfold._estimator import check_choice, check_number, check_two_classes
from termfold._memory import give_back_memory
from termfold._threads import thread_count
from termfold.project.base import counts_of
from termfold.project.refined_calibration import fit_sigmoids, fit_temperature
from termfold.project.refined_costs import ClassCost, check_class_weight, cost_factors
from termfold.project.refined_data import (
    Vocabulary,
    choose_rows,
    count_documents,
    read_labels,
    side_by_side,
)
from termfold.project.refined_features import RefinedFeatures, two_sided
from termfold.project.refined_input import InputWeight, smooth_idf
from termfold.project.refined_prior import DocCounts, Prior
from termfold.project.refined_shelf import in_blocks
from termfold.project.refined_solver import HeldOut, Problem, solve
from termfold.stats import Labels


class RefinedProjection(RefinedFeatures, ClassifierMixin, TransformerMixin, BaseEstimator):
    r"""Project documents on one feature per class, by weights refined from counts.

    A linear classifier that starts from the logarithm of the relative risk of each term, the
    weights of ``FEDIP``, and moves them as far as the margins of the training documents ask.
    It takes counts; the weighting of terms is part of it.

    Parameters
    ----------
    prior : float, default=0.1
        γ, how far the weights of the counts are believed; 0 for a linear support vector machine.
    C : float, default=0.5
        Cost of a document on the wrong side of its margin, against staying close to the prior.
    input_weight : {"sublinear_tfidf", "tfidf", "sublinear", "count", "binary"}
        Weight of a term in a document: 1 + ln c or c, with or without the idf, or 1.
    norm : {"l2", None}
        Divide each document by its Euclidean length, or do not.
    class_weight : {"auto", "balanced", "sqrt"}, dict or None, default="auto"
        What C is multiplied by for the documents inside a class: (N − n_k) / n_k; its square
        root; a value per class (documents outside keep C; of two classes, both have their
        value); or 1 (None). ``"auto"`` is ``"sqrt"`` where documents may have several labels,
        for a rare class would hardly ever be found there, and None elsewhere.
    min_df : int, default=1
        Leave out terms in fewer documents.
    prior_support : float, default=200
        Documents with which a class gets half of γ. The log relative risk of a class of
        few documents is mostly smoothing.
    probability : bool, default=True
        Calibrate ``predict_proba``; takes about one pass more over the documents.
    tol : float, default=0.004
        A class is done when a pass adds no more than this share to its dual objective.
    max_epochs : int, default=100
        Passes over the documents at most; mostly 5 to 10 are made.
    n_jobs : int or None, default=-1
        Threads; −1 uses all cores. The result does not depend on it.
    random_state : int, RandomState or None, default=0
        Order of the documents in each pass, and choice of those for calibration.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
    multilabel_ : bool
        May a document have several labels?
    weights_ : ndarray of shape (M, K), float32
        w, or, for two classes, one column for the second.
    intercept_ : ndarray of shape (K,) or (1,), float32
    stats_ : TermStats
        The counts of the training documents.
    idf_ : ndarray of shape (M,)
        What a term's weight is multiplied by; 0 for a term left out or never seen.
    n_epochs_ : ndarray of shape (K,) or (1,)
        Passes that each class took.
    prior_ : ndarray of shape (M, K), float32
        γ_k · w⁰, in the shape of ``weights_``: what counts alone would say.
    coef_ : ndarray of shape (K, M) or (1, M), float32
        The weights as scikit-learn's linear classifiers have them.
    temperature_ : float
        T of ``predict_proba`` for documents of one label.
    sigmoids_ : tuple of two ndarrays of shape (K,)
        Slopes and offsets of ``predict_proba`` for documents of several labels.

    Notes
    -----
    For each class k, y = 1 for its documents and −1 for all others,

    .. math:: \min_{w, b} \tfrac12 ‖w − γ_k w^0_k‖^2 + \tfrac12 b^2
        + C \sum_i \max(0, 1 − y_i (w · x_i + b))^2

    with ``w⁰ = log(P(t|k) / P(t|¬k))``, smoothed by ½, and ``γ_k = γ n / (n + s)``, n the smaller
    of the numbers of documents inside and outside the class, s the ``prior_support``. Its dual is
    solved one document at a time (Hsieh et al.), starting from ``w = γ w⁰``, α = 0:

        α_i ← max(0, α_i − (y_i (w · x_i + b) − 1 + α_i / 2C) / (‖x_i‖² + 1 + 1 / 2C)),

    w follows as ``γ w⁰ + Σ_i α_i y_i x_i``. Several classes go through a document's terms
    together, each in its lane of a vector register, so a term's weights are fetched once for all.

    Shrinking (passing over documents whose α stays 0) is left out: lanes share the terms they
    fetch, and few documents have α = 0 for every class of a block.

    Calibration: some documents (a tenth, 300 to 1000) are taken out of the solution again, with
    their α y x and their counts in w⁰; after one pass over the others, their margins are those of
    documents not seen, and a temperature (one label), or a sigmoid per class (several), is
    fitted to them. The weights remain those of all documents.

    References
    ----------
    C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi, S. Sundararajan: A dual coordinate descent
    method for large-scale linear SVM. ICML 2008.

    Examples
    --------
    >>> X = [[2, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 2], [0, 1, 0, 1]]
    >>> model = RefinedProjection().fit(X, ["sport", "sport", "trade", "trade"])
    >>> model.predict([[1, 0, 0, 0], [0, 0, 1, 1]])
    array(['sport', 'trade'], dtype='<U5')
    >>> model.get_feature_names_out()
    array(['trade'], dtype=object)
    >>> model.transform([[1, 0, 0, 0]]).round(2)
    array([[-0.65]], dtype=float32)
    """

    def __init__(
        self,
        prior: float = 0.1,
        C: float = 0.5,
        *,
        input_weight: InputWeight = "sublinear_tfidf",
        norm: Literal["l2"] | None = "l2",
        class_weight: ClassCost = "auto",
        min_df: int = 1,
        prior_support: float = 200.0,
        probability: bool = True,
        tol: float = 4e-3,
        max_epochs: int = 100,
        n_jobs: int | None = -1,
        random_state: Any = 0,
    ) -> None:
        self.prior = prior
        self.C = C
        self.input_weight = input_weight
        self.norm = norm
        self.class_weight = class_weight
        self.min_df = min_df
        self.prior_support = prior_support
        self.probability = probability
        self.tol = tol
        self.max_epochs = max_epochs
        self.n_jobs = n_jobs
        self.random_state = random_state

    # -- fitting ------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RefinedProjection:
        """Refine the weights on labelled documents.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
            Counts of terms.
        y : labels of shape (n_docs,), or indicator matrix of shape (n_docs, K), dense or sparse
        sample_weight : array of shape (n_docs,), optional
            How many documents each row stands for.

        Returns
        -------
        self
        """
        self._check_parameters()
        if y is None:
            raise ValueError("RefinedProjection requires y to be passed, but the target y is None")
        counts = counts_of(validate_data(self, X, accept_sparse="csr"))
        labels, self.multilabel_ = read_labels(y)
        if counts.shape[0] != len(labels):
            raise ValueError(f"X has {counts.shape[0]} rows, but y has {len(labels)} labels")
        check_two_classes(labels.classes, "a classifier needs")
        self.classes_ = labels.classes
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            rows = np.flatnonzero(sample_weight)
            counts, labels = counts[rows], labels.take(rows)
            sample_weight = sample_weight[rows]
        self._learn([counts], labels, sample_weight)
        return self

    def fit_blocks(
        self,
        blocks: Sequence[sp.csr_array],
        labels: Labels,
        *,
        multilabel: bool,
        scratch: Path | None = None,
    ) -> RefinedProjection:
        """Refine the weights on documents that come in blocks, each a random share of them.

        Parameters
        ----------
        blocks : sequence of sparse matrices of shape (some documents, M)
            Counts of terms; they may be read from a disk when they are asked for.
        labels : Labels
            Of all documents.
        multilabel : bool
            May a document have several labels?
        scratch : Path, optional
            A folder for what is kept of each document, which is in memory otherwise.
        """
        self._check_parameters()
        self.multilabel_ = multilabel
        self.classes_ = labels.classes
        self.n_features_in_ = blocks[0].shape[1]
        self._learn(blocks, labels, None, scratch)
        return self

    def _learn(
        self,
        blocks: Sequence[sp.csr_array],
        labels: Labels,
        sample_weight: Array | None,
        scratch: Path | None = None,
    ) -> None:
        n_threads = thread_count(self.n_jobs)
        rng = check_random_state(self.random_state)
        seed = rng.randint(np.iinfo(np.int32).max)
        doc_costs = np.ones(len(labels)) if sample_weight is None else sample_weight
        held_rows = choose_rows(len(labels), rng) if self.probability else np.zeros(0, np.int64)
        classes = self._classes_with_column()
        vocabulary = Vocabulary.of(blocks, self.min_df, sample_weight)
        terms, n_shared = vocabulary.columns, vocabulary.n_shared
        n_terms = self.n_features_in_
        self.idf_ = np.zeros(n_terms)
        self.idf_[terms] = 1
        if "idf" in self.input_weight:
            self.idf_[terms] = smooth_idf(vocabulary.term_docs, doc_costs.sum())

        # both go through all counts, and neither waits for the other, unless memory is short
        documents, (self.stats_, all_counts, other_counts) = side_by_side(
            lambda: in_blocks(blocks, self._weighting(), terms, n_shared, doc_costs, scratch),
            lambda: count_documents(
                blocks, labels, sample_weight, held_rows, classes, terms[:n_shared]
            ),
            n_threads if scratch is None else 1,
        )
        if scratch is not None:
            give_back_memory()
        members = labels.indicator(np.float32)[:, -len(classes) :].tocsr()
        sizes = all_counts.class_docs, all_counts.n_docs
        factors = cost_factors(self.class_weight, self.classes_, *sizes, self.multilabel_)
        problem = Problem(
            documents=documents,
            n_shared=n_shared,
            members=members,
            prior=self._prior(all_counts),
            costs=self.C * factors,
            tol=self.tol,
            max_epochs=self.max_epochs,
            seed=seed,
            scratch=scratch,
        )
        # the own terms of a document would be unknown, so the others make up its length
        squares = np.concatenate([docs.shared_squares for docs in documents])[held_rows]
        lengths = np.sqrt(squares) if self.norm else np.ones(1)
        lengths = np.where(lengths > 0, lengths, 1)
        solution = solve(problem, HeldOut(held_rows, lengths, self._prior(other_counts)), n_threads)
        self.weights_ = np.zeros((n_terms, len(classes)), np.float32)
        self.weights_[terms] = solution.weights
        self.intercept_ = solution.bias
        self.n_epochs_ = solution.epochs
        if self.probability:
            inside = members[held_rows].toarray()
            self._calibrate(solution.held_margins, inside, doc_costs[held_rows])

    def _calibrate(self, margins: Array, inside: Array, weights: Array) -> None:
        if self.multilabel_:
            self.sigmoids_ = fit_sigmoids(margins, inside, weights)
        elif margins.shape[1] == 1:
            truth = inside[:, 0].astype(int)
            self.temperature_ = fit_temperature(two_sided(margins), truth, weights)
        else:
            self.temperature_ = fit_temperature(margins, inside.argmax(axis=1), weights)

    def _check_parameters(self) -> None:
        check_choice("input_weight", self.input_weight, get_args(InputWeight))
        if self.norm is not None:
            check_choice("norm", self.norm, ("l2",))
        check_class_weight(self.class_weight)
        for name in ("prior", "prior_support", "tol"):
            check_number(name, getattr(self, name), least=0)
        for name in ("min_df", "max_epochs"):
            check_number(name, getattr(self, name), least=1)
        check_number("C", self.C, least=1e-30)

    def _prior(self, docs: DocCounts) -> Prior:
        return Prior(docs, self.prior, self.prior_support)

    # -- looking ------------------------------------------------------------------------------

    @property
    def prior_(self) -> Array:
        """γ_k · w⁰, in the shape of ``weights_``: what counts alone would say."""
        check_is_fitted(self)
        columns = self._classes_with_column()
        docs = DocCounts.of(self.stats_, columns, np.arange(self.n_features_in_))
        weights = self._prior(docs).of_terms(slice(0, len(columns)))
        return np.where(self.idf_[:, np.newaxis] > 0, weights, np.float32(0))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.classifier_tags.multi_label = True
        tags.transformer_tags.preserves_dtype = []  # all become float32
        return tags
