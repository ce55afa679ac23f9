"""The kernels from UTF-8 text to term ids: cut some terms out, then look them up, in turns.

There is one cutter for words and one for characters, so that nobody waits for the compilation of
what he does not use. A turn takes in as many documents as it can: texts may be short, and a turn
has a price of its own (see ``inlined``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from termfold._arrays import Bytes, Ints
from termfold._kernel import inlined, internal, kernel
from termfold.terms.look_up import append_ids
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
    is_mostly_beyond_ascii,
    split_ascii,
)
from termfold.terms.table import PADDING, TermTable

_CUTS = 1024
_SCRATCH = 1 << 16

# A document takes so many times its bytes of scratch, and so many more: it is folded, and then its
# words are written once more, where a byte becomes three at the most (a bad one U+FFFD, or "a" the
# character n-gram " a ").
_TIMES, _MORE = 4, 2 * BLOCK + 2 * PADDING

# What a cursor holds: the document at work, whether it is begun, where its bytes and then its
# words begin in the scratch buffer, and how far the general splitter has to go (−1: not at work).
_DOC, _BEGUN, _BASE, _END, _UNTIL = range(5)


class Workspace(NamedTuple):
    """What the kernels write on, large enough for the longest document."""

    scratch: Bytes
    flags: Bytes
    cuts: Ints
    starts: Ints
    cursor: Ints
    state: Ints
    fast: Ints


def _workspace(longest: int) -> Workspace:
    return Workspace(
        scratch=np.empty(_TIMES * longest + _MORE + _SCRATCH, np.uint8),
        flags=np.empty(longest + 2 * BLOCK, np.uint8),
        cuts=np.empty((_CUTS, 2), np.int64),
        starts=np.empty(LONGEST_NGRAM, np.int64),
        cursor=np.zeros(5, np.int64),
        state=np.zeros(STATE_SIZE, np.int64),
        fast=np.zeros(STATE_SIZE, np.int64),
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
    encode_terms = encode_words if rules.unit == WORDS else encode_chars
    table, ids, n_ids = encode_terms(data, bounds, rules, stop, table, ids, grow, work, indptr)
    if not grow:
        n_ids = leave_out_unknown(ids, indptr)
    return TermTable(*table), ids[:n_ids], indptr


@kernel
def encode_words(
    data: Bytes,
    bounds: Ints,
    rules: Rules,
    stop: TermTable,
    table: TermTable,
    ids: Ints,
    grow: bool,
    work: Workspace,
    indptr: Ints,
) -> Any:
    """Encode words and their n-grams, of which those unknown get the id −1 if none are added."""
    hashes = np.empty(len(work.cuts), np.uint64)
    n_ids = 0
    while work.cursor[_DOC] < len(indptr) - 1:
        n_cuts = _cut_words(data, bounds, rules, stop, work, indptr, n_ids)
        table, ids = append_ids(table, ids, n_ids, work.scratch, work.cuts, n_cuts, hashes, grow)
        n_ids += n_cuts
    return table, ids, n_ids


@kernel
def encode_chars(
    data: Bytes,
    bounds: Ints,
    rules: Rules,
    stop: TermTable,
    table: TermTable,
    ids: Ints,
    grow: bool,
    work: Workspace,
    indptr: Ints,
) -> Any:
    """Encode character n-grams, of which those unknown get the id −1 if none are added."""
    hashes = np.empty(len(work.cuts), np.uint64)
    n_ids = 0
    while work.cursor[_DOC] < len(indptr) - 1:
        n_cuts = _cut_chars(data, bounds, rules, work, indptr, n_ids)
        table, ids = append_ids(table, ids, n_ids, work.scratch, work.cuts, n_cuts, hashes, grow)
        n_ids += n_cuts
    return table, ids, n_ids


@kernel
def leave_out_unknown(ids: Ints, indptr: Ints) -> int:
    """Move the ids together over those that are −1; tell how many there are."""
    n = 0
    start = indptr[0]
    for d in range(len(indptr) - 1):
        end = indptr[d + 1]
        for i in range(start, end):
            # Written each time, kept if known: a branch would be mispredicted too often.
            ids[n] = ids[i]
            n += ids[i] >= 0
        indptr[d + 1] = n
        start = end
    return n


# -- cutting ----------------------------------------------------------------------------------


@internal
def _cut_words(
    data: Bytes,
    bounds: Ints,
    rules: Rules,
    stop: TermTable,
    work: Workspace,
    indptr: Ints,
    n_ids: int,
) -> int:
    """Cut terms out of the next documents until the cuts or the scratch buffer are full.

    Single words are found by the fast splitter, and by the general one those beyond ASCII;
    n-grams, and all of a document of another script, by the general one.
    """
    scratch, flags, cuts, starts, cursor, state, fast = work
    case_bit = rules.ascii[0x41] ^ 0x41  # what lower-casing adds to a letter, if it does
    filtered = rules.drop_numbers or stop.size > 0
    d, begun, base, until = cursor[_DOC], cursor[_BEGUN], cursor[_BASE], cursor[_UNTIL]
    end = cursor[_END] if begun else 0
    n_cuts = 0
    while d < len(indptr) - 1:
        lo, hi = bounds[d], bounds[d + 1]
        if not begun:
            if end + _TIMES * (hi - lo) + _MORE > len(scratch):
                break
            base, until = end, -1
            text = data[lo:hi]
            folded = scratch[base : base + hi - lo + 2 * BLOCK]
            _clear(fast)
            _clear(state)
            if rules.high == 1:
                fast[ANY_HIGH] = fold_ascii(text, case_bit, folded, flags)
            if rules.high > 1 or (fast[ANY_HIGH] and is_mostly_beyond_ascii(text)):
                state[0], state[1], until = lo, end, hi
            else:
                end += len(folded)
            begun = 1
        whole = end == base  # nothing of the document was folded
        finished = False
        while not finished:
            if until >= 0:
                n_cuts = split_words(
                    data, lo, hi, until, rules, stop, scratch, starts, state, cuts, n_cuts
                )
                if state[0] < until:
                    break
                end = state[1]
                until = -1
                finished = whole
            else:
                first = n_cuts
                n_cuts = split_ascii(
                    base, hi - lo, rules.min_length, scratch, flags, fast, cuts, n_cuts
                )
                full = n_cuts == len(cuts)
                if filtered:
                    n_cuts = keep_wanted(scratch, cuts, first, n_cuts, rules, stop)
                if fast[HAND_START] >= 0:
                    _clear(state)
                    state[0], until = lo + fast[HAND_START], lo + fast[HAND_END]
                    state[1] = end
                elif full:
                    break
                else:
                    finished = True
        if not finished:
            break
        begun = 0
        d += 1
        indptr[d] = n_ids + n_cuts
    cursor[_DOC], cursor[_BEGUN], cursor[_BASE] = d, begun, base
    cursor[_END], cursor[_UNTIL] = end, until
    return n_cuts


@internal
def _cut_chars(
    data: Bytes, bounds: Ints, rules: Rules, work: Workspace, indptr: Ints, n_ids: int
) -> int:
    """Cut character n-grams out of the next documents, likewise."""
    scratch, _, cuts, starts, cursor, state, _ = work
    end_turn = 1 if rules.unit == CHARS_IN_WORDS else 0  # the end of the text ends a word
    d, begun = cursor[_DOC], cursor[_BEGUN]
    end = 0
    n_cuts = 0
    while d < len(indptr) - 1:
        lo, hi = bounds[d], bounds[d + 1]
        if begun == 0:
            if end + _TIMES * (hi - lo) + _MORE > len(scratch):
                break
            _clear(state)
            state[0], state[1] = lo, end
        n_cuts = split_chars(data, lo, hi, rules, scratch, starts, state, cuts, n_cuts)
        begun = np.int64(state[0] < hi + end_turn)
        if begun != 0:
            break
        end = state[1]
        d += 1
        indptr[d] = n_ids + n_cuts
    cursor[_DOC], cursor[_BEGUN] = d, begun
    return n_cuts


@inlined
def _clear(state: Ints) -> None:
    for i in range(len(state)):
        state[i] = 0
