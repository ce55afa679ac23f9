"""Checkpoints: a long pass over a corpus in parts that are kept, so that it can be resumed.

A part is what comes of a run of batches. It is written beside the others as soon as it is done;
whoever begins again reads over the batches of the parts that are there. Since sums do not depend on
how they are cut, the result is the same to the last bit.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from termfold._json import parse_json
from termfold._version import __version__
from termfold.atomic import locked, replacing
from termfold.corpus import Batch, Corpus
from termfold.errors import CheckpointError

Part = TypeVar("Part")

_STATE, _LOCK = "state.json", "lock"


class Checkpoint:
    r"""A folder where the parts of a pass are kept until its result is saved.

    Parameters
    ----------
    folder : str or Path
        Made if it is not there. One pass at a time uses it.
    seconds : float, default=60
        How much work a part is, and so how much is lost at most.
    on_resume : callable, optional
        Called with the number of documents that are done already, if there are some.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from termfold import collect
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "films.csv"
    ...     _ = path.write_text("text,label\ngood film,pos\nbad film,neg\n")
    ...     checkpoint = Checkpoint(Path(folder) / "films.parts")
    ...     stats = collect(path, checkpoint=checkpoint)
    ...     checkpoint.clear()  # when the result is saved
    >>> stats
    TermStats(2 documents, 2 classes, 3 terms)
    """

    def __init__(
        self,
        folder: str | Path,
        seconds: float = 60,
        on_resume: Callable[[int], None] = lambda documents: None,
    ) -> None:
        self.folder = Path(folder)
        self.seconds = seconds
        self._on_resume = on_resume

    def run(
        self,
        corpus: Corpus,
        settings: dict[str, Any],
        make: Callable[[Iterable[Batch]], Part],
        save: Callable[[Part, Path], None],
        load: Callable[[Path], Part],
    ) -> list[Part]:
        """Make the parts of a corpus that are not there yet, and load all, in order.

        Parameters
        ----------
        corpus : Corpus
            Of files, which have not changed since the first parts were made.
        settings : dict
            What the parts depend on besides the corpus; of JSON types.
        make, save, load : callable
            Make a part of some batches, write it to a file, and read it again.
        """
        of = {"termfold": __version__, "settings": settings, "corpus": _identity(corpus)}
        with self._alone():
            parts = self._known(of)
            batches = iter(corpus)
            if parts:
                self._on_resume(sum(part["documents"] for part in parts))
                done = sum(part["batches"] for part in parts)
                if sum(1 for _ in itertools.islice(batches, done)) < done:
                    raise self._misfit("has more parts than the corpus")
            for run in self._runs(batches):
                made = make(run)
                name = f"part-{len(parts):05}"
                save(made, self.folder / name)
                parts.append({"name": name, "batches": run.batches, "documents": run.documents})
                self._remember(of, parts)
            return [load(self.folder / part["name"]) for part in parts]

    def clear(self) -> None:
        """Remove the parts, when the result is saved; of the folder, what is not of others."""
        for path in (*self.folder.glob("part-[0-9]*"), self.folder / _STATE, self.folder / _LOCK):
            path.unlink(missing_ok=True)
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _runs(self, batches: Iterator[Batch]) -> Iterator[_Run]:
        """Cut a stream of batches into runs of some seconds."""
        for first in batches:
            run = _Run(itertools.chain([first], batches), self.seconds)
            yield run

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / _LOCK).touch()
        with locked(self.folder / _LOCK):
            yield

    def _known(self, of: dict[str, Any]) -> list[dict[str, Any]]:
        """The parts that are there, of the same pass."""
        path = self.folder / _STATE
        if not path.exists():
            return []
        try:
            state = parse_json(path.read_bytes())
            parts: list[dict[str, Any]] = state.pop("parts")
        except (ValueError, KeyError, AttributeError) as error:
            raise self._misfit(f"is damaged ({error})") from error
        for name, value in of.items():
            if state.get(name) != value:
                raise self._misfit(f"is of another run: its {name} was {_short(state.get(name))}")
        return parts

    def _remember(self, of: dict[str, Any], parts: list[dict[str, Any]]) -> None:
        with replacing(self.folder / _STATE) as file:
            file.write(json.dumps({**of, "parts": parts}, sort_keys=True).encode())

    def _misfit(self, problem: str) -> CheckpointError:
        return CheckpointError(
            f"{self.folder}: the checkpoint {problem}. Name another folder, or remove this one to "
            "begin anew"
        )


class _Run:
    """Batches as long as there is time; how many they were is known when they are over."""

    def __init__(self, batches: Iterable[Batch], seconds: float) -> None:
        self._batches = batches
        self._seconds = seconds
        self.batches = self.documents = 0

    def __iter__(self) -> Iterator[Batch]:
        began = time.monotonic()
        for batch in self._batches:
            self.batches += 1
            self.documents += len(batch)
            yield batch
            if time.monotonic() - began >= self._seconds:
                return


def _identity(corpus: Corpus) -> dict[str, Any]:
    """What tells that a corpus is the same: its files and how they are read."""
    identity = corpus.identity()
    if identity is None:
        raise CheckpointError(
            "a checkpoint needs a corpus of files, since others may be different the next time; "
            "write it to Parquet first"
        )
    return identity


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
