"""TermStats: sums over documents, in which everything termfold computes begins."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold.errors import StatsError
from termfold.stats.kernels import merge_tables, tabulate
from termfold.stats.labels import Labels
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import EMPTY as NO_TERMS
from termfold.terms.vocabulary import Vocabulary

_TABLES = ("class_docs", "indptr", "class_of", "df", "tf", "term_df", "term_tf")


@dataclass(frozen=True, eq=False)
class TermStats:
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
        matrix = sp.csc_array(X) if sp.issparse(X) else sp.csc_array(np.asarray(X))
        if not matrix.has_canonical_format:
            matrix = matrix.copy()  # it may be the caller's
            matrix.sum_duplicates()
        labels = Labels.of(y)
        if matrix.shape[0] != len(labels):
            raise ValueError(f"X has {matrix.shape[0]} rows, but y has {len(labels)} labels")
        names = _as_vocabulary(terms, matrix.shape[1])
        weights = _whole(np.asarray([] if sample_weight is None else sample_weight))
        if sample_weight is not None and len(weights) != len(labels):
            raise ValueError(f"{len(weights)} sample weights for {len(labels)} documents")
        if np.any(weights < 0):
            raise ValueError("sample weights must not be negative")
        class_docs, n_docs = _count_docs(labels, weights)
        indptr, class_of, df, tf, term_df, term_tf = tabulate(
            matrix.indptr.astype(np.int64),
            matrix.indices.astype(np.int64),
            _whole(matrix.data),
            labels.indptr,
            labels.ids,
            weights,
            len(labels.classes),
        )
        stats = cls(
            labels.classes, names, n_docs, class_docs,
            indptr, class_of, df, tf, term_df, term_tf,
        )  # fmt: skip
        return stats._canonical()

    @classmethod
    def merge(cls, parts: Iterable[TermStats]) -> TermStats:
        """Add many; pairwise, so that each vocabulary is copied a logarithmic number of times."""
        queue = list(parts) or [cls.empty()]
        while len(queue) > 1:
            pairs = [sum(queue[i + 1 : i + 2], queue[i]) for i in range(0, len(queue), 2)]
            queue = pairs
        return queue[0]

    # -- the monoid ---------------------------------------------------------------------------

    def __add__(self, other: object) -> TermStats:
        if not isinstance(other, TermStats):
            return NotImplemented
        if other._is_identity() and (other.analyzer is None or not self._is_identity()):
            return self
        if self._is_identity() and (self.analyzer is None or not other._is_identity()):
            return other
        return self._combine(other, 1)

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
        return self._combine(other, -1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TermStats):
            return NotImplemented
        return self._header() == other._header() and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in _TABLES
        )

    __hash__ = None  # type: ignore[assignment]

    def _combine(self, other: TermStats, sign: int) -> TermStats:
        terms, from_self, from_other = self._align_terms(other)
        classes, own, theirs = _align_classes(self.classes, other.classes)
        df_type = np.result_type(self.df, other.df)
        tf_type = np.result_type(self.tf, other.tf)
        indptr, class_of, df, tf = merge_tables(
            from_self, self.indptr, own[self.class_of].astype(np.int32),
            self.df.astype(df_type), self.tf.astype(tf_type),
            from_other, other.indptr, theirs[other.class_of].astype(np.int32),
            other.df.astype(df_type), other.tf.astype(tf_type),
            sign,
        )  # fmt: skip
        class_docs = np.zeros(len(classes), df_type)
        class_docs[own] += self.class_docs
        class_docs[theirs] += sign * other.class_docs
        result = replace(
            self,
            classes=classes,
            terms=terms,
            n_docs=self.n_docs + sign * other.n_docs,
            class_docs=class_docs,
            indptr=indptr,
            class_of=class_of,
            df=df,
            tf=tf,
            term_df=_lookup(self.term_df, from_self) + sign * _lookup(other.term_df, from_other),
            term_tf=_lookup(self.term_tf, from_self) + sign * _lookup(other.term_tf, from_other),
        )
        if sign < 0:
            result._check_not_negative()
        return result._canonical()

    def _align_terms(self, other: TermStats) -> tuple[Vocabulary | None, Ints, Ints]:
        if self.pruned or other.pruned:
            raise StatsError("pruned statistics do not add up: merge first, prune the result")
        if self.analyzer != other.analyzer:
            raise StatsError(
                f"terms were made by different analyzers: {self.analyzer} and {other.analyzer}"
            )
        if self.terms is not None and other.terms is not None:
            return self.terms.union(other.terms)
        if self.terms is not None or other.terms is not None:
            raise StatsError("one of the two has named terms, the other numbered columns")
        if self.n_terms != other.n_terms:
            raise StatsError(f"matrices of {self.n_terms} and {other.n_terms} columns do not add")
        columns = np.arange(self.n_terms)
        return None, columns, columns

    def _check_not_negative(self) -> None:
        for name in ("class_docs", "df", "tf", "term_df", "term_tf"):
            if np.any(getattr(self, name) < 0):
                raise StatsError("cannot subtract documents that were never added")
        if self.n_docs < 0:
            raise StatsError("cannot subtract documents that were never added")

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
        if self.tf.dtype.kind == "i":  # bincount's weights are floats: exact only to 2**53
            totals = np.zeros(self.n_classes, np.int64)
            np.add.at(totals, self.class_of, self.tf)
            return totals
        return np.bincount(self.class_of, weights=self.tf, minlength=self.n_classes)

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

    def __repr__(self) -> str:
        pruned = ", pruned" if self.pruned else ""
        return (
            f"TermStats({self.n_docs:,} documents, {self.n_classes:,} classes, "
            f"{self.n_terms:,} terms{pruned})"
        )

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


def _align_classes(a: Array, b: Array) -> tuple[Array, Ints, Ints]:
    """The classes of both, and the positions there of those of a and of b."""
    if len(a) == 0 or len(b) == 0:  # an empty array goes with names and with numbers
        return (a if len(a) else b), np.arange(len(a)), np.arange(len(b))
    if (a.dtype.kind in "US") != (b.dtype.kind in "US"):
        raise StatsError(
            "the classes of one are names and of the other numbers: "
            f"{a[:1].tolist()} and {b[:1].tolist()}"
        )
    classes = np.union1d(a, b)
    return classes, np.searchsorted(classes, a), np.searchsorted(classes, b)


def _as_vocabulary(terms: Iterable[str] | Vocabulary | None, columns: int) -> Vocabulary | None:
    if terms is None or isinstance(terms, Vocabulary):
        names = terms
    else:
        listed = list(terms)
        names = Vocabulary.from_terms(listed)
        if list(names) != listed:
            raise ValueError("the terms of a matrix must be distinct and in sorted order")
    if names is not None and len(names) != columns:
        raise ValueError(f"{len(names)} terms for a matrix of {columns} columns")
    return names


def _count_docs(labels: Labels, weights: Array) -> tuple[Array, int | float]:
    per_label = np.repeat(weights, np.diff(labels.indptr)) if len(weights) else None
    class_docs = np.bincount(labels.ids, weights=per_label, minlength=len(labels.classes))
    if per_label is None:
        return class_docs.astype(np.int64), len(labels)
    return class_docs.astype(weights.dtype), weights.sum().item()


def _whole(values: Array) -> Array:
    """Numbers as int64 where they are whole, so that their sums are exact; else float64."""
    if values.dtype.kind in "biu":
        return values.astype(np.int64)
    if not np.all(np.isfinite(values)):
        raise ValueError("NaN or infinity among the values; termfold needs finite numbers")
    whole = np.all(values == np.rint(values)) and np.all(np.abs(values) < 2**53)
    return values.astype(np.int64 if whole else np.float64)


def _lookup(values: Array, ids: Ints) -> Array:
    """``values[ids]``, zero where an id is −1."""
    found = np.zeros(len(ids), values.dtype)
    known = ids >= 0
    found[known] = values[ids[known]]
    return found


def _digest(terms: Vocabulary) -> str:
    return hashlib.sha256(terms.offsets.tobytes() + terms.data.tobytes()).hexdigest()
