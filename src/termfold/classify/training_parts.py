"""Training sets in parts: written to files, read again, and put one behind the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold.checkpoint import Checkpoint
from termfold.classify.training import TrainingSet, read_training_set
from termfold.corpus import Batch, Corpus
from termfold.errors import CheckpointError, FileFormatError
from termfold.stats import Labels
from termfold.store import read_store, write_store
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import Vocabulary, offsets_of

KIND = "termfold-training"
VERSION = 1


def read_in_parts(
    corpus: Corpus,
    analyzer: Analyzer,
    checkpoint: Checkpoint,
    *,
    min_df: int = 1,
    max_bytes: int | None = None,
    n_jobs: int | None = -1,
    progress: Callable[[Corpus, Batch], None] | None = None,
) -> TrainingSet:
    """Read a training set as ``read_training_set`` does, in parts that a checkpoint keeps."""
    if max_bytes is not None:
        raise CheckpointError(
            "a sample of the texts (max_text_bytes) is not read in parts: leave one of the two out"
        )

    def read(batches: Iterable[Batch]) -> TrainingSet:
        def tell(_: Any, batch: Batch) -> None:
            if progress is not None:
                progress(corpus, batch)

        return read_training_set(batches, analyzer, n_jobs=n_jobs, progress=tell)

    settings = {"what": "training", "analyzer": analyzer.to_dict()}
    return joined(checkpoint.run(corpus, settings, read, save_part, load_part), min_df)


def save_part(part: TrainingSet, path: Path) -> None:
    """Write a training set."""
    header = {"classes": part.labels.classes.tolist(), "n_read": part.n_read}
    tables = {
        "term_bytes": part.terms.data,
        "term_sizes": np.diff(part.terms.offsets),
        "terms_per_document": np.diff(part.counts.indptr),
        "terms": part.counts.indices,
        "counts": part.counts.data,
        "labels_per_document": np.diff(part.labels.indptr),
        "labels": part.labels.ids,
    }
    write_store(path, KIND, VERSION, header, tables)


def load_part(path: Path) -> TrainingSet:
    """Read a training set."""
    header, tables = read_store(path, KIND, VERSION)
    try:
        return _assemble(header, tables)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FileFormatError(f"{path}: the tables do not fit together ({error})") from error


def _assemble(header: dict[str, Any], tables: dict[str, Array]) -> TrainingSet:
    terms = Vocabulary.checked(tables["term_bytes"], tables["term_sizes"])
    indices, labels = tables["terms"], tables["labels"]
    indptr = offsets_of(tables["terms_per_document"], len(indices))
    label_indptr = offsets_of(tables["labels_per_document"], len(labels))
    for numbers, limit in ((indices, len(terms)), (labels, len(header["classes"]))):
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < limit:
            raise ValueError("a term or a class is out of range")
    if len(indptr) != len(label_indptr):
        raise ValueError("not as many documents as labels")
    matrix = sp.csr_matrix((tables["counts"], indices, indptr), (len(indptr) - 1, len(terms)))
    classes = np.array(header["classes"], dtype=str)
    return TrainingSet(terms, matrix, Labels(classes, label_indptr, labels), header["n_read"])


def joined(parts: list[TrainingSet], min_df: int) -> TrainingSet:
    """Put training sets one behind the other, as if they had been read at once.

    The parts hold all terms; afterwards only those in ``min_df`` documents are left.
    """
    terms = reduce(lambda union, part: union.union(part.terms)[0], parts[1:], parts[0].terms)
    df = np.zeros(len(terms), np.int64)
    places = []
    for part in parts:
        places.append(np.flatnonzero(part.terms.union(terms)[1] >= 0))
        df[places[-1]] += np.bincount(part.counts.indices, minlength=len(part.terms))
    kept = df >= max(1, min_df)
    columns = np.where(kept, np.cumsum(kept) - 1, -1)
    rows = [
        moved(part.counts.indptr, part.counts.indices, part.counts.data, columns[place])
        for part, place in zip(parts, places, strict=True)
    ]
    sizes = np.concatenate([np.diff(indptr) for indptr, _, _ in rows])
    counts = sp.csr_matrix(
        (
            np.concatenate([data for _, _, data in rows]),
            np.concatenate([indices for _, indices, _ in rows]),
            _summed(sizes),
        ),
        (len(sizes), int(kept.sum())),
    )
    counts.has_sorted_indices = True
    counts.has_canonical_format = True
    labels = common_labels([part.labels for part in parts])
    n_read = sum(part.n_read for part in parts)
    return TrainingSet(terms.take(np.flatnonzero(kept)), counts, labels, n_read)


def common_labels(parts: list[Labels]) -> Labels:
    """The labels of parts, one behind the other."""
    classes = np.unique(np.concatenate([part.classes for part in parts]))
    ids = [np.searchsorted(classes, part.classes).astype(np.int32)[part.ids] for part in parts]
    sizes = np.concatenate([np.diff(part.indptr) for part in parts])
    return Labels(classes, _summed(sizes), np.concatenate(ids))


def moved(indptr: Ints, indices: Ints, data: Array, columns: Ints) -> tuple[Ints, Ints, Array]:
    """Rows with other numbers of their terms; those of −1 are left out."""
    indices = columns[indices].astype(np.int32)
    left = indices >= 0
    before = np.concatenate([[0], np.cumsum(left)])
    return before[indptr], indices[left], data[left]


def _summed(sizes: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
