"""Labels of documents as two integer arrays, whatever form they came in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import scipy.sparse as sp

from termfold._arrays import Array, Ints

_LISTS = (list, tuple, set, frozenset, np.ndarray)


@dataclass(frozen=True, eq=False)
class Labels:
    """Which classes each document belongs to: one, several or none.

    Parameters
    ----------
    classes : ndarray of shape (K,)
        The names of the classes, sorted.
    indptr : ndarray of int64, shape (n_docs + 1,)
        Document ``i`` has the classes ``ids[indptr[i]:indptr[i + 1]]``, each once.
    ids : ndarray of int32
        Positions in ``classes``.

    Examples
    --------
    >>> Labels.of(["b", "a", "b"]).ids
    array([1, 0, 1], dtype=int32)
    >>> Labels.of([["b"], [], ["a", "b"]]).indptr
    array([0, 1, 1, 3])
    """

    classes: Array
    indptr: Ints
    ids: Ints

    @classmethod
    def of(cls, y: Any) -> Labels:
        """Read labels.

        Parameters
        ----------
        y : one of
            a sequence of labels; a sequence of sequences of labels; a two-dimensional indicator
            matrix, dense or sparse, whose columns become the classes 0, 1, …; an Arrow array of
            strings or of lists of strings.
        """
        if isinstance(y, Labels):
            return y
        if sp.issparse(y) or getattr(y, "ndim", 1) == 2:
            return cls._from_indicator(y)
        if isinstance(y, pa.Array | pa.ChunkedArray):
            y = y.to_pylist()
        if holds_lists(y):
            return cls._from_lists(list(y))
        classes, ids = _coded(y)
        return cls(classes, np.arange(len(ids) + 1), ids)

    @classmethod
    def of_target(cls, y: Any) -> Labels:
        """Read labels as scikit-learn does.

        Rows of numbers are an indicator matrix, also as lists; a single column holds labels.
        """
        if isinstance(y, list) and y and not isinstance(y[0], str):
            rows = [len(row) if isinstance(row, list | tuple) else -1 for row in y]
            if min(rows) == max(rows) != 0 and np.asarray(y).dtype.kind in "biuf":
                y = np.asarray(y)
        if hasattr(y, "__array__") and not hasattr(y, "tocsr"):
            y = np.asarray(y)
            if y.ndim == 2 and y.shape[1] == 1:
                y = y.ravel()
            if y.ndim == 1 and y.dtype.kind in "fO":
                # Imported here: who only predicts should not wait for scikit-learn.
                from sklearn.utils.multiclass import check_classification_targets

                check_classification_targets(y)
        return cls.of(y)

    @classmethod
    def _from_lists(cls, lists: list[Any]) -> Labels:
        for row, labels in enumerate(lists):
            if not isinstance(labels, _LISTS):
                raise ValueError(
                    f"the labels of document {row} are {labels!r}, while others have a list; "
                    "give a list for each, an empty one for no label"
                )
        distinct = [list(dict.fromkeys(labels)) for labels in lists]
        classes, ids = _coded([label for labels in distinct for label in labels])
        sizes = np.array([len(labels) for labels in distinct], np.int64)
        in_order = np.lexsort((ids, np.repeat(np.arange(len(sizes)), sizes)))
        return cls(classes, np.concatenate([[0], np.cumsum(sizes)]), ids[in_order])

    @classmethod
    def _from_indicator(cls, y: Any) -> Labels:
        matrix = sp.csr_array(y if sp.issparse(y) else np.asarray(y), copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        if matrix.nnz and not np.all(matrix.data == 1):
            raise ValueError("a two-dimensional y must be an indicator matrix of zeros and ones")
        return cls(
            np.arange(matrix.shape[1]),
            matrix.indptr.astype(np.int64),
            matrix.indices.astype(np.int32),
        )

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def take(self, rows: Ints) -> Labels:
        """The labels of some documents, with all classes."""
        sizes = np.diff(self.indptr)[rows]
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        entries = np.repeat(self.indptr[:-1][rows] - indptr[:-1], sizes) + np.arange(indptr[-1])
        return Labels(self.classes, indptr, self.ids[entries])

    def indicator(self, dtype: npt.DTypeLike = np.float64) -> sp.csr_array:
        """A matrix of documents × classes, one where the document has the class.

        Examples
        --------
        >>> Labels.of([["b"], [], ["a", "b"]]).indicator(int).toarray()
        array([[0, 1],
               [0, 0],
               [1, 1]])
        """
        ones = np.ones(len(self.ids), dtype)
        return sp.csr_array((ones, self.ids, self.indptr), (len(self), len(self.classes)))

    def rows_of(self, k: int) -> Ints:
        """The documents that have the class at position k."""
        rows: Ints = np.repeat(np.arange(len(self)), np.diff(self.indptr))[self.ids == k]
        return rows

    @property
    def single(self) -> bool:
        """Does every document have exactly one class?"""
        return bool(np.all(np.diff(self.indptr) == 1))


def holds_lists(y: Any) -> bool:
    """Is any of some labels a list or the like? Types are looked at, for they are few."""
    if isinstance(y, np.ndarray) and y.dtype != object:
        return False
    return any(issubclass(kind, _LISTS) for kind in set(map(type, y)))


def _coded(labels: Any) -> tuple[Array, Ints]:
    """The distinct ones of some labels, sorted, and the position of each label among them."""
    array = labels if isinstance(labels, np.ndarray) and labels.dtype != object else None
    if array is None:
        listed = list(labels)
        kinds = {kind: issubclass(kind, str) for kind in set(map(type, listed))}
        if any(kinds.values()) and not all(kinds.values()):
            odd = next(label for label in listed if not kinds[type(label)])
            raise ValueError(f"the label {odd!r} is not a string, while others are")
        array = np.asarray(listed) if len(listed) else np.zeros(0, "<U1")
    if array.dtype.kind not in "USbiuf" or array.ndim != 1:
        raise ValueError(f"labels must be strings or numbers, got {array.ravel()[:1].tolist()}")
    if array.dtype.kind == "f" and not np.all(np.isfinite(array)):
        raise ValueError("NaN or infinity among the labels; drop these documents or name a class")
    classes, ids = np.unique(array, return_inverse=True)
    return classes, ids.astype(np.int32)
