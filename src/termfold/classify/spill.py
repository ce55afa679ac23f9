"""Training documents of which there are more than memory should hold: counts in files.

They are read part by part. Each part's counts go to a file as they are; when all terms are known,
every document is put where it belongs in the order of ``order.py``, and the weights are refined
block by block. The model is, byte for byte, the one that would be learnt in memory.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold._kernel import kernel
from termfold._memory import give_back_memory
from termfold.classify.order import hash_rows
from termfold.classify.training import Counted, TrainingSet, block_bounds, read_counts
from termfold.classify.training_parts import common_labels, joined, moved
from termfold.corpus import Batch
from termfold.stats import Labels
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import EMPTY as NO_TERMS
from termfold.terms.vocabulary import Vocabulary


class Scratch:
    """A folder for temporary files, made when it is first needed, gone afterwards.

    It is where Python has such files, which the environment variable ``TMPDIR`` decides.

    Examples
    --------
    >>> with Scratch() as scratch:
    ...     made = scratch.folder.exists()
    >>> made, scratch.folder.exists()
    (True, False)
    """

    def __init__(self) -> None:
        self._made: tempfile.TemporaryDirectory[str] | None = None

    @property
    def folder(self) -> Path:
        """The folder."""
        if self._made is None:
            self._made = tempfile.TemporaryDirectory(prefix="termfold-")
        return Path(self._made.name)

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, *_: object) -> None:
        if self._made is not None:
            self._made.cleanup()


@dataclass(frozen=True, eq=False)
class SpilledSet:
    """Labelled documents as counts in files, in the order of ``order.py``.

    Parameters
    ----------
    terms : Vocabulary
        The columns.
    labels : Labels
    n_read : int
    blocks : Blocks
        The counts.
    """

    terms: Vocabulary
    labels: Labels
    n_read: int
    blocks: Blocks

    def __len__(self) -> int:
        return len(self.labels)

    def counts_of(self, rows: Ints) -> sp.csr_matrix:
        """The counts of some documents, in ascending order."""
        bounds = self.blocks.bounds
        found = []
        for block, (start, stop) in enumerate(pairwise(bounds)):
            here = rows[(rows >= start) & (rows < stop)] - start
            found.append(self.blocks[block][here])
        return sp.vstack(found, format="csr")


class Blocks(Sequence[sp.csr_matrix]):
    """The counts of documents, block by block, mapped into memory when they are asked for.

    Parameters
    ----------
    folder : Path
        With the columns and the counts of all documents, one behind the other.
    indptr : ndarray of int64
        Where each document's are.
    bounds : list of int
        The documents at which blocks begin and end.
    n_terms : int
    """

    def __init__(self, folder: Path, indptr: Ints, bounds: list[int], n_terms: int) -> None:
        self.folder, self.indptr, self.bounds, self.n_terms = folder, indptr, bounds, n_terms

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @overload
    def __getitem__(self, block: int) -> sp.csr_matrix: ...
    @overload
    def __getitem__(self, block: slice) -> list[sp.csr_matrix]: ...
    def __getitem__(self, block: int | slice) -> Any:
        if isinstance(block, slice):
            return [self[i] for i in range(*block.indices(len(self)))]
        if not 0 <= block < len(self):
            raise IndexError(block)
        indptr = self.indptr[self.bounds[block] : self.bounds[block + 1] + 1]
        entries = slice(indptr[0], indptr[-1])
        indices, data = (table[entries] for table in _mapped(self.folder, "c"))
        shape = len(indptr) - 1, self.n_terms
        matrix = sp.csr_matrix((data, indices, (indptr - indptr[0]).astype(np.int32)), shape)
        matrix.has_sorted_indices = True
        matrix.has_canonical_format = True
        return matrix


def read_spilling(
    corpus: Iterable[Batch],
    analyzer: Analyzer,
    scratch: Scratch,
    spill_bytes: int,
    *,
    labels: Labels | None = None,
    min_df: int = 1,
    n_jobs: int | None = -1,
    progress: Callable[[Any, Batch], None] | None = None,
) -> TrainingSet | SpilledSet:
    """Read a labelled corpus as counts: of more than ``spill_bytes`` of text into files.

    No more than that is read in one go, which takes about four times as much memory.
    """

    def tell(_: Any, batch: Batch) -> None:
        if progress is not None:
            progress(corpus, batch)

    def read(batches: Iterable[Batch]) -> Counted:
        return read_counts(batches, analyzer, labelled=labels is None, n_jobs=n_jobs, progress=tell)

    goes = _in_goes(corpus, spill_bytes)
    first = read(next(goes, iter(())))
    second = next(goes, None)
    if second is None:
        whole = first.labelled(labels)
        return whole if min_df <= 1 else joined([whole], min_df)

    files = _Files(scratch.folder)
    files.add(first)
    del first
    files.add(read(second))
    for batches in goes:
        files.add(read(batches))
    return files.put_in_order(labels, min_df)


def _in_goes(corpus: Iterable[Batch], most_bytes: int) -> Iterator[Iterator[Batch]]:
    """The batches, as many at a time as have no more bytes together; at least one."""
    batches = iter(corpus)
    ahead = next(batches, None)

    def go() -> Iterator[Batch]:
        nonlocal ahead
        taken = 0
        while ahead is not None and (taken == 0 or taken + ahead.text.nbytes <= most_bytes):
            batch, taken = ahead, taken + ahead.text.nbytes
            ahead = next(batches, None)
            yield batch

    while ahead is not None:
        yield go()


class _Files:
    """Counts of parts of the documents, each with terms of its own, in files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.labels: list[Labels] = []
        self.n_docs: list[int] = []

    def add(self, part: Counted) -> None:
        """Write the next part."""
        tables = (part.counts.indptr, part.counts.indices, part.counts.data)
        self._write(len(self.n_docs), dict(zip(_COUNTS, tables, strict=True)))
        self._write(len(self.n_docs), {"bytes": part.terms.data, "offsets": part.terms.offsets})
        self.n_docs.append(part.n_read)
        if part.labels is not None:
            self.labels.append(part.labels)
        give_back_memory()

    def put_in_order(self, labels: Labels | None, min_df: int) -> SpilledSet:
        """Number the terms together, and write each document where it belongs."""
        n_docs = sum(self.n_docs)
        labels = common_labels(self.labels) if labels is None else labels
        if n_docs != len(labels):
            raise ValueError(f"{n_docs:,} texts, but {len(labels):,} labels")
        terms, columns = self._common_terms(min_df)
        hashes, sizes = [], []
        for part, docs in enumerate(self._documents()):
            rows = moved(*self._counts(part), columns[self._read(part, "places")])
            self._write(part, dict(zip(_COUNTS, rows, strict=True)))
            of_rows = labels.take(docs)
            hashes.append(hash_rows(*rows, of_rows.indptr, of_rows.ids))
            sizes.append(np.diff(rows[0]))
        order = np.argsort(np.concatenate(hashes), kind="stable")
        indptr = np.concatenate([[0], np.cumsum(np.concatenate(sizes)[order])])
        starts = np.empty(n_docs, np.int64)
        starts[order] = indptr[:-1]
        for name, kind in _TABLES.items():
            # one number more: nothing cannot be mapped
            _allocate(self.folder / name, (int(indptr[-1]) + 1) * np.dtype(kind).itemsize)
        for part, docs in enumerate(self._documents()):
            put_rows(*self._counts(part), starts[docs], *_mapped(self.folder, "r+"))
            for name in _COUNTS:
                self._path(part, name).unlink()
        give_back_memory()
        bounds = block_bounds(n_docs, int(indptr[-1]))
        blocks = Blocks(self.folder, indptr, bounds, len(terms))
        return SpilledSet(terms, labels.take(order), n_docs, blocks)

    def _documents(self) -> list[Ints]:
        """The numbers of each part's documents among all."""
        return np.split(np.arange(sum(self.n_docs)), np.cumsum(self.n_docs)[:-1])

    def _common_terms(self, min_df: int) -> tuple[Vocabulary, Ints]:
        """The terms in ``min_df`` documents, and for each term of any part its column or −1.

        Where in the latter those of each part are is written to files.
        """
        parts = range(len(self.n_docs))
        union = reduce(lambda union, part: union.union(self._terms(part))[0], parts, NO_TERMS)
        df = np.zeros(len(union), np.int64)
        for part in parts:
            terms = self._terms(part)
            places = np.flatnonzero(terms.union(union)[1] >= 0)
            df[places] += np.bincount(self._read(part, "indices"), minlength=len(terms))
            self._write(part, {"places": places})
        kept = df >= max(1, min_df)
        return union.take(np.flatnonzero(kept)), np.where(kept, np.cumsum(kept) - 1, -1)

    def _terms(self, part: int) -> Vocabulary:
        return Vocabulary(self._read(part, "bytes"), self._read(part, "offsets"))

    def _counts(self, part: int) -> tuple[Array, Array, Array]:
        indptr, indices, counts = (self._read(part, name) for name in _COUNTS)
        return indptr, indices, counts

    def _path(self, part: int, name: str) -> Path:
        return self.folder / f"part-{part}-{name}.npy"

    def _write(self, part: int, arrays: dict[str, Array]) -> None:
        for name, array in arrays.items():
            np.save(self._path(part, name), array)

    def _read(self, part: int, name: str) -> Array:
        found: Array = np.load(self._path(part, name))
        return found


_COUNTS = "indptr", "indices", "counts"
_TABLES = {"indices": np.int32, "counts": np.float32}


def _mapped(folder: Path, mode: Literal["r+", "c"]) -> tuple[Array, Array]:
    """The columns and the counts; with "c" what is written on them does not go to the files."""
    indices, counts = (np.memmap(folder / name, kind, mode) for name, kind in _TABLES.items())
    return np.asarray(indices), np.asarray(counts)


def _allocate(path: Path, n_bytes: int) -> None:
    """Make a file that has its room on the disk.

    Where a mapped file is written on, and the disk is full, the system ends the process.
    """
    with path.open("wb") as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, n_bytes)
        else:
            file.truncate(n_bytes)


@kernel
def put_rows(
    indptr: Ints, indices: Ints, data: Array, starts: Ints, to_indices: Ints, to_data: Array
) -> None:
    """Copy each row to the place where it begins elsewhere."""
    for row in range(len(starts)):
        place = starts[row]
        for entry in range(indptr[row], indptr[row + 1]):
            to_indices[place], to_data[place] = indices[entry], data[entry]
            place += 1
