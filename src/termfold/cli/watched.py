"""A corpus that is watched while it is read: how much, how fast, and what was left out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from termfold.corpus import Batch, open_corpus
from termfold.corpus.around import CorpusAround


class WatchedCorpus(CorpusAround):
    """Another corpus, of which every batch is seen on its way.

    So commands need not know how often, and by whom, it is read.

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
        super().__init__(open_corpus(source, **reading))
        self.on_batch: Callable[[], None] = lambda: None
        self.on_end: Callable[[], None] = lambda: None
        self.documents = self.text_bytes = 0
        self.seconds = 0.0

    def __iter__(self) -> Iterator[Batch]:
        began = time.perf_counter()
        self.documents = self.text_bytes = 0
        for batch in super().__iter__():
            yield batch
            self.documents += len(batch)
            self.text_bytes += batch.text.nbytes
            self.seconds = time.perf_counter() - began
            self.on_batch()
        self.on_end()
