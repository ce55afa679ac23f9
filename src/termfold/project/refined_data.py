"""Training documents in the form that the solver goes through."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from termfold._arrays import Array, Ints
from termfold.project.refined_kernel import by_rank
from termfold.project.refined_prior import DocCounts
from termfold.stats import Labels, TermStats
from termfold.stats.labels import holds_lists

First = TypeVar("First")
Second = TypeVar("Second")

HELD_SHARE = 0.1
FEW_DOCS, MANY_DOCS = 300, 1000


@dataclass(frozen=True, eq=False)
class Documents:
    """Weights of terms in documents, the terms that only one document has kept apart.

    About half of a vocabulary occurs in one document only. The weights of such terms follow from
    that document alone, so the solver's table need not hold them.

    Parameters
    ----------
    x : sparse matrix of shape (n_docs, n_shared), float32
        Terms of two documents or more, the most frequent first: the rows of the weights that are
        fetched most often then lie side by side.
    shared_squares : ndarray of shape (n_docs,), float32
        Σ x² of each document there.
    own_docs : ndarray of shape (n_own,)
        The document of each other term.
    own_x : ndarray of shape (n_own,), float32
        Its weight there.
    """

    x: sp.csr_array
    shared_squares: Array
    own_docs: Ints
    own_x: Array

    @classmethod
    def of(cls, x: sp.csr_array, terms: Ints, n_shared: int) -> Documents:
        """Take these columns of a matrix, the first ``n_shared`` of which stay in one."""
        rank = np.full(x.shape[1], -1, np.int32)
        rank[terms] = np.arange(len(terms))
        indptr, indices, values, squares, own_docs, own_x = by_rank(
            x.indptr, x.indices, x.data, rank, n_shared, len(terms)
        )
        shared = sp.csr_array((values, indices, indptr), (x.shape[0], n_shared))
        return cls(shared, squares, own_docs, own_x)

    @property
    def own_sums(self) -> Array:
        """Σ x of each document's own terms."""
        return self._sum(self.own_x)

    @property
    def own_squares(self) -> Array:
        """Σ x² of each document's own terms."""
        return self._sum(self.own_x**2)

    def _sum(self, values: Array) -> Array:
        sums: Array = np.bincount(self.own_docs, values, self.x.shape[0])
        return sums.astype(np.float32)


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The columns that are used: the most frequent first, those of one document last.

    Parameters
    ----------
    columns : ndarray of int
    n_shared : int
        How many of them more than one document has. All, where documents have weights: what one
        document says of a term then differs from document to document.
    term_docs : ndarray
        Documents, as often as they count, with each of them.
    """

    columns: Ints
    n_shared: int
    term_docs: Array

    @classmethod
    def of(cls, counts: sp.csr_array, min_df: int, sample_weight: Array | None) -> Vocabulary:
        """Take the terms in ``min_df`` rows or more."""
        rows = np.bincount(counts.indices, minlength=counts.shape[1])
        kept = int(np.count_nonzero(rows >= max(min_df, 1)))
        rarity = rows.max(initial=0) - rows  # NumPy sorts small integers in linear time
        columns = np.argsort(rarity.astype(np.min_scalar_type(rows.max(initial=0))), kind="stable")
        columns = columns[:kept]
        if sample_weight is None:
            return cls(columns, int(np.count_nonzero(rows[columns] > 1)), rows[columns])
        weights = np.repeat(sample_weight, np.diff(counts.indptr))
        return cls(columns, kept, np.bincount(counts.indices, weights, len(rows))[columns])


def count_documents(
    counts: sp.csr_array,
    labels: Labels,
    sample_weight: Array | None,
    held: Ints,
    classes: Array,
    terms: Ints,
) -> tuple[TermStats, DocCounts, DocCounts]:
    """Count all documents, and those that are not held out."""

    def choose(stats: TermStats) -> DocCounts:
        return DocCounts.of(stats, classes, terms)

    stats = TermStats.from_matrix(counts, labels, sample_weight=sample_weight)
    held_stats = TermStats.from_matrix(
        counts[held],
        some_labels(labels, held),
        sample_weight=None if sample_weight is None else sample_weight[held],
    )
    chosen = choose(stats)
    return stats, chosen, chosen - choose(held_stats)


def choose_rows(n_docs: int, rng: np.random.RandomState) -> Ints:
    """Choose documents to hold out: a tenth, but 300 to 1000 of them, and at most a third."""
    wanted = min(max(FEW_DOCS, int(HELD_SHARE * n_docs)), MANY_DOCS, max(n_docs // 3, 1))
    return np.sort(rng.permutation(n_docs)[:wanted])


def membership(labels: Labels) -> sp.csr_array:
    """Documents × classes, 1 where a document belongs to a class."""
    ones = np.ones(len(labels.ids), np.float32)
    return sp.csr_array((ones, labels.ids, labels.indptr), shape=(len(labels), len(labels.classes)))


def some_labels(labels: Labels, rows: Ints) -> Labels:
    """Labels of some documents, of the same classes."""
    chosen = membership(labels)[rows]
    return Labels(labels.classes, chosen.indptr.astype(np.int64), chosen.indices.astype(np.int32))


def read_labels(y: Any) -> tuple[Labels, bool]:
    """Read the labels of documents; may a document have several?

    The form of y decides, not whether a document of these happens to have several.
    """
    if isinstance(y, Labels):
        return y, not y.single
    if isinstance(y, pa.Array | pa.ChunkedArray):
        y = y.to_pylist()
    if sp.issparse(y):
        return Labels.of(y), True
    may_hold_lists = isinstance(y, list) or getattr(y, "dtype", "") == "object"
    if may_hold_lists and holds_lists(y):
        return Labels.of([list(labels) for labels in y]), True
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] > 1:
        return Labels.of(y), True
    y = column_or_1d(y, warn=True)
    if y.dtype.kind not in "US":  # names are never continuous
        check_classification_targets(y)
    return Labels.of(y), False


def side_by_side(
    first: Callable[[], First], second: Callable[[], Second], n_threads: int
) -> tuple[First, Second]:
    """Call two functions, at the same time if there are threads."""
    if n_threads == 1:
        return first(), second()
    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(second)
        return first(), pending.result()
