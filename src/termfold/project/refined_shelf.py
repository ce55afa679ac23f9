"""What is kept of each document while weights are refined: in memory, or in files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import overload

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold._memory import give_back_memory
from termfold.project.lanes import lane_table
from termfold.project.refined_data import Documents
from termfold.project.refined_input import Weighting
from termfold.project.refined_kernel import DocTables


class Shelf(Sequence[Documents]):
    """Blocks of documents in a folder, which are mapped into memory when they are asked for.

    Only one that is in use counts as memory taken; the system keeps what there is room for.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._length = 0

    def append(self, documents: Documents) -> None:
        """Write one more block."""
        parts = {field.name: getattr(documents, field.name) for field in fields(Documents)}
        tables = parts.pop("tables")
        for name, array in (tables._asdict() | parts).items():
            np.save(self._path(self._length, name), array)
        self._length += 1
        give_back_memory()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, block: int) -> Documents: ...
    @overload
    def __getitem__(self, block: slice) -> Sequence[Documents]: ...
    def __getitem__(self, block: int | slice) -> Documents | Sequence[Documents]:
        if isinstance(block, slice):
            return [self[i] for i in range(*block.indices(len(self)))]
        if not 0 <= block < len(self):
            raise IndexError(block)
        tables = DocTables(*(self._read(block, name) for name in DocTables._fields))
        names = [field.name for field in fields(Documents) if field.name != "tables"]
        return Documents(tables, *(self._read(block, name) for name in names))

    def _path(self, block: int, name: str) -> Path:
        return self.folder / f"{block}-{name}.npy"

    def _read(self, block: int, name: str) -> Array:
        # "c", because kernels are compiled for arrays that may be written on
        return np.asarray(np.load(self._path(block, name), mmap_mode="c"))


def in_blocks(
    blocks: Sequence[sp.csr_array],
    weighting: Weighting,
    terms: Ints,
    n_shared: int,
    doc_costs: Array,
    folder: Path | None,
) -> Sequence[Documents]:
    """Weigh the terms of documents, block by block; see ``Documents``."""
    kept: list[Documents] | Shelf = [] if folder is None else Shelf(folder)
    start = 0
    for counts in blocks:
        costs = doc_costs[start : start + counts.shape[0]]
        kept.append(Documents.of(weighting(counts), terms, n_shared, costs))
        start += counts.shape[0]
    return kept


class Alphas:
    """α of each document and class of a block of classes, zero at first.

    Parameters
    ----------
    sizes : list of int
        Documents in each block.
    width : int
        Lanes.
    first_class : int
        Tells the files of several such tables apart.
    folder : Path, optional
        Where they are kept, each block in memory only while it is worked on.
    """

    def __init__(self, sizes: list[int], width: int, first_class: int, folder: Path | None) -> None:
        self._sizes, self._width, self._folder = sizes, width, folder
        self._first_class = first_class
        self._tables = [lane_table(size, width) for size in sizes] if folder is None else []

    @contextmanager
    def of(self, block: int) -> Iterator[Array]:
        """The α of a block of documents, to read and to change."""
        if self._folder is None:
            yield self._tables[block]
            return
        path = self._folder / f"{block}-alphas-{self._first_class}.npy"
        table = lane_table(self._sizes[block], self._width)
        if path.exists():
            table["lanes"][:] = np.load(path)
        yield table
        np.save(path, table["lanes"])
