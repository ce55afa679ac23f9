"""From the chunks of a reader to batches: checked, cleaned and cut to size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from termfold.corpus.batch import Batch
from termfold.corpus.columns import as_label_lists, as_strings, invalid_utf8
from termfold.corpus.streams import ENCODING_REMEDY, NOT_UTF8
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from termfold._arrays import Bools
    from termfold.corpus.batch import Chunk, Progress, Request


@dataclass(frozen=True)
class Kind:
    """What sort of labels a corpus has."""

    labelled: bool
    multilabel: bool


def shape(chunk: Chunk, request: Request, kind: Kind, progress: Progress) -> Iterator[Batch]:
    """Turn a chunk into batches of at most ``request.batch_bytes`` bytes, or one document."""
    for part in _parts(chunk, request.batch_bytes):
        text = as_strings(part.text, "text", part.where.name)
        for start, end in _cuts(text, request.batch_bytes):
            piece = part.slice(start, end - start)
            batch = _clean(piece, text[start:end], request, kind, progress)
            if batch is not None:
                yield batch


def _parts(chunk: Chunk, batch_bytes: int) -> Iterator[Chunk]:
    """Cut a chunk whose text has to be copied, by the mean size of its rows."""
    rows = len(chunk.text)
    step = rows
    kind = chunk.text.type
    if pa.types.is_dictionary(kind) or pa.types.is_string_view(kind):
        step = max(1, batch_bytes * rows // max(1, chunk.text.nbytes))
    for start in range(0, rows, max(1, step)):
        yield chunk.slice(start, step)


def _clean(
    chunk: Chunk, text: pa.LargeStringArray, request: Request, kind: Kind, progress: Progress
) -> Batch | None:
    """Report the rows that cannot be used, and make a batch of the others."""
    usable = _check_text(text, chunk, progress)
    labels = None
    if kind.labelled and chunk.labels is not None:
        labels, invalid = as_label_lists(chunk.labels, request.label_separator, chunk.where.name)
        _check_labels(labels, invalid, usable, chunk, kind.multilabel, progress)
    elif kind.labelled:
        raise CorpusError(
            f"{chunk.where.name}: there are no labels, where what came before had some. "
            "Read it apart, or everything with label=None."
        )
    rest = chunk.rest
    if not usable.any():
        return None
    if not usable.all():
        mask = pa.array(usable)
        text = text.filter(mask)
        labels = None if labels is None else labels.filter(mask)
        rest = None if rest is None else rest.filter(mask)
    first_row = chunk.row(int(np.argmax(usable)))
    return Batch(text, labels, chunk.where.name, first_row, rest)


def _check_text(text: pa.LargeStringArray, chunk: Chunk, progress: Progress) -> Bools:
    """Report documents that are missing or not UTF-8; return which are neither."""
    problems = dict.fromkeys(invalid_utf8(text), (f"the text {NOT_UTF8}", ENCODING_REMEDY))
    if text.null_count:
        missing = np.flatnonzero(pc.is_null(text).to_numpy(zero_copy_only=False)).tolist()
        problems |= dict.fromkeys(missing, ("no text (null)", "Fill it in or drop the row"))
    usable = np.ones(len(text), dtype=np.bool_)
    for row in sorted(problems):
        progress.bad_row(chunk.where.row(chunk.row(row)), *problems[row])
        usable[row] = False
    return usable


def _check_labels(
    labels: pa.ListArray,
    invalid: list[int],
    usable: Bools,
    chunk: Chunk,
    multilabel: bool,
    progress: Progress,
) -> None:
    """Report rows whose labels cannot be used, and mark them in `usable`."""
    problems = {}
    if not multilabel:
        counts = np.diff(labels.offsets.to_numpy())
        for row in np.flatnonzero(counts == 0).tolist():
            problems[row] = (
                "no label (null or empty)",
                "Fill it in, drop the row, or read unlabelled text with label=None",
            )
        for row in np.flatnonzero(counts > 1).tolist():
            problems[row] = (
                f"{counts[row]} labels, where documents have one each",
                "Say multilabel=True if documents may have several",
            )
    problems |= dict.fromkeys(invalid, (f"a label {NOT_UTF8}", ENCODING_REMEDY))
    for row in sorted(problems):
        if usable[row]:  # a row is reported once
            progress.bad_row(chunk.where.row(chunk.row(row)), *problems[row])
            usable[row] = False


def _cuts(text: pa.LargeStringArray, batch_bytes: int) -> Iterator[tuple[int, int]]:
    """Find runs of documents of at most `batch_bytes`, or of one document."""
    if not len(text):
        return
    offsets = np.frombuffer(text.buffers()[1], dtype=np.int64)
    offsets = offsets[text.offset : text.offset + len(text) + 1]
    start = 0
    while start < len(text):
        fits = int(np.searchsorted(offsets, offsets[start] + batch_bytes, side="right")) - 1
        end = max(start + 1, fits)
        yield start, end
        start = end
