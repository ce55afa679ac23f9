"""One pass over a corpus: the counts of all its documents, and the texts of a sample."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from termfold._arrays import Array
from termfold.collecting import collect
from termfold.corpus import Batch, Corpus, open_corpus
from termfold.corpus.around import CorpusAround
from termfold.errors import CorpusError
from termfold.stats import TermStats
from termfold.terms.analyzer import Analyzer


class Place(NamedTuple):
    """Where a document stands: its source, and its row there, from 0."""

    source: str
    row: int


class SampledCorpus(CorpusAround):
    """Another corpus, of which a random sample is kept on its way to whoever reads it.

    Parameters
    ----------
    corpus : Corpus
    size : int
        Keep so many documents at most.
    seed : int
        Of the choice, which does not depend on the batches.

    Attributes
    ----------
    documents, text_bytes : int
        Read in the last pass.
    """

    def __init__(self, corpus: Corpus, size: int, seed: int) -> None:
        super().__init__(corpus)
        self._size, self._seed = size, seed
        self._clear()

    def _clear(self) -> None:
        self.documents = self.text_bytes = 0
        self._parts: list[tuple[Array, pa.Table]] = []

    def __iter__(self) -> Iterator[Batch]:
        self._clear()
        random = np.random.default_rng(self._seed)
        bar = 1.0  # documents whose lot is below it may still be in the sample
        kept = 0
        for batch in super().__iter__():
            if batch.labels is None:
                raise CorpusError(
                    f"{batch.source}: read without labels, which a report needs; name their "
                    "column with label="
                )
            lots = random.random(len(batch))
            self._parts.append(_below(lots, _table(batch), bar))
            kept += len(self._parts[-1][0])
            if kept > 2 * self._size:
                bar = self._lower()
                kept = self._size
            self.documents += len(batch)
            self.text_bytes += batch.text.nbytes
            yield batch
        self._lower()

    def _lower(self) -> float:
        """Keep the documents with the smallest lots; return the next smallest."""
        lots = np.concatenate([lots for lots, _ in self._parts] or [np.zeros(0)])
        bar = 1.0 if len(lots) <= self._size else float(np.partition(lots, self._size)[self._size])
        self._parts = [_below(lots, table, bar) for lots, table in self._parts]
        return bar

    def sample(self) -> pa.Table:
        """The documents kept, in their order: text, labels, source, row."""
        return pa.concat_tables(table for _, table in self._parts).combine_chunks()


def _table(batch: Batch) -> pa.Table:
    n_docs = len(batch)
    return pa.table(
        {
            "text": batch.text,
            "labels": batch.labels.cast(pa.list_(pa.string())),  # type: ignore[union-attr]
            "source": pa.array([batch.source] * n_docs, pa.string()).dictionary_encode(),
            "row": np.arange(batch.first_row, batch.first_row + n_docs),
        }
    )


def _below(lots: Array, table: pa.Table, bar: float) -> tuple[Array, pa.Table]:
    inside = lots < bar
    return (lots, table) if inside.all() else (lots[inside], table.filter(pa.array(inside)))


class Sample(NamedTuple):
    """Labelled documents in memory, and where they come from."""

    texts: pa.LargeStringArray
    labels: list[list[str]]
    places: list[Place]
    multilabel: bool
    read: int
    """Documents read, of which these may be a sample."""
    text_bytes: int
    """Of all documents read."""

    def __len__(self) -> int:
        return len(self.labels)

    def y(self) -> list[Any]:
        """The labels as a classifier takes them: one each, or lists."""
        return self.labels if self.multilabel else [names[0] for names in self.labels]


def read(
    source: Any,
    analyzer: Analyzer,
    *,
    max_documents: int,
    seed: int = 0,
    n_jobs: int | None = -1,
    **reading: Any,
) -> tuple[TermStats, Sample]:
    """Count a corpus, and keep a random sample of its documents.

    Parameters
    ----------
    source : anything that ``open_corpus`` reads
    analyzer : Analyzer
    max_documents : int
        Size of the sample.
    seed : int
        Of the choice.
    n_jobs : int, optional
        Threads that count.
    **reading
        Passed on to ``open_corpus``.

    Examples
    --------
    >>> stats, sample = read(["tea", "war", "cup"], Analyzer(), max_documents=2, labels=list("xyx"))
    >>> stats
    TermStats(3 documents, 2 classes, 3 terms)
    >>> len(sample), sample.read
    (2, 3)
    """
    corpus = SampledCorpus(open_corpus(source, **reading), max_documents, seed)
    stats = collect(corpus, analyzer=analyzer, n_jobs=n_jobs)
    table = corpus.sample()
    text = table["text"].combine_chunks()
    sample = Sample(
        text.chunk(0) if isinstance(text, pa.ChunkedArray) else text,
        table["labels"].to_pylist(),
        [
            Place(name, row)
            for name, row in zip(table["source"].to_pylist(), table["row"].to_pylist(), strict=True)
        ],
        corpus.multilabel,
        corpus.documents,
        corpus.text_bytes,
    )
    return stats, sample
