"""What has to be known of numbers before they are summed, found in one look at them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from termfold._arrays import Array

# So many numbers stay in the processor's cache while several things are asked of them.
_BLOCK = 2**15
_MOST = np.iinfo(np.int64).max


class Survey(NamedTuple):
    """What some numbers are like; zero counts as one of them.

    Parameters
    ----------
    least, most : float
        The extremes.
    total : float
        An upper bound of the sum of all sizes; where no number is negative, that sum, but for
        rounding.
    whole : bool
        Are all of them whole, so that their sums in 64 bits are exact?
    """

    least: float
    most: float
    total: float
    whole: bool

    @classmethod
    def of(cls, values: Array) -> Survey:
        """Look at numbers; NaN, infinity and what does not fit into 64 bits are errors."""
        least = most = total = 0.0
        whole = True
        for start in range(0, len(values), _BLOCK):
            block = values[start : start + _BLOCK]
            low, high = float(block.min()), float(block.max())
            if not (np.isfinite(low) and np.isfinite(high)):
                raise ValueError("NaN or infinity among the values; termfold needs finite numbers")
            least, most = min(least, low), max(most, high)
            if values.dtype.kind == "f":
                whole = whole and bool(np.all(block == np.rint(block)))
            total += _total(block, small=low >= 0 and high < 2**48)
        if values.dtype == np.uint64 and most > _MOST:
            raise ValueError(f"{values.max()} among the values; they must be below 2**63")
        exact = values.dtype.kind != "f" or max(-least, most) < 2**53
        return cls(least, most, total, whole and exact)

    @property
    def type_of_sums(self) -> type:
        """The type to sum them in: int64 where they are whole, which is exact; else float64."""
        return np.int64 if self.whole else np.float64


def _total(block: Array, *, small: bool) -> float:
    """The sum of sizes; those of small numbers, none negative, can be summed as they are."""
    if small:
        return float(block.sum())
    with np.errstate(over="ignore"):  # an infinite bound is one
        return float(np.abs(block.astype(np.float64)).sum())
