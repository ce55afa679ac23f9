"""Rows on OCFS, as tables and claims look at them."""

from __future__ import annotations

from typing import Any

from termfold_studies.common.rows import Row, pick, unpack, values
from termfold_studies.common.significance import Difference, over_documents


def published(rows: list[Row]) -> list[Row]:
    """Micro-F1 on the divisions that the collections come with."""
    return [row for row in pick(rows, what="f1") if not row["split"].startswith("random")]


def collections_of(rows: list[Row]) -> list[str]:
    """The collections, in the order of the study."""
    return values(pick(published(rows), method="ocfs"), "collection")


def compare(rows: list[Row], collection: str, size: int, first: str, second: str) -> Difference:
    """Difference in micro-F1 of two methods over the test documents."""
    of = pick(published(rows), collection=collection, size=size)
    right, other = (unpack(pick(of, method=m)[0]["right"]) for m in (first, second))
    return over_documents(right, other)


def ratios(taken: dict[str, Any], method: str) -> list[float]:
    """How many times as long as OCFS a method took, round by round."""
    return [m / o for m, o in zip(taken[method]["cpu"], taken["ocfs"]["cpu"], strict=True)]
