"""A corpus that is watched while it is read: how much, how fast, and what was left out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from termfold.corpus import Batch, Corpus, Skipped, open_corpus


class WatchedCorpus(Corpus):
    """Another corpus, of which every batch is seen on its way.

    Whoever reads a corpus can be given this one, so that commands need not know how often, and
    by whom, it is read.

    Parameters
    ----------
    source : anything that ``open_corpus`` reads
    **reading
        Passed on to ``open_corpus``.

    Attributes
    ----------
    documents, text_bytes : int
        Of the last pass.
    seconds : float
        From the start of the last pass to its end.
    """

    def __init__(self, source: Any, **reading: Any) -> None:
        # All that the base class keeps is asked of the corpus inside.
        self._corpus = open_corpus(source, **reading)
        self.labelled = self._corpus.labelled
        self.multilabel = self._corpus.multilabel
        self.on_batch: Callable[[], None] = lambda: None
        self.on_end: Callable[[], None] = lambda: None
        self.documents = self.text_bytes = 0
        self.seconds = 0.0

    def __iter__(self) -> Iterator[Batch]:
        began = time.perf_counter()
        self.documents = self.text_bytes = 0
        for batch in self._corpus:
            yield batch
            self.documents += len(batch)
            self.text_bytes += batch.text.nbytes
            self.seconds = time.perf_counter() - began
            self.on_batch()
        self.on_end()

    @property
    def size_bytes(self) -> int | None:
        """Bytes on disk."""
        return self._corpus.size_bytes

    @property
    def bytes_read(self) -> int:
        """Bytes read in the current pass."""
        return self._corpus.bytes_read

    def identity(self) -> dict[str, Any] | None:
        """What tells that it is the same."""
        return self._corpus.identity()

    @property
    def skipped(self) -> Skipped:
        """Rows left out in the current pass."""
        return self._corpus.skipped
