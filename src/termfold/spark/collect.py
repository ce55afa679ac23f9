"""The one pass on Spark: from a data frame of labelled documents to ``TermStats``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from termfold.collecting import Accumulator
from termfold.corpus.batch import OnError, Skipped
from termfold.spark.parcels import SCHEMA, Parcel, Work, no_documents, parcels_in, received, sent
from termfold.spark.reading import Documents, Reading
from termfold.spark.shards import Ladder, joined, split
from termfold.stats import TermStats
from termfold.stats import file as stats_file
from termfold.terms.analyzer import Analyzer

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_STATS = "stats"
# An executor's vocabulary is sent off when it has so many terms: some 400 MB.
_TERMS_HELD = 4_000_000
_MOST_SHARDS = 512
_SHARDS_PER_CORE = 4


def collect_stats(
    df: DataFrame,
    text_col: str = "text",
    label_col: str = "label",
    *,
    analyzer: Analyzer | None = None,
    min_df: int = 1,
    label_separator: str | None = None,
    multilabel: bool | None = None,
    on_error: OnError = "fail",
    skipped: Skipped | None = None,
    n_shards: int | None = None,
) -> TermStats:
    """Count the terms of labelled documents by class, in one pass over a Spark data frame.

    The result is that of ``termfold.collect`` on the same documents, to the last bit, however the
    data frame is partitioned, and whether or not tasks had to be repeated.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
    text_col : str
        Column of the texts.
    label_col : str
        Column of the classes: strings, numbers, or lists of these.
    analyzer : Analyzer, optional
        What a term is.
    min_df : int, default=1
        Leave out terms in fewer documents of all. They never reach the driver, so that a
        vocabulary may be larger than its memory. The result then no longer adds, as after
        ``TermStats.prune``.
    label_separator : str, optional
        What stands between several labels in one string.
    multilabel : bool, optional
        May a document have no or several labels? By default, if the labels are lists or a
        separator is given.
    on_error : {"fail", "skip"}
        Whether a row without a text or label is an error, or is left out and counted.
    skipped : Skipped, optional
        Is told the rows left out.
    n_shards : int, optional
        Parts of the vocabulary that are merged by themselves. By default four for each core, at
        most 512; more, where a part is too large for an executor.

    Returns
    -------
    TermStats

    Notes
    -----
    Each task counts its partition and splits the result by ranges of a hash of the terms. The
    parts of a range meet in one task, which adds them pairwise and prunes. So no machine holds
    the whole vocabulary before it is pruned.

    Examples
    --------
    >>> stats = collect_stats(spark.table("tickets"), "body", "queue", min_df=2)  # doctest: +SKIP
    """
    reading = Reading(text_col, label_col, label_separator, multilabel, on_error)
    n_shards = n_shards or default_shards(df)
    skipped = Skipped() if skipped is None else skipped
    work = partial(_count, analyzer=analyzer or Analyzer(), n_shards=n_shards)
    stats = merged(df, reading, work, n_shards, min_df, skipped)
    if stats is None:
        raise no_documents(skipped)
    return replace(stats, pruned=True) if min_df > 1 else stats


def merged(
    df: DataFrame, reading: Reading, work: Work, n_shards: int, min_df: int, skipped: Skipped
) -> TermStats | None:
    """Have executors make statistics in shards, and add them; None if there are no documents."""
    parts = sent(df, reading, work).repartitionById(n_shards, "shard")
    sums = parts.mapInArrow(partial(_merge, min_df=min_df), SCHEMA)
    shards = [stats_file.loads(parcel.content) for parcel in received(sums, skipped)]
    return joined(shards) if shards else None


def _count(documents: Documents, analyzer: Analyzer, n_shards: int) -> Iterator[Parcel]:
    """Count a partition; in several parts, where it has very many terms."""
    accumulator = Accumulator(analyzer)
    for batch in documents:
        accumulator.add(batch)
        if accumulator.n_terms > _TERMS_HELD:
            yield from parcels_of(accumulator.stats(), n_shards)
            accumulator = Accumulator(analyzer)
    stats = accumulator.stats()
    if stats.n_docs:
        yield from parcels_of(stats, n_shards)


def parcels_of(stats: TermStats, n_shards: int) -> Iterator[Parcel]:
    """Statistics in shards."""
    for shard, part in enumerate(split(stats, n_shards)):
        yield Parcel(shard, _STATS, stats_file.dumps(part))


def _merge(rows: Iterator[pa.RecordBatch], min_df: int) -> Iterator[pa.RecordBatch]:
    """Add the parts of a shard, and leave out its rare terms; pass on what is no statistics."""
    shards: dict[int, Ladder] = {}
    for parcel in parcels_in(rows):
        if parcel.what == _STATS:
            shards.setdefault(parcel.shard, Ladder()).add(stats_file.loads(parcel.content))
        else:
            yield parcel.row()
    for shard, ladder in shards.items():
        total = ladder.total()
        # Not ``prune``, whose result would not go together with the other shards.
        kept = total if min_df == 1 else total.take(np.flatnonzero(total.term_df >= min_df))
        yield Parcel(shard, _STATS, stats_file.dumps(kept)).row()


def default_shards(df: DataFrame) -> int:
    """A few for each core."""
    cores: int = df.sparkSession.sparkContext.defaultParallelism
    return min(_MOST_SHARDS, _SHARDS_PER_CORE * cores)
