"""The documents behind the counts: examples of a term, and what accuracy its score promises."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold.classify.passages import Mark, locate, passages, segments
from termfold.classify.training import TrainingSet, read_training_set
from termfold.corpus import open_corpus
from termfold.errors import CorpusError
from termfold.evaluate.curve import feature_curve
from termfold.evaluate.documents import Documents, read_documents
from termfold.scores import SCORE_NAMES, ScoreName
from termfold.stats import TermStats
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder

# Texts are kept in memory beside the matrix of their terms, which takes about as much again.
MAX_TEXT_BYTES = 256 << 20
# The curve is drawn while people wait for it.
_CURVE_DOCUMENTS = 10_000
_PASSAGE = 240


class Example(NamedTuple):
    """A document that holds a term: its row, its labels, and passages cut at the term."""

    row: int
    labels: list[str]
    passages: list[list[tuple[str, bool]]]


class LabelledDocuments:
    """Labelled texts in memory, found by their terms.

    Parameters
    ----------
    documents : Documents
    analyzer : Analyzer
        What a term is; that of the file served.

    Examples
    --------
    >>> texts, labels = ["good film", "bad film", "good"], ["+", "-", "+"]
    >>> documents = LabelledDocuments.read(texts, Analyzer(), labels=labels)
    >>> documents.stats
    TermStats(3 documents, 2 classes, 3 terms)
    >>> [example.passages for example in documents.examples("film", "-", 1)]
    [[[('bad ', False), ('film', True)]]]
    """

    def __init__(self, documents: Documents, analyzer: Analyzer) -> None:
        self.documents = documents
        self.analyzer = analyzer
        self.training = _count(documents, analyzer)
        self.stats = _stats_of(self.training, analyzer)
        # One document is a column here: the rows of a term are found at once.
        self._postings = sp.csc_array(self.training.counts)
        self._lengths = np.diff(self.training.counts.indptr)
        self._encoder = Encoder(analyzer, self.training.terms)
        self._curves: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._measuring = threading.Lock()

    @classmethod
    def read(cls, source: Any, analyzer: Analyzer, **reading: Any) -> LabelledDocuments:
        """Read a labelled corpus, unless it is in memory already."""
        documents = source
        if not isinstance(source, Documents):
            documents = read_documents(source, **reading)
        if documents.texts.nbytes > MAX_TEXT_BYTES:
            raise CorpusError(
                f"{documents.texts.nbytes:,} bytes of texts; up to {MAX_TEXT_BYTES:,} are kept as "
                "examples. Give a sample of the corpus, and a count file of all of it"
            )
        return cls(documents, analyzer)

    def __len__(self) -> int:
        return len(self.documents)

    # -- examples -----------------------------------------------------------------------------

    def examples(self, term: str, class_name: str | None = None, n: int = 3) -> list[Example]:
        """Documents with a term, of a class or of any, those first in which it is most dense."""
        position = self.training.terms.position(term)
        if position is None:
            return []
        lo, hi = self._postings.indptr[position : position + 2]
        rows: Ints = self._postings.indices[lo:hi]
        density: Array = self._postings.data[lo:hi] / (3 + self._lengths[rows])
        if class_name is not None:
            inside = self._of_class(class_name)[rows]
            rows, density = rows[inside], density[inside]
        best = np.lexsort((rows, -density))[:n]
        return [self._example(int(row), position, term) for row in rows[best]]

    def _of_class(self, class_name: str) -> Array:
        labels = self.training.labels
        inside = np.zeros(len(labels), bool)
        k = np.flatnonzero(labels.classes == class_name)
        if len(k):
            inside[labels.rows_of(k[0])] = True
        return inside

    def _example(self, row: int, position: int, term: str) -> Example:
        text = self.documents.texts[row].as_py()
        known = np.array([position])
        marks = [
            Mark(span.start, span.end, 1.0)
            for span in locate(self._encoder, text, known, np.ones(1))
            if span.term == term
        ]
        labels = self.documents.labels[row]
        return Example(
            row,
            labels if self.documents.multilabel else [labels],
            [
                [(part.text, part.value is not None) for part in segments(text, marks, lo, hi)]
                for lo, hi in passages(text, marks[:3], _PASSAGE)
            ],
        )

    def typical(self, n: int) -> list[tuple[str, str]]:
        """Short documents to try the page with: a text and its label, of different classes."""
        labels, size = self.training.labels, np.abs(self._lengths - np.median(self._lengths))
        firsts = labels.ids[labels.indptr[:-1][np.diff(labels.indptr) > 0]]
        rows = np.flatnonzero(np.diff(labels.indptr) > 0)
        found = []
        for k in np.unique(firsts)[:n].tolist():
            own = rows[firsts == k]
            row = int(own[np.argmin(size[own])])
            found.append((self.documents.texts[row].as_py(), str(labels.classes[k])))
        return found

    # -- the curve ----------------------------------------------------------------------------

    def curve(self, score: str) -> dict[str, Any]:
        """Accuracy against the number of terms ranked by a score; measured once, meanwhile told.

        Returns
        -------
        dict
            With ``status`` ``"ready"``, and then what ``feature_curve`` gives; or ``"measuring"``
            and the share that is ``done``; or ``"unavailable"`` and a ``reason``.
        """
        if score not in SCORE_NAMES:
            return {"status": "unavailable", "reason": f"{score!r} is no score of counts"}
        with self._lock:
            if score not in self._curves:
                self._curves[score] = {"status": "measuring", "done": 0.0}
                # A daemon: nobody who stops the service wants to wait for a curve.
                threading.Thread(target=self._measure, args=(score,), daemon=True).start()
            return self._curves[score]

    def _measure(self, score: ScoreName) -> None:
        state = self._curves[score]

        def step(what: str) -> None:
            # So many sizes are tried at most; how many it will be, the curve alone knows.
            state["done"] = min(0.95, state["done"] + 1 / 13)

        try:
            with self._measuring:  # one at a time, for it has work for seconds
                found = feature_curve(
                    self.training, [score], max_documents=_CURVE_DOCUMENTS, n_jobs=1, done=step
                )
            self._curves[score] = {"status": "ready", **found}
        except (ValueError, MemoryError) as error:
            self._curves[score] = {"status": "unavailable", "reason": str(error)}


def _count(documents: Documents, analyzer: Analyzer) -> TrainingSet:
    corpus = open_corpus(documents.texts, labels=documents.labels)
    return read_training_set(corpus, analyzer)


def _stats_of(training: TrainingSet, analyzer: Analyzer) -> TermStats:
    stats = TermStats.from_matrix(training.counts, training.labels, terms=training.terms)
    return replace(stats, analyzer=analyzer)
