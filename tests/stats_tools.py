"""What the tests of the statistics share: documents, and their sums in plain dictionaries."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import numpy as np

from termfold.collecting import Accumulator
from termfold.corpus import open_corpus
from termfold.stats import TermStats
from termfold.terms.analyzer import Analyzer

Document = tuple[str, list[str]]

_WORDS = st.sampled_from(["aa", "ab", "abb", "größe", "zz", "12", "中文", "longer_than_eight"])
_LABELS = st.lists(st.sampled_from(["x", "y", "ü", "中"]), max_size=3, unique=True)
DOCUMENT = st.tuples(st.lists(_WORDS, max_size=8).map(" ".join), _LABELS)
DOCUMENTS = st.lists(DOCUMENT, max_size=10)


def stats_of(documents: list[Document]) -> TermStats:
    """One pass over documents in one batch."""
    accumulator = Accumulator(Analyzer())
    if documents:
        texts, labels = zip(*documents, strict=True)
        for batch in open_corpus(list(texts), labels=list(labels), multilabel=True):
            accumulator.add(batch)
    return accumulator.stats()


def matrix_of(documents: list[Document]) -> tuple[np.ndarray, list[list[str]], list[str]]:
    """The same as a matrix of counts, its labels and the names of its columns."""
    counts = [Counter(Analyzer().terms(text)) for text, _ in documents]
    terms = sorted(set().union(*counts))
    X = np.array([[count[term] for term in terms] for count in counts], np.int64)
    return X.reshape(len(documents), len(terms)), [labels for _, labels in documents], terms


def unnamed(stats: TermStats) -> TermStats:
    return replace(stats, analyzer=None)


def sums_of(documents: list[Document]) -> dict[str, Any]:
    """The tables, summed one by one."""
    sums: dict[str, Any] = {
        "n_docs": len(documents), "class_docs": Counter(), "df": Counter(), "tf": Counter(),
        "term_df": Counter(), "term_tf": Counter(),
    }  # fmt: skip
    for text, labels in documents:
        sums["class_docs"].update(labels)
        for term, count in Counter(Analyzer().terms(text)).items():
            sums["term_df"][term] += 1
            sums["term_tf"][term] += count
            for label in labels:
                sums["df"][label, term] += 1
                sums["tf"][label, term] += count
    return sums


def as_sums(stats: TermStats) -> dict[str, Any]:
    """What ``sums_of`` gives, read from the tables."""
    terms, classes = list(stats.terms), stats.classes.tolist()
    per_term = {name: Counter(dict(zip(terms, getattr(stats, name).tolist(), strict=True)))
                for name in ("term_df", "term_tf")}  # fmt: skip
    cells = {name: Counter() for name in ("df", "tf")}
    for t, term in enumerate(terms):
        for entry in range(stats.indptr[t], stats.indptr[t + 1]):
            for name, found in cells.items():
                found[classes[stats.class_of[entry]], term] = getattr(stats, name)[entry].item()
    class_docs = Counter(dict(zip(classes, stats.class_docs.tolist(), strict=True)))
    return {"n_docs": stats.n_docs, "class_docs": class_docs, **cells, **per_term}
