"""Where in a text its terms stand, and which passages of a long text are worth a look."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from termfold._arrays import Array, Ints
from termfold.terms.encoder import Encoder
from termfold.terms.spans import Span, spans

# The plain-Python analyzer takes some microseconds for a character; a longer text is searched
# only where its strongest terms are.
SEARCHED_WHOLE = 30_000
_PIECE = 2_000
_PIECES_SEARCHED = 15
# An n-gram may begin in one piece and end in the next.
_LOOK_AHEAD = 500

SHOWN_WHOLE = 2_000
_AROUND = 80
_SNAP = 20

# No term of words crosses these, and none of them has a say in how a sigma is lower-cased.
_BOUNDARY = re.compile(r"\s+|[、。，！？]")

# Characters that would move the cursor of a terminal, or turn the order of what follows.
_CONTROLS = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")


class Mark(NamedTuple):
    """A stretch of text to colour: ``text[start:end]``, by a value."""

    start: int
    end: int
    value: float


class Segment(NamedTuple):
    """A piece of shown text; its value is None where no term stands."""

    text: str
    value: float | None


def locate(encoder: Encoder, text: str, known: Ints, strength: Array) -> list[Span]:
    """Find the places of the terms that the encoder knows.

    Parameters
    ----------
    encoder : Encoder
        With a vocabulary that does not grow.
    text : str
    known : ndarray of int
        The ids of the text's terms, ascending.
    strength : ndarray of float
        How much one occurrence of each matters. Of a text longer than ``SEARCHED_WHOLE``, only
        the pieces with the largest sums are searched.

    Returns
    -------
    list of Span
        In order of their places, terms unknown to the encoder among them.
    """
    if len(text) <= SEARCHED_WHOLE:
        return spans(encoder.analyzer, text)
    cuts = _cuts(text)
    pieces = [text[lo:hi] for lo, hi in itertools.pairwise(cuts)]
    ids, indptr = encoder.encode(pieces)
    if len(known) == 0:
        return []
    place = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    sums = np.concatenate([[0.0], np.cumsum(strength[place])])
    sums = sums[indptr[1:]] - sums[indptr[:-1]]
    best = np.sort(np.argsort(-sums, kind="stable")[:_PIECES_SEARCHED])
    return [span for i in best for span in _spans_within(encoder, text, cuts[i], cuts[i + 1])]


def _cuts(text: str) -> list[int]:
    cuts = [0]
    while cuts[-1] < len(text):
        cuts.append(_boundary_after(text, cuts[-1] + _PIECE))
    return cuts


def _boundary_after(text: str, place: int) -> int:
    match = _BOUNDARY.search(text, place)
    return match.end() if match else len(text)


def _spans_within(encoder: Encoder, text: str, lo: int, hi: int) -> Iterator[Span]:
    """The spans that begin in ``text[lo:hi]``."""
    window = text[lo : _boundary_after(text, hi + _LOOK_AHEAD)]
    for term, start, end in spans(encoder.analyzer, window):
        if start < hi - lo:
            yield Span(term, start + lo, end + lo)


def passages(text: str, marks: Sequence[Mark], size: int = SHOWN_WHOLE) -> list[tuple[int, int]]:
    """Choose what to show of a text: all of a short one, else the surroundings of strong marks.

    Examples
    --------
    >>> text = "left out " * 50 + "one two three" + " left out" * 50
    >>> [(start, end)] = passages(text, [Mark(454, 457, 1.0)], size=100)
    >>> text[start:end]
    'left out ... left out one two three left out ... left out'
    """
    if len(text) <= size:
        return [(0, len(text))]
    chosen: list[tuple[int, int]] = []
    room = size
    for mark in sorted(marks, key=lambda mark: -abs(mark.value)):
        if room <= 0:
            break
        if any(lo <= mark.start and mark.end <= hi for lo, hi in chosen):
            continue
        around = _surroundings(text, mark)
        chosen.append(around)
        room -= around[1] - around[0]
    return _joined(chosen) if chosen else [(0, size)]


def _surroundings(text: str, mark: Mark) -> tuple[int, int]:
    """Some characters on both sides, and no broken words where there are blanks."""
    lo = max(0, mark.start - _AROUND)
    hi = min(len(text), mark.end + _AROUND)
    if lo > 0:
        lo = 1 + text.find(" ", lo, min(lo + _SNAP, mark.start)) or lo
    if hi < len(text):
        blank = text.rfind(" ", max(hi - _SNAP, mark.end), hi)
        hi = blank if blank >= 0 else hi
    return lo, hi


def _joined(chosen: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Intervals in order; those that touch or overlap become one."""
    joined: list[tuple[int, int]] = []
    for lo, hi in sorted(chosen):
        if joined and lo <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], hi))
        else:
            joined.append((lo, hi))
    return joined


def segments(text: str, marks: Sequence[Mark], lo: int, hi: int) -> list[Segment]:
    """Cut ``text[lo:hi]`` where marks begin or end; where these overlap, their values add.

    Examples
    --------
    >>> segments("to be, or", [Mark(0, 2, 1.0), Mark(0, 5, 0.5)], 0, 9)
    [Segment(text='to', value=1.5), Segment(text=' be', value=0.5),
     Segment(text=', or', value=None)]
    """
    inside = [mark for mark in marks if mark.start < hi and mark.end > lo]
    starts = np.array([max(mark.start, lo) for mark in inside], np.int64)
    ends = np.array([min(mark.end, hi) for mark in inside], np.int64)
    values = np.array([mark.value for mark in inside])
    cuts = np.unique(np.concatenate([[lo, hi], starts, ends]))
    change, covers = np.zeros(len(cuts)), np.zeros(len(cuts), np.int64)
    for places, sign in ((starts, 1), (ends, -1)):
        at = np.searchsorted(cuts, places)
        np.add.at(change, at, sign * values)
        np.add.at(covers, at, sign)
    sums, covered = np.cumsum(change), np.cumsum(covers) > 0
    return [
        Segment(text[a:b], float(sums[i]) if covered[i] else None)
        for i, (a, b) in enumerate(itertools.pairwise(cuts.tolist()))
    ]


def printable(text: str) -> str:
    r"""Put something harmless in the place of control characters, one for one.

    Examples
    --------
    >>> printable("a\x1b[2J\r\n")
    'a�[2J \n'
    """
    return _CONTROLS.sub(lambda match: " " if match[0] == "\r" else "�", text)
