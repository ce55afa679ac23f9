"""Kernels that find the terms of a document.

Both splitters fold case into a scratch buffer and say, as cuts, which slices of it are terms.
Every term is one slice, n-grams too: words stand in the buffer with single blanks between them.
The cuts are few at a time, so that they stay in the cache: when ``cuts`` is full a splitter
returns, and goes on from ``state`` at the next call.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from termfold._arrays import Bytes, Ints
from termfold._kernel import inlined
from termfold.terms.table import TermTable, find_term, hash_bytes
from termfold.terms.unicode import CODE_POINT, DOTTED, LETTER, SIGMA, SPACE, WORD
from termfold.terms.utf8 import decode, entry_of, is_final_sigma, write

WORDS, CHARS, CHARS_IN_WORDS = 0, 1, 2
LONGEST_NGRAM = 16  # the starts of the last units are kept in a ring of this size
_BLANK = 0x20
_FINAL_SIGMA = 0x3C2
_DOT_ABOVE = 0x307


class Rules(NamedTuple):
    """An ``Analyzer`` as the kernels see it."""

    unit: int
    low: int
    high: int
    cjk: int  # the flag of characters that make bigrams, or 0
    min_length: int
    drop_numbers: bool
    characters: Ints  # one of the UnicodeTables
    ascii: Bytes  # what becomes of a byte in a word; 0 if it separates words or is not ASCII


def ascii_table(characters: Ints) -> Bytes:
    """The part of a Unicode table that most text needs, small enough for the first cache."""
    table = np.zeros(256, np.uint8)
    entries = characters[:128]
    table[:128] = np.where(entries & WORD, entries & CODE_POINT, 0)
    return table


@inlined
def is_wanted(scratch: Bytes, start: int, end: int, rules: Rules, stop: TermTable) -> Any:
    """Is a word neither a number, where these are dropped, nor a stop word?"""
    if rules.drop_numbers:
        letter = False
        at = start
        while at < end and not letter:
            point, size = decode(scratch, at, end)
            letter = entry_of(rules.characters, point) & LETTER != 0
            at += size
        if not letter:
            return False
    if stop.size == 0:
        return True
    hashed = hash_bytes(scratch, start, end, stop.seed[0])
    return find_term(stop.slots, stop.offsets, stop.arena, scratch, start, end, hashed) < 0


@inlined
def keep_wanted(
    scratch: Bytes, cuts: Ints, first: int, n_cuts: int, rules: Rules, stop: TermTable
) -> int:
    """Take numbers and stop words out of the cuts from ``first`` on; tell how many are left."""
    kept = first
    for c in range(first, n_cuts):
        if is_wanted(scratch, cuts[c, 0], cuts[c, 1], rules, stop):
            cuts[kept, 0], cuts[kept, 1] = cuts[c, 0], cuts[c, 1]
            kept += 1
    return kept


@inlined
def split_words(
    data: Bytes,
    lo: int,
    hi: int,
    until: int,
    rules: Rules,
    stop: TermTable,
    scratch: Bytes,
    starts: Ints,
    state: Ints,
    cuts: Ints,
    n_cuts: int,
) -> int:
    """Find the words, the CJK bigrams and the word n-grams of ``data[lo:hi]``, as far as ``until``.

    Adds to ``n_cuts`` cuts and returns how many there are. ``state`` holds where to go on in the
    text, the end of what is in the scratch buffer, the words in a row that an n-gram may join, the
    CJK characters in a row, and where in the scratch buffer the last of these begins.
    """
    i, end, chain, run, previous = state[0], state[1], state[2], state[3], state[4]
    filtered = rules.drop_numbers or stop.size > 0
    last = len(cuts) - (rules.high - rules.low + 3)  # each turn of the loop needs that many
    while i < until and n_cuts <= last:
        # Read the rest of a word, which may be nothing.
        start = end
        extra = 0  # bytes of the word beyond one per character
        cjk = False
        separator = 1  # bytes of what ended the word
        entry = 0
        while True:
            while i < until:
                folded = rules.ascii[data[i]]
                if folded == 0:
                    break
                scratch[end] = folded
                end += 1
                i += 1
            if i >= until or data[i] < 128:
                break
            point, size = decode(data, i, hi)
            entry = entry_of(rules.characters, point)
            if entry & WORD == 0 or entry & rules.cjk != 0:
                cjk = entry & WORD != 0
                separator = size
                break
            point = entry & CODE_POINT
            if entry & SIGMA and is_final_sigma(data, lo, i, hi, rules.characters):
                point = _FINAL_SIGMA
            extra -= end + 1
            end = write(scratch, end, point)
            extra += end
            i += size
            if entry & DOTTED:  # İ becomes i and a combining dot, which ends the word
                separator = 0
                break
        length = end - start - extra

        if run == 1 and (length > 0 or not cjk):
            cuts[n_cuts, 0], cuts[n_cuts, 1] = previous, start  # a CJK character by itself
            n_cuts += 1
        if length > 0:
            run = 0
            kept = length >= rules.min_length
            if kept and filtered:
                kept = is_wanted(scratch, start, end, rules, stop)
            if kept:
                starts[chain % LONGEST_NGRAM] = start
                chain += 1
                for n in range(rules.low, min(rules.high, chain) + 1):
                    cuts[n_cuts, 0] = starts[(chain - n) % LONGEST_NGRAM]
                    cuts[n_cuts, 1] = end
                    n_cuts += 1
                scratch[end] = _BLANK
                end += 1
            else:
                end = start
        if not cjk:
            run = 0
            i += separator
        elif length == 0:
            chain = 0
            end = write(scratch, end, entry & CODE_POINT)
            run += 1
            if run > 1:
                cuts[n_cuts, 0], cuts[n_cuts, 1] = previous, end
                n_cuts += 1
            previous = start
            i += separator
    if i >= until and run == 1:
        cuts[n_cuts, 0], cuts[n_cuts, 1] = previous, end
        n_cuts += 1
        run = 0
    state[0], state[1], state[2], state[3], state[4] = i, end, chain, run, previous
    return n_cuts


@inlined
def split_chars(
    data: Bytes,
    lo: int,
    hi: int,
    rules: Rules,
    scratch: Bytes,
    starts: Ints,
    state: Ints,
    cuts: Ints,
    n_cuts: int,
) -> int:
    """Find the character n-grams of ``data[lo:hi]``, or those within its words.

    Adds to ``n_cuts`` cuts and returns how many there are. ``state`` holds where to go on in the
    text, the end of what is in the scratch buffer, the characters in a row that an n-gram may join,
    and where in the scratch buffer these begin. White space in a row counts as one blank.
    """
    i, end, chain, first = state[0], state[1], state[2], state[3]
    in_words = rules.unit == CHARS_IN_WORDS
    last = len(cuts) - (2 * (rules.high - rules.low + 1) + 1)
    # In words the end of the text ends a word too: one more turn, at i == hi.
    while n_cuts <= last and (i < hi or (in_words and i == hi)):
        point, second = _BLANK, -1
        at_gap = i == hi
        if not at_gap:
            code, size = decode(data, i, hi)
            entry = entry_of(rules.characters, code)
            point = entry & CODE_POINT
            if entry & SIGMA and is_final_sigma(data, lo, i, hi, rules.characters):
                point = _FINAL_SIGMA
            if entry & DOTTED:
                second = _DOT_ABOVE
            i += size
            at_gap = entry & SPACE != 0
            while at_gap and i < hi:
                code, size = decode(data, i, hi)
                if entry_of(rules.characters, code) & SPACE == 0:
                    break
                point = _BLANK
                i += size
        else:
            i += 1  # the turn after the end is taken once

        if in_words and at_gap:
            if chain == 0:
                continue
            point = _BLANK
        elif in_words and chain == 0:
            first = end
            starts[0] = end
            chain = 1
            scratch[end] = _BLANK
            end += 1
            if rules.low == 1:
                cuts[n_cuts, 0], cuts[n_cuts, 1] = first, end
                n_cuts += 1
        while point >= 0:
            starts[chain % LONGEST_NGRAM] = end
            chain += 1
            end = write(scratch, end, point)
            for n in range(rules.low, min(rules.high, chain) + 1):
                cuts[n_cuts, 0] = starts[(chain - n) % LONGEST_NGRAM]
                cuts[n_cuts, 1] = end
                n_cuts += 1
            point, second = second, -1
        if in_words and at_gap:
            if chain < rules.low:  # a word shorter than any n-gram counts as one
                cuts[n_cuts, 0], cuts[n_cuts, 1] = first, end
                n_cuts += 1
            chain = 0
    state[0], state[1], state[2], state[3] = i, end, chain, first
    return n_cuts
