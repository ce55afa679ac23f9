"""The one pass: from a labelled corpus to ``TermStats``."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa

from termfold._arrays import Ints
from termfold._threads import thread_count
from termfold.corpus import Batch, Corpus, open_corpus
from termfold.errors import CorpusError
from termfold.stats.tally import new_tally, table_of, tally
from termfold.stats.term_stats import TermStats
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder


def collect(
    source: Any,
    *,
    analyzer: Analyzer | None = None,
    n_jobs: int | None = -1,
    progress: Callable[[Corpus, Batch], None] | None = None,
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
    n_threads = thread_count(n_jobs)
    idle: queue.SimpleQueue[Accumulator] = queue.SimpleQueue()
    for _ in range(n_threads):
        idle.put(Accumulator(analyzer))

    def count(batch: Batch) -> Batch:
        accumulator = idle.get()
        try:
            accumulator.add(batch)
        finally:
            idle.put(accumulator)
        return batch

    waiting: deque[Future[Batch]] = deque()

    def finish() -> None:
        batch = waiting.popleft().result()
        if progress is not None:
            progress(corpus, batch)

    with ThreadPoolExecutor(n_threads) as pool:
        for batch in corpus:
            waiting.append(pool.submit(count, batch))
            if len(waiting) > n_threads:  # read ahead one batch, no more
                finish()
        while waiting:
            finish()
    pa.default_memory_pool().release_unused()  # Arrow keeps what reading took: some 80 MB
    # Taken out, so that each is freed when its statistics are made.
    return TermStats.merge(idle.get().stats() for _ in range(n_threads))


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
        self._encoder = Encoder(analyzer)
        self._sums = new_tally()
        self._classes: dict[str, int] = {}
        self._class_docs: list[int] = []
        self._n_docs = 0

    def add(self, batch: Batch) -> None:
        """Count the documents of a batch."""
        if batch.labels is None:
            raise CorpusError(
                f"{batch.source}: read without labels, which the counts by class need; "
                "name their column with label="
            )
        ids, indptr = self._encoder.encode(batch.text)
        label_indptr, label_ids = self._label_ids(batch.labels)
        self._sums = tally(self._sums, ids, indptr, label_indptr, label_ids, len(self._encoder))
        self._n_docs += len(batch)

    @property
    def n_terms(self) -> int:
        """Distinct terms met so far."""
        return len(self._encoder)

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
        if self._n_docs == 0:
            return TermStats.empty(self.analyzer)
        names = sorted(self._classes)
        class_ranks = np.empty(len(names), np.int64)
        class_ranks[[self._classes[name] for name in names]] = np.arange(len(names))
        terms, ranks = self._encoder.vocabulary()
        indptr, class_of, df, tf = table_of(self._sums, ranks, class_ranks)
        order = np.argsort(ranks)
        return TermStats(
            classes=np.array(names) if names else np.zeros(0, "<U1"),
            terms=terms,
            n_docs=self._n_docs,
            class_docs=np.array(self._class_docs, np.int64)[np.argsort(class_ranks)],
            indptr=indptr,
            class_of=class_of,
            df=df,
            tf=tf,
            term_df=self._sums.term_df[order],
            term_tf=self._sums.term_tf[order],
            analyzer=self.analyzer,
        )
