"""Statistics in shards: ranges of a hash of the terms, so that no machine has to hold them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from termfold._arrays import Ints
from termfold.stats import TermStats
from termfold.terms.byte_strings import hash_slices
from termfold.terms.texts import utf8_of
from termfold.terms.vocabulary import Vocabulary


def split(stats: TermStats, n_shards: int) -> Iterator[TermStats]:
    """Divide statistics by ranges of the terms' hashes; each shard has all documents.

    Examples
    --------
    >>> from termfold import collect
    >>> stats = collect(["to be or not to be"], labels=["hamlet"])
    >>> joined(list(split(stats, 3))) == stats
    True
    """
    hashes = hash_slices(*utf8_of(_terms(stats).to_arrow()))
    # Of the upper 32 bits, so that the product does not overflow.
    shard_of = ((hashes >> np.uint64(32)) * np.uint64(n_shards)) >> np.uint64(32)
    order = np.argsort(shard_of, kind="stable")
    bounds = np.searchsorted(shard_of[order], np.arange(n_shards + 1, dtype=np.uint64))
    for shard in range(n_shards):
        yield stats.take(order[bounds[shard] : bounds[shard + 1]])


def joined(shards: list[TermStats]) -> TermStats:
    """The inverse of ``split``: shards of the same documents with no term in common."""
    first = shards[0]
    data = np.concatenate([_terms(shard).data for shard in shards])
    sizes = np.concatenate([np.diff(_terms(shard).offsets) for shard in shards])
    terms, ranks = Vocabulary.from_slices(data, _ends(sizes))
    order = np.empty_like(ranks)
    order[ranks] = np.arange(len(ranks))
    lengths = np.concatenate([np.diff(shard.indptr) for shard in shards])
    starts = _ends(lengths)[:-1][order]
    indptr = _ends(lengths[order])
    entries = np.repeat(starts - indptr[:-1], lengths[order]) + np.arange(indptr[-1])
    return replace(
        first,
        terms=terms,
        indptr=indptr,
        class_of=np.concatenate([shard.class_of for shard in shards])[entries],
        df=np.concatenate([shard.df for shard in shards])[entries],
        tf=np.concatenate([shard.tf for shard in shards])[entries],
        term_df=np.concatenate([shard.term_df for shard in shards])[order],
        term_tf=np.concatenate([shard.term_tf for shard in shards])[order],
    )


class Ladder:
    """A sum of many statistics, added like the digits of a binary counter.

    Each rung holds the sum of twice as many as the one below, so that every vocabulary is copied a
    logarithmic number of times, and only so many are held.
    """

    def __init__(self) -> None:
        self._rungs: list[TermStats | None] = []

    def add(self, stats: TermStats) -> None:
        """Add one more."""
        for i, rung in enumerate(self._rungs):
            if rung is None:
                self._rungs[i] = stats
                return
            stats = rung + stats
            self._rungs[i] = None
        self._rungs.append(stats)

    def total(self) -> TermStats:
        """The sum of all that were added."""
        return TermStats.merge(rung for rung in self._rungs if rung is not None)


def _terms(stats: TermStats) -> Vocabulary:
    assert stats.terms is not None, "terms of text have names"
    return stats.terms


def _ends(sizes: Ints) -> Ints:
    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends
