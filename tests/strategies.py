"""Small labelled collections for Hypothesis, and what is counted in them by plain loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from termfold.stats import TermStats


@dataclass(frozen=True)
class Collection:
    """A document × term matrix of counts, the labels of each document, and its weight."""

    counts: Any
    indicator: Any
    weights: Any

    @property
    def stats(self) -> TermStats:
        return TermStats.from_matrix(self.counts, self.indicator, sample_weight=self.weights)

    def repeated(self, times: int) -> Collection:
        weights = None if self.weights is None else np.tile(self.weights, times)
        return Collection(
            np.tile(self.counts, (times, 1)), np.tile(self.indicator, (times, 1)), weights
        )

    def cells(self, term: int, klass: int, occurrences: bool = False) -> list[float]:
        """The cells (with and without the term, in the class and outside) of one 2×2 table."""
        cells = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
        for i, row in enumerate(self.counts):
            weight = 1 if self.weights is None else self.weights[i]
            inside = bool(self.indicator[i, klass])
            if occurrences:
                cells[True, inside] += weight * row[term]
                cells[False, inside] += weight * (row.sum() - row[term])
            else:
                cells[bool(row[term]), inside] += weight
        return [cells[True, True], cells[True, False], cells[False, True], cells[False, False]]


@st.composite
def collections(draw, *, multi_label=True, weighted=False, n_classes=None, max_count=3):
    """Collections of up to 12 documents, 5 terms and 4 classes; every class has a document."""
    n_docs = draw(st.integers(n_classes or 1, 12))
    n_terms = draw(st.integers(1, 5))
    if n_classes is None:
        n_classes = draw(st.integers(1, min(4, n_docs)))
    cell = st.integers(0, max_count)
    rows = st.lists(st.lists(cell, min_size=n_terms, max_size=n_terms), min_size=n_docs,
                    max_size=n_docs)  # fmt: skip
    counts = np.array(draw(rows))
    indicator = np.zeros((n_docs, n_classes), int)
    if multi_label:
        flags = st.lists(st.booleans(), min_size=n_classes, max_size=n_classes)
        indicator[:] = [draw(flags) for _ in range(n_docs)]
    else:
        indicator[np.arange(n_docs), [draw(st.integers(0, n_classes - 1)) for _ in counts]] = 1
        indicator[:n_classes] = 0
    indicator[np.arange(n_classes), np.arange(n_classes)] = 1
    weights = None
    if weighted:
        weight = st.floats(0.125, 8, width=32)
        weights = np.array(draw(st.lists(weight, min_size=n_docs, max_size=n_docs)), float)
    return Collection(counts, indicator, weights)
