"""Labelled documents in memory, and their division into folds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from termfold._arrays import Array, Bools, Ints
from termfold.corpus import Batch, open_corpus
from termfold.errors import CorpusError, TooFewDocumentsError


@dataclass(frozen=True, eq=False)
class Documents:
    """Texts and their labels.

    Parameters
    ----------
    texts : pyarrow.LargeStringArray
    labels : list of str, or of lists of str
    multilabel : bool
        Has each document a list of labels?
    """

    texts: pa.LargeStringArray
    labels: list[Any]
    multilabel: bool

    def __len__(self) -> int:
        return len(self.labels)

    def where(self, mask: Bools) -> Documents:
        """Some of the documents, in their order."""
        return Documents(
            self.texts.filter(pa.array(mask)),
            [self.labels[i] for i in np.flatnonzero(mask)],
            self.multilabel,
        )

    def folds(self, count: int, seed: int = 0) -> Ints:
        """Number the documents' folds from 0, each class dealt out evenly.

        Documents with several labels are dealt out by their rarest one.

        Examples
        --------
        >>> texts = pa.array(["t"] * 6, pa.large_string())
        >>> fold = Documents(texts, ["a", "a", "a", "b", "b", "b"], False).folds(3)
        >>> sorted(fold[:3].tolist()), sorted(fold[3:].tolist())
        ([0, 1, 2], [0, 1, 2])
        """
        lists = self.labels if self.multilabel else [[label] for label in self.labels]
        names = [name for some in lists for name in some]
        size = dict(zip(*np.unique(names, return_counts=True), strict=True)) if names else {}
        rarest = [min(some, key=lambda name: (size[name], name), default="") for some in lists]
        return deal(np.array(rarest), count, seed)

    def splits(self, count: int, seed: int = 0) -> Iterator[tuple[Documents, Documents]]:
        """Pairs of documents to learn from and to test: each fold is tested once."""
        fold = self.folds(count, seed)
        for held in range(count):
            yield self.where(fold != held), self.where(fold == held)


def deal(classes: Array, count: int, seed: int = 0) -> Ints:
    """Number the folds of documents from 0, each class dealt out evenly.

    Parameters
    ----------
    classes : ndarray
        The class of each document.
    count : int
        So many folds.
    seed : int
        Of the order in which the documents of a class are dealt out.
    """
    if not 2 <= count <= len(classes):
        raise TooFewDocumentsError(
            f"{len(classes):,} documents cannot be divided into {count} parts to learn from and "
            "to test; give at least two, and no more than there are documents"
        )
    shuffled = np.random.default_rng(seed).permutation(len(classes))
    # Stable: within a class the documents stay shuffled, and are dealt out like cards.
    dealt = shuffled[np.argsort(classes[shuffled], kind="stable")]
    fold = np.empty(len(classes), np.int64)
    fold[dealt] = np.arange(len(classes)) % count
    return fold


def read_documents(source: Any, **reading: Any) -> Documents:
    """Read a labelled corpus into memory.

    Parameters
    ----------
    source : anything that ``open_corpus`` reads
    **reading
        Passed on to ``open_corpus``.

    Examples
    --------
    >>> read_documents(["one", "two"], labels=["x", "y"]).labels
    ['x', 'y']
    """
    corpus = open_corpus(source, **reading)
    texts: list[pa.LargeStringArray] = []
    labels: list[Any] = []
    for batch in corpus:
        texts.append(batch.text)
        labels += labels_of(batch, corpus.multilabel)
    whole = pa.chunked_array(texts, pa.large_string()).combine_chunks()
    return Documents(whole, labels, corpus.multilabel)


def labels_of(batch: Batch, multilabel: bool) -> list[Any]:
    """The labels of a batch: a list of each document, or just its only one."""
    if batch.labels is None:
        raise CorpusError(f"{batch.source}: read without labels; name their column with label=")
    lists: list[list[str]] = batch.labels.to_pylist()
    if multilabel:
        return lists
    for row, some in enumerate(lists):
        if len(some) != 1:
            raise CorpusError(
                f"{batch.source}, near row {batch.first_row + row}: {len(some)} labels, where the "
                "model gives each text one"
            )
    return [some[0] for some in lists]
