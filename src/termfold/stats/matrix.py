"""From a document × term matrix to the tables of ``TermStats``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array
from termfold.stats.kernels import tabulate
from termfold.stats.labels import Labels
from termfold.terms.vocabulary import Vocabulary

_LARGEST = np.iinfo(np.int64).max


def sum_by_class(
    X: Any, y: Any, terms: Iterable[str] | Vocabulary | None, sample_weight: Array | None
) -> dict[str, Any]:
    """Sum a matrix by class; see ``TermStats.from_matrix``. Gives the fields of ``TermStats``."""
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
    values = _whole(matrix.data)
    _check_room(values, weights)
    class_docs, n_docs = _count_docs(labels, weights)
    indptr, class_of, df, tf, term_df, term_tf = tabulate(
        matrix.indptr.astype(np.int64),
        matrix.indices.astype(np.int32, copy=False),
        values,
        labels.indptr,
        labels.ids,
        weights,
        len(labels.classes),
    )
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


def _check_room(values: Array, weights: Array) -> None:
    """Refuse what would not fit into the sums, which are of 64 bits and would wrap around."""
    if weights.dtype.kind == "f":
        return
    documents = weights.astype(np.float64)
    occurrences = np.abs(values.astype(np.float64)).sum() * documents.max(initial=1)
    for total in (documents.sum(), occurrences if values.dtype.kind == "i" else 0):
        if total >= _LARGEST:
            raise ValueError(
                f"the values add up to some {total:.2g}, and whole numbers are summed up to 2**63; "
                "divide them all by the same number"
            )


def _whole(values: Array) -> Array:
    """Numbers as int64 where they are whole, so that their sums are exact; else float64."""
    if values.dtype.kind in "biu":
        if values.dtype == np.uint64 and values.max(initial=0) > _LARGEST:
            raise ValueError(f"{values.max()} among the values; they must be below 2**63")
        return values.astype(np.int64)
    if not np.all(np.isfinite(values)):
        raise ValueError("NaN or infinity among the values; termfold needs finite numbers")
    whole = np.all(values == np.rint(values)) and np.all(np.abs(values) < 2**53)
    return values.astype(np.int64 if whole else np.float64)
