"""The one pass: from a labelled corpus to ``TermStats``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from termfold._arrays import Ints
from termfold._memory import give_back_memory
from termfold._threads import map_stream, thread_count
from termfold.checkpoint import Checkpoint
from termfold.corpus import Batch, Corpus, open_corpus
from termfold.errors import CorpusError
from termfold.stats.tally import (
    MOST_TOKENS,
    documents,
    new_tally,
    occurrences,
    table_of,
    tally,
)
from termfold.stats.term_stats import TermStats
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder


def collect(
    source: Any,
    *,
    analyzer: Analyzer | None = None,
    n_jobs: int | None = -1,
    progress: Callable[[Corpus, Batch], None] | None = None,
    checkpoint: Checkpoint | None = None,
    **reading: Any,
) -> TermStats:
    """Count the terms of a labelled corpus by class, in one pass.

    Memory grows with the number of distinct terms, not of documents.

    Parameters
    ----------
    source : Corpus or anything that ``open_corpus`` reads
        Files, folders, frames, Arrow streams, or a list of texts with ``labels=``.
    analyzer : Analyzer, optional
        What a term is.
    n_jobs : int or None, default=-1
        Threads; −1 uses all cores. The result does not depend on it, nor on the batches.
    progress : callable, optional
        Called with the corpus and the batch, each time a batch has been counted.
    checkpoint : Checkpoint, optional
        Where parts are kept, so that a pass over files can be resumed.
    **reading
        Passed on to ``open_corpus``.

    Returns
    -------
    TermStats

    Examples
    --------
    >>> stats = collect(["good film", "bad film", "good"], labels=["pos", "neg", "pos"])
    >>> stats
    TermStats(3 documents, 2 classes, 3 terms)
    >>> stats.dense("df")
    array([[1, 1, 0],
           [0, 1, 2]])
    """
    analyzer = analyzer or Analyzer()
    corpus = open_corpus(source, **reading)

    def count(batches: Iterable[Batch]) -> TermStats:
        accumulators = [Accumulator(analyzer) for _ in range(thread_count(n_jobs))]
        for batch, _ in map_stream(Accumulator.add, accumulators, batches):
            if progress is not None:
                progress(corpus, batch)
        return _merged(accumulators)

    if checkpoint is None:
        return count(corpus)
    settings = {"what": "counts", "analyzer": analyzer.to_dict()}
    return TermStats.merge(checkpoint.run(corpus, settings, count, TermStats.save, TermStats.load))


def _merged(accumulators: list[Accumulator]) -> TermStats:
    give_back_memory()
    # Taken out, so that each is freed when its statistics are made.
    return TermStats.merge(accumulators.pop().stats() for _ in range(len(accumulators)))


class Accumulator:
    """Statistics that grow batch by batch, for one thread at a time.

    Examples
    --------
    >>> accumulator = Accumulator(Analyzer())
    >>> for batch in open_corpus(["good film", "bad film"], labels=["pos", "neg"]):
    ...     accumulator.add(batch)
    >>> accumulator.stats()
    TermStats(2 documents, 2 classes, 3 terms)
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        self._finished = TermStats.empty(analyzer)
        self._begin()

    def _begin(self) -> None:
        self._encoder = Encoder(self.analyzer)
        self._sums = new_tally()
        self._classes: dict[str, int] = {}
        self._class_docs: list[int] = []
        self._n_docs = 0
        self._n_tokens = 0

    def add(self, batch: Batch) -> None:
        """Count the documents of a batch."""
        if batch.labels is None:
            raise CorpusError(
                f"{batch.source}: read without labels, which the counts by class need; "
                "name their column with label="
            )
        if self._n_tokens + self._most_terms(batch.text) > MOST_TOKENS:
            self._finished = self.stats()
            self._begin()
        ids, indptr = self._encoder.encode(batch.text)
        if len(ids) > MOST_TOKENS:
            raise CorpusError(
                f"{batch.source}, row {batch.first_row}: a batch of {len(ids):,} terms; split the "
                f"document, or read fewer at a time (batch_bytes): {MOST_TOKENS:,} are the most"
            )
        label_indptr, label_ids = self._label_ids(batch.labels)
        self._sums = tally(self._sums, ids, indptr, label_indptr, label_ids, len(self._encoder))
        self._n_docs += len(batch)
        self._n_tokens += len(ids)

    def _most_terms(self, texts: pa.LargeStringArray) -> int:
        """Surely no fewer than there are: a byte may be a word, or begin n-grams with blanks."""
        shortest, longest = self.analyzer.ngram_range
        return int(3 * (longest - shortest + 1) * texts.nbytes)

    @property
    def n_terms(self) -> int:
        """How many terms are held: all met so far, some of them twice if a tally was full."""
        return self._finished.n_terms + len(self._encoder)

    def _label_ids(self, labels: pa.ListArray) -> tuple[Ints, Ints]:
        coded = labels.flatten().dictionary_encode()
        for name in coded.dictionary.to_pylist():
            if name not in self._classes:
                self._classes[name] = len(self._classes)
                self._class_docs.append(0)
        ids = np.array([self._classes[name] for name in coded.dictionary.to_pylist()], np.int64)
        ids = ids[coded.indices.to_numpy()] if len(coded) else ids
        for class_id, docs in zip(*np.unique(ids, return_counts=True), strict=True):
            self._class_docs[class_id] += int(docs)
        offsets = labels.offsets.to_numpy().astype(np.int64)
        return offsets - offsets[0], ids

    def stats(self) -> TermStats:
        """What has been counted so far."""
        return self._finished + self._counted()

    def _counted(self) -> TermStats:
        if self._n_docs == 0:
            return TermStats.empty(self.analyzer)
        names = sorted(self._classes)
        class_ranks = np.empty(len(names), np.int64)
        class_ranks[[self._classes[name] for name in names]] = np.arange(len(names))
        terms, ranks = self._encoder.vocabulary()
        indptr, class_of, df, tf = table_of(self._sums, ranks, class_ranks)
        of_term = np.empty(len(ranks), np.int64)
        of_term[ranks] = self._sums.of_term[: len(ranks)]
        return TermStats(
            classes=np.array(names) if names else np.zeros(0, "<U1"),
            terms=terms,
            n_docs=self._n_docs,
            class_docs=np.array(self._class_docs, np.int64)[np.argsort(class_ranks)],
            indptr=indptr,
            class_of=class_of,
            df=df,
            tf=tf,
            term_df=documents(of_term),
            term_tf=occurrences(of_term),
            analyzer=self.analyzer,
        )
