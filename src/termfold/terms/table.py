"""The term table: a hash table from byte strings to ids, open addressing, in flat arrays.

The hash only tells where to look. A term is found when its bytes are equal, never because hashes
are: a slot holds a term's size and first eight bytes, which settle the matter for short terms with
one look into memory; longer ones are compared in the arena.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from termfold._arrays import Array, Bytes, Ints
from termfold._kernel import inlined, internal, kernel
from termfold.terms.bits import load_word

# Eight-byte loads may reach this far past the end of a string; every buffer is padded by it.
PADDING = 8
MAX_TERMS = 2**31 - 2


class TermTable(NamedTuple):
    """Distinct terms in order of their first occurrence.

    Term ``i`` is ``arena[offsets[i]:offsets[i + 1]]``; the arrays are larger than they need be.
    """

    slots: Array  # uint64 (n, 2), n a power of two, at most half in use: head, first eight bytes
    hashes: Array  # uint64, one per term
    offsets: Ints
    arena: Bytes
    size: int
    seed: Array  # uint64 (1,): a secret, so that nobody can write a text that is slow to look up


def new_table(seed: int, terms: int = 1024) -> TermTable:
    """An empty table with room for some terms; it grows as needed."""
    capacity = 1 << max(4, (terms - 1).bit_length())
    return TermTable(
        np.zeros((2 * capacity, 2), np.uint64),
        np.zeros(capacity, np.uint64),
        np.zeros(capacity + 1, np.int64),
        np.zeros(8 * capacity + PADDING, np.uint8),
        0,
        np.array([seed], np.uint64),
    )


@inlined
def _low_bytes(word: Any, count: int) -> Any:
    """The first ``count`` bytes of a word, 1 … 8; the machine is little-endian."""
    return word & (np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - 8 * count))


@inlined
def first_word(data: Bytes, lo: int, hi: int) -> Any:
    """The first eight bytes of ``data[lo:hi]``, zeros where it is shorter."""
    return _low_bytes(load_word(data, lo), min(hi - lo, 8)) if hi > lo else np.uint64(0)


@inlined
def hash_bytes(data: Bytes, lo: int, hi: int, seed: Any) -> Any:
    """Hash ``data[lo:hi]``, eight bytes a step."""
    state = (seed ^ first_word(data, lo, hi)) * np.uint64(0x9E3779B97F4A7C15)
    state += np.uint64(hi - lo)
    while lo + 8 < hi:
        lo += 8
        state ^= state >> np.uint64(32)
        state ^= _low_bytes(load_word(data, lo), min(hi - lo, 8))
        state *= np.uint64(0x9E3779B97F4A7C15)
    state ^= state >> np.uint64(32)
    state *= np.uint64(0xD6E8FEB86659FD93)
    return state ^ (state >> np.uint64(32))


@inlined
def _equal(a: Bytes, a_lo: int, b: Bytes, b_lo: int, size: int) -> Any:
    while size > 8:
        if load_word(a, a_lo) != load_word(b, b_lo):
            return False
        a_lo, b_lo, size = a_lo + 8, b_lo + 8, size - 8
    return _low_bytes(load_word(a, a_lo) ^ load_word(b, b_lo), size) == np.uint64(0)


@inlined
def head_of(hashed: Any, size: int) -> Any:
    """What the head of a term's slot begins with: 24 bits of its hash, eight of its size.

    The lower half of the head is the term's id + 1, so that no head in use is zero.
    """
    tag = hashed & np.uint64(0xFFFFFF0000000000)
    return tag | np.uint64(min(size, 255)) << np.uint64(32)


@inlined
def find_term(
    slots: Array, offsets: Ints, arena: Bytes, data: Bytes, lo: int, hi: int, hashed: Any
) -> Any:
    """The id of the term ``data[lo:hi]``; −1 − the free slot where it would go if it is unknown."""
    mask = np.uint64(len(slots) - 1)
    upper = np.uint64(0xFFFFFFFF00000000)
    wanted = head_of(hashed, hi - lo)
    word = first_word(data, lo, hi)
    place = hashed & mask
    while True:
        head = slots[place, 0]
        if head == np.uint64(0):
            return -1 - np.int64(place)
        if head & upper == wanted and slots[place, 1] == word:
            term = np.int64(head & np.uint64(0xFFFFFFFF)) - 1
            if hi - lo <= 8:
                return term
            start = offsets[term]
            if offsets[term + 1] - start == hi - lo and _equal(
                arena, start + 8, data, lo + 8, hi - lo - 8
            ):
                return term
        place = (place + np.uint64(1)) & mask


@internal
def rebuilt_slots(hashes: Array, offsets: Ints, arena: Bytes, size: int, n_slots: int) -> Any:
    """A number of slots for the same terms."""
    slots = np.zeros((n_slots, 2), np.uint64)
    mask = np.uint64(n_slots - 1)
    for term in range(size):
        place = hashes[term] & mask
        while slots[place, 0] != np.uint64(0):
            place = (place + np.uint64(1)) & mask
        lo, hi = offsets[term], offsets[term + 1]
        slots[place, 0] = head_of(hashes[term], hi - lo) | np.uint64(term + 1)
        slots[place, 1] = first_word(arena, lo, hi)
    return slots


@internal
def resized(array: Array, capacity: int) -> Any:
    """The same values in a larger array, zeros behind them."""
    larger = np.empty(capacity, array.dtype)
    for i in range(len(array)):
        larger[i] = array[i]
    for i in range(len(array), capacity):
        larger[i] = 0
    return larger


@kernel
def with_terms(table: TermTable, data: Bytes, offsets: Ints) -> Any:
    """A table that holds the given distinct terms, with their positions as ids."""
    size = len(offsets) - 1
    arena = resized(data, len(data) + PADDING)
    hashes = np.empty(size, np.uint64)
    for term in range(size):
        hashes[term] = hash_bytes(arena, offsets[term], offsets[term + 1], table.seed[0])
    n_slots = len(table.slots)
    while n_slots < 2 * size:
        n_slots *= 2
    slots = rebuilt_slots(hashes, offsets, arena, size, n_slots)
    return TermTable(slots, hashes, offsets, arena, size, table.seed)
