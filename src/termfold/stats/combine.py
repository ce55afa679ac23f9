"""Adding and subtracting ``TermStats``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from termfold._arrays import Array, Ints
from termfold.errors import StatsError
from termfold.stats.kernels import merge_tables
from termfold.stats.soundness import contradiction
from termfold.terms.vocabulary import Vocabulary

if TYPE_CHECKING:
    from termfold.stats.term_stats import TermStats


def combine(a: TermStats, b: TermStats, sign: int) -> TermStats:
    """Compute ``a + sign · b``, not yet canonical; an error if the two do not go together."""
    terms, from_a, from_b = _align_terms(a, b)
    classes, own, theirs = _align_classes(a.classes, b.classes)
    _check_room(a, b)
    df_type = np.result_type(a.df, b.df)
    tf_type = np.result_type(a.tf, b.tf)
    indptr, class_of, df, tf = merge_tables(
        from_a, a.indptr, own.astype(np.int32)[a.class_of],
        a.df.astype(df_type, copy=False), a.tf.astype(tf_type, copy=False),
        from_b, b.indptr, theirs.astype(np.int32)[b.class_of],
        b.df.astype(df_type, copy=False), b.tf.astype(tf_type, copy=False),
        sign,
    )  # fmt: skip
    class_docs = np.zeros(len(classes), df_type)
    class_docs[own] += a.class_docs
    class_docs[theirs] += sign * b.class_docs
    result = replace(
        a,
        classes=classes,
        terms=terms,
        n_docs=a.n_docs + sign * b.n_docs,
        class_docs=class_docs,
        indptr=indptr,
        class_of=class_of,
        df=df,
        tf=tf,
        term_df=_lookup(a.term_df, from_a) + sign * _lookup(b.term_df, from_b),
        term_tf=_lookup(a.term_tf, from_a) + sign * _lookup(b.term_tf, from_b),
    )
    if sign < 0:
        _check_not_negative(result)
    return result


def _align_terms(a: TermStats, b: TermStats) -> tuple[Vocabulary | None, Ints, Ints]:
    if a.pruned or b.pruned:
        raise StatsError("pruned statistics do not add up: merge first, prune the result")
    if a.analyzer != b.analyzer:
        raise StatsError(f"terms were made by different analyzers: {a.analyzer} and {b.analyzer}")
    if a.terms is not None and b.terms is not None:
        return a.terms.union(b.terms)
    if a.terms is not None or b.terms is not None:
        raise StatsError("one of the two has named terms, the other numbered columns")
    if a.n_terms != b.n_terms:
        raise StatsError(f"matrices of {a.n_terms} and {b.n_terms} columns do not add")
    columns = np.arange(a.n_terms)
    return None, columns, columns


def _check_room(a: TermStats, b: TermStats) -> None:
    """Refuse sums beyond 64 bits, which would wrap around."""
    for name in ("class_docs", "df", "tf", "term_df", "term_tf"):
        tables = getattr(a, name), getattr(b, name)
        if all(table.dtype.kind == "i" for table in tables):
            largest = sum(
                max(int(table.max(initial=0)), -int(table.min(initial=0))) for table in tables
            )
            if largest > np.iinfo(np.int64).max:
                raise StatsError(f"{name} would be beyond 2**63, which is more than it can hold")


def _check_not_negative(stats: TermStats) -> None:
    reason = _what_is_negative(stats) or contradiction(stats)
    if reason is not None:
        raise StatsError(
            f"cannot subtract documents that were never added: without them, {reason}. "
            "Subtract what was counted before, with the same labels."
        )


def _what_is_negative(stats: TermStats) -> str | None:
    classes = stats.classes.tolist()
    for k in np.flatnonzero(stats.class_docs < 0):
        return f"the class {classes[k]!r} has {stats.class_docs[k]:,} documents"
    for unit, of_class, of_all in (
        ("documents", stats.df, stats.term_df),
        ("occurrences", stats.tf, stats.term_tf),
    ):
        for entry in np.flatnonzero(of_class < 0):
            term = stats.term_name(int(np.searchsorted(stats.indptr, entry, side="right")) - 1)
            name = classes[stats.class_of[entry]]
            return f"the term {term!r} has {of_class[entry]:,} {unit} in the class {name!r}"
        for t in np.flatnonzero(of_all < 0):
            return f"the term {stats.term_name(int(t))!r} has {of_all[t]:,} {unit}"
    return None


def _align_classes(a: Array, b: Array) -> tuple[Array, Ints, Ints]:
    """The classes of both, and the positions there of those of a and of b."""
    if len(a) == 0 or len(b) == 0:  # an empty array goes with names and with numbers
        return (a if len(a) else b), np.arange(len(a)), np.arange(len(b))
    if (a.dtype.kind in "US") != (b.dtype.kind in "US"):
        raise StatsError(
            "the classes of one are names and of the other numbers: "
            f"{a[:1].tolist()} and {b[:1].tolist()}"
        )
    classes = np.union1d(a, b)
    return classes, np.searchsorted(classes, a), np.searchsorted(classes, b)


def _lookup(values: Array, ids: Ints) -> Array:
    """``values[ids]``, zero where an id is −1."""
    found = np.zeros(len(ids), values.dtype)
    known = ids >= 0
    found[known] = values[ids[known]]
    return found
