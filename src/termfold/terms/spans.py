"""The analyzer in plain Python: slow, readable, and with the place of each term in the text.

Explanations need the places; the tests compare the kernels with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from termfold.terms.analyzer import Analyzer
from termfold.terms.unicode import CJK, N_CODE_POINTS, unicode_tables


class Span(NamedTuple):
    """A term and where it stands: ``text[start:end]``, before case was folded."""

    term: str
    start: int
    end: int


def spans(analyzer: Analyzer, text: str) -> list[Span]:
    """Find the terms of a text and their places, in order of these.

    Examples
    --------
    >>> spans(Analyzer(ngram_range=(1, 2)), "To be, or")
    [Span(term='to', start=0, end=2), Span(term='to be', start=0, end=5),
     Span(term='be', start=3, end=5), Span(term='be or', start=3, end=9),
     Span(term='or', start=7, end=9)]
    """
    folded, places = _fold(analyzer, text)
    if analyzer.unit == "word":
        found = _words(analyzer, folded)
    elif analyzer.unit == "char":
        found = _chars(analyzer, folded)
    else:
        found = _chars_in_words(analyzer, folded)
    return sorted(
        (Span(term, places[start], places[end - 1] + 1) for term, start, end in found),
        key=lambda span: (span.start, span.end),
    )


def _fold(analyzer: Analyzer, text: str) -> tuple[str, list[int]]:
    """Lower-case a text; tell where in it each character came from (İ gives two)."""
    if not analyzer.lowercase:
        return text, list(range(len(text)))
    places = [i for i, c in enumerate(text) for _ in c.lower()]
    return text.lower(), places


def _is_cjk(analyzer: Analyzer, character: str) -> bool:
    point = ord(character)
    if analyzer.cjk == "word" or point >= N_CODE_POINTS:
        return False
    return bool(unicode_tables().as_is[point] & CJK)


def _words(analyzer: Analyzer, folded: str) -> Iterator[tuple[str, int, int]]:
    chain: list[tuple[int, int, str]] = []
    low, high = analyzer.ngram_range
    stop = analyzer.stop_list
    for start, end, cjk in _runs(analyzer, folded):
        word = folded[start:end]
        if cjk:
            chain = []
            for i in range(start, max(start + 1, end - 1)):
                yield folded[i : min(i + 2, end)], i, min(i + 2, end)
            continue
        a_number = analyzer.numbers == "drop" and not any(c.isalpha() for c in word)
        if len(word) < analyzer.min_length or a_number or word in stop:
            continue
        chain = [*chain, (start, end, word)][-high:]
        for n in range(low, min(high, len(chain)) + 1):
            yield " ".join(part[2] for part in chain[-n:]), chain[-n][0], end


def _runs(analyzer: Analyzer, folded: str) -> Iterator[tuple[int, int, bool]]:
    """Words, cut where CJK characters and others meet."""
    for match in re.finditer(r"\w+", folded):
        start = match.start()
        for i in range(start, match.end()):
            cjk = _is_cjk(analyzer, folded[i])
            last = i + 1 == match.end()
            if last or _is_cjk(analyzer, folded[i + 1]) != cjk:
                yield start, i + 1, cjk
                start = i + 1


def _chars(analyzer: Analyzer, folded: str) -> Iterator[tuple[str, int, int]]:
    units: list[tuple[str, int, int]] = []
    for match in re.finditer(r"\s\s+|.", folded, re.DOTALL):
        units.append((" " if len(match[0]) > 1 else match[0], match.start(), match.end()))
    yield from _joined(units, analyzer.ngram_range)


def _chars_in_words(analyzer: Analyzer, folded: str) -> Iterator[tuple[str, int, int]]:
    low, high = analyzer.ngram_range
    for match in re.finditer(r"\S+", folded):
        start, end = match.start(), match.end()
        units = [
            (" ", start, start + 1),
            *((c, i, i + 1) for i, c in enumerate(match[0], start)),
            (" ", end - 1, end),
        ]
        if len(units) < low:
            yield f" {match[0]} ", start, end
        yield from _joined(units, (low, high))


def _joined(
    units: list[tuple[str, int, int]], ngram_range: tuple[int, int]
) -> Iterator[tuple[str, int, int]]:
    for n in range(ngram_range[0], ngram_range[1] + 1):
        for i in range(len(units) - n + 1):
            part = units[i : i + n]
            yield "".join(unit for unit, _, _ in part), part[0][1], part[-1][2]
