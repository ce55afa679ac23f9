"""A sample of the training texts that fits into memory, the same whatever the order or threads."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from termfold._arrays import Array, Ints
from termfold.terms.byte_strings import hash_slices
from termfold.terms.texts import utf8_of


class Chosen(NamedTuple):
    """Texts of a batch that are in the sample so far: their rows, hashes and sizes in bytes."""

    rows: Ints
    hashes: Array
    sizes: Ints


class Sample:
    """Keeps the texts whose hash is below a bar, and lowers the bar when they become too many.

    The bar is halved each time, so that it ends at the same height in whatever order texts come.

    Parameters
    ----------
    max_bytes : int or None
        How many bytes of text may be kept; None keeps all.

    Examples
    --------
    >>> sample = Sample(max_bytes=None)
    >>> sample.choose(pa.array(["a", "b"], pa.large_string())).rows
    array([0, 1])
    """

    def __init__(self, max_bytes: int | None) -> None:
        self._max_bytes = max_bytes
        self._bits = 64
        self._kept_bytes = 0

    def choose(self, texts: pa.LargeStringArray) -> Chosen:
        """The texts of a batch that are below the bar now; later it may be lower."""
        data, bounds = utf8_of(texts)
        sizes = np.diff(bounds)
        if self._max_bytes is None:
            return Chosen(np.arange(len(sizes)), np.zeros(0, np.uint64), sizes)
        hashes = hash_slices(data, bounds)
        rows = np.flatnonzero(self.below(hashes))
        return Chosen(rows, hashes[rows], sizes[rows])

    def below(self, hashes: Array) -> Any:
        """Which hashes are below the bar."""
        return (hashes >> np.uint64(self._bits)) == 0 if self._bits < 64 else hashes == hashes

    def add(self, chosen: Chosen) -> bool:
        """Take texts in; tell if there are too many now."""
        self._kept_bytes += int(chosen.sizes.sum())
        return self._max_bytes is not None and self._kept_bytes > self._max_bytes

    def lower(self, parts: list[Chosen]) -> list[Array]:
        """Lower the bar until what is left fits; which of each part's texts that is."""
        left = [np.ones(len(part.rows), bool) for part in parts]
        assert self._max_bytes is not None, "without a limit nothing is too much"
        while self._kept_bytes > self._max_bytes and self._bits > 0:
            self._bits -= 1
            left = [self.below(part.hashes) for part in parts]
            self._kept_bytes = sum(
                int(part.sizes[kept].sum()) for part, kept in zip(parts, left, strict=True)
            )
        return left
