"""Encoders side by side: one for each thread, their ids brought together at the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from termfold._arrays import Array, Ints
from termfold._threads import map_stream, map_threads
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder
from termfold.terms.postings import Postings, count_ids, document_frequencies, scatter
from termfold.terms.vocabulary import Vocabulary


class Encoded(NamedTuple):
    """Texts as the term ids of one of several encoders."""

    encoder: int
    ids: Ints
    indptr: Ints

    @property
    def n_docs(self) -> int:
        """How many texts these are."""
        return len(self.indptr) - 1

    def compact(self) -> Encoded:
        """A copy without the room that the kernel left for more ids.

        To be made by the main thread: what is freed on its heap can be used again by the tables
        that are made of the ids, where each other thread has a heap of its own.
        """
        return self._replace(ids=self.ids.copy())

    def only(self, left: Array) -> Encoded:
        """Some of the texts."""
        sizes = np.diff(self.indptr)
        indptr = np.concatenate([[0], np.cumsum(sizes[left])])
        return Encoded(self.encoder, self.ids[np.repeat(left, sizes)], indptr)


class Encoders:
    """Encoders of several threads, each of which numbers the terms as it meets them.

    Those of a vocabulary all give its ids: they are one.

    Examples
    --------
    >>> encoders = Encoders.growing(Analyzer(), 2)
    >>> parts = [encoders.encode(0, ["be do be"]), encoders.encode(1, ["at", "be"])]
    >>> terms, postings = encoders.postings(parts)
    >>> list(terms), sum(part.df for part in postings).tolist()
    (['at', 'be', 'do'], [1, 2, 1])
    """

    def __init__(self, encoders: list[Encoder]) -> None:
        self._encoders = encoders

    @classmethod
    def growing(cls, analyzer: Analyzer, n_threads: int) -> Encoders:
        """Encoders that know no term yet."""
        return cls([Encoder(analyzer) for _ in range(n_threads)])

    @property
    def numbers(self) -> range:
        """Of the encoders."""
        return range(len(self._encoders))

    def encode(self, number: int, texts: pa.Array) -> Encoded:
        """Encode texts with one of the encoders, which no other thread uses at that time."""
        ids, indptr = self._encoders[number].encode(texts)
        return Encoded(number, ids, indptr)

    def encode_all(self, batches: Iterable[pa.Array]) -> list[Encoded]:
        """Encode batches of texts in threads."""
        return [part.compact() for _, part in map_stream(self.encode, self.numbers, batches)]

    def postings(self, parts: list[Encoded]) -> tuple[Vocabulary, list[Postings]]:
        """Bring parts together: the terms, sorted, and for each encoder its postings.

        Afterwards the list is empty and the encoders are gone, to have their memory.
        """
        terms, ranks = self._join()
        n_docs = 0
        shares: list[list[tuple[int, Encoded]]] = [[] for _ in ranks]
        for part in parts:
            shares[part.encoder].append((n_docs, part))
            n_docs += part.n_docs
        parts.clear()

        def inverted(encoder: int) -> Postings:
            return _inverted(shares[encoder], ranks[encoder], len(terms), n_docs)

        return terms, map_threads(inverted, range(len(shares)), len(shares))

    def _join(self) -> tuple[Vocabulary, list[Ints]]:
        """Unite the encoders' terms; tell the place there of each id that one has given."""
        known = self._encoders[0].known
        if known is not None:
            return known, [np.arange(len(known))] * len(self._encoders)
        # Taken out, so that each is freed when its terms are sorted.
        union, ranks = self._encoders.pop().vocabulary()
        places = [ranks]
        while self._encoders:
            vocabulary, ranks = self._encoders.pop().vocabulary()
            union, from_union, from_other = union.union(vocabulary)
            moved = np.flatnonzero(from_union >= 0)
            places = [moved[ranks] for ranks in places]
            places.append(np.flatnonzero(from_other >= 0)[ranks])
        return union, places[::-1]


def _inverted(parts: list[tuple[int, Encoded]], ranks: Ints, n_terms: int, n_docs: int) -> Postings:
    """Sort the ids that an encoder gave by their terms; each part is freed when it is through."""
    counts = np.zeros(len(ranks), np.int64)
    for _, part in parts:
        count_ids(part.ids, counts)
    indptr = np.zeros(n_terms + 1, np.int64)
    indptr[1:][ranks] = counts
    np.cumsum(indptr, out=indptr)
    free = indptr[ranks]
    docs = np.empty(indptr[-1], np.int32)
    while parts:
        first_doc, part = parts.pop(0)
        scatter(part.ids, part.indptr, first_doc, free, docs)
    return Postings(indptr, docs, document_frequencies(indptr, docs), n_docs)
