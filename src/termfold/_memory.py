"""Memory that allocators keep for themselves."""

from __future__ import annotations

import ctypes
import sys

import pyarrow as pa


def give_back_memory() -> None:
    """Let Arrow and the C library return what is free to the system.

    They keep it for the next time: Arrow some 80 MB after reading, and the C library a heap for
    each thread, in which the tables of one thread cannot use what another has left. Where much is
    read in many parts, that adds up to several times what is in use.
    """
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it
        if trim is not None:
            trim(0)
