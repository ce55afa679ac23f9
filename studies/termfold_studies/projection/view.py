"""Rows on term projection, as tables and claims look at them."""

from __future__ import annotations

import statistics
from typing import Any

from termfold_studies.common.rows import Row, pick, unpack, values
from termfold_studies.common.significance import Difference, over_documents, over_splits

TEST_SHARE = 0.33
ALL = "all"


def complete(rows: list[Row]) -> list[Row]:
    """Rows of the divisions that were measured to the end; a run may have been cut short."""
    ended = {(r["collection"], r["seed"]) for r in pick(rows, what="latent", size=100)}
    return [row for row in rows if (row["collection"], row["seed"]) in ended]


def collections_of(rows: list[Row], *, between: bool | None = None) -> list[str]:
    """The collections; those of two sources, those of one, or both."""
    names = values(pick(rows, what="collection"), "collection")
    return [n for n in names if between is None or ("→" in n) == between]


def n_terms(rows: list[Row], name: str) -> int:
    """Terms of the training documents, on average of the divisions."""
    return round(
        statistics.mean(float(r["terms"]) for r in pick(rows, what="collection", collection=name))
    )


def n_classes(rows: list[Row], name: str) -> int:
    """Classes of a collection."""
    return int(pick(rows, what="collection", collection=name)[0]["classes"])


def selected(rows: list[Row], name: str, score: str, size: int | str) -> list[Row]:
    """Rows of selected terms and an SVM, one a division; of all terms, whatever their number."""
    of = pick(rows, what="selected", collection=name)
    if size == ALL:
        totals = {r["seed"]: r["terms"] for r in pick(rows, what="collection", collection=name)}
        return [r for r in of if r["size"] == totals[r["seed"]]]
    return pick(of, score=score, size=size)


def sizes_of(rows: list[Row], name: str) -> list[int]:
    """Numbers of selected terms that both scores have, but not all terms."""
    return sorted(values(pick(rows, what="selected", collection=name, score="chi2_tf"), "size"))


def heads(rows: list[Row], name: str, form: str, terms: int | None, head: str) -> list[Row]:
    """What a classifier gave on K features: rows of its own, with the times of the projection."""
    of = pick(rows, what="projected", collection=name, form=form, n_terms=terms)
    return [
        {**row["heads"][head], "seed": row["seed"], "seconds": row["seconds"], "kept": row["kept"]}
        for row in of
        if head in row["heads"]
    ]


def cuts_of(rows: list[Row], name: str) -> list[int | None]:
    """How many terms the projection looked at; None, the last, for all."""
    found = values(pick(rows, what="projected", collection=name), "n_terms")
    return [*sorted(cut for cut in found if cut is not None), *([None] if None in found else [])]


def latent(rows: list[Row], name: str, size: int) -> list[Row]:
    """Rows of latent semantic analysis."""
    return pick(rows, what="latent", collection=name, size=size)


def f1(rows: list[Row]) -> float | None:
    """Mean micro-F1 of the divisions."""
    return statistics.mean(row["f1"] for row in rows) if rows else None


def compare(first: list[Row], second: list[Row]) -> Difference:
    """Over documents where there is one division, else over the divisions."""
    if len(first) == 1 and "right" in first[0] and "right" in second[0]:
        return over_documents(unpack(first[0]["right"]), unpack(second[0]["right"]))
    by_seed: dict[Any, Row] = {row["seed"]: row for row in second}
    gaps = [row["f1"] - by_seed[row["seed"]]["f1"] for row in first if row["seed"] in by_seed]
    return over_splits(gaps, TEST_SHARE)
