"""The analyzer once more, in a few lines of plain Python, for the tests to compare with."""

from __future__ import annotations

import codecs
import itertools
import re
import unicodedata
from functools import cache

import numpy as np
import pyarrow as pa

from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder

_CJK_NAMES = (
    "CJK COMPATIBILITY IDEOGRAPH",
    "CJK UNIFIED IDEOGRAPH",
    "BOPOMOFO",
    "HALFWIDTH",
    "HANGUL",
    "HANGZHOU",
    "HENTAIGANA",
    "HIRAGANA",
    "IDEOGRAPHIC CLOSING",
    "IDEOGRAPHIC ITERATION",
    "IDEOGRAPHIC NUMBER",
    "KATAKANA",
    "MASU",
    "NUSHU CHARACTER",
    "VERTICAL KANA",
    "VERTICAL IDEOGRAPHIC",
)

codecs.register_error("one-by-one", lambda error: ("\ufffd", error.start + 1))


@cache
def is_cjk(character: str) -> bool:
    return character.isalnum() and unicodedata.name(character, "").startswith(_CJK_NAMES)


def oracle(text: str, analyzer: Analyzer) -> list[str]:
    """The terms of a text: those of the documentation's patterns, in no particular order."""
    text = text.lower() if analyzer.lowercase else text
    low, high = analyzer.ngram_range
    if analyzer.unit == "char":
        return ngrams(re.sub(r"\s\s+", " ", text), low, high)
    if analyzer.unit == "char_wb":
        words = [f" {word} " for word in text.split()]
        return [t for w in words for t in (ngrams(w, low, high) if len(w) >= low else [w])]
    terms, rows = [], [[]]  # the rows of words that n-grams do not leave
    for run in re.findall(r"\w+", text):
        for cjk, part in parts(run) if analyzer.cjk == "bigram" else [(False, run)]:
            if cjk:
                terms += ngrams(part, 2, 2) if len(part) > 1 else [part]
                rows.append([])
            elif is_wanted(part, analyzer):
                rows[-1].append(part)
    return terms + [" ".join(gram) for row in rows for gram in ngrams(row, low, high)]


def ngrams(sequence, low: int, high: int) -> list:
    sizes = range(low, min(high, len(sequence)) + 1)
    return [sequence[i : i + n] for n in sizes for i in range(len(sequence) - n + 1)]


def parts(run: str) -> list[tuple[bool, str]]:
    """Cut a word where CJK and other characters meet."""
    if run.isascii():
        return [(False, run)]
    found: list[tuple[bool, str]] = []
    for character in run:
        cjk = is_cjk(character)
        if found and found[-1][0] == cjk:
            found[-1] = cjk, found[-1][1] + character
        else:
            found.append((cjk, character))
    return found


def is_wanted(word: str, analyzer: Analyzer) -> bool:
    number = analyzer.numbers == "drop" and not any(c.isalpha() for c in word)
    return len(word) >= analyzer.min_length and not number and word not in analyzer.stop_list


def encoded(texts, analyzer: Analyzer) -> list[list[str]]:
    """The terms that the kernels find in each text."""
    encoder = Encoder(analyzer)
    ids, indptr = encoder.encode(texts)
    names = encoder.terms_in_order()
    return [[names[i] for i in ids[lo:hi]] for lo, hi in itertools.pairwise(indptr)]


def raw_array(texts: list[bytes]) -> pa.LargeStringArray:
    """An Arrow array of strings that are not checked to be UTF-8."""
    offsets = np.cumsum([0] + [len(text) for text in texts])
    buffers = [None, pa.py_buffer(offsets.astype(np.int64)), pa.py_buffer(b"".join(texts))]
    return pa.Array.from_buffers(pa.large_string(), len(texts), buffers)
