"""Sums of weights of documents of unit length by class: a second pass, with the idf known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Floats
from termfold.corpus.batch import OnError, Skipped
from termfold.project.base import idf_of
from termfold.project.refined_input import Weighting
from termfold.spark.collect import default_shards, merged, parcels_of
from termfold.spark.encoded import Table
from termfold.spark.parcels import Parcel, no_documents
from termfold.spark.reading import Documents, Reading
from termfold.stats import TermStats

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Weights are summed as whole numbers of 2⁻³², which add up the same in any order: two thousand
# million documents before an overflow, and an error of 10⁻¹⁰ at most of each.
_UNIT = 2.0**32


def collect_weights(
    df: DataFrame,
    stats: TermStats,
    text_col: str = "text",
    label_col: str = "label",
    *,
    label_separator: str | None = None,
    multilabel: bool | None = None,
    on_error: OnError = "fail",
    skipped: Skipped | None = None,
    n_shards: int | None = None,
) -> TermStats:
    """Sum the weights of terms by class, each document being of unit length.

    These are the centroids of OCFS: ``OCFS(k).fit_stats(collect_weights(df, stats))``.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
    stats : TermStats
        Of the same documents, as ``collect_stats`` gives; with ``min_df``, only the terms left are
        weighed.
    text_col, label_col, label_separator, multilabel, on_error, skipped, n_shards
        As in ``collect_stats``.

    Returns
    -------
    TermStats
        Its ``tf`` holds sums of (1 + log c) · idf(t), divided by the length of each document.

    Notes
    -----
    Sums of floating-point numbers depend on their order, and tasks have none. So weights are
    rounded to multiples of 2⁻³² and summed as integers: the result is the same for any partitions.
    """
    reading = Reading(text_col, label_col, label_separator, multilabel, on_error)
    n_shards = n_shards or default_shards(df)
    skipped = Skipped() if skipped is None else skipped
    work = partial(_weigh, table=Table(stats), idf=idf_of(stats), n_shards=n_shards)
    sums = merged(df, reading, work, n_shards, 1, skipped)
    if sums is None:
        raise no_documents(skipped)
    return replace(
        sums,
        tf=sums.tf / _UNIT,
        term_tf=sums.term_tf / _UNIT,
        analyzer=stats.analyzer,
        pruned=stats.pruned,
    )


def _weigh(documents: Documents, table: Table, idf: Floats, n_shards: int) -> Iterator[Parcel]:
    weighting = Weighting("sublinear_tfidf", idf, unit_length=True)
    for counts, labels in table.counted(documents):
        weights = weighting(sp.csr_array(counts))
        weights.data = _in_units(weights.data)
        stats = TermStats.from_matrix(weights, labels, terms=table.terms)
        yield from parcels_of(stats, n_shards)


def _in_units(values: Array) -> Array:
    return np.rint(values.astype(np.float64) * _UNIT).astype(np.int64)
