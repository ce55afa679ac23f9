"""From a document × term matrix to the tables of ``TermStats``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, unsigned
from termfold.stats.kernels import tabulate
from termfold.stats.labels import Labels
from termfold.stats.row_kernels import tabulate_rows, total_pairs, total_rows
from termfold.stats.survey import Survey
from termfold.terms.vocabulary import Vocabulary

_LARGEST = np.iinfo(np.int64).max


def sum_by_class(
    X: Any, y: Any, terms: Iterable[str] | Vocabulary | None, sample_weight: Array | None
) -> dict[str, Any]:
    """Sum a matrix by class; see ``TermStats.from_matrix``. Gives the fields of ``TermStats``."""
    matrix = _canonical(X)
    labels = Labels.of(y)
    if matrix.shape[0] != len(labels):
        raise ValueError(f"X has {matrix.shape[0]} rows, but y has {len(labels)} labels")
    names = _as_vocabulary(terms, matrix.shape[1])
    weights = np.asarray([] if sample_weight is None else sample_weight)
    if sample_weight is not None and len(weights) != len(labels):
        raise ValueError(f"{len(weights)} sample weights for {len(labels)} documents")
    times = Survey.of(weights)
    if times.least < 0:
        raise ValueError("sample weights must not be negative")
    weights = weights.astype(times.type_of_sums)
    values = Survey.of(matrix.data)
    _check_room(values, times)
    class_docs, n_docs = _count_docs(labels, weights)
    if matrix.format == "csc":
        tables = _by_columns(matrix, values.type_of_sums, labels, weights)
    else:
        sums = np.zeros(2 * matrix.shape[1], _type_of_cells(values, times))
        tables = _by_rows(matrix, values.type_of_sums, labels, weights, sums)
    indptr, class_of, df, tf, term_df, term_tf = tables
    return {
        "classes": labels.classes,
        "terms": names,
        "n_docs": n_docs,
        "class_docs": class_docs,
        "indptr": indptr,
        "class_of": class_of,
        "df": df,
        "tf": tf,
        "term_df": term_df,
        "term_tf": term_tf,
    }


def _canonical(X: Any) -> sp.csr_array | sp.csc_array:
    """A matrix by columns where it is so already, else by rows; in order, without duplicates."""
    by_columns = sp.issparse(X) and X.format == "csc"
    matrix = sp.csc_array(X) if by_columns else sp.csr_array(X if sp.issparse(X) else np.asarray(X))
    if not _in_order(matrix):
        matrix.check_format(full_check=True)
        matrix = matrix.copy()  # it may be the caller's
        matrix.sum_duplicates()
    return matrix


def _in_order(matrix: sp.csr_array | sp.csc_array) -> bool:
    """Do the indices of each row (or column) ascend, and all lie within the matrix?

    What scipy's ``has_canonical_format`` asks, and more, in a fraction of the time: indices may
    fall only where a row begins.
    """
    indices = matrix.indices
    falls = indices[1:] <= indices[:-1]
    begins = matrix.indptr[:-1][np.diff(matrix.indptr) > 0]
    across = matrix.shape[0 if matrix.format == "csc" else 1]
    return bool(
        np.count_nonzero(falls) == np.count_nonzero(falls[begins[1:] - 1])
        and indices.min(initial=0) >= 0
        and indices.max(initial=-1) < across
    )


def _by_columns(matrix: sp.csc_array, type_of_sums: type, labels: Labels, weights: Array) -> Any:
    return tabulate(
        matrix.indptr.astype(np.int64),
        matrix.indices.astype(np.int32, copy=False),
        matrix.data.astype(type_of_sums, copy=False),
        labels.indptr,
        labels.ids,
        weights,
        len(labels.classes),
    )


def _by_rows(
    matrix: sp.csr_array, type_of_sums: type, labels: Labels, weights: Array, sums: Array
) -> Any:
    # Whole numbers in float64 are common, so the kernel takes them; what is rare is converted.
    known = matrix.data.dtype in (np.int64, np.float64)
    rows = (
        unsigned(matrix.indptr),
        unsigned(matrix.indices),
        matrix.data if known else matrix.data.astype(type_of_sums),
    )
    like: Array = np.zeros(0, type_of_sums)
    table = tabulate_rows(
        *rows, labels.indptr, labels.ids, weights, like, sums, len(labels.classes)
    )
    indptr, _, df, tf = table
    if labels.single and df.dtype.kind == tf.dtype.kind == "i":
        return *table, *total_pairs(indptr, df, tf)
    return *table, *total_rows(*rows, weights, like, matrix.shape[1])


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


def _check_room(values: Survey, times: Survey) -> None:
    """Refuse what would not fit into the sums, which are of 64 bits and would wrap around."""
    if not times.whole:
        return
    for total in (times.total, values.total * max(1, times.most) if values.whole else 0):
        if total >= _LARGEST:
            raise ValueError(
                f"the values add up to some {total:.2g}, and whole numbers are summed up to 2**63; "
                "divide them all by the same number"
            )


def _type_of_cells(values: Survey, times: Survey) -> type:
    """The narrowest type that any sum fits into: more sums stay close to the processor."""
    if not (values.whole and times.whole):
        return np.float64
    narrow = values.least >= 0 and values.total * max(1, times.most) < 2**32
    return np.uint32 if narrow else np.int64
