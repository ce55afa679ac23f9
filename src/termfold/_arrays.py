"""Names for the array types that signatures use, and indices as the kernels take them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Ints: TypeAlias = npt.NDArray[np.integer[Any]]
Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]


def unsigned(indices: Ints) -> Ints:
    """Indices, none below zero, as unsigned numbers of their size; the same memory.

    Kernels need not ask of those whether they count from the end.
    """
    return indices.view(f"u{indices.dtype.itemsize}")
