"""The subject being served, exchanged for a new one when its file has been replaced."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from termfold.serve.documents import LabelledDocuments
from termfold.serve.subject import Subject

log = logging.getLogger("termfold.serve")

#: Called with an analyzer; reads the corpus that was given with the file.
ReadDocuments = Callable[[Any], LabelledDocuments]


class Holder:
    """Holds one subject; whoever takes it may keep it, for it never changes itself.

    Parameters
    ----------
    subject : Subject
    path : Path, optional
        Its file, to be watched.
    read_documents : callable, optional
    """

    def __init__(
        self,
        subject: Subject,
        path: Path | None = None,
        read_documents: ReadDocuments | None = None,
    ) -> None:
        self.subject = subject
        self.path = path
        self.loaded = time.time()
        self._read_documents = read_documents
        self._seen = _signature(path)

    @classmethod
    def open(cls, source: Any, name: str, read_documents: ReadDocuments | None = None) -> Holder:
        """Load a file, or wrap what is in memory."""
        path = Path(source) if isinstance(source, str | Path) else None
        subject = Subject.of(source, name) if path is None else Subject.load(path)
        if read_documents is not None:
            subject = subject.with_documents(read_documents(subject.analyzer))
        return cls(subject, path, read_documents)

    def changed(self) -> bool:
        """Whether the file is another one than when this was asked last."""
        seen = _signature(self.path)
        if seen is None or seen == self._seen:
            return False
        self._seen = seen
        return True

    def load(self) -> None:
        """Load the file, and then put it in the place of what was served until now.

        Raises
        ------
        ValueError, OSError
            The file cannot be used; what was served is served on.
        """
        if self.path is None:
            return
        before = self.subject.documents
        subject = Subject.load(self.path)
        if self._read_documents is not None:
            # Terms by another analyzer are other terms, to be found in the documents anew.
            kept = before if before is not None and before.analyzer == subject.analyzer else None
            subject = subject.with_documents(kept or self._read_documents(subject.analyzer))
        self.subject, self.loaded = subject, time.time()

    async def watch(self, every: float, report: Callable[[str], None]) -> None:
        """Look for a new file again and again, without holding up the event loop.

        Parameters
        ----------
        every : float
            Seconds.
        report : callable
            Called with ``"done"`` or ``"failed"`` after each try.
        """
        while self.path is not None:
            await asyncio.sleep(every)
            if not self.changed():
                continue
            try:
                await asyncio.to_thread(self.load)
            except (ValueError, OSError, MemoryError) as error:
                log.warning("the new file is not used: %s", error)
                report("failed")
            else:
                log.info("%s was replaced, and is served from now on", self.path.name)
                report("done")


def _signature(path: Path | None) -> tuple[int, int, int] | None:
    """What differs when a file was replaced or written again; None while there is none."""
    try:
        status = None if path is None else path.stat()
    except OSError:
        return None
    return None if status is None else (status.st_ino, status.st_size, status.st_mtime_ns)
