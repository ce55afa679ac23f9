"""How good a classifier would be with fewer terms: accuracy against their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy.stats import beta
from sklearn.feature_extraction.text import TfidfTransformer

from termfold._arrays import Array, Ints
from termfold.classify.learn import learn, scores_of_rows
from termfold.classify.training import TrainingSet, read_training_set
from termfold.classify.weigh import Effort, Settings
from termfold.corpus import open_corpus
from termfold.errors import TooFewDocumentsError
from termfold.evaluate.documents import deal
from termfold.evaluate.metrics import summarize
from termfold.evaluate.parts import as_if_read_alone, with_terms
from termfold.scores import (
    SCORE_NAMES,
    PolicyName,
    ScoreName,
    ocfs_scores,
    rank,
    score_terms,
)
from termfold.stats import TermStats
from termfold.terms.analyzer import Analyzer

Ranking: TypeAlias = ScoreName | Literal["ocfs"]

#: What ranks the terms, unless said otherwise; document frequency is the yardstick.
RANKINGS: tuple[Ranking, ...] = ("ocfs", "chi2", "ig", "df")
#: Numbers of terms, unless said otherwise: as far as there are so many.
SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
_HELD_OUT = 3
_CONFIDENCE = 0.95


def feature_curve(
    source: Any,
    rankings: Sequence[Ranking] = RANKINGS,
    sizes: Sequence[int] = SIZES,
    *,
    policy: PolicyName = "max",
    effort: Effort = "refined",
    C: float = 0.5,
    folds: int | None = None,
    max_documents: int = 20_000,
    analyzer: Analyzer | None = None,
    min_df: int = 1,
    seed: int = 0,
    n_jobs: int | None = -1,
    done: Callable[[str], None] = lambda what: None,
    **reading: Any,
) -> dict[str, Any]:
    """Measure what accuracy is to be expected from the best 10, 20, 50, … terms.

    Terms are ranked, and weights learnt, on one part of the documents; another part is labelled.
    So a curve is an estimate for texts not seen, as long as these are like the corpus.

    Parameters
    ----------
    source : TrainingSet, or anything ``open_corpus`` reads
    rankings : sequence of str
        ``"ocfs"``, and names of scores.
    sizes : sequence of int
        Numbers of terms; those larger than the vocabulary are left out, and all terms are always
        tried as well.
    policy : {"max", "sum", "mean", "round_robin", "joint"}
        How the classes' scores of a term become one.
    effort : {"refined", "head", "rule"}
        How ``TextClassifier`` finds the weights.
    C : float
        As in ``TextClassifier``.
    folds : int, optional
        Test each document once, by cross-validation. Otherwise a third of them is held out.
    max_documents : int
        Of more documents a random sample is used.
    analyzer : Analyzer, optional
        What a term is, where the source is a corpus.
    min_df : int
        Leave out terms in fewer documents, where the source is a corpus.
    seed : int
        Of the division, and of the sample.
    n_jobs : int, optional
        Threads.
    done : callable
        Called after each measurement, with its name.
    **reading
        Passed on to ``open_corpus``.

    Returns
    -------
    dict
        Of JSON types: ``documents`` and ``tested``, their numbers; ``terms``, the size of the
        vocabulary of the part learnt from; ``folds``; ``effort``; ``policy``; ``multilabel``;
        ``methods``, each with its ``name`` and ``points`` by rising number of terms; and
        ``all_terms``, one point. A point has ``terms``, ``accuracy`` with the ends of its 95 %
        interval ``low`` and ``high`` (Clopper and Pearson's), ``micro_f1`` and ``macro_f1``.

    Examples
    --------
    >>> texts = ["cheap pills", "meeting at ten", "cheap watches", "lunch at ten"] * 6
    >>> curve = feature_curve(texts, ["chi2"], [1, 2], labels=["spam", "ham"] * 12)
    >>> [(point["terms"], point["accuracy"]) for point in curve["methods"][0]["points"]]
    [(1, 1.0), (2, 1.0)]
    >>> curve["tested"], curve["all_terms"]["terms"]
    (8, 7)
    """
    _check(rankings, sizes)
    training, multilabel = _read(source, analyzer or Analyzer(), min_df, n_jobs, reading)
    training = _sample(training, max_documents, seed)
    settings = Settings(
        method="fedip",
        effort=effort,
        analyzer=analyzer or Analyzer(),
        n_terms=None,
        C=C,
        precision="float32",
        max_bytes=None,
        random_state=0,
        n_jobs=n_jobs,
    )
    parts = _splits(training, folds, seed)
    n_terms = min(len(part.terms) for part in parts)
    counts = sorted({int(size) for size in sizes if size < n_terms})

    def measure(rankings: list[Ints], size: int | None) -> dict[str, Any]:
        said = [
            label
            for part, ranking in zip(parts, rankings, strict=True)
            for label in part.labels_by(ranking[:size], multilabel, settings)
        ]
        return _point(truth, said, n_terms if size is None else size)

    truth = [label for part in parts for label in part.truth(multilabel)]
    everything = measure([np.arange(len(part.terms)) for part in parts], None)
    done("all terms")
    methods = []
    for name in rankings:
        ranked = [part.ranking(name, policy) for part in parts]
        points = []
        for size in counts:
            points.append(measure(ranked, size))
            done(f"{name}, {size:,} terms")
        methods.append({"name": name, "points": points})
    return {
        "documents": len(training),
        "tested": len(truth),
        "terms": n_terms,
        "folds": folds,
        "effort": effort,
        "policy": policy,
        "multilabel": multilabel,
        "methods": methods,
        "all_terms": everything,
    }


def _check(rankings: Sequence[str], sizes: Sequence[int]) -> None:
    for name in rankings:
        if name not in ("ocfs", *SCORE_NAMES):
            raise ValueError(f"no ranking {name!r}; there are 'ocfs' and {list(SCORE_NAMES)}")
    if any(size < 1 for size in sizes):
        raise ValueError(f"sizes={list(sizes)}; numbers of terms are at least 1")


def _read(
    source: Any, analyzer: Analyzer, min_df: int, n_jobs: int | None, reading: dict[str, Any]
) -> tuple[TrainingSet, bool]:
    if isinstance(source, TrainingSet):
        return source, not source.labels.single
    corpus = open_corpus(source, **reading)
    return read_training_set(corpus, analyzer, min_df=min_df, n_jobs=n_jobs), corpus.multilabel


def _sample(training: TrainingSet, most: int, seed: int) -> TrainingSet:
    if len(training) <= most:
        return training
    rows = np.random.default_rng(seed).choice(len(training), most, replace=False)
    return training.rows(np.sort(rows))


class _Part(NamedTuple):
    """Documents to learn from, as if there were no others, and to test."""

    train: TrainingSet
    test: TrainingSet

    @property
    def terms(self) -> Any:
        return self.train.terms

    def ranking(self, name: Ranking, policy: PolicyName) -> Ints:
        """The terms from the best to the worst."""
        counts, labels = self.train.counts, self.train.labels
        if name == "ocfs":
            unit = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
            return rank(ocfs_scores(TermStats.from_matrix(unit, labels)))
        return rank(score_terms(TermStats.from_matrix(counts, labels), name, policy))

    def labels_by(self, columns: Ints, multilabel: bool, settings: Settings) -> list[Any]:
        """Label the test documents by what these terms say."""
        train, test = (with_terms(part, np.sort(columns)) for part in self)
        model = learn(train, multilabel, settings)
        scores = scores_of_rows(model, test, np.arange(len(test)))
        names = train.labels.classes
        if multilabel:
            return [names[row].tolist() for row in scores >= model.thresholds]
        best: list[Any] = names[scores.argmax(axis=1)].tolist()
        return best

    def truth(self, multilabel: bool) -> list[Any]:
        """The labels that the test documents have."""
        labels = self.test.labels
        if not multilabel:
            only: list[Any] = labels.classes[labels.ids].tolist()
            return only
        return [names.tolist() for names in np.split(labels.classes[labels.ids], labels.indptr)][
            1:-1
        ]


def _splits(training: TrainingSet, folds: int | None, seed: int) -> list[_Part]:
    labels = training.labels
    size = np.bincount(labels.ids, minlength=len(labels.classes))
    rarest = [
        min(labels.ids[lo:hi].tolist(), key=lambda k: (size[k], k), default=-1)
        for lo, hi in zip(labels.indptr[:-1], labels.indptr[1:], strict=True)
    ]
    fold = deal(np.array(rarest, np.int64), _HELD_OUT if folds is None else folds, seed)
    held = [0] if folds is None else range(folds)
    return [_split(training, fold == number) for number in held]


def _split(training: TrainingSet, tested: Array) -> _Part:
    rows = training.rows(np.flatnonzero(~tested))
    train = as_if_read_alone(rows)
    if len(train.labels.classes) < 2 or not len(train.terms):
        raise TooFewDocumentsError(
            f"{len(training):,} documents are too few to learn from some and to test others: "
            "two classes with terms must be left to learn from"
        )
    # The same columns for both, so that no term need be looked up.
    present = np.flatnonzero(np.bincount(rows.counts.indices, minlength=len(training.terms)))
    return _Part(train, with_terms(training.rows(np.flatnonzero(tested)), present))


def _point(truth: list[Any], said: list[Any], terms: int) -> dict[str, Any]:
    summary = summarize(truth, said)
    tested, right = summary["documents"], round(summary["accuracy"] * summary["documents"])
    tail = (1 - _CONFIDENCE) / 2
    # The corners of Clopper and Pearson's interval, where the distribution does not exist.
    low = beta.ppf(tail, right, tested - right + 1) if right else 0.0
    high = beta.ppf(1 - tail, right + 1, tested - right) if right < tested else 1.0
    return {
        "terms": terms,
        "accuracy": summary["accuracy"],
        "low": float(low),
        "high": float(high),
        "micro_f1": summary["micro"]["f1"],
        "macro_f1": summary["macro"]["f1"],
    }
