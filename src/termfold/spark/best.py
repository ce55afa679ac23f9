"""Best terms on Spark: two passes with the table known, one for each kind of term."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from termfold._arrays import Array, Ints
from termfold.corpus.batch import OnError, Skipped
from termfold.scores import ScoreLike, resolve
from termfold.select.best_terms import BestTerms
from termfold.select.best_terms_steps import Search
from termfold.spark.encoded import Table
from termfold.spark.parcels import Parcel, no_documents, received, sent
from termfold.spark.reading import Documents, Reading
from termfold.stats import TermStats
from termfold.store import from_bytes, to_bytes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_FOUND = "found"
_KIND, _VERSION = "termfold-best-terms", 1


def best_terms(
    df: DataFrame,
    stats: TermStats,
    text_col: str = "text",
    label_col: str = "label",
    *,
    score: ScoreLike = "or",
    min_precision: float = 0.25,
    label_separator: str | None = None,
    multilabel: bool | None = None,
    on_error: OnError = "fail",
) -> BestTerms:
    """Find the best terms of every class among documents on Spark.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
    stats : TermStats
        Of the same documents, as ``collect_stats`` gives.
    text_col, label_col, label_separator, multilabel, on_error
        As in ``collect_stats``.
    score, min_precision
        As in ``BestTerms``.

    Returns
    -------
    BestTerms
        As if fitted on the matrix of these documents, whose columns are ``stats.terms``.

    Notes
    -----
    The best positive term of a document follows from the table and the document alone. So a first
    pass finds F⁺ of each class, part by part; a second one, with F⁺ known, the documents kept and
    F⁻.
    """
    if not 0 <= min_precision <= 1:
        raise ValueError(f"min_precision must be from 0 to 1, not {min_precision!r}")
    reading = Reading(text_col, label_col, label_separator, multilabel, on_error)
    searching = _Searching(stats, score, min_precision)
    skipped = Skipped()
    parts = [_loaded(parcel) for parcel in received(sent(df, reading, searching.positive), skipped)]
    if not parts:
        raise no_documents(skipped)
    positive = _united(parts, "terms")
    against = received(sent(df, reading, partial(searching.against, positive=positive)), Skipped())
    parts = [_loaded(parcel) for parcel in against]
    found = BestTerms(score, min_precision=min_precision)
    found.classes_ = stats.classes
    found.n_features_in_ = stats.n_terms
    found.positive_terms_ = positive
    found.negative_terms_ = _united(parts, "terms")
    found.n_documents_ = np.sum([part["n_documents"] for part in parts], axis=0)
    return found


class _Searching:
    """The two passes; what travels to the executors."""

    def __init__(self, stats: TermStats, score: ScoreLike, min_precision: float) -> None:
        self.table, self.stats = Table(stats), stats
        self.score, self.min_precision = resolve(score), min_precision

    def _searches(self, documents: Documents) -> Iterator[Search]:
        for counts, labels in self.table.counted(documents):
            yield Search.of_part(counts, labels, self.stats, self.score, self.min_precision)

    def positive(self, documents: Documents) -> Iterator[Parcel]:
        """Send F⁺ of the documents of a part."""
        for search in self._searches(documents):
            terms = [search.positive_of(k) for k in range(search.n_classes)]
            yield _parcel(terms=_flat(terms), sizes=_sizes(terms))

    def against(self, documents: Documents, positive: list[Ints]) -> Iterator[Parcel]:
        """Send F⁻ of the documents of a part, and how many are kept."""
        for search in self._searches(documents):
            found = [search.against(k, positive[k]) for k in range(search.n_classes)]
            terms = [part.negative for part in found]
            n_kept = np.array([np.count_nonzero(part.kept) for part in found], np.int64)
            yield _parcel(terms=_flat(terms), sizes=_sizes(terms), n_documents=n_kept)


def _flat(lists: list[Ints]) -> Ints:
    return np.concatenate(lists).astype(np.int64)


def _sizes(lists: list[Ints]) -> Ints:
    return np.array([len(terms) for terms in lists], np.int64)


def _parcel(**tables: Array) -> Parcel:
    return Parcel(0, _FOUND, to_bytes(_KIND, _VERSION, {}, tables))


def _loaded(parcel: Parcel) -> dict[str, Array]:
    return from_bytes(parcel.content, _KIND, _VERSION, "best terms")[1]


def _united(parts: list[dict[str, Array]], name: str) -> list[Ints]:
    """The terms of each class that any part found, ascending."""
    divided = [np.split(part[name], np.cumsum(part["sizes"])[:-1]) for part in parts]
    return [np.unique(np.concatenate(of_class)) for of_class in zip(*divided, strict=True)]
