"""Labels of documents as two integer arrays, whatever form they came in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from termfold._arrays import Array, Ints


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
        if sp.issparse(y) or (isinstance(y, np.ndarray) and y.ndim == 2):
            return cls._from_indicator(y)
        if isinstance(y, pa.Array | pa.ChunkedArray):
            y = y.to_pylist()
        if len(y) and isinstance(y[0], list | tuple | set | frozenset):
            return cls._from_lists([sorted(set(labels)) for labels in y])
        classes, ids = np.unique(np.asarray(y), return_inverse=True)
        return cls(classes, np.arange(len(ids) + 1), ids.astype(np.int32).ravel())

    @classmethod
    def _from_lists(cls, lists: list[list[Any]]) -> Labels:
        flat = np.asarray([label for labels in lists for label in labels])
        classes, ids = np.unique(flat, return_inverse=True)
        indptr = np.concatenate([[0], np.cumsum([len(labels) for labels in lists])])
        return cls(classes, indptr.astype(np.int64), ids.astype(np.int32))

    @classmethod
    def _from_indicator(cls, y: Any) -> Labels:
        matrix = sp.csr_array(y)
        matrix.eliminate_zeros()
        if matrix.nnz and not np.all(matrix.data == 1):
            raise ValueError("a two-dimensional y must be an indicator matrix of zeros and ones")
        matrix.sort_indices()
        return cls(
            np.arange(matrix.shape[1]),
            matrix.indptr.astype(np.int64),
            matrix.indices.astype(np.int32),
        )

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def single(self) -> bool:
        """Does every document have exactly one class?"""
        return bool(np.all(np.diff(self.indptr) == 1))
