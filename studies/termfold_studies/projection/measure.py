"""Measure χ² of occurrences, term projection and latent semantic analysis."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from termfold_studies.common.collections import Split
from termfold_studies.common.rows import Rows
from termfold_studies.projection.collections import (
    between_sources,
    debian_sample,
    divided,
    published,
)
from termfold_studies.projection.methods import (
    FORMS,
    latent,
    projected,
    ranking_of,
    selected_svm,
)

DIMENSIONS = (100, 200, 500, 1000, 2000, 4000, 10_000, 20_000, 60_000)
N_TERMS = (100, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, None)
SCORES = ("chi2", "chi2_tf")
# Of the largest collections fewer settings are tried, to stay within the time of all studies.
_MANY_DOCS = 30_000
_MANY_FOR_LATENT = 10_000
_FEWER_TERMS = (1000, 10_000, None)
_REPEATS = 5


def measure(rows: Rows, quick: bool) -> None:
    """Everything of the study that the rows lack."""
    if quick:
        split = debian_sample()
        _collection(rows, split, 0)
        _selected(rows, split, 0, (100, 200, 4000))
        _projected(rows, split, 0, (100, 4000, None))
        _latent(rows, split, 0, (100,))
        return
    for split in chain(between_sources(), published()):
        n_docs = split.counts.shape[0]
        _collection(rows, split, 0)
        _selected(rows, split, 0, DIMENSIONS)
        _projected(rows, split, 0, _FEWER_TERMS if n_docs > _MANY_DOCS else N_TERMS)
        _latent(rows, split, 0, (100,) if n_docs > _MANY_FOR_LATENT else (100, 200))
    for seed, split in divided(_REPEATS):
        _collection(rows, split, seed)
        _selected(rows, split, seed, DIMENSIONS, light=True)
        _projected(rows, split, seed, N_TERMS, light=True)
        _latent(rows, split, seed, (100, 200), light=True)


def _collection(rows: Rows, split: Split, seed: int) -> None:
    rows.measure(
        _key(split, seed, what="collection"),
        lambda: {
            "documents": [split.counts.shape[0], split.test_counts.shape[0]],
            "terms": split.counts.shape[1],
            "classes": len(np.unique(split.y)),
        },
    )


def _selected(
    rows: Rows, split: Split, seed: int, sizes: tuple[int, ...], *, light: bool = False
) -> None:
    """Selected terms and a linear SVM, up to all terms there are."""
    n_terms = split.counts.shape[1]
    for score in SCORES:
        ranking = None
        for size in (*(size for size in sizes if size < n_terms), n_terms):
            if size == n_terms and score != SCORES[0]:
                continue  # all terms are the same by any score
            key = _key(split, seed, what="selected", score=score, size=size)
            if not rows.lacks(**key):
                continue
            if ranking is None:
                ranking = ranking_of(split, score)
            rows.measure(
                key,
                lambda score=score, size=size, ranking=ranking: _lighter(  # type: ignore[misc]
                    selected_svm(split, score, size, ranking), light
                ),
            )


def _projected(
    rows: Rows, split: Split, seed: int, n_terms: tuple[int | None, ...], *, light: bool = False
) -> None:
    for form in FORMS:
        for kept in n_terms:
            if kept is not None and kept >= split.counts.shape[1]:
                continue
            rows.measure(
                _key(split, seed, what="projected", form=form, n_terms=kept),
                lambda form=form, kept=kept: _lighter(projected(split, kept, form), light),  # type: ignore[misc]
            )


def _latent(
    rows: Rows, split: Split, seed: int, dimensions: tuple[int, ...], *, light: bool = False
) -> None:
    for size in (len(np.unique(split.y)), *dimensions):
        rows.measure(
            _key(split, seed, what="latent", size=size),
            lambda size=size: _lighter(latent(split, size), light),  # type: ignore[misc]
        )


def _lighter(found: dict[str, Any], light: bool) -> dict[str, Any]:
    """Leave out what each document got where it is not compared: over splits, and of some heads."""
    if light:
        found = {name: value for name, value in found.items() if name != "right"}
    for head, result in found.get("heads", {}).items():
        if light or head not in ("largest feature", "SVM"):
            result.pop("right", None)
    return found


def _key(split: Split, seed: int, **more: Any) -> dict[str, Any]:
    return {"collection": split.collection, "split": split.name, "seed": seed, **more}
