"""The fast splitter: single words, 64 bytes of text a step.

Most bytes of most texts are ASCII. Their case is folded and their kind is found without a branch,
in code the compiler turns into SIMD; one bit per byte then says where words are, and only the
edges between words and the rest are looked at. A word with a byte beyond ASCII is handed to the
general splitter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Bytes, Ints
from termfold._kernel import inlined
from termfold.terms.bits import load_word, trailing_zeros

BLOCK = 64
# What a state holds; the words of bits are kept as integers of the same bits.
NEXT_BLOCK, BLOCK_START, EDGES, HIGH, OPEN, START, WAS_HIGH, ANY_HIGH, HAND_START, HAND_END = range(
    10
)
STATE_SIZE = 10


@inlined
def _packed(flags: Bytes, at: int, shift: int) -> Any:
    """One bit of each of 64 bytes: the lowest after a shift."""
    word = np.uint64(0)
    for i in range(8):
        eight = load_word(flags, at + 8 * i) >> np.uint64(shift)
        eight &= np.uint64(0x0101010101010101)
        word |= (eight * np.uint64(0x0102040810204080)) >> np.uint64(56) << np.uint64(8 * i)
    return word


@inlined
def fold_ascii(text: Bytes, case_bit: int, folded: Bytes, flags: Bytes) -> Any:
    """Fold case; flag what belongs to a word, all beyond ASCII included. Tell if there is such.

    The loop is written for the compiler to vectorize: bytes in, bytes out, no branch, no table.
    """
    seen = np.uint8(0)
    bit = np.uint8(case_bit)
    for i in range(len(text)):
        byte = text[i]
        letter = np.uint8((byte | np.uint8(0x20)) - np.uint8(0x61)) < np.uint8(26)
        digit = np.uint8(byte - np.uint8(0x30)) < np.uint8(10)
        folded[i] = np.uint8(byte | (bit if letter else np.uint8(0)))
        flags[i] = np.uint8(letter | digit | (byte == np.uint8(0x5F)) | (byte >= np.uint8(0x80)))
        seen |= byte
    # The splitter reads whole blocks, one past the end too.
    for i in range(len(text), len(text) + 2 * BLOCK):
        folded[i] = flags[i] = 0
    return seen >= 0x80


@inlined
def is_mostly_beyond_ascii(text: Bytes) -> Any:
    """Are a quarter of the bytes or more not ASCII? Then most words are for the other splitter."""
    n_high: Any = 0
    for i in range(len(text)):
        n_high += np.int64(text[i] >> np.uint8(7))
    return 4 * n_high >= len(text)


@inlined
def split_ascii(
    base: int,
    size: int,
    min_length: int,
    folded: Bytes,
    flags: Bytes,
    state: Ints,
    cuts: Ints,
    n_cuts: int,
) -> int:
    """Find the words of a document, folded from ``base`` on, that are ASCII.

    Adds to ``n_cuts`` cuts and returns how many there are, when they are full, the text ends, or a
    word is not ASCII: then ``state[HAND_START]`` and ``state[HAND_END]`` say where it is in the
    document, else ``state[HAND_START]`` is −1.
    """
    block, here = state[NEXT_BLOCK], state[BLOCK_START]
    edges, high = np.uint64(state[EDGES]), np.uint64(state[HIGH])
    is_open, start = state[OPEN] != 0, state[START]
    was_high, any_high = state[WAS_HIGH] != 0, state[ANY_HIGH] != 0
    one = np.uint64(1)
    state[HAND_START] = -1
    handed = False
    while True:
        while edges != np.uint64(0) and n_cuts < len(cuts) and not handed:
            bit = trailing_zeros(edges)
            edges &= edges - one
            at = here + bit
            if not is_open:
                is_open = True
                start = at
                continue
            is_open = False
            if any_high:
                inside = high & ((one << np.uint64(bit)) - one)
                if start > here:
                    inside &= ~((one << np.uint64(start - here)) - one)
                handed = was_high or inside != np.uint64(0)
                was_high = False
                if handed:
                    state[HAND_START], state[HAND_END] = start, at
                    continue
            if at - start >= min_length:
                cuts[n_cuts, 0], cuts[n_cuts, 1] = base + start, base + at
                n_cuts += 1
        if edges != np.uint64(0) or handed or n_cuts == len(cuts) or block > size:
            break
        # The next block; the one past the end closes the last word.
        if any_high:
            if is_open:
                inside = high
                if start > here:
                    inside &= ~((one << np.uint64(start - here)) - one)
                was_high |= inside != np.uint64(0)
            high = _packed(folded, base + block, 7)
        words = _packed(flags, block, 0)
        edges = words ^ ((words << one) | np.uint64(is_open))
        here = block
        block += BLOCK
    state[NEXT_BLOCK], state[BLOCK_START] = block, here
    state[EDGES], state[HIGH] = np.int64(edges), np.int64(high)
    state[OPEN], state[START] = np.int64(is_open), start
    state[WAS_HIGH] = np.int64(was_high)
    return n_cuts
