"""Training documents as counts, made by executors and gathered by the driver.

Weights are refined document by document, which cannot be divided among machines without other
results. So the text is read, split and counted where it lies, and the driver is sent what is left
of it: the distinct terms, and two to six bytes per term of a document.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold.classify.training import TrainingSet
from termfold.corpus.batch import Skipped
from termfold.spark.parcels import Parcel, no_documents, received, sent
from termfold.spark.reading import Documents, Reading
from termfold.stats import Labels
from termfold.store import from_bytes, to_bytes
from termfold.terms.analyzer import Analyzer
from termfold.terms.byte_strings import hash_slices
from termfold.terms.encoders import Encoded, Encoders
from termfold.terms.postings import count_matrix
from termfold.terms.texts import utf8_of
from termfold.terms.vocabulary import EMPTY, Vocabulary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PART, _SIZES = "part", "sizes"
_KIND, _VERSION = "termfold-training-part", 1
_ALL_BITS = 64
# Text may be so many times larger than its files.
_COMPRESSED = 8
# A task sends what it has when it has encoded so many bytes of text.
_TEXT_HELD = 256 << 20


def gather(
    df: DataFrame,
    reading: Reading,
    analyzer: Analyzer,
    *,
    min_df: int = 1,
    max_bytes: int | None = None,
    skipped: Skipped | None = None,
) -> TrainingSet:
    """Gather labelled documents; the same as ``read_training_set``, but for their order.

    Of more than ``max_bytes`` of text, the random sample that it would keep.
    """
    skipped = Skipped() if skipped is None else skipped
    if max_bytes is None or _looks_small(df, max_bytes):
        left_out = Skipped()
        parts = _parts(df, reading, analyzer, _ALL_BITS, left_out)
        if max_bytes is None or sum(part.text_bytes for part in parts) <= max_bytes:
            skipped.include(left_out)
            return _assembled(parts, min_df)
    bits = _bits_within(df, reading, max_bytes)
    return _assembled(_parts(df, reading, analyzer, bits, skipped), min_df)


def _parts(
    df: DataFrame, reading: Reading, analyzer: Analyzer, bits: int, skipped: Skipped
) -> list[_Part]:
    encoded = sent(df, reading, partial(_encode, analyzer=analyzer, bits=bits))
    # While executors work, the driver loads what it needs of kernels when they are done.
    loading = Thread(target=Vocabulary.from_slices, args=(EMPTY.data, EMPTY.offsets))
    loading.start()
    try:
        parcels = received(encoded, skipped)
    finally:
        loading.join()
    if not parcels:
        raise no_documents(skipped)
    return [_Part.loads(parcel.content) for parcel in parcels]


# -- which documents --------------------------------------------------------------------------


def _looks_small(df: DataFrame, max_bytes: int) -> bool:
    """Is all of it sent sooner than measured? By Spark's guess, which sees compressed files."""
    try:
        plan = df._jdf.queryExecution().optimizedPlan()
    except AttributeError:  # Spark Connect does not tell
        return False
    return int(str(plan.stats().sizeInBytes())) * _COMPRESSED <= max_bytes


def _bits_within(df: DataFrame, reading: Reading, max_bytes: int) -> int:
    """How many bits the hash of a text may have to be in a sample of this size; see ``Sample``."""
    from pyspark.sql.functions import octet_length
    from pyspark.sql.functions import sum as sum_of

    # The usual case is settled without a look at the texts by Python.
    columns, _ = reading.columns_of(df)
    if columns.schema[0].dataType.typeName() == "string":
        total = columns.select(sum_of(octet_length(columns[columns.columns[0]]))).first()[0] or 0
        if total <= max_bytes:
            return _ALL_BITS
    parcels = received(sent(df, reading, _measure), Skipped())
    sizes = np.sum([np.frombuffer(p.content, np.int64) for p in parcels], axis=0)
    fits = np.flatnonzero(np.cumsum(sizes) <= max_bytes)
    return int(fits[-1]) if len(fits) else 0


def _measure(documents: Documents) -> Iterator[Parcel]:
    """Sum the bytes of texts by the number of bits of their hashes."""
    sizes = np.zeros(_ALL_BITS + 1, np.int64)
    for batch in documents:
        data, bounds = utf8_of(batch.text)
        np.add.at(sizes, _bit_lengths(hash_slices(data, bounds)), np.diff(bounds))
    yield Parcel(0, _SIZES, sizes.tobytes())


def _bit_lengths(hashes: Array) -> Ints:
    """Of 64-bit numbers; in halves, which are exact as floats.

    Examples
    --------
    >>> _bit_lengths(np.array([0, 1, 255, 2**64 - 1], np.uint64))
    array([ 0,  1,  8, 64])
    """
    upper, lower = hashes >> np.uint64(32), hashes & np.uint64(0xFFFFFFFF)
    bits: Ints = np.where(
        upper > 0,
        32 + np.frexp(upper.astype(np.float64))[1],
        np.frexp(lower.astype(np.float64))[1],
    ).astype(np.int64)
    return bits


# -- what is sent of them ---------------------------------------------------------------------


class _Part(NamedTuple):
    """Some documents: distinct terms and counts row by row, and labels."""

    terms: Vocabulary
    indptr: Ints
    indices: Ints
    counts: Array
    classes: list[str]
    label_sizes: Ints
    label_ids: Ints
    n_docs: int
    text_bytes: int

    def dumps(self) -> bytes:
        """As the content of a file."""
        header = {name: getattr(self, name) for name in ("classes", "n_docs", "text_bytes")}
        tables = {
            "term_bytes": self.terms.data,
            "term_sizes": np.diff(self.terms.offsets),
            "sizes": np.diff(self.indptr),
            "indices": self.indices,
            "counts": self.counts,
            "label_sizes": self.label_sizes,
            "label_ids": self.label_ids,
        }
        narrow = {
            name: table.astype(np.min_scalar_type(int(table.max(initial=0))))
            for name, table in tables.items()
        }
        return to_bytes(_KIND, _VERSION, header, narrow)

    @classmethod
    def loads(cls, content: bytes) -> _Part:
        """The inverse of ``dumps``."""
        header, tables = from_bytes(content, _KIND, _VERSION, "a part")
        return cls(
            Vocabulary(tables["term_bytes"], _ends(tables["term_sizes"])),
            _ends(tables["sizes"]),
            tables["indices"],
            tables["counts"],
            header["classes"],
            tables["label_sizes"],
            tables["label_ids"],
            header["n_docs"],
            header["text_bytes"],
        )


def _ends(sizes: Array) -> Ints:
    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends


def _encode(documents: Documents, analyzer: Analyzer, bits: int) -> Iterator[Parcel]:
    """Count the terms of each document of a partition that is in the sample."""
    encoding = _Encoding(analyzer)
    for batch in documents:
        texts, chosen = batch.text, np.arange(len(batch))
        if bits < _ALL_BITS:
            hashes = hash_slices(*utf8_of(texts))
            chosen = np.flatnonzero(hashes >> np.uint64(bits) == 0)
            texts = texts.take(pa.array(chosen))
        encoding.add(texts, batch.labels, chosen)
        if encoding.text_bytes > _TEXT_HELD:
            yield Parcel(0, _PART, encoding.part().dumps())
            encoding = _Encoding(analyzer)
    if encoding.n_docs:
        yield Parcel(0, _PART, encoding.part().dumps())


class _Encoding:
    """Documents of a task, until they are sent."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._encoders = Encoders.growing(analyzer, 1)
        self._encoded: list[Encoded] = []
        self._labels: list[pa.ListArray] = []
        self._classes: set[str] = set()
        self.text_bytes = self.n_docs = 0

    def add(self, texts: pa.LargeStringArray, labels: pa.ListArray, chosen: Ints) -> None:
        """Encode the texts chosen of a batch, whose labels are given for all."""
        self._encoded.append(self._encoders.encode(0, texts).compact())
        self._labels.append(labels.take(pa.array(chosen)))
        self._classes.update(labels.flatten().unique().to_pylist())
        self.text_bytes += int(np.diff(utf8_of(texts)[1]).sum())
        self.n_docs += len(labels)

    def part(self) -> _Part:
        """All of them, over their sorted vocabulary."""
        terms, postings = self._encoders.postings(self._encoded)
        matrix = count_matrix(postings, np.arange(len(terms)), len(terms), np.int32, 1)
        classes = sorted(self._classes)
        labels = pa.chunked_array(self._labels).combine_chunks()
        names = labels.flatten()
        places = names.dictionary_encode()
        rank = {name: i for i, name in enumerate(classes)}
        ranked = np.array([rank[name] for name in places.dictionary.to_pylist()], np.int64)
        label_ids = ranked[places.indices.to_numpy()] if len(names) else np.zeros(0, np.int64)
        sizes = np.diff(labels.offsets.to_numpy())
        return _Part(
            terms,
            matrix.indptr,
            matrix.indices,
            matrix.data,
            classes,
            sizes,
            label_ids,
            self.n_docs,
            self.text_bytes,
        )


# -- what the driver makes of it --------------------------------------------------------------


def _assembled(parts: list[_Part], min_df: int) -> TrainingSet:
    """Put parts together over one vocabulary."""
    terms, places = _united([part.terms for part in parts])
    sizes = np.concatenate([np.diff(part.indptr) for part in parts])
    bounds = _ends(np.array([len(part.indices) for part in parts]))
    indices, counts = np.empty(bounds[-1], np.int32), np.empty(bounds[-1], np.float32)
    for part, place, start, end in zip(parts, places, bounds[:-1], bounds[1:], strict=True):
        np.take(place, part.indices, out=indices[start:end], mode="clip")
        counts[start:end] = part.counts
    if min_df > 1:
        kept = np.bincount(indices, minlength=len(terms)) >= min_df
        inside = kept[indices]
        rows = np.repeat(np.arange(len(sizes)), sizes)[inside]
        sizes = np.bincount(rows, minlength=len(sizes))
        indices, counts = (np.cumsum(kept) - 1)[indices[inside]], counts[inside]
        terms = terms.take(np.flatnonzero(kept))
    matrix = sp.csr_matrix(
        (counts, indices.astype(np.int32, copy=False), _ends(sizes)), (len(sizes), len(terms))
    )
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return TrainingSet(terms, matrix, _labels(parts), sum(part.n_docs for part in parts))


def _united(vocabularies: list[Vocabulary]) -> tuple[Vocabulary, list[Ints]]:
    """Unite vocabularies in time linear in their terms; the place there of the terms of each."""
    listed = pa.concat_arrays([terms.to_arrow() for terms in vocabularies])
    coded: Any = listed.dictionary_encode()
    distinct = Vocabulary.from_arrow(coded.dictionary)  # not sorted yet
    united, ranks = Vocabulary.from_slices(distinct.data, distinct.offsets)
    places = (ranks[coded.indices.to_numpy()] if len(listed) else ranks).astype(np.int32)
    return united, np.split(places, np.cumsum([len(terms) for terms in vocabularies])[:-1])


def _labels(parts: list[_Part]) -> Labels:
    classes = sorted({name for part in parts for name in part.classes})
    rank = {name: i for i, name in enumerate(classes)}
    ids = [
        np.array([rank[name] for name in part.classes], np.int32)[part.label_ids]
        if len(part.label_ids)
        else np.zeros(0, np.int32)
        for part in parts
    ]
    sizes = np.concatenate([part.label_sizes for part in parts])
    names = np.array(classes) if classes else np.zeros(0, "<U1")
    return Labels(names, _ends(sizes), np.concatenate(ids))
