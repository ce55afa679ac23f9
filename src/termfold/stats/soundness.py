"""Whether statistics can be those of any documents at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from termfold.stats.term_stats import TermStats

# Weighted sums are rounded, and their order is not always the same.
_ROUNDING = 1e-6


def contradiction(stats: TermStats) -> str | None:
    """What cannot be true of statistics, None if nothing is seen.

    In each 2×2 table of a term and a class no cell may be below zero: the scores divide by their
    sums and take logarithms of them. Occurrences may be, as the sums of a matrix.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from termfold import collect
    >>> stats = collect(["good film", "bad film"], labels=["pos", "neg"])
    >>> contradiction(stats)
    >>> contradiction(replace(stats, n_docs=1))
    'a class or a term is in more documents than there are'
    """
    sizes = np.diff(stats.indptr)
    in_class = stats.class_docs[stats.class_of]
    of_term = np.repeat(stats.term_df, sizes)
    n_docs = stats.n_docs if stats.exact else stats.n_docs * (1 + _ROUNDING)
    for values in (stats.class_docs, stats.df, stats.term_df):
        if values.min(initial=0) < 0:
            return "a number of documents is below zero"
    if max(stats.class_docs.max(initial=0), stats.term_df.max(initial=0)) > n_docs:
        return "a class or a term is in more documents than there are"
    allowed = np.minimum(in_class, of_term)
    if np.any(stats.df > (allowed if stats.exact else allowed * (1 + _ROUNDING))):
        return "a term is in more documents of a class than there are"
    if np.any(in_class - stats.df > n_docs - of_term):
        return "a term and a class are in more documents than there are"
    return None
