"""The encoder: an analyzer and a term table at work on Arrow strings."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import pyarrow as pa

from termfold._arrays import Ints
from termfold.terms.analyzer import Analyzer
from termfold.terms.encode import encode
from termfold.terms.split import CHARS, CHARS_IN_WORDS, WORDS, Rules, ascii_table
from termfold.terms.table import MAX_TERMS, TermTable, new_table, with_terms
from termfold.terms.texts import utf8_of
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
        self.known = vocabulary
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
        grows = self.known is None
        data, bounds = utf8_of(texts)
        table, ids, indptr = encode(data, bounds, self._rules, self._stop, self._table, grows)
        if grows:
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


def _table_of(vocabulary: Vocabulary) -> TermTable:
    table = new_table(secrets.randbits(64), len(vocabulary))
    return TermTable(*with_terms(table, vocabulary.data, vocabulary.offsets))
