"""From the terms cut out of texts to their ids: look them up in a term table, add unknown ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Array, Bytes, Ints
from termfold._kernel import internal
from termfold.terms.bits import prefetch
from termfold.terms.table import (
    PADDING,
    TermTable,
    find_term,
    first_word,
    hash_bytes,
    head_of,
    rebuilt_slots,
    resized,
)

_AHEAD = 24  # so many look-ups further on, memory is asked for what they need


@internal
def append_ids(
    table: TermTable,
    ids: Ints,
    n_ids: int,
    scratch: Bytes,
    cuts: Ints,
    n_cuts: int,
    hashes: Array,
    grow: bool,
) -> Any:
    """Append the ids of the terms that are cut out of a buffer; unknown ones are added, or −1."""
    if n_ids + n_cuts > len(ids):
        ids = resized(ids, 2 * (n_ids + n_cuts))
    seed = table.seed[0]
    for c in range(n_cuts):
        hashes[c] = hash_bytes(scratch, cuts[c, 0], cuts[c, 1], seed)
    done: Any = np.int64(0)  # a plain 0 would be compiled for by itself
    while done < n_cuts:
        done = _look_up(scratch, cuts, n_cuts, table, grow, done, hashes, ids, n_ids)
        if done < n_cuts:
            table = _add(table, scratch, cuts[done, 0], cuts[done, 1], hashes[done])
    return table, ids


@internal
def _look_up(
    scratch: Bytes,
    cuts: Ints,
    n_cuts: int,
    table: TermTable,
    grow: bool,
    known: int,
    hashes: Array,
    ids: Ints,
    n_ids: int,
) -> Any:
    """Look up the cuts from ``known`` on; stop at an unknown term if the table is to grow.

    Returns how many are done.
    """
    slots, offsets, arena = table.slots, table.offsets, table.arena
    mask = np.uint64(len(slots) - 1)
    for c in range(known, n_cuts):
        if c + _AHEAD < n_cuts:
            prefetch(slots, hashes[c + _AHEAD] & mask)
        term = find_term(slots, offsets, arena, scratch, cuts[c, 0], cuts[c, 1], hashes[c])
        if term < 0:
            if grow:
                return c
            term = -1
        ids[n_ids + c] = term
    return n_cuts


@internal
def _add(table: TermTable, scratch: Bytes, start: int, end: int, hashed: Any) -> Any:
    """The table with one more term, which it does not hold yet."""
    slots, hashes, offsets, arena, size, seed = table
    if size == len(hashes):
        hashes = resized(hashes, 2 * size)
        offsets = resized(offsets, 2 * size + 1)
    arena_end = offsets[size] + end - start
    if arena_end + PADDING > len(arena):
        arena = resized(arena, 2 * arena_end + PADDING)
    for i in range(end - start):
        arena[offsets[size] + i] = scratch[start + i]
    offsets[size + 1] = arena_end
    hashes[size] = hashed
    place = -1 - find_term(slots, offsets, arena, scratch, start, end, hashed)
    slots[place, 0] = head_of(hashed, end - start) | np.uint64(size + 1)
    slots[place, 1] = first_word(scratch, start, end)
    size += 1
    if 2 * size > len(slots):
        slots = rebuilt_slots(hashes, offsets, arena, size, 2 * len(slots))
    return TermTable(slots, hashes, offsets, arena, size, seed)
