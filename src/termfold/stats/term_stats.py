"""TermStats: sums over documents, in which everything termfold computes begins."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold._notebook import ShownInNotebooks
from termfold.errors import StatsError
from termfold.stats.combine import combine
from termfold.stats.matrix import sum_by_class
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import EMPTY as NO_TERMS
from termfold.terms.vocabulary import Vocabulary

if TYPE_CHECKING:
    from termfold.report import Report

_TABLES = ("class_docs", "indptr", "class_of", "df", "tf", "term_df", "term_tf")


@dataclass(frozen=True, eq=False)
class TermStats(ShownInNotebooks):
    """How many documents of each class contain each term, and how often.

    The tables are sums over documents. So two of them add (``a + b``: months, shards, sites),
    one can be taken out of another again (``a - b``: exact unlearning), and an empty one changes
    nothing. Only classes with documents and, where terms have names, terms that occur are held;
    the same documents therefore always give the same tables, bit for bit.

    Parameters
    ----------
    classes : ndarray of shape (K,)
        Labels of the classes, sorted.
    terms : Vocabulary or None
        The terms' names, sorted; None for the nameless columns of a matrix.
    n_docs : int or float
        Number of documents N, each counted once however many labels it has. A float, as the
        tables are, where documents were weighted.
    class_docs : ndarray of shape (K,)
        Documents of each class, n[k].
    indptr, class_of, df, tf : ndarray
        Sparse by term: entries ``indptr[t]:indptr[t + 1]`` hold the classes in which term t
        occurs (positions in ``classes``, ascending), the documents df[k, t] with it there, and
        its occurrences tf[k, t]. For a matrix of real weights ``tf`` holds the sums of the
        weights, s[k, t].
    term_df, term_tf : ndarray of shape (M,)
        The same over all documents. Not the sums over classes: a document may have several
        labels, or none.
    analyzer : Analyzer or None
        What made the terms; statistics add only where it is the same.
    pruned : bool
        Were rare or frequent terms dropped? Such statistics no longer add.

    Examples
    --------
    >>> stats = TermStats.from_matrix([[1, 0], [2, 1], [0, 3]], ["x", "x", "y"], terms=["a", "b"])
    >>> stats
    TermStats(3 documents, 2 classes, 2 terms)
    >>> stats.dense("df")
    array([[2, 1],
           [0, 1]])
    >>> (stats + stats) - stats == stats
    True
    """

    classes: Array
    terms: Vocabulary | None
    n_docs: int | float
    class_docs: Array
    indptr: Ints
    class_of: Ints
    df: Array
    tf: Array
    term_df: Array
    term_tf: Array
    analyzer: Analyzer | None = None
    pruned: bool = field(default=False)

    # -- making -------------------------------------------------------------------------------

    @classmethod
    def empty(cls, analyzer: Analyzer | None = None) -> TermStats:
        """The identity of ``+``: statistics of no documents."""
        none = np.zeros(0, np.int64)
        return cls(
            classes=np.zeros(0, "<U1"),
            terms=NO_TERMS,
            n_docs=0,
            class_docs=none,
            indptr=np.zeros(1, np.int64),
            class_of=np.zeros(0, np.int32),
            df=none,
            tf=none,
            term_df=none,
            term_tf=none,
            analyzer=analyzer,
        )

    @classmethod
    def from_matrix(
        cls,
        X: Any,
        y: Any,
        *,
        terms: Iterable[str] | Vocabulary | None = None,
        sample_weight: Array | None = None,
    ) -> TermStats:
        """Sum a document × term matrix by class.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_docs, M)
            Counts, or any weights. Whole numbers stay integers, whatever their type.
        y : labels, as ``Labels.of`` takes them
        terms : sequence of str, optional
            Distinct names of the columns, in sorted order.
        sample_weight : ndarray of shape (n_docs,), optional
            How many documents each row stands for.
        """
        return cls(**sum_by_class(X, y, terms, sample_weight))._canonical()

    @classmethod
    def merge(cls, parts: Iterable[TermStats]) -> TermStats:
        """Add many; pairwise, so that each vocabulary is copied a logarithmic number of times.

        They may be made one by one: no more than a logarithmic number of sums is kept.
        """
        sums: list[tuple[int, TermStats]] = []  # of so many parts; each of more than the next
        for part in parts:
            size, total = 1, part
            while sums and sums[-1][0] == size:
                total = sums.pop()[1] + total
                size *= 2
            sums.append((size, total))
        merged = cls.empty()
        while sums:
            merged = sums.pop()[1] + merged
        return merged

    # -- the monoid ---------------------------------------------------------------------------

    def __add__(self, other: object) -> TermStats:
        if not isinstance(other, TermStats):
            return NotImplemented
        if other._is_identity() and (other.analyzer is None or not self._is_identity()):
            return self
        if self._is_identity() and (self.analyzer is None or not other._is_identity()):
            return other
        return combine(self, other, 1)._canonical()

    def __radd__(self, other: object) -> TermStats:
        # sum([...]) begins with 0
        return self if other == 0 else NotImplemented

    def __sub__(self, other: object) -> TermStats:
        if not isinstance(other, TermStats):
            return NotImplemented
        if other._is_identity():
            return self
        if not (self.exact and other.exact):
            raise StatsError(
                "only integer statistics can be subtracted exactly; "
                "these hold weighted sums (real weights in X or in sample_weight)"
            )
        return combine(self, other, -1)._canonical()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TermStats):
            return NotImplemented
        return self._header() == other._header() and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in _TABLES
        )

    __hash__ = None  # type: ignore[assignment]

    def _canonical(self) -> TermStats:
        """Drop classes without documents and, where terms have names, terms that do not occur."""
        stats = self
        kept = np.flatnonzero(self.class_docs)
        if len(kept) < len(self.classes):
            # A class without documents has no entries in the table.
            position = np.cumsum(self.class_docs != 0) - 1
            stats = replace(
                stats,
                classes=self.classes[kept],
                class_docs=self.class_docs[kept],
                class_of=position[self.class_of].astype(np.int32),
            )
        if self.terms is not None and not np.all(self.term_df):
            stats = stats.take(np.flatnonzero(self.term_df))
        return stats

    def _is_identity(self) -> bool:
        return self.n_docs == 0 and self.terms is not None and len(self.terms) == 0

    # -- looking ------------------------------------------------------------------------------

    @property
    def n_classes(self) -> int:
        """K, the number of classes."""
        return len(self.classes)

    @property
    def n_terms(self) -> int:
        """M, the number of terms."""
        return len(self.term_df)

    @property
    def exact(self) -> bool:
        """Are all tables integers, so that every sum is exact in any order?"""
        return self.df.dtype.kind == "i" and self.tf.dtype.kind == "i"

    @property
    def class_tokens(self) -> Array:
        """Occurrences in each class, T[k] = Σ_t tf[k, t], of the terms held."""
        whole = self.tf.dtype.kind == "i"
        # bincount's weights are floats: exact only to 2**53, but many times faster.
        if whole and np.abs(self.tf).sum(dtype=np.float64) >= 2**53:
            totals = np.zeros(self.n_classes, np.int64)
            np.add.at(totals, self.class_of, self.tf)
            return totals
        sums = np.bincount(self.class_of, weights=self.tf, minlength=self.n_classes)
        return sums.astype(np.int64) if whole else sums

    def dense(self, table: str, start: int = 0, stop: int | None = None) -> Array:
        """One of the tables, ``"df"`` or ``"tf"``, as a K × (stop − start) array."""
        stop = self.n_terms if stop is None else min(stop, self.n_terms)
        values: Array = getattr(self, table)
        entries = slice(self.indptr[start], self.indptr[stop])
        block = np.zeros((self.n_classes, stop - start), values.dtype)
        columns = np.repeat(np.arange(stop - start), np.diff(self.indptr[start : stop + 1]))
        block[self.class_of[entries], columns] = values[entries]
        return block

    def sparse(self, table: str) -> sp.csc_array:
        """One of the tables, ``"df"`` or ``"tf"``, as a sparse K × M matrix."""
        values: Array = getattr(self, table)
        return sp.csc_array((values, self.class_of, self.indptr), (self.n_classes, self.n_terms))

    def term_name(self, t: int) -> str:
        """The term with an id; the number of a column that has no name."""
        return str(t) if self.terms is None else self.terms[t]

    def __repr__(self) -> str:
        pruned = ", pruned" if self.pruned else ""
        return (
            f"TermStats({self.n_docs:,} documents, {self.n_classes:,} classes, "
            f"{self.n_terms:,} terms{pruned})"
        )

    def report(self, *, title: str = "Term statistics", n_terms: int = 15) -> Report:
        """Report on the classes: the terms that make each, by any score, and what they share.

        Parameters
        ----------
        title : str
        n_terms : int, default=15
            So many terms of each class, by each score.
        """
        from termfold.report import report_stats

        return report_stats(self, title=title, n_terms=n_terms)

    # -- choosing -----------------------------------------------------------------------------

    def take(self, ids: Ints) -> TermStats:
        """Keep the terms with the given ids, which must be ascending."""
        lengths = np.diff(self.indptr)[ids]
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        entries = np.repeat(self.indptr[:-1][ids] - indptr[:-1], lengths) + np.arange(indptr[-1])
        return replace(
            self,
            terms=None if self.terms is None else self.terms.take(ids),
            indptr=indptr,
            class_of=self.class_of[entries],
            df=self.df[entries],
            tf=self.tf[entries],
            term_df=self.term_df[ids],
            term_tf=self.term_tf[ids],
        )

    def prune(self, min_df: int = 1, max_df: float | None = None) -> TermStats:
        """Drop terms by document frequency; the last step, since the result no longer adds.

        Parameters
        ----------
        min_df : int
            Keep terms in at least so many documents.
        max_df : int or float, optional
            Keep terms in at most so many documents (an int) or such a share of them (a float).
        """
        if isinstance(max_df, float):
            max_df = max_df * self.n_docs
        kept = self.term_df >= min_df
        if max_df is not None:
            kept &= self.term_df <= max_df
        return replace(self.take(np.flatnonzero(kept)), pruned=True)

    # -- keeping ------------------------------------------------------------------------------

    def _header(self) -> dict[str, Any]:
        """What is not a table: equal headers and equal tables are equal statistics."""
        return {
            "classes": self.classes.tolist(),
            "named_terms": self.terms is not None,
            "terms_sha256": "" if self.terms is None else _digest(self.terms),
            "n_docs": self.n_docs,
            "pruned": self.pruned,
            "analyzer": None if self.analyzer is None else self.analyzer.to_dict(),
        }

    def content_hash(self) -> str:
        """SHA-256 of the content: equal for equal statistics, however they were collected."""
        digest = hashlib.sha256(json.dumps(self._header(), sort_keys=True).encode())
        for name in _TABLES:
            table = np.ascontiguousarray(getattr(self, name))
            digest.update(f"{name}:{table.dtype.str}:{table.size};".encode())
            digest.update(table.tobytes())
        return digest.hexdigest()

    def save(self, path: str | Path) -> None:
        """Write a count file, in one step; see ``termfold.stats.file``."""
        from termfold.stats.file import save

        save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> TermStats:
        """Read a count file and check that it is whole."""
        from termfold.stats.file import load

        return load(path)


def _digest(terms: Vocabulary) -> str:
    return hashlib.sha256(terms.offsets.tobytes() + terms.data.tobytes()).hexdigest()
