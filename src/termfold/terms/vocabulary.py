"""The vocabulary: distinct terms as UTF-8 bytes, in one canonical order.

Terms are sorted by their bytes. In UTF-8 that is the order of the code points, and so Python's
own order of strings, the one that ``sorted`` and scikit-learn's ``CountVectorizer`` use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from termfold._arrays import Bytes, Ints
from termfold.terms.byte_strings import (
    find,
    first_unsorted,
    sorted_order,
    take_slices,
    union_order,
)


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """An immutable, sorted sequence of distinct terms; a term's position is its id.

    Parameters
    ----------
    data : ndarray of uint8
        The terms' bytes, one after the other.
    offsets : ndarray of int64, shape (n_terms + 1,)
        Term ``i`` is ``data[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> vocabulary = Vocabulary.from_terms(["b", "ä", "a", "b"])
    >>> list(vocabulary), vocabulary.position("b")
    (['a', 'b', 'ä'], 1)
    """

    data: Bytes
    offsets: Ints

    @classmethod
    def from_terms(cls, terms: Iterable[str]) -> Vocabulary:
        """Sort the distinct ones of some terms."""
        return cls.from_arrow(pa.array(sorted(set(terms)), pa.large_string()))

    @classmethod
    def from_arrow(cls, array: pa.Array) -> Vocabulary:
        """Wrap an Arrow array of distinct strings that is sorted already."""
        if array.type != pa.large_string():
            array = array.cast(pa.large_string())
        if len(array) == 0:
            return EMPTY
        _, offsets, data = array.buffers()
        bounds = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
        raw = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
        return cls(raw[bounds[0] : bounds[-1]].copy(), bounds - bounds[0])

    @classmethod
    def from_slices(cls, data: Bytes, offsets: Ints) -> tuple[Vocabulary, Ints]:
        """Sort distinct terms; also tell the rank that each one got."""
        order = sorted_order(data, offsets)
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        return cls(*take_slices(data, offsets, order)), ranks

    @classmethod
    def checked(cls, data: Bytes, sizes: Ints) -> Vocabulary:
        """Wrap what a file says are sorted distinct terms and their sizes; an error if it lies.

        The kernels rely on all of it: wrong sizes would have them read elsewhere in memory.
        """
        if data.ndim != 1 or data.dtype != np.uint8:
            raise ValueError(f"the bytes of the terms are of type {data.dtype}, not uint8")
        offsets = offsets_of(sizes, len(data))
        vocabulary = cls(data, offsets)
        try:
            vocabulary.to_arrow().validate(full=True)
        except pa.ArrowInvalid as error:
            raise ValueError(f"a term is no text ({error})") from error
        at = int(first_unsorted(data, offsets))
        if at >= 0:
            raise ValueError(f"term {at} is not sorted after the one before")
        return vocabulary

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> str:
        if not 0 <= index < len(self):
            raise IndexError(f"term {index} of a vocabulary of {len(self)}")
        return self.data[self.offsets[index] : self.offsets[index + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_arrow().to_pylist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.data, other.data)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(repr(self[i]) for i in range(min(3, len(self))))
        return f"Vocabulary({len(self):,} terms{': ' if shown else ''}{shown})"

    def position(self, term: str) -> int | None:
        """The id of a term, None if it is not in the vocabulary."""
        index = int(find(self.data, self.offsets, np.frombuffer(term.encode(), np.uint8)))
        return index if index >= 0 else None

    def take(self, ids: Ints) -> Vocabulary:
        """Keep the terms with the given ids, which must be ascending."""
        return Vocabulary(*take_slices(self.data, self.offsets, ids))

    def to_arrow(self) -> pa.LargeStringArray:
        """The terms as an Arrow array that shares this vocabulary's memory."""
        buffers = [None, pa.py_buffer(self.offsets), pa.py_buffer(self.data)]
        return pa.Array.from_buffers(pa.large_string(), len(self), buffers)

    def union(self, other: Vocabulary) -> tuple[Vocabulary, Ints, Ints]:
        """Merge two vocabularies in time linear in their bytes.

        Returns
        -------
        union : Vocabulary
        from_self, from_other : ndarray of int64
            For each term of the union its id here and there, −1 where it is absent.
        """
        data, offsets, from_self, from_other = union_order(
            self.data, self.offsets, other.data, other.offsets
        )
        return Vocabulary(data, offsets), from_self, from_other


def offsets_of(sizes: Ints, total: int) -> Ints:
    """Offsets of parts of the given sizes, which a file states; an error if they cannot be."""
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu":
        raise ValueError(f"sizes of type {sizes.dtype} and shape {sizes.shape}")
    # The largest first: the sum of sizes that lie may be beyond an integer.
    if len(sizes) and not 0 <= sizes.min() <= sizes.max() <= total:
        raise ValueError("a size is out of range")
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes.astype(np.int64), out=offsets[1:])
    if offsets[-1] != total or offsets.max() > total:
        raise ValueError(f"{len(sizes)} sizes that do not add up to {total}")
    return offsets


EMPTY = Vocabulary(np.zeros(0, np.uint8), np.zeros(1, np.int64))
