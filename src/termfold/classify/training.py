"""Training documents as counts: read once in threads, the same result whatever their number."""

from __future__ import annotations

import itertools
import queue
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold._threads import map_threads, thread_count
from termfold.classify.sample import Chosen, Sample
from termfold.corpus import Batch, Corpus
from termfold.errors import CorpusError
from termfold.stats import Labels
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder
from termfold.terms.postings import Postings, concatenated, invert, rows_of
from termfold.terms.vocabulary import EMPTY, Vocabulary


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Labelled documents as a sparse document × term matrix.

    Parameters
    ----------
    terms : Vocabulary
        The terms in at least ``min_df`` documents, sorted: the columns.
    counts : csr_matrix of float32
        How often each document holds each term.
    labels : Labels
    n_read : int
        Documents read, of which these may be a sample.
    """

    terms: Vocabulary
    counts: sp.csr_matrix
    labels: Labels
    n_read: int = 0

    def __len__(self) -> int:
        return len(self.labels)

    def rows(self, keep: Ints) -> TrainingSet:
        """Some of the documents, with all terms and classes."""
        return TrainingSet(self.terms, self.counts[keep], self.labels.take(keep))


class _Part(NamedTuple):
    """A batch as one reader has seen it: the documents chosen, the labels of all."""

    reader: int
    ids: Ints
    indptr: Ints
    chosen: Chosen
    labels: pa.ListArray | None
    n_docs: int

    def only(self, left: Array) -> _Part:
        """The part with some of the documents chosen."""
        sizes = np.diff(self.indptr)
        return self._replace(
            ids=self.ids[np.repeat(left, sizes)],
            indptr=np.concatenate([[0], np.cumsum(sizes[left])]),
            chosen=Chosen(*(values[left] for values in self.chosen)),
        )


def read_training_set(
    corpus: Corpus,
    analyzer: Analyzer,
    *,
    labels: Labels | None = None,
    min_df: int = 1,
    max_bytes: int | None = None,
    n_jobs: int | None = -1,
    progress: Callable[[Corpus, Batch], None] | None = None,
) -> TrainingSet:
    """Read a labelled corpus into memory as counts: about eight bytes per term of each document.

    Every thread numbers the terms as it meets them; when all is read, the vocabularies are joined
    and sorted, and each batch is renumbered. Of more than ``max_bytes`` of text a random sample
    is kept.
    """
    n_threads = thread_count(n_jobs)
    encoders = [Encoder(analyzer) for _ in range(n_threads)]
    sample = Sample(max_bytes)
    idle: queue.SimpleQueue[int] = queue.SimpleQueue()
    for reader in range(n_threads):
        idle.put(reader)

    def encode(batch: Batch) -> _Part:
        if batch.labels is None and labels is None:
            raise CorpusError(f"{batch.source}: read without labels; name their column with label=")
        chosen = sample.choose(batch.text)
        texts = batch.text
        if len(chosen.rows) < len(texts):
            texts = texts.take(pa.array(chosen.rows))
        reader = idle.get()
        try:
            ids, indptr = encoders[reader].encode(texts)
            return _Part(reader, ids, indptr, chosen, batch.labels, len(batch))
        finally:
            idle.put(reader)

    parts: list[_Part] = []
    waiting: deque[tuple[Future[_Part], Batch]] = deque()

    def finish() -> None:
        future, batch = waiting.popleft()
        part = future.result()
        if max_bytes is not None:  # the bar may be lower than when its texts were chosen
            part = part.only(sample.below(part.chosen.hashes))
        parts.append(part)
        if sample.add(parts[-1].chosen):
            left = sample.lower([part.chosen for part in parts])
            parts[:] = [part.only(kept) for part, kept in zip(parts, left, strict=True)]
        if progress is not None:
            progress(corpus, batch)

    with ThreadPoolExecutor(n_threads) as pool:
        for batch in corpus:
            waiting.append((pool.submit(encode, batch), batch))
            if len(waiting) > n_threads:
                finish()
        while waiting:
            finish()
    if labels is None:
        labels = _labels_of([part.labels for part in parts])
    starts = np.cumsum([0] + [part.n_docs for part in parts])
    if starts[-1] != len(labels):
        raise ValueError(f"{starts[-1]:,} texts, but {len(labels):,} labels")
    if max_bytes is not None:
        rows = [part.chosen.rows + start for part, start in zip(parts, starts, strict=False)]
        labels = labels.take(np.concatenate(rows))
    terms, places = _join([encoder.vocabulary() for encoder in encoders])
    groups = _groups(parts, n_threads)
    encoders.clear()

    def inverted(group: list[_Part]) -> Postings:
        ids = np.concatenate([places[part.reader][part.ids] for part in group])
        sizes = np.concatenate([np.diff(part.indptr) for part in group])
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        return Postings(*invert(ids, indptr, np.arange(len(terms))))

    postings = map_threads(inverted, groups, n_threads)
    kept = np.sum([posting.df for posting in postings], axis=0) >= max(1, min_df)
    position = np.where(kept, np.cumsum(kept) - 1, -1)
    zero = np.zeros(0, np.float32)
    csr = map_threads(lambda posting: rows_of(posting, position, zero), postings, n_threads)
    indptr, indices, data = concatenated(csr)
    counts = sp.csr_matrix((data, indices, indptr), (len(indptr) - 1, int(kept.sum())))
    counts.has_sorted_indices = True
    counts.has_canonical_format = True
    return TrainingSet(terms.take(np.flatnonzero(kept)), counts, labels, int(starts[-1]))


def _join(vocabularies: list[tuple[Vocabulary, Ints]]) -> tuple[Vocabulary, list[Ints]]:
    """Unite the readers' terms; tell the place there of each id that a reader has given."""
    union = EMPTY
    for vocabulary, _ in vocabularies:
        union = union.union(vocabulary)[0]
    places: list[Ints] = []
    for vocabulary, ranks in vocabularies:
        _, _, from_part = union.union(vocabulary)
        places.append(np.flatnonzero(from_part >= 0).astype(np.int32)[ranks])
    return union, places


def _groups(parts: list[_Part], n_groups: int) -> list[list[_Part]]:
    """Divide batches into runs of about equally many terms.

    Few, since each is inverted by itself, with room for every term of the vocabulary.
    """
    ends = np.cumsum([len(part.ids) for part in parts])
    cuts = np.searchsorted(ends, np.linspace(0, ends[-1], n_groups + 1)[1:-1])
    bounds = np.unique([0, *cuts, len(parts)]).tolist()
    return [parts[lo:hi] for lo, hi in itertools.pairwise(bounds)]


def _labels_of(parts: list[Any]) -> Labels:
    """Join the labels of batches."""
    flat = pa.chunked_array([part.flatten() for part in parts], pa.string())
    coded = flat.combine_chunks().dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.combine_chunks()
    names = np.array(coded.dictionary.to_pylist(), dtype=str)
    order = np.argsort(names)
    ranks = np.empty(len(names), np.int32)
    ranks[order] = np.arange(len(names))
    ids = ranks[coded.indices.to_numpy()] if len(names) else np.zeros(0, np.int32)
    sizes = np.concatenate([np.diff(part.offsets.to_numpy()) for part in parts])
    indptr = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=indptr[1:])
    return Labels(names[order], indptr, ids)
