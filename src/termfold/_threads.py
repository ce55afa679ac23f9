"""Threads for kernels, which run without Python's lock."""

from __future__ import annotations

import itertools
import queue
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")
Worker = TypeVar("Worker")


def thread_count(n_jobs: int | None) -> int:
    """How many threads ``n_jobs`` asks for: −1 is all cores, −2 all but one, None is one."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs=0; it must be a number of threads, or −1 for all cores")
    if n_jobs > 0:
        return n_jobs
    import joblib  # here, as it loads multiprocessing, which a worker of Spark has no need of

    cores: int = joblib.cpu_count()
    return max(1, cores + 1 + n_jobs)


def map_threads(
    function: Callable[[Part], Result], parts: Iterable[Part], n_jobs: int
) -> list[Result]:
    """Apply a function to every part, the results in the order of the parts."""
    listed = list(parts)
    if n_jobs == 1 or len(listed) <= 1:
        return [function(part) for part in listed]
    with ThreadPoolExecutor(min(n_jobs, len(listed))) as pool:
        return list(pool.map(function, listed))


def map_stream(
    function: Callable[[Worker, Part], Result], workers: Sequence[Worker], parts: Iterable[Part]
) -> Iterator[tuple[Part, Result]]:
    """Apply a function to every part of a stream, with as many threads as there are workers.

    Each call gets a worker that no other call has at that time. Parts come back with their
    results, in their order; one more than there are threads is read ahead.

    Examples
    --------
    >>> list(map_stream(pow, [2, 2], iter([1, 2, 3])))
    [(1, 2), (2, 4), (3, 8)]
    """
    parts = iter(parts)
    first = list(itertools.islice(parts, 2))
    parts = itertools.chain(first, parts)
    if len(workers) == 1 or len(first) < 2:  # what one thread can do needs no other
        for part in parts:
            yield part, function(workers[0], part)
        return
    idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def call(part: Part) -> Result:
        worker = idle.get()
        try:
            return function(worker, part)
        finally:
            idle.put(worker)

    waiting: deque[tuple[Part, Future[Result]]] = deque()
    with ThreadPoolExecutor(len(workers)) as pool:
        for part in parts:
            waiting.append((part, pool.submit(call, part)))
            if len(waiting) > len(workers):
                done, result = waiting.popleft()
                yield done, result.result()
        while waiting:
            done, result = waiting.popleft()
            yield done, result.result()
