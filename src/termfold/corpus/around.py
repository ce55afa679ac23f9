"""A corpus around another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from termfold.corpus.batch import Batch, Skipped
from termfold.corpus.corpus import Corpus


class CorpusAround(Corpus):
    """Another corpus, whose batches a subclass sees on their way to whoever reads it.

    Whoever reads a corpus can be given this one, and need not know.

    Parameters
    ----------
    corpus : Corpus
    """

    def __init__(self, corpus: Corpus) -> None:
        # All that the base class keeps is asked of the corpus inside.
        self._corpus = corpus
        self.labelled = corpus.labelled
        self.multilabel = corpus.multilabel

    def __iter__(self) -> Iterator[Batch]:
        return iter(self._corpus)

    @property
    def size_bytes(self) -> int | None:
        """Bytes on disk."""
        return self._corpus.size_bytes

    @property
    def bytes_read(self) -> int:
        """Bytes read in the current pass."""
        return self._corpus.bytes_read

    def identity(self) -> dict[str, Any] | None:
        """What tells that it is the same files, read in the same way."""
        return self._corpus.identity()

    @property
    def skipped(self) -> Skipped:
        """Rows left out in the current pass."""
        return self._corpus.skipped
