"""Kernels that read and write single characters of UTF-8."""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Bytes, Ints
from termfold._kernel import inlined, internal
from termfold.terms.unicode import CASED, IGNORABLE, N_CODE_POINTS

_REPLACEMENT = 0xFFFD


@inlined
def decode(data: Bytes, i: int, hi: int) -> Any:
    """Read the code point at ``data[i]``: its value and its size in bytes.

    Bytes that are not valid UTF-8 count one by one as U+FFFD; nothing at or past ``hi`` is read.
    """
    first = np.int64(data[i])
    if first < 0x80:
        return first, 1
    if first < 0xC2 or first > 0xF4:
        return _REPLACEMENT, 1
    size = 2 if first < 0xE0 else (3 if first < 0xF0 else 4)
    if i + size > hi:
        return _REPLACEMENT, 1
    point = first & (0x7F >> size)
    for j in range(1, size):
        byte = np.int64(data[i + j])
        if byte & 0xC0 != 0x80:
            return _REPLACEMENT, 1
        point = (point << 6) | (byte & 0x3F)
    too_long = (size == 3 and point < 0x800) or (size == 4 and point < 0x10000)
    if too_long or point > 0x10FFFF or 0xD800 <= point < 0xE000:
        return _REPLACEMENT, 1
    return point, size


@inlined
def write(buffer: Bytes, at: int, point: int) -> int:
    """Write a code point as UTF-8 and tell where it ends."""
    if point < 0x80:
        buffer[at] = point
        return at + 1
    if point < 0x800:
        buffer[at] = 0xC0 | (point >> 6)
        buffer[at + 1] = 0x80 | (point & 0x3F)
        return at + 2
    if point < 0x10000:
        buffer[at] = 0xE0 | (point >> 12)
        buffer[at + 1] = 0x80 | ((point >> 6) & 0x3F)
        buffer[at + 2] = 0x80 | (point & 0x3F)
        return at + 3
    buffer[at] = 0xF0 | (point >> 18)
    buffer[at + 1] = 0x80 | ((point >> 12) & 0x3F)
    buffer[at + 2] = 0x80 | ((point >> 6) & 0x3F)
    buffer[at + 3] = 0x80 | (point & 0x3F)
    return at + 4


@inlined
def entry_of(characters: Ints, point: int) -> Any:
    """What one of the ``UnicodeTables`` says of a code point."""
    if point < N_CODE_POINTS:
        return np.int64(characters[point])
    # Tags and variation selectors are the only ones above the table with a property we use.
    if point == 0xE0001 or 0xE0020 <= point < 0xE0080 or 0xE0100 <= point < 0xE01F0:
        return point | IGNORABLE
    return point


@internal
def is_final_sigma(data: Bytes, lo: int, at: int, hi: int, characters: Ints) -> Any:
    """Does the Σ at ``data[at]`` end its word, so that it becomes ς?

    As ``str.lower`` has it: a cased letter stands before it and none after it, where ignorable
    characters (apostrophes, accents) are looked past.
    """
    i = at
    before = False
    while i > lo:
        end = i
        i -= 1
        while i > lo and data[i] & 0xC0 == 0x80:
            i -= 1
        point, size = decode(data, i, hi)
        if i + size != end:
            break  # not valid UTF-8, so not a letter
        entry = entry_of(characters, point)
        if entry & IGNORABLE == 0:
            before = entry & CASED != 0
            break
    if not before:
        return False
    i = at + 2
    while i < hi:
        point, size = decode(data, i, hi)
        entry = entry_of(characters, point)
        if entry & IGNORABLE == 0:
            return entry & CASED == 0
        i += size
    return True
