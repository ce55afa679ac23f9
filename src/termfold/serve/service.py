"""The service behind the routes: what is served, its threads, its counters."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from termfold._threads import thread_count
from termfold._version import __version__
from termfold.serve.holder import Holder
from termfold.serve.limits import Limits
from termfold.serve.metrics import MEDIA, Metrics
from termfold.serve.reply import RefusalError, Reply
from termfold.serve.subject import Subject

P = ParamSpec("P")
Result = TypeVar("Result")


class Service:
    """What the routes share.

    Parameters
    ----------
    holder : Holder
    limits : Limits
    n_jobs : int or None
        Threads for what takes longer than a moment.
    """

    def __init__(self, holder: Holder, limits: Limits, n_jobs: int | None = -1) -> None:
        self.holder = holder
        self.limits = limits
        self.metrics = Metrics()
        self._n_threads = thread_count(n_jobs)
        self._threads: ThreadPoolExecutor | None = None
        self._waiting = 0
        self._lock = threading.Lock()

    @property
    def subject(self) -> Subject:
        """What is served at this moment."""
        return self.holder.subject

    async def in_thread(
        self, function: Callable[P, Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result:
        """Run something in a thread, if not too many wait for one and it ends in time."""
        if self._waiting >= self.limits.waiting:
            raise RefusalError(
                503, f"{self._waiting} requests wait already; try again", Retry_After="1"
            )
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._n_threads, thread_name_prefix="termfold")

        with self._lock:
            self._waiting += 1
        future = self._threads.submit(function, *args, **kwargs)
        # A thread cannot be stopped: who has given up waiting still occupies one until it ends.
        future.add_done_callback(self._leave)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self.limits.seconds)
        except TimeoutError:
            raise RefusalError(
                503, f"no answer in {self.limits.seconds:g} seconds; ask for less at once"
            ) from None

    def _leave(self, _: Future[Any]) -> None:
        with self._lock:
            self._waiting -= 1

    def count_texts(self, texts: int, size: int) -> None:
        """Note that texts were classified."""
        self.metrics.count("texts_total", texts)
        self.metrics.count("text_bytes_total", size)

    def health(self) -> dict[str, Any]:
        """That all is well, and with what."""
        subject = self.subject
        return {
            "status": "ok",
            "version": __version__,
            "name": subject.name,
            "kind": subject.kind,
            "digest": subject.digest,
            "loaded": self.holder.loaded,
            "uptime": time.time() - self.metrics.started,
        }

    def prometheus(self) -> Reply:
        """The counters."""
        subject = self.subject
        info = {"name": subject.name, "kind": subject.kind, "digest": subject.digest}
        gauges = {
            "requests_in_flight": ({}, float(self.metrics.in_flight)),
            "threads_waiting": ({}, float(self._waiting)),
            "loaded_timestamp_seconds": ({}, self.holder.loaded),
            "file_info": (info, 1.0),
        }
        return Reply(self.metrics.text(gauges).encode(), MEDIA)

    def close(self) -> None:
        """Let what runs end, and nothing that waits begin."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None
