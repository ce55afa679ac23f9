"""Folders with one document per file, the class being the name of the sub-folder."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from termfold.corpus.batch import Chunk, Where
from termfold.corpus.paths import walk
from termfold.corpus.streams import ENCODING_REMEDY, normal_encoding
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from termfold.corpus.batch import Progress, Request


class DocumentFolder:
    """A folder of text files, in the order of their names.

    The class of a document is the name of the first folder on the way to it, so that
    ``train/sci.space/2001/07.txt`` below ``train`` is of class ``sci.space``. If columns are to be
    kept, there is one: ``file``, the path below the folder.
    """

    once = False

    def __init__(self, folder: Path, request: Request) -> None:
        self.folder = folder
        self.request = request
        self.encoding = normal_encoding(request.encoding)
        self._size: int | None = None

    @property
    def size(self) -> int:
        """Bytes of all documents, looked up when first asked for."""
        if self._size is None:
            self._size = sum(path.lstat().st_size for path in walk(self.folder))
        return self._size

    def has_labels(self) -> bool:
        """Whether the sub-folders are read as classes."""
        return self.request.label is not None

    def has_label_lists(self) -> bool:
        """Say no, since a file lies in one folder; fail if there are no folders of classes."""
        if self.has_labels() and not any(child.is_dir() for child in self.folder.iterdir()):
            raise CorpusError(
                f"{self.folder}: the folder has no sub-folders, whose names would be the classes. "
                "Put the files of each class into one, read unlabelled text with label=None, or "
                "name the format= of files of data."
            )
        return False

    def chunks(self, progress: Progress) -> Iterator[Chunk]:
        """Read some files at a time."""
        read: list[tuple[int, Path, bytes]] = []
        held = 0
        for row, path in enumerate(walk(self.folder)):
            text = self._read(path, progress)
            if text is None:
                continue
            if read and held + len(text) > self.request.batch_bytes:
                yield self._chunk(read)
                read, held = [], 0
            read.append((row, path.relative_to(self.folder), text))
            held += len(text)
        if read:
            yield self._chunk(read)

    def _read(self, path: Path, progress: Progress) -> bytes | None:
        """Return the document in UTF-8, or None if it was reported."""
        if self.has_labels() and path.parent == self.folder:
            progress.bad_row(
                str(path), "the file lies in no class", "Move it into the sub-folder of its class"
            )
            return None
        try:
            data = path.read_bytes()
        except OSError as error:
            progress.bad_row(str(path), f"cannot be read ({error.strerror})", "Allow to read it")
            return None
        progress.position += len(data)
        try:
            if self.encoding == "utf-8":
                data.decode("utf-8")
                return data.removeprefix(codecs.BOM_UTF8)
            return data.decode(self.encoding).encode("utf-8")
        except UnicodeError as error:
            progress.bad_row(
                str(path),
                f"the file is not {self.encoding} ({error})",
                ENCODING_REMEDY,
            )
        return None

    def _chunk(self, read: list[tuple[int, Path, bytes]]) -> Chunk:
        rows, paths, texts = zip(*read, strict=True)
        labels = pa.array([path.parts[0] for path in paths], pa.string())
        files = pa.array(map(str, paths), pa.string())
        return Chunk(
            pa.array(texts, pa.large_binary()).view(pa.large_string()),
            labels if self.has_labels() else None,
            Where(str(self.folder), unit="file"),
            np.array(rows, np.int64),
            pa.record_batch({"file": files}) if self.request.keep_columns else None,
        )
