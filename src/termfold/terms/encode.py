"""The kernels from UTF-8 text to a stream of term ids, one for each way of splitting.

They are separate so that nobody waits for the compilation of what he does not use.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from termfold._arrays import Array, Bytes, Ints
from termfold._kernel import internal, kernel
from termfold.terms.split import (
    CHARS_IN_WORDS,
    LONGEST_NGRAM,
    WORDS,
    Rules,
    keep_wanted,
    split_chars,
    split_words,
)
from termfold.terms.split_ascii import (
    ANY_HIGH,
    BLOCK,
    HAND_END,
    HAND_START,
    STATE_SIZE,
    fold_ascii,
    split_ascii,
)
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

_CUTS = 1024


class Stream(NamedTuple):
    """Term ids so far, and the table they belong to; both may grow, so they are handed on."""

    table: TermTable
    ids: Ints
    n_ids: int


class Workspace(NamedTuple):
    """What the kernels write on, large enough for the longest document."""

    scratch: Bytes
    folded: Bytes
    flags: Bytes
    cuts: Ints
    hashes: Array
    starts: Ints
    state: Ints
    fast: Ints


def _workspace(longest: int) -> Workspace:
    return Workspace(
        # A byte becomes three at the most: a bad one U+FFFD, or "a" the character n-gram " a ".
        scratch=np.empty(3 * longest + 2 * PADDING, np.uint8),
        folded=np.empty(longest + 2 * BLOCK, np.uint8),
        flags=np.empty(longest + 2 * BLOCK, np.uint8),
        cuts=np.empty((_CUTS, 2), np.int64),
        hashes=np.empty(_CUTS, np.uint64),
        starts=np.empty(LONGEST_NGRAM, np.int64),
        state=np.empty(STATE_SIZE, np.int64),
        fast=np.empty(STATE_SIZE, np.int64),
    )


def encode(
    data: Bytes,
    bounds: Ints,
    rules: Rules,
    stop: TermTable,
    table: TermTable,
    grow: bool,
) -> tuple[TermTable, Ints, Ints]:
    """Encode documents as term ids, in one pass over their bytes.

    Parameters
    ----------
    data, bounds : ndarray
        Document ``d`` is ``data[bounds[d]:bounds[d + 1]]``.
    rules : Rules
    stop : TermTable
        Words to leave out.
    table : TermTable
        Known terms.
    grow : bool
        Add unknown terms to the table; otherwise pass over them.

    Returns
    -------
    table : TermTable
        The given one, or what has become of it; the given one is not to be used again.
    ids : ndarray of int32
    indptr : ndarray of int64
        Document ``d`` has the terms ``ids[indptr[d]:indptr[d + 1]]``.
    """
    ids = np.empty(_CUTS + (bounds[-1] - bounds[0]) // 5, np.int32)
    indptr = np.zeros(len(bounds), np.int64)
    work = _workspace(int(np.diff(bounds).max(initial=0)))
    stream = Stream(table, ids, 0)
    if rules.unit != WORDS:
        stream = encode_chars(data, bounds, rules, stream, grow, work, indptr)
    elif rules.high > 1:
        stream = encode_ngrams(data, bounds, rules, stop, stream, grow, work, indptr)
    else:
        stream = encode_words(data, bounds, rules, stop, stream, grow, work, indptr)
    table, ids, n_ids = stream
    return TermTable(*table), ids[:n_ids], indptr


@kernel
def encode_words(
    data: Bytes,
    bounds: Ints,
    rules: Rules,
    stop: TermTable,
    stream: Stream,
    grow: bool,
    work: Workspace,
    indptr: Ints,
) -> Any:
    """Encode single words: the fast splitter, and the general one for words beyond ASCII."""
    scratch, folded, flags, cuts, hashes, starts, state, fast = work
    case_bit = rules.ascii[0x41] ^ 0x41  # what lower-casing adds to a letter, if it does
    filtered = rules.drop_numbers or stop.size > 0
    for d in range(len(bounds) - 1):
        lo, hi = bounds[d], bounds[d + 1]
        _clear(fast)
        fast[ANY_HIGH] = fold_ascii(data[lo:hi], case_bit, folded, flags)
        finished = False
        while not finished:
            n_cuts = split_ascii(hi - lo, rules.min_length, folded, flags, fast, cuts)
            handed = fast[HAND_START] >= 0
            finished = n_cuts < len(cuts) and not handed
            if filtered:
                n_cuts = keep_wanted(folded, cuts, n_cuts, rules, stop)
            stream = _append(stream, folded, cuts, n_cuts, hashes, grow)
            if not handed:
                continue
            _clear(state)
            state[0], until = lo + fast[HAND_START], lo + fast[HAND_END]
            while state[0] < until:
                n_cuts = split_words(data, lo, hi, until, rules, stop, scratch, starts, state, cuts)
                stream = _append(stream, scratch, cuts, n_cuts, hashes, grow)
        indptr[d + 1] = stream.n_ids
    return stream


@kernel
def encode_ngrams(
    data: Bytes,
    bounds: Ints,
    rules: Rules,
    stop: TermTable,
    stream: Stream,
    grow: bool,
    work: Workspace,
    indptr: Ints,
) -> Any:
    """Encode words and their n-grams."""
    scratch, _, _, cuts, hashes, starts, state, _ = work
    for d in range(len(bounds) - 1):
        lo, hi = bounds[d], bounds[d + 1]
        _clear(state)
        state[0] = lo
        while state[0] < hi:
            n_cuts = split_words(data, lo, hi, hi, rules, stop, scratch, starts, state, cuts)
            stream = _append(stream, scratch, cuts, n_cuts, hashes, grow)
        indptr[d + 1] = stream.n_ids
    return stream


@kernel
def encode_chars(
    data: Bytes,
    bounds: Ints,
    rules: Rules,
    stream: Stream,
    grow: bool,
    work: Workspace,
    indptr: Ints,
) -> Any:
    """Encode character n-grams."""
    scratch, _, _, cuts, hashes, starts, state, _ = work
    end_turn = 1 if rules.unit == CHARS_IN_WORDS else 0  # the end of the text ends a word
    for d in range(len(bounds) - 1):
        lo, hi = bounds[d], bounds[d + 1]
        _clear(state)
        state[0] = lo
        while state[0] < hi + end_turn:
            n_cuts = split_chars(data, lo, hi, rules, scratch, starts, state, cuts)
            stream = _append(stream, scratch, cuts, n_cuts, hashes, grow)
        indptr[d + 1] = stream.n_ids
    return stream


@internal
def _clear(state: Ints) -> None:
    for i in range(len(state)):
        state[i] = 0


@internal
def _append(
    stream: Stream, scratch: Bytes, cuts: Ints, n_cuts: int, hashes: Array, grow: bool
) -> Any:
    """Append the terms that are cut out of a buffer."""
    table, ids, n_ids = stream
    if n_ids + n_cuts > len(ids):
        ids = resized(ids, 2 * len(ids))
    seed = table.seed[0]
    for c in range(n_cuts):
        hashes[c] = hash_bytes(scratch, cuts[c, 0], cuts[c, 1], seed)
    done: Any = np.int64(0)  # a plain 0 would be compiled for by itself
    while done < n_cuts:
        done, n_ids = _look_up(scratch, cuts, n_cuts, table, grow, done, hashes, ids, n_ids)
        if done < n_cuts:
            table = _add(table, scratch, cuts[done, 0], cuts[done, 1], hashes[done])
    return Stream(table, ids, n_ids)


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

    Returns how many are done and how many ids there are.
    """
    slots, offsets, arena = table.slots, table.offsets, table.arena
    for c in range(known, n_cuts):
        term = find_term(slots, offsets, arena, scratch, cuts[c, 0], cuts[c, 1], hashes[c])
        if term >= 0:
            ids[n_ids] = term
            n_ids += 1
        elif grow:
            return c, n_ids
    return n_cuts, n_ids


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
