"""How every kernel of the package is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

# What other kernels alone call needs no way in from Python; that spares a third of the compiling.
_INTERNAL = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: F) -> F:
    """Compile with Numba at the first call, without the GIL, and keep the result on disk.

    Where no cache can be written (a read-only installation without a home directory) the kernel
    is compiled anew in each process instead of failing at import.

    Kernels copy with loops: ``a[:] = b`` costs a second of compiling, for the text of an error
    that cannot occur.
    """
    return _compiled(function)


def internal(function: F) -> F:
    """Compile as a kernel that only kernels call."""
    return _compiled(function, **_INTERNAL)


def inlined(function: F) -> F:
    """Compile into each caller, which is a kernel.

    For what runs once per term or character: a call would count references to every array it is
    given, and these are atomic operations, dearer than the work itself.
    """
    return numba.njit(forceinline=True, **_INTERNAL)(function)  # type: ignore[no-any-return]


def _compiled(function: F, **options: bool) -> F:
    try:
        return numba.njit(nogil=True, cache=True, **options)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(nogil=True, **options)(function)  # type: ignore[no-any-return]
