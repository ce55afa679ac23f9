"""Measure selections of terms by a linear SVM, their overlap and their time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from termfold import OCFS, TermSelector
from termfold.datasets import (
    load_20newsgroups,
    load_debian,
    load_debian_full,
    load_reuters21578,
)
from termfold.scores import ocfs_scores, rank, score_terms
from termfold.stats import TermStats
from termfold_studies.common.collections import Split, count, random_splits
from termfold_studies.common.learners import in_turn, learn_and_test, linear_svm
from termfold_studies.common.rows import Rows, pack
from termfold_studies.ocfs.methods import EXTENSIONS, OTHERS, PAPER, SIZES, input_of, selector

_FEWER_SIZES = (10, 100, 1000)
_REPEATS = 5
_TEST_SHARE = 0.4  # as in the published division of 20 Newsgroups
_WRONG = (0.05, 0.2)
_ENERGIES = (0.5, 0.8, 0.9)


def measure(rows: Rows, quick: bool) -> None:
    """Everything of the study that the rows lack."""
    if quick:
        split = _debian_sample()
        _accuracy(rows, split, (*PAPER, EXTENSIONS[0], EXTENSIONS[2]), _FEWER_SIZES)
        _overlap(rows, split, _FEWER_SIZES)
        _times(rows, split, repeats=3)
        _energy(rows, split)
        _again(rows, split, repeats=2, sizes=_FEWER_SIZES[:1])
        _mislabelled(rows, split, repeats=2, sizes=_FEWER_SIZES[:2])
        return
    splits = [make() for make in (_comp, _newsgroups, _reuters, _debian)]
    for split in splits:
        _accuracy(rows, split, PAPER, SIZES)
        _overlap(rows, split, SIZES)
        _times(rows, split, repeats=9)
        _energy(rows, split)
    for split in splits[:2]:
        _again(rows, split, _REPEATS, (10, 100, 1000))
        _mislabelled(rows, split, _REPEATS, (10, 100, 1000))
    # The largest collection takes as long as the others together: fewer sizes, and last.
    *smaller, largest = splits
    for split in smaller:
        _accuracy(rows, split, EXTENSIONS, SIZES)
    for split in smaller:
        _accuracy(rows, split, OTHERS, _FEWER_SIZES)
    _accuracy(rows, largest, EXTENSIONS, _FEWER_SIZES)


# -- collections ------------------------------------------------------------------------------


def _debian_sample() -> Split:
    name = "Debian, 12 sections (built in)"
    return count(name, "by source package", load_debian("train"), load_debian("test"))


def _newsgroups() -> Split:
    train, test = load_20newsgroups("train"), load_20newsgroups("test")
    return count("20 Newsgroups", "bydate", train, test)


def _comp() -> Split:
    return _only(_newsgroups(), "comp.*, 5 groups", lambda label: label.startswith("comp."))


def _only(split: Split, name: str, keep: Callable[[str], bool]) -> Split:
    train, test = (np.array([keep(label) for label in y.tolist()]) for y in (split.y, split.y_test))
    # Columns of terms that only other groups have are empty: a term is what the training has.
    kept = np.flatnonzero(np.diff(split.counts[train].tocsc().indptr))
    return Split(
        name,
        split.name,
        split.counts[train][:, kept].tocsr(),
        split.y[train],
        split.test_counts[test][:, kept].tocsr(),
        split.y_test[test],
        [split.terms[int(i)] for i in kept],
    )


def _reuters() -> Split:
    train, test = load_reuters21578("train"), load_reuters21578("test")
    return count("Reuters-21578, first topic", "ModApte", train, test, first_label=True)


def _debian() -> Split:
    train, test = load_debian_full("train"), load_debian_full("test")
    return count("Debian, 58 sections", "by source package", train, test)


# -- measurements -----------------------------------------------------------------------------


def _accuracy(rows: Rows, split: Split, methods: tuple[str, ...], sizes: tuple[int, ...]) -> None:
    """Micro-F1, which is accuracy where a document has one label."""
    for method in (*methods, "all terms") if set(PAPER) <= set(methods) else methods:
        of_method = sizes if method != "all terms" else (split.counts.shape[1],)
        ranking = None
        for size in of_method:
            key = _key(split, method=method, size=size)
            if not rows.lacks(**key):
                continue
            if ranking is None or method.startswith("ocfs, then"):
                ranking = _ranking(method, split, size)
            columns = np.sort(ranking[:size])

            def run(columns: Any = columns) -> dict[str, Any]:
                found = _classify(split, columns)
                return _light(found) if methods == OTHERS else found

            rows.measure(key, run)


def _ranking(method: str, split: Split, size: int) -> Any:
    if method == "all terms":
        return np.arange(split.counts.shape[1])
    return selector(method, size).fit(input_of(method, split), split.y).ranking_


def _classify(split: Split, columns: Any) -> dict[str, Any]:
    X, X_test = split.tfidf
    right, times = learn_and_test(
        linear_svm(), X[:, columns].tocsr(), split.y, X_test[:, columns].tocsr(), split.y_test
    )
    found: dict[str, Any] = {"f1": round(float(right.mean()), 5), **times}
    # Documents that keep no term at all are decided by the intercepts alone.
    found["empty"] = int(np.count_nonzero(np.diff(X_test[:, columns].tocsr().indptr) == 0))
    found["right"] = pack(right)
    return found


def _again(rows: Rows, split: Split, repeats: int, sizes: tuple[int, ...]) -> None:
    """The three of the paper on random divisions of the training documents."""
    for seed, train, test in random_splits(len(split.y), repeats, _TEST_SHARE):
        part = None
        for method in PAPER:
            for size in sizes:
                key = _key(split, method=method, size=size)
                key |= {"split": "random 60/40 of the training documents", "seed": seed}
                if rows.lacks(**key):
                    part = part or split.subset("random", train, test)
                    columns = np.sort(_ranking(method, part, size)[:size])
                    rows.measure(key, lambda p=part, c=columns: _light(_classify(p, c)))  # type: ignore[misc]


def _mislabelled(rows: Rows, split: Split, repeats: int, sizes: tuple[int, ...]) -> None:
    """How many of the kept terms stay where some training documents get the label of another."""
    true = {method: _ranking(method, split, 1) for method in PAPER}
    for share in _WRONG:
        for seed in range(repeats):
            key = _key(split, what="mislabelled", share=share, sizes=list(sizes)) | {"seed": seed}
            if not rows.lacks(**key):
                continue
            generator = np.random.default_rng(seed)
            hit = generator.random(len(split.y)) < share
            y = split.y.copy()
            y[hit] = generator.permutation(y[hit])
            wrong = replace(split, y=y)

            rows.measure(key, lambda wrong=wrong: _staying(true, wrong, sizes))  # type: ignore[misc]


def _staying(true: dict[str, Any], wrong: Split, sizes: tuple[int, ...]) -> dict[str, Any]:
    """The share of the best terms that are still among the best."""
    found = {method: _ranking(method, wrong, 1) for method in PAPER}
    stay = {
        method: [
            len(np.intersect1d(true[method][:size], found[method][:size])) / size for size in sizes
        ]
        for method in PAPER
    }
    return {"stay": stay}


def _light(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "right"}


def _overlap(rows: Rows, split: Split, sizes: tuple[int, ...]) -> None:
    def run() -> dict[str, Any]:
        rankings = {method: _ranking(method, split, sizes[0]) for method in PAPER}
        best = {method: ranking[: sizes[0]].tolist() for method, ranking in rankings.items()}
        return {
            "shared": {
                f"{first} and {second}": [
                    len(np.intersect1d(rankings[first][:size], rankings[second][:size]))
                    for size in sizes
                ]
                for first, second in combinations(PAPER, 2)
            },
            "best": {name: [split.terms[i] for i in columns] for name, columns in best.items()},
            "terms": split.counts.shape[1],
            "documents": [split.counts.shape[0], split.test_counts.shape[0]],
            "classes": len(np.unique(split.y)),
        }

    rows.measure(_key(split, what="overlap", sizes=list(sizes)), run)


def _times(rows: Rows, split: Split, repeats: int) -> None:
    """Seconds from the matrix to the ranking, and from the sums to the ranking."""

    def run() -> dict[str, Any]:
        X = split.tfidf[0]
        by_weight = TermStats.from_matrix(X, split.y)
        stats = split.stats
        return {
            "seconds": {
                "matrix to ranking": in_turn(
                    {
                        "ocfs": lambda: OCFS().fit(X, split.y).ranking_,
                        "ig": lambda: TermSelector("ig", "joint").fit(split.counts, split.y),
                        "chi2": lambda: TermSelector("chi2", "mean").fit(split.counts, split.y),
                    },
                    repeats,
                ),
                "sums to ranking": in_turn(
                    {
                        "ocfs": lambda: rank(ocfs_scores(by_weight)),
                        "ig": lambda: rank(score_terms(stats, "ig", "joint")),
                        "chi2": lambda: rank(score_terms(stats, "chi2", "mean")),
                    },
                    repeats,
                ),
                "sums to scores": in_turn(
                    {
                        "ocfs": lambda: ocfs_scores(by_weight),
                        "ig": lambda: score_terms(stats, "ig", "joint"),
                        "chi2": lambda: score_terms(stats, "chi2", "mean"),
                    },
                    repeats,
                ),
            }
        }

    rows.measure(_key(split, what="times", repeats=repeats), run)


def _energy(rows: Rows, split: Split) -> None:
    """How many terms a share of the energy takes, and how well they classify."""
    scores = None
    for energy in _ENERGIES:
        key = _key(split, what="energy", energy=energy)
        if not rows.lacks(**key):
            continue
        if scores is None:
            scores = np.sort(OCFS().fit(split.tfidf[0], split.y).scores_)[::-1]
        columns = OCFS(energy=energy).fit(split.tfidf[0], split.y).get_support(indices=True)
        share = np.cumsum(scores)[len(columns) - 1] / scores.sum()

        def run(columns: Any = columns, share: float = float(share)) -> dict[str, Any]:
            return {**_light(_classify(split, columns)), "size": len(columns), "share": share}

        rows.measure(key, run)


def _key(split: Split, what: str = "f1", **more: Any) -> dict[str, Any]:
    return {"what": what, "collection": split.collection, "split": split.name, "seed": 0, **more}
