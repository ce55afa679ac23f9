"""Rows on best terms, as tables and claims look at them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from termfold_studies.common.rows import Row, pick, unpack, values
from termfold_studies.common.significance import Difference, over_documents

NINE = ("dia", "mi", "or", "ngl", "chi2", "ig", "gss", "rs", "df")
DEVELOPMENT = "a third of the training documents"


def tested(rows: list[Row]) -> list[Row]:
    """F1 on the test documents."""
    return [row for row in pick(rows, what="f1") if row["split"] != DEVELOPMENT]


def collections_of(rows: list[Row]) -> list[str]:
    """The collections, in the order of the study."""
    return values(pick(rows, what="collection"), "collection")


def filters(rows: list[Row], collection: str, head: str, score: str | None = None) -> list[Row]:
    """Rows of filters of the nine scores, or of one."""
    of = pick(rows, collection=collection, head=head)
    names = NINE if score is None else (score,)
    return [r for r in of if r["method"].startswith("filter") and r["score"] in names]


def best(rows: list[Row], by: str = "micro") -> Row:
    """The row with the highest F1; the first of equal ones."""
    return max(rows, key=lambda row: float(row[by]))


def chosen(rows: list[Row], collection: str, kind: str) -> Row:
    """The test row of what was best on the development documents, with naive Bayes."""
    of = pick(rows, what="f1", collection=collection, head="naive Bayes", split=DEVELOPMENT)
    of = [row for row in of if row["method"].startswith(kind)]
    names = ("method", "score", "size", "precision")
    setting = {name: best(of)[name] for name in names if name in of[0]}
    return pick(tested(rows), collection=collection, head="naive Bayes", **setting)[0]


def outcomes(rows: list[Row], row: Row) -> NDArray[np.int64]:
    """Of each document its labels rightly given, wrongly given and missed."""
    if "outcomes" not in row:
        same = {n: row[n] for n in ("collection", "method", "score", "size", "head")}
        row = pick(rows, what="documents", **same)[0]
    kinds: NDArray[np.int64] = np.array(row["outcomes"], np.int64)
    return kinds[unpack(row["of_documents"])]


def compare(rows: list[Row], first: Row, second: Row) -> Difference:
    """Difference in micro-F1, by the bootstrap over documents."""
    return over_documents(outcomes(rows, first), outcomes(rows, second))


def setting(row: Row) -> str:
    """What a row is of, in words."""
    if row["method"] == "best terms":
        return f"best terms by {row['score']}, p = {row['precision']}"
    terms: dict[str, Any] = {"filter, local": "terms a class", "filter, global": "terms in all"}
    return f"{row['score']}, {row['size']:,} {terms[row['method']]}"
