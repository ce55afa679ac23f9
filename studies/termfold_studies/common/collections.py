"""Collections as matrices of counts, divided into training and test documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfTransformer

from termfold import TermCounter, TermStats
from termfold.datasets import Dataset


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test documents of a collection, counted.

    Parameters
    ----------
    collection : str
        Its name in tables.
    name : str
        Which split this is, in words.
    counts, test_counts : sparse matrices of documents × terms
    y, y_test : arrays of labels, or sparse indicator matrices
    terms : sequence of str, optional
    classes : list of str, optional
        Names of the columns of an indicator matrix.
    """

    collection: str
    name: str
    counts: sp.csr_matrix = field(repr=False)
    y: Any = field(repr=False)
    test_counts: sp.csr_matrix = field(repr=False)
    y_test: Any = field(repr=False)
    terms: Any = field(default=None, repr=False)
    classes: list[str] | None = field(default=None, repr=False)

    @cached_property
    def stats(self) -> TermStats:
        """The sums over the training documents."""
        return TermStats.from_matrix(self.counts, self.y, terms=self.terms)

    @cached_property
    def tfidf(self) -> tuple[sp.csc_matrix, sp.csc_matrix]:
        """tf-idf with rows of length one, of training and of test documents, idf from training."""
        weigh = TfidfTransformer().fit(self.counts)
        made = (weigh.transform(X).tocsc() for X in (self.counts, self.test_counts))
        train, test = made
        return train, test

    def subset(self, name: str, train: Any, test: Any) -> Split:
        """Another split of the training documents alone."""
        counts, y = self.counts, self.y
        kept = np.flatnonzero(np.diff(counts[train].tocsc().indptr))
        terms = None if self.terms is None else [self.terms[i] for i in kept]
        return Split(
            self.collection,
            name,
            counts[train][:, kept].tocsr(),
            y[train],
            counts[test][:, kept].tocsr(),
            y[test],
            terms,
            self.classes,
        )


def count(
    name: str,
    split: str,
    train: Dataset,
    test: Dataset,
    *,
    first_label: bool = False,
    **counting: Any,
) -> Split:
    """Count two parts of a collection that has one label a document.

    Parameters
    ----------
    name, split : str
        Of the collection, and of its division.
    train, test : Dataset
    first_label : bool
        Of several labels, take the first.
    **counting
        Parameters of ``TermCounter``.
    """
    texts = (train.text, test.text)
    y, y_test = (
        np.array([labels[0] for labels in part.target]) if first_label else np.asarray(part.target)
        for part in (train, test)
    )
    return count_texts(name, split, texts, (y, y_test), **counting)


def count_texts(
    name: str, split: str, texts: Any, y: Any, classes: list[str] | None = None, **counting: Any
) -> Split:
    """Count training and test texts; terms are those of the training texts."""
    counter = TermCounter(**counting)
    counts = counter.fit_transform(texts[0])
    test_counts = counter.transform(texts[1])
    return Split(name, split, counts, y[0], test_counts, y[1], counter.terms_, classes)


def random_splits(n_docs: int, repeats: int, test_share: float) -> list[tuple[int, Any, Any]]:
    """Seeds, and the documents to learn from and to test, of so many random divisions."""
    made = []
    for seed in range(repeats):
        order = np.random.default_rng(seed).permutation(n_docs)
        held = round(test_share * n_docs)
        made.append((seed, np.sort(order[held:]), np.sort(order[:held])))
    return made
