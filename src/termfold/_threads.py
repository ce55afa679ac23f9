"""Threads for kernels, which run without Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import joblib

Part = TypeVar("Part")
Result = TypeVar("Result")


def thread_count(n_jobs: int | None) -> int:
    """How many threads ``n_jobs`` asks for: −1 is all cores, −2 all but one, None is one."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs=0; it must be a number of threads, or −1 for all cores")
    return n_jobs if n_jobs > 0 else max(1, joblib.cpu_count() + 1 + n_jobs)


def map_threads(
    function: Callable[[Part], Result], parts: Iterable[Part], n_jobs: int
) -> list[Result]:
    """Apply a function to every part, the results in the order of the parts."""
    listed = list(parts)
    if n_jobs == 1 or len(listed) <= 1:
        return [function(part) for part in listed]
    with ThreadPoolExecutor(min(n_jobs, len(listed))) as pool:
        return list(pool.map(function, listed))
