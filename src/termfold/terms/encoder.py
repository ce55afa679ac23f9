"""The encoder: an analyzer and a term table at work on Arrow strings."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from termfold._arrays import Ints
from termfold.terms.analyzer import Analyzer
from termfold.terms.encode import encode
from termfold.terms.split import CHARS, CHARS_IN_WORDS, WORDS, Rules, ascii_table
from termfold.terms.table import MAX_TERMS, TermTable, new_table, with_terms
from termfold.terms.unicode import CJK, unicode_tables
from termfold.terms.vocabulary import Vocabulary

_UNITS = {"word": WORDS, "char": CHARS, "char_wb": CHARS_IN_WORDS}


class Encoder:
    """Turns texts into term ids: of a fixed vocabulary, or of one that grows.

    Parameters
    ----------
    analyzer : Analyzer
    vocabulary : Vocabulary, optional
        Known terms, whose positions are the ids; others are passed over. Without it every term
        gets an id, in order of first occurrence. An encoder with a vocabulary never changes, so
        that threads may share it.

    Examples
    --------
    >>> encoder = Encoder(Analyzer())
    >>> ids, indptr = encoder.encode(["to be or not", "to be"])
    >>> ids.tolist(), indptr.tolist()
    ([0, 1, 2, 3, 0, 1], [0, 4, 6])
    """

    def __init__(self, analyzer: Analyzer, vocabulary: Vocabulary | None = None) -> None:
        self.analyzer = analyzer
        self._rules = rules_of(analyzer)
        # A secret seed: nobody can write a text whose terms all fall into one slot.
        self._stop = _table_of(Vocabulary.from_terms(analyzer.stop_list))
        self._grows = vocabulary is None
        self._table = (
            new_table(secrets.randbits(64)) if vocabulary is None else _table_of(vocabulary)
        )

    def encode(self, texts: pa.Array | Sequence[str]) -> tuple[Ints, Ints]:
        """Encode texts.

        Returns
        -------
        ids : ndarray of int32
        indptr : ndarray of int64
            Text ``i`` has the terms ``ids[indptr[i]:indptr[i + 1]]``.
        """
        data, bounds = utf8_of(texts)
        table, ids, indptr = encode(data, bounds, self._rules, self._stop, self._table, self._grows)
        if self._grows:
            if table.size > MAX_TERMS:
                raise OverflowError(f"more than {MAX_TERMS:,} distinct terms")
            self._table = table
        return ids, indptr

    def __len__(self) -> int:
        return int(self._table.size)

    def vocabulary(self) -> tuple[Vocabulary, Ints]:
        """The terms seen, sorted, and the rank that each id has among them."""
        offsets = self._table.offsets[: self._table.size + 1]
        return Vocabulary.from_slices(self._table.arena[: offsets[-1]], offsets)

    def terms_in_order(self) -> list[str]:
        """The terms by their ids."""
        names, ranks = self.vocabulary()
        listed = list(names)
        return [listed[rank] for rank in ranks]


def rules_of(analyzer: Analyzer) -> Rules:
    """Translate an analyzer for the kernels."""
    tables = unicode_tables()
    characters = tables.lowered if analyzer.lowercase else tables.as_is
    return Rules(
        _UNITS[analyzer.unit],
        *analyzer.ngram_range,
        CJK if analyzer.cjk == "bigram" else 0,
        analyzer.min_length,
        analyzer.numbers == "drop",
        characters,
        ascii_table(characters),
    )


def text_array(texts: Any) -> pa.LargeStringArray:
    """Texts as one Arrow array; what is no string is an error that names its place.

    Arrow strings, and what pandas and Polars keep as such, are not copied.
    """
    array = _as_arrow(texts)
    if not _holds_strings(array.type):
        raise ValueError(f"texts must be strings, got Arrow type {array.type}")
    if array.null_count:
        row = array.is_null().index(True).as_py()
        raise ValueError(f"text {row} is null; drop it or fill it with an empty string")
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    plain = [_plain(chunk) for chunk in chunks] or [pa.array([], pa.large_string())]
    return plain[0] if len(plain) == 1 else pa.concat_arrays(plain)


def _as_arrow(texts: Any) -> pa.Array | pa.ChunkedArray:
    if isinstance(texts, pa.Array | pa.ChunkedArray):
        return texts
    if hasattr(texts, "__arrow_c_stream__") or hasattr(texts, "__arrow_c_array__"):
        # A Series of Python objects may not be convertible; then it is read one by one.
        with contextlib.suppress(pa.ArrowException):
            return pa.chunked_array(texts)
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        kind = "one string" if isinstance(texts, str) else repr(texts)
        raise ValueError(f"got {kind}; give a list of texts: [text]")
    return _from_python(list(texts))


def _holds_strings(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _plain(chunk: pa.Array) -> pa.LargeStringArray:
    if pa.types.is_dictionary(chunk.type):  # cast does not know how to decode string views
        return _plain(chunk.dictionary).take(chunk.indices)
    return chunk.cast(pa.large_string())


def _from_python(texts: list[Any]) -> pa.Array:
    try:
        return pa.array(texts, pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError) as error:
        for row, text in enumerate(texts):
            if not isinstance(text, str):
                raise ValueError(
                    f"text {row} is {text!r:.80} of type {type(text).__name__}, not a string"
                ) from None
            try:
                text.encode()
            except UnicodeEncodeError:
                raise ValueError(
                    f"text {row} holds a lone surrogate, which is no character; "
                    "clean it with text.encode('utf-8', 'replace').decode()"
                ) from None
        raise error


def utf8_of(texts: pa.Array | Sequence[str]) -> tuple[Any, Ints]:
    """The bytes of texts and the bounds of each, without a copy where they are in Arrow already."""
    array = text_array(texts)
    if len(array) == 0:
        return _read_only(np.zeros(0, np.uint8)), _read_only(np.zeros(1, np.int64))
    _, offsets, data = array.buffers()
    bounds = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    raw = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return _read_only(raw), _read_only(bounds)


def _read_only(array: Any) -> Any:
    # Some buffers are, others not, and a kernel would be compiled for each kind.
    array.flags.writeable = False
    return array


def _table_of(vocabulary: Vocabulary) -> TermTable:
    table = new_table(secrets.randbits(64), len(vocabulary))
    return TermTable(*with_terms(table, vocabulary.data, vocabulary.offsets))
