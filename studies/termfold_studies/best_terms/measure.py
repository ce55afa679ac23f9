"""Measure best terms and filters by naive Bayes and linear SVM, several labels a document."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termfold import BestTerms, BestTermsClassifier, TermSelector
from termfold.scores import rank, score_classes
from termfold_studies.best_terms.collections import (
    debian_sample,
    development,
    newsgroups,
    reuters,
)
from termfold_studies.best_terms.filters import PresenceBayes, scores_of, svm_predict
from termfold_studies.best_terms.view import DEVELOPMENT, NINE, best, chosen, tested
from termfold_studies.common.collections import Split
from termfold_studies.common.learners import in_turn
from termfold_studies.common.rows import Rows, pack, pick, read_rows, values

#: Terms in all (global), and terms of each class (local).
SIZES = {
    "global": (50, 100, 250, 500, 1000, 2000, 4000, 8000, 16_000),
    "local": (2, 5, 10, 25, 50, 100, 200, 500, 1000, 2000, 4000),
}
SVM_SIZES = (100, 500, 1000, 4000, 8000)
PRECISIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
HEADS = {"naive Bayes": "naive_bayes", "SVM": "svm"}
DAMPINGS = ("rs, d = 0.0001", "rs, d = 0.01", "rs, d = 1")
ALL_TERMS = "all terms"


def measure(rows: Rows, quick: bool) -> None:
    """Everything of the study that the rows lack."""
    if quick:
        _quick(rows, debian_sample())
        return
    splits = [reuters(), newsgroups()]
    for split in splits:
        _collection(rows, split)
        _all_terms(rows, split)
        _bayes_filters(rows, split, NINE)
        _bayes_filters(rows, split, DAMPINGS, ("local",))
        _times(rows, split, ("chi2", "ig", "or", "dia"), 5)
    for head in HEADS:
        for split in splits:
            _best_terms(rows, split, NINE, PRECISIONS, head)
    for split in splits:
        part = development(split)
        _bayes_filters(rows, part, NINE)
        _best_terms(rows, part, NINE, PRECISIONS, "naive Bayes")
    for split in splits:
        _svm_filters(rows, split, NINE)
        _documents_of_filters(rows, split)


def _quick(rows: Rows, split: Split) -> None:
    _collection(rows, split)
    _all_terms(rows, split)
    _bayes_filters(rows, split, ("dia", "mi", "chi2", "df", "rs"))
    _times(rows, split, ("chi2",), 2)
    for head in HEADS:
        _best_terms(rows, split, ("dia", "mi", "chi2"), (0.0, 0.5), head)
    part = development(split)
    _bayes_filters(rows, part, ("chi2",))
    _best_terms(rows, part, ("chi2",), (0.5,), "naive Bayes")
    _svm_filters(rows, split, ("chi2",))
    _documents_of_filters(rows, split)


# -- measurements -----------------------------------------------------------------------------


def _collection(rows: Rows, split: Split) -> None:
    rows.measure(
        _key(split, what="collection"),
        lambda: {
            "documents": [split.counts.shape[0], split.test_counts.shape[0]],
            "terms": split.counts.shape[1],
            "classes": split.y.shape[1],
            "labels_per_document": round(float(split.y.sum() / len(split.y)), 4),
        },
    )


def _all_terms(rows: Rows, split: Split) -> None:
    """No selection at all."""
    everything = np.arange(split.counts.shape[1])

    def bayes() -> NDArray[np.bool_]:
        model = PresenceBayes(split.counts, split.y)
        return model.predict(split.test_counts, everything, len(everything))

    def svm() -> NDArray[np.bool_]:
        return svm_predict(split.counts, split.y, split.test_counts)

    for head, predict in (("naive Bayes", bayes), ("SVM", svm)):
        rows.measure(
            _key(split, method=ALL_TERMS, head=head),
            lambda predict=predict: _f1_of(split.y_test, predict(), documents=True),  # type: ignore[misc]
        )


def _bayes_filters(
    rows: Rows, split: Split, scores: tuple[str, ...], policies: tuple[str, ...] = tuple(SIZES)
) -> None:
    model = PresenceBayes(split.counts, split.y)
    for policy, score in product(policies, scores):
        ranking = None
        for size in SIZES[policy]:
            key = _key(split, method=f"filter, {policy}", score=score, size=size)
            key["head"] = "naive Bayes"
            if size > split.counts.shape[1] or not rows.lacks(**key):
                continue
            ranking = scores_of(split.stats, score, policy) if ranking is None else ranking
            said = partial(model.predict, split.test_counts, ranking, size)
            rows.measure(key, lambda said=said: _f1_of(split.y_test, said(), documents=False))  # type: ignore[misc]


def _svm_filters(rows: Rows, split: Split, scores: tuple[str, ...]) -> None:
    for size, score in product(SVM_SIZES, scores):
        key = _key(split, method="filter, global", score=score, size=size, head="SVM")
        if size > split.counts.shape[1] or not rows.lacks(**key):
            continue
        said = partial(_svm_of, split, score, size)
        rows.measure(key, lambda said=said: _f1_of(split.y_test, said(), documents=False))  # type: ignore[misc]


def _svm_of(split: Split, score: str, size: int) -> NDArray[np.bool_]:
    kept = np.sort(scores_of(split.stats, score, "global")[:size])
    return svm_predict(split.counts[:, kept], split.y, split.test_counts[:, kept])


def _documents_of_filters(rows: Rows, split: Split) -> None:
    """What each document got by the filters that are tested: the best of each score, the chosen.

    For all of the many filters that would be too much to keep.
    """
    known = read_rows(rows.path)
    name = split.collection
    compared = [chosen(known, name, "filter")]
    for head in HEADS:
        of = [row for row in tested(known) if row["collection"] == name and row["head"] == head]
        filters = [row for row in of if row["method"].startswith("filter")]
        scores = [score for score in values(filters, "score") if score in NINE]
        compared += [best(pick(filters, score=score)) for score in scores]
    model = PresenceBayes(split.counts, split.y)
    for row in compared:
        setting = {part: row[part] for part in ("method", "score", "size", "head")}
        if row["head"] == "SVM":
            said = partial(_svm_of, split, row["score"], row["size"])
        else:
            ranking = scores_of(split.stats, row["score"], row["method"].removeprefix("filter, "))
            said = partial(model.predict, split.test_counts, ranking, row["size"])
        rows.measure(
            _key(split, what="documents", **setting),
            lambda said=said: _f1_of(split.y_test, said(), documents=True),  # type: ignore[misc]
        )


def _best_terms(
    rows: Rows, split: Split, scores: tuple[str, ...], precisions: tuple[float, ...], head: str
) -> None:
    for score in scores:
        for precision in precisions:
            key = _key(split, method="best terms", score=score, precision=precision, head=head)

            def run(by: Any = score, precision: float = precision) -> dict[str, Any]:
                classifier = BestTermsClassifier(HEADS[head], by, min_precision=precision)
                classifier.fit(split.counts, split.y)
                said = classifier.predict(split.test_counts).astype(bool)
                compared = split.name != DEVELOPMENT and precision < 1
                return {
                    **_f1_of(split.y_test, said, documents=compared),
                    "features": round(float(classifier.n_features_.mean()), 2),
                    "kept_documents": round(float(classifier.reduction_.mean()), 5),
                }

            rows.measure(key, run)


def _f1_of(truth: NDArray[Any], said: NDArray[np.bool_], *, documents: bool) -> dict[str, Any]:
    """Micro- and macro-F1 over all binary decisions; and what each document adds to the first."""
    truth = truth.astype(bool)
    right, wrong, missed = truth & said, said & ~truth, truth & ~said
    of_class = [part.sum(axis=0) for part in (right, wrong, missed)]
    found: dict[str, Any] = {
        "micro": round(_f1(*(part.sum() for part in of_class)), 5),
        "macro": round(float(np.mean([_f1(*some) for some in zip(*of_class, strict=True)])), 5),
    }
    if documents:
        counts = np.column_stack([part.sum(axis=1) for part in (right, wrong, missed)])
        kinds, which = np.unique(counts, axis=0, return_inverse=True)
        found |= {"outcomes": kinds.tolist(), "of_documents": pack(which.ravel())}
    return found


def _f1(right: Any, wrong: Any, missed: Any) -> float:
    """F1, or 0 of a class that neither is nor was found."""
    return float(2 * right / max(2 * right + wrong + missed, 1))


def _times(rows: Rows, split: Split, scores: tuple[str, ...], repeats: int) -> None:
    """Seconds from the matrix to the matrix of the chosen terms: the paper's comparison."""

    def local(score: str) -> Any:
        ranking = rank(score_classes(_stats(split), score))  # type: ignore[arg-type]
        by_term = split.counts.tocsc()
        return [by_term[:, best] for best in np.sort(ranking[:, :_LOCAL_SIZE])]

    def overall(score: str) -> Any:
        selector: Any = TermSelector(score, k=1000)  # type: ignore[arg-type]
        return selector.fit(split.counts, split.y).transform(split.counts)

    def best_terms(score: str) -> Any:
        return BestTerms(score, min_precision=0.25).fit(split.counts, split.y)  # type: ignore[arg-type]

    for score in scores:
        contenders = {"local filter": local, "global filter": overall, "best terms": best_terms}
        timed = {name: partial(run, score) for name, run in contenders.items()}
        rows.measure(
            _key(split, what="times", score=score, repeats=repeats),
            lambda timed=timed: {"seconds": in_turn(timed, repeats)},  # type: ignore[misc]
        )


_LOCAL_SIZE = 200


def _stats(split: Split) -> Any:
    return type(split.stats).from_matrix(split.counts, split.y)


def _key(split: Split, what: str = "f1", **more: Any) -> dict[str, Any]:
    return {"what": what, "collection": split.collection, "split": split.name, "seed": 0, **more}
