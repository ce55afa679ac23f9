"""Tables of what the kernels must know of Unicode, taken from the running Python.

Words here are to be those of ``re`` and ``str.lower``; so the tables are not shipped but asked
from these two, once per process and in some milliseconds.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from termfold._arrays import Ints

# Above U+33479 no character is alphanumeric; to the kernels all beyond the table separates words.
N_CODE_POINTS = 0x33480

# Low bits of an entry: the code point after lower-casing; flags above.
CODE_POINT = (1 << 21) - 1
WORD = 1 << 21  # belongs to a word: alphanumeric or the underscore
LETTER = 1 << 22  # alphabetic: a word without such is a number
CJK = 1 << 23  # written without blanks between words
SPACE = 1 << 24  # white space
CASED = 1 << 25  # counts as a letter with case for the rule of the final sigma
IGNORABLE = 1 << 26  # skipped by that rule
DOTTED = 1 << 27  # İ: its lower case is i and U+0307, two code points
SIGMA = 1 << 28  # Σ: its lower case depends on its place in the word

_CJK_RANGES = (
    (0x1100, 0x11FF),  # Hangul Jamo
    (0x3005, 0x3007),  # 々 〆 〇
    (0x3021, 0x3029),  # Hangzhou numerals
    (0x3031, 0x3035),  # Kana repeat marks
    (0x3038, 0x303C),
    (0x3041, 0x30FF),  # Hiragana, Katakana
    (0x3105, 0x318E),  # Bopomofo, Hangul compatibility Jamo
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han, extension A
    (0x4E00, 0x9FFF),  # Han
    (0xA960, 0xA97C),
    (0xAC00, 0xD7FB),  # Hangul
    (0xF900, 0xFAD9),  # Han, compatibility
    (0xFF66, 0xFFDC),  # half-width Katakana and Hangul
    (0x1AFF0, 0x1B2FB),  # Kana supplements, Nüshu
    (0x20000, 0x33479),  # Han, further extensions
)

_BLANK = 0x20
_DOTTED_I = 0x130


class UnicodeTables(NamedTuple):
    """One entry per code point, with and without lower-casing."""

    lowered: Ints
    as_is: Ints


@cache
def unicode_tables() -> UnicodeTables:
    """Ask the running Python about each code point."""
    # Surrogates do not occur in UTF-8; a blank stands in for them.
    points = np.arange(N_CODE_POINTS, dtype=np.uint32)
    points[0xD800:0xE000] = _BLANK
    characters = _decoded(points)

    flags = np.zeros(N_CODE_POINTS, np.int32)
    for flag, test in ((WORD, str.isalnum), (LETTER, str.isalpha), (SPACE, str.isspace)):
        flags[np.fromiter(map(test, characters), bool, N_CODE_POINTS)] |= flag
    flags[ord("_")] |= WORD
    flags[0xD800:0xE000] = 0
    for lo, hi in _CJK_RANGES:
        run = flags[lo : hi + 1]
        run[(run & WORD) != 0] |= CJK
    as_is = flags | np.arange(N_CODE_POINTS, dtype=np.int32)

    # The lower case is a word character or not by its own right: re sees the text lower-cased.
    points[_DOTTED_I] = ord("i")  # the only one with two characters for its lower case
    lower = _lowered(points)[:, 0]
    lowered = (flags[lower] & (WORD | LETTER | CJK | SPACE)) | lower
    lowered[_DOTTED_I] |= DOTTED
    lowered[ord("Σ")] |= SIGMA
    cased, ignorable = _sigma_context(points)
    lowered[cased] |= CASED
    lowered[ignorable] |= IGNORABLE
    return UnicodeTables(lowered, as_is)


def _sigma_context(points: Ints) -> tuple[Ints, Ints]:
    """Which characters decide about a sigma before them, and which it looks past.

    Python does not tell these properties, but ``str.lower`` shows them: Σ after a letter becomes
    ς, unless a cased letter follows; ignorable characters between the two do not matter.
    """
    sigma, letter = ord("Σ"), ord("A")
    cased = np.flatnonzero(_lowered(letter, sigma, points)[:, 1] == ord("σ"))
    passed = np.flatnonzero(_lowered(letter, sigma, points, letter)[:, 1] == ord("σ"))
    return cased, np.setdiff1d(passed, cased)


def _lowered(*columns: Ints | int) -> Ints:
    """Lower-case many short texts, one character a column, each as if it stood alone."""
    texts = np.full((N_CODE_POINTS, len(columns) + 1), _BLANK, np.uint32)
    for i, column in enumerate(columns):
        texts[:, i] = column
    lowered = _decoded(texts).lower().encode("utf-32-le")
    return np.frombuffer(lowered, np.uint32).astype(np.int32).reshape(texts.shape)


def _decoded(points: Ints) -> str:
    return points.astype("<u4").tobytes().decode("utf-32-le")
