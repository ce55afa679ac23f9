"""How the weights of a text classifier are found: which terms, and by what effort."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import scipy.sparse as sp
from sklearn.svm import LinearSVC

from termfold._arrays import Array, Ints
from termfold.classify.decide import Decision, fit_decision
from termfold.classify.model import Norm, Tf
from termfold.classify.rule import RuleClassifier
from termfold.classify.spill import SpilledSet
from termfold.classify.training import TrainingSet, blocks_of
from termfold.project.fedip import FEDIP
from termfold.project.refined import RefinedProjection
from termfold.project.term_projection import TermProjection
from termfold.select.best_terms import BestTerms
from termfold.select.ocfs import OCFS
from termfold.stats import Labels, TermStats
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import Vocabulary

Method: TypeAlias = Literal["fedip", "projection", "ocfs", "best-terms"]
Effort: TypeAlias = Literal["refined", "head", "rule"]
METHODS: tuple[Method, ...] = get_args(Method)
EFFORTS: tuple[Effort, ...] = get_args(Effort)

_OCFS_TERMS = 10_000


class Settings(NamedTuple):
    """What the user asked for."""

    method: Method
    effort: Effort
    analyzer: Analyzer
    n_terms: int | None
    C: float
    precision: str
    max_bytes: int | None
    random_state: int
    n_jobs: int | None


class Weights(NamedTuple):
    """What a method found; see ``TermModel`` for the parts that it shares with this.

    ``df`` are the documents that hold each term, ``decision`` says how the scores are read.
    """

    terms: Vocabulary
    df: Array
    weights: Array
    bias: Array
    idf: Array
    tf: Tf
    norm: Norm
    decision: Decision


def weigh(
    training: TrainingSet | SpilledSet,
    multilabel: bool,
    settings: Settings,
    stats: TermStats | None,
) -> Weights:
    """Find the terms and their weights; see ``learn``."""
    if isinstance(training, SpilledSet):
        return _refined(
            training.terms, training.blocks, training.labels, multilabel, settings,
            training.blocks.folder,
        )  # fmt: skip
    y = training.labels.indicator(np.int8) if multilabel else training.labels.ids
    columns = _CHOOSE[settings.method](training, y, settings)
    counts, terms = training.counts, training.terms
    if len(columns) < len(terms):
        counts, terms = counts[:, columns], terms.take(columns)
    df = np.bincount(counts.indices, minlength=len(terms))
    task = _Task(counts, y, training.labels, multilabel, terms, df, stats)
    return _FIND[settings.effort](task, settings)


class _Task(NamedTuple):
    """Counts of the terms chosen, and labels in both forms."""

    counts: sp.csr_matrix
    y: Any
    labels: Labels
    multilabel: bool
    terms: Vocabulary
    df: Ints
    stats: TermStats | None


# -- which terms ------------------------------------------------------------------------------


def _all_terms(training: TrainingSet, y: Any, settings: Settings) -> Ints:
    return np.arange(len(training.terms))


def _projection_terms(training: TrainingSet, y: Any, settings: Settings) -> Ints:
    projection = TermProjection(n_terms=settings.n_terms).fit(training.counts, y)
    return np.flatnonzero(projection.clusters_ >= 0)


def _ocfs_terms(training: TrainingSet, y: Any, settings: Settings) -> Ints:
    """Centroids of documents of unit length: without that, long ones decide alone."""
    counts = training.counts.copy()
    counts.data = 1 + np.log(counts.data)
    df = np.bincount(counts.indices, minlength=counts.shape[1])
    counts.data *= np.log((1 + counts.shape[0]) / (1 + df)).astype(np.float32)[counts.indices] + 1
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    length = np.sqrt(np.bincount(rows, counts.data.astype(np.float64) ** 2, counts.shape[0]))
    counts.data /= np.maximum(length, 1e-12).astype(np.float32)[rows]
    k = min(settings.n_terms or _OCFS_TERMS, counts.shape[1])
    return np.flatnonzero(OCFS(k).fit(counts, y).get_support())


def _best_terms(training: TrainingSet, y: Any, settings: Settings) -> Ints:
    return np.flatnonzero(BestTerms().fit(training.counts, y).get_support())


_CHOOSE: dict[Method, Callable[[TrainingSet, Any, Settings], Ints]] = {
    "fedip": _all_terms,
    "projection": _projection_terms,
    "ocfs": _ocfs_terms,
    "best-terms": _best_terms,
}


# -- what they weigh --------------------------------------------------------------------------


def _by_rule(task: _Task, settings: Settings) -> Weights:
    """Counts alone: pooled log relative risks, calibrated, and the largest sum wins."""
    # Of the forms of FEDIP the best by rule, on held-out thirds of four training collections.
    pools = FEDIP(
        "multinomial", "log_rr", smoothing=0.01, smooth="count", signed=False,
        input_weight="sublinear", denominator="document",
    )  # fmt: skip
    features = pools.fit_transform(task.counts, task.y)
    if task.multilabel:
        slopes, bias = np.ones(features.shape[1]), np.zeros(features.shape[1])
        decision = fit_decision(features, task.labels, multilabel=True)
    else:
        rule = RuleClassifier().fit(features, task.y)
        slopes, bias = rule.slopes_, rule.offsets_
        decision = Decision.by_temperature(1.0, len(bias))
    terms, df = task.terms, task.df
    if task.stats is not None and task.stats.terms is not None:
        # Counts of more documents than those at hand.
        pools.fit_stats(task.stats)
        terms, df = task.stats.terms, task.stats.term_df
    return Weights(
        terms,
        df,
        (_dense(pools) * slopes).astype(np.float32),
        bias.astype(np.float32),
        np.ones(len(terms), np.float32),
        "sublinear",
        "l1",
        decision,
    )


def _by_head(task: _Task, settings: Settings) -> Weights:
    """A linear SVM on K class features, each document's made without itself."""
    # Of the forms of FEDIP those that were best on halves of training collections: its default by
    # 1.6 points of micro-F1 on average of seven, the other on Reuters, with several labels.
    pools = FEDIP()
    if task.multilabel:
        pools = FEDIP(
            "bernoulli", "log_rr", smoothing=2.0, smooth="count", signed=True,
            input_weight="sublinear_tfidf", denominator="norm",
        )  # fmt: skip
    features = pools.fit_transform(task.counts, task.y)
    mean, spread = features.mean(axis=0), np.maximum(features.std(axis=0), 1e-12)
    standard = (features - mean) / spread
    n_classes = features.shape[1]
    inside = np.asarray(task.y.toarray()) if task.multilabel else np.eye(n_classes)[task.y]
    slopes, bias = np.zeros((n_classes, n_classes)), np.zeros(n_classes)
    for k in range(n_classes):
        head = LinearSVC(C=settings.C, dual=False, random_state=settings.random_state)
        head.fit(standard, inside[:, k])
        slopes[k] = head.coef_[0] / spread
        bias[k] = head.intercept_[0] - slopes[k] @ mean
    return Weights(
        task.terms,
        task.df,
        (_dense(pools) @ slopes.T).astype(np.float32),
        bias.astype(np.float32),
        pools.idf_.astype(np.float32) if task.multilabel else np.ones(len(task.terms), np.float32),
        "sublinear",
        "l2" if task.multilabel else "l1",
        fit_decision(features @ slopes.T + bias, task.labels, task.multilabel),
    )


def _dense(pools: FEDIP) -> Array:
    return np.asarray(pools.weights_.toarray(), np.float32)


def _by_refining(task: _Task, settings: Settings) -> Weights:
    blocks = blocks_of(task.counts)
    return _refined(task.terms, blocks, task.labels, task.multilabel, settings)


def _refined(
    terms: Vocabulary,
    blocks: Sequence[sp.csr_matrix],
    labels: Labels,
    multilabel: bool,
    settings: Settings,
    scratch: Path | None = None,
) -> Weights:
    """Weights that begin as log relative risks and are refined document by document."""
    refined = RefinedProjection(
        C=settings.C, random_state=settings.random_state, n_jobs=settings.n_jobs
    )
    refined.fit_blocks(blocks, labels, multilabel=multilabel, scratch=scratch)
    weights, bias = refined.weights_, refined.intercept_
    if weights.shape[1] == 1:  # of two classes the second has all that is known
        weights, bias = np.hstack([-weights, weights]), np.hstack([-bias, bias])
    if multilabel:
        decision = Decision.by_sigmoids(*refined.sigmoids_, np.zeros(len(bias)))
    else:
        decision = Decision.by_temperature(refined.temperature_, len(bias))
    return Weights(
        terms,
        refined.stats_.term_df,
        weights,
        bias,
        refined.idf_.astype(np.float32),
        "sublinear",
        "l2",
        decision,
    )


_FIND: dict[Effort, Callable[[_Task, Settings], Weights]] = {
    "rule": _by_rule,
    "head": _by_head,
    "refined": _by_refining,
}
