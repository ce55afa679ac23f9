"""Training documents as counts: read once in threads, the same result whatever their number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold._threads import map_stream, thread_count
from termfold.classify.sample import Chosen, Sample
from termfold.corpus import Batch
from termfold.errors import CorpusError
from termfold.stats import Labels
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoders import Encoded, Encoders
from termfold.terms.postings import count_matrix
from termfold.terms.vocabulary import Vocabulary

#: Counts in a block, about 34 MB; one is enough for 50 MB of text or so.
BLOCK_COUNTS = 1 << 22


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

    def counts_of(self, rows: Ints) -> sp.csr_matrix:
        """The counts of some documents, in ascending order."""
        return self.counts[rows]


def blocks_of(counts: sp.csr_matrix) -> list[sp.csr_matrix]:
    """Counts in the blocks in which weights are refined."""
    bounds = block_bounds(counts.shape[0], counts.nnz)
    if len(bounds) == 2:
        return [counts]
    return [counts[start:stop] for start, stop in pairwise(bounds)]


def block_bounds(n_docs: int, n_counts: int) -> list[int]:
    """Divide documents into blocks that are small beside the memory of any machine.

    By the counts alone, wherever these are kept: weights are refined block by block, so a model
    depends on it.

    Examples
    --------
    >>> block_bounds(1000, 10_000_000)
    [0, 333, 667, 1000]
    """
    n_blocks = max(1, -(-n_counts // BLOCK_COUNTS))
    bounds: list[int] = np.linspace(0, n_docs, n_blocks + 1).round().astype(int).tolist()
    return bounds


class _Part(NamedTuple):
    """A batch: the documents chosen, the labels of all."""

    encoded: Encoded
    chosen: Chosen
    labels: pa.ListArray | None
    n_docs: int

    def only(self, left: Array) -> _Part:
        """The part with some of the documents chosen."""
        chosen = Chosen(*(values[left] for values in self.chosen))
        return self._replace(encoded=self.encoded.only(left), chosen=chosen)


class Counted(NamedTuple):
    """Documents as counts; their labels, and which of those read they are, if not all."""

    terms: Vocabulary
    counts: sp.csr_matrix
    labels: Labels | None
    rows: Ints | None
    n_read: int

    def labelled(self, labels: Labels | None) -> TrainingSet:
        """A training set, with labels that were given for all that was read, or its own."""
        labels = self.labels if labels is None else labels
        assert labels is not None, "labels are given, or were read"
        if self.n_read != len(labels):
            raise ValueError(f"{self.n_read:,} texts, but {len(labels):,} labels")
        if self.rows is not None:
            labels = labels.take(self.rows)
        return TrainingSet(self.terms, self.counts, labels, self.n_read)


def read_training_set(
    corpus: Iterable[Batch], analyzer: Analyzer, *, labels: Labels | None = None, **how: Any
) -> TrainingSet:
    """Read a labelled corpus as counts; see ``read_counts``."""
    return read_counts(corpus, analyzer, labelled=labels is None, **how).labelled(labels)


def read_counts(
    corpus: Iterable[Batch],
    analyzer: Analyzer,
    *,
    labelled: bool,
    min_df: int = 1,
    max_bytes: int | None = None,
    n_jobs: int | None = -1,
    progress: Callable[[Any, Batch], None] | None = None,
) -> Counted:
    """Read a corpus into memory as counts: about eight bytes per term of each document.

    Every thread numbers the terms as it meets them; when all is read, the vocabularies are joined
    and sorted, and each batch is renumbered. Of more than ``max_bytes`` of text a random sample
    is kept.
    """
    n_threads = thread_count(n_jobs)
    encoders = Encoders.growing(analyzer, n_threads)
    sample = Sample(max_bytes)

    def encode(encoder: int, batch: Batch) -> _Part:
        if labelled and batch.labels is None:
            raise CorpusError(f"{batch.source}: read without labels; name their column with label=")
        chosen = sample.choose(batch.text)
        texts = batch.text
        if len(chosen.rows) < len(texts):
            texts = texts.take(pa.array(chosen.rows))
        return _Part(encoders.encode(encoder, texts), chosen, batch.labels, len(batch))

    parts: list[_Part] = []
    for batch, part in map_stream(encode, encoders.numbers, corpus):
        if max_bytes is not None:  # the bar may be lower than when its texts were chosen
            part = part.only(sample.below(part.chosen.hashes))
        parts.append(part)
        if sample.add(part.chosen):
            left = sample.lower([part.chosen for part in parts])
            parts = [part.only(kept) for part, kept in zip(parts, left, strict=True)]
        if progress is not None:
            progress(corpus, batch)

    labels = _labels_of([part.labels for part in parts]) if labelled else None
    starts = np.cumsum([0] + [part.n_docs for part in parts])
    rows = None
    if max_bytes is not None:
        chosen = [part.chosen.rows + start for part, start in zip(parts, starts, strict=False)]
        rows = np.concatenate(chosen)
    encoded = [part.encoded for part in parts]
    parts.clear()
    terms, postings = encoders.postings(encoded)
    kept = np.sum([part.df for part in postings], axis=0) >= max(1, min_df)
    columns = np.where(kept, np.cumsum(kept) - 1, -1)
    counts = count_matrix(postings, columns, int(kept.sum()), np.float32, n_threads)
    return Counted(terms.take(np.flatnonzero(kept)), counts, labels, rows, int(starts[-1]))


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
