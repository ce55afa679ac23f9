"""Training documents in the form that the solver goes through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from termfold._arrays import Array, Ints
from termfold.project.refined_kernel import DocTables, by_rank
from termfold.project.refined_prior import DocCounts
from termfold.stats import Labels, TermStats
from termfold.stats.labels import holds_lists

First = TypeVar("First")
Second = TypeVar("Second")

HELD_SHARE = 0.1
FEW_DOCS, MANY_DOCS = 300, 1000


@dataclass(frozen=True, eq=False)
class Documents:
    """A block of documents: weights of their terms, those that only one document has kept apart.

    About half of a vocabulary occurs in one document only. The weights of such terms follow from
    that document alone, so the solver's table need not hold them.

    Parameters
    ----------
    tables : DocTables
        The most frequent terms first: the rows of the weights that are fetched most often then
        lie side by side.
    shared_squares : ndarray of shape (n_docs,), float32
        Σ x² of the others.
    own_terms : ndarray of shape (n_own,)
        The terms that one of the documents has alone, numbered among all such terms.
    own_docs : ndarray of shape (n_own,)
        Its row.
    own_x : ndarray of shape (n_own,), float32
        Their weights there.
    """

    tables: DocTables
    shared_squares: Array
    own_terms: Ints
    own_docs: Ints
    own_x: Array

    @classmethod
    def of(cls, x: sp.csr_array, terms: Ints, n_shared: int, doc_costs: Array) -> Documents:
        """Take these columns of a matrix, the first ``n_shared`` of which stay in one."""
        rank = np.full(x.shape[1], -1, np.int32)
        rank[terms] = np.arange(len(terms))
        indptr, shared, values, squares, own_docs, own_x = by_rank(
            x.indptr, x.indices, x.data, rank, n_shared, len(terms)
        )
        own_terms = np.flatnonzero(own_docs >= 0)
        own_docs, own_x = own_docs[own_terms], own_x[own_terms]
        own_sums, own_squares = (
            np.bincount(own_docs, of_x, x.shape[0]).astype(np.float32) for of_x in (own_x, own_x**2)
        )
        tables = DocTables(
            indptr.astype(np.int32),  # a block is never so large
            shared,
            values,
            squares + own_squares,
            own_sums,
            own_squares,
            doc_costs.astype(np.float32),
        )
        return cls(tables, squares, own_terms, own_docs, own_x)

    def __len__(self) -> int:
        return len(self.tables.indptr) - 1

    def rows(self, rows: Ints, n_shared: int) -> sp.csr_array:
        """Weights of the shared terms of some documents."""
        indptr, terms, values = self.tables[:3]
        return sp.csr_array((values, terms, indptr), (len(self), n_shared))[rows]


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
    def of(
        cls, blocks: Sequence[sp.csr_array], min_df: int, sample_weight: Array | None
    ) -> Vocabulary:
        """Take the terms in ``min_df`` rows or more."""
        n_terms = blocks[0].shape[1]
        rows = np.zeros(n_terms, np.int64)
        for block in blocks:
            rows += np.bincount(block.indices, minlength=n_terms)
        kept = int(np.count_nonzero(rows >= max(min_df, 1)))
        rarity = rows.max(initial=0) - rows  # NumPy sorts small integers in linear time
        columns = np.argsort(rarity.astype(np.min_scalar_type(rows.max(initial=0))), kind="stable")
        columns = columns[:kept]
        if sample_weight is None:
            return cls(columns, int(np.count_nonzero(rows[columns] > 1)), rows[columns])
        sums = np.zeros(n_terms)
        for block, weights in zip(blocks, _split(sample_weight, blocks), strict=True):
            weights = np.repeat(weights, np.diff(block.indptr))
            sums += np.bincount(block.indices, weights, n_terms)
        return cls(columns, kept, sums[columns])


def count_documents(
    blocks: Sequence[sp.csr_array],
    labels: Labels,
    sample_weight: Array | None,
    held: Ints,
    classes: Array,
    terms: Ints,
) -> tuple[TermStats, DocCounts, DocCounts]:
    """Count all documents, and those that are not held out."""

    def count(held_only: bool) -> Iterator[TermStats]:
        of_blocks = _split(np.arange(len(labels)), blocks)
        for counts, rows in zip(blocks, of_blocks, strict=True):
            if held_only:
                chosen = rows[np.isin(rows, held)]
                counts, rows = counts[chosen - rows[0]], chosen
            yield TermStats.from_matrix(
                counts,
                labels if len(rows) == len(labels) else labels.take(rows),
                sample_weight=None if sample_weight is None else sample_weight[rows],
            )

    stats = TermStats.merge(count(held_only=False))
    chosen = DocCounts.of(stats, classes, terms)
    held_out = DocCounts.of(TermStats.merge(count(held_only=True)), classes, terms)
    return stats, chosen, chosen - held_out


def choose_rows(n_docs: int, rng: np.random.RandomState) -> Ints:
    """Choose documents to hold out: a tenth, but 300 to 1000 of them, and at most a third."""
    wanted = min(max(FEW_DOCS, int(HELD_SHARE * n_docs)), MANY_DOCS, max(n_docs // 3, 1))
    return np.sort(rng.permutation(n_docs)[:wanted])


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


def _split(of_docs: Array, blocks: Sequence[sp.csr_array]) -> list[Array]:
    """Values of all documents, block by block."""
    return np.split(of_docs, np.cumsum([block.shape[0] for block in blocks])[:-1])


def side_by_side(
    first: Callable[[], First], second: Callable[[], Second], n_threads: int
) -> tuple[First, Second]:
    """Call two functions, at the same time if there are threads."""
    if n_threads == 1:
        return first(), second()
    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(second)
        return first(), pending.result()
