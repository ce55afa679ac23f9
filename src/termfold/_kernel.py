"""How every kernel of the package is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile with Numba at the first call, without the GIL, and keep the result on disk.

    Where no cache can be written (a read-only installation without a home directory) the kernel
    is compiled anew in each process instead of failing at import.
    """
    try:
        return numba.njit(nogil=True, cache=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(nogil=True)(function)  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """Compile into each caller.

    For what runs once per term or character: a call would count references to every array it is
    given, and these are atomic operations, dearer than the work itself.
    """
    return numba.njit(forceinline=True)(function)  # type: ignore[no-any-return]
