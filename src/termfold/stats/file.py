"""The count file: ``TermStats`` as one safetensors file with a JSON header, nothing executable."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from termfold._arrays import Array
from termfold.errors import FileFormatError
from termfold.peek import STATS as KIND
from termfold.stats.soundness import contradiction
from termfold.store import from_bytes, read_store, to_bytes, write_store
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import Vocabulary, offsets_of

if TYPE_CHECKING:
    from termfold.stats.term_stats import TermStats

VERSION = 1


def save(stats: TermStats, path: str | Path) -> None:
    """Write statistics; integers in as few bytes as they need."""
    write_store(path, KIND, VERSION, *pack(stats))


def dumps(stats: TermStats) -> bytes:
    """Statistics as the content of a file, to be sent elsewhere."""
    return to_bytes(KIND, VERSION, *pack(stats))


def loads(content: bytes, name: str = "bytes") -> TermStats:
    """The inverse of ``dumps``; ``name`` is for messages."""
    return unpack(*from_bytes(content, KIND, VERSION, name), name)


def pack(stats: TermStats) -> tuple[dict[str, Any], dict[str, Array]]:
    """Statistics as the header and the tables of a file."""
    header = {
        "classes": stats.classes.tolist(),
        "n_docs": stats.n_docs,
        "pruned": stats.pruned,
        "analyzer": None if stats.analyzer is None else stats.analyzer.to_dict(),
        "n_terms": stats.n_terms,
        "named_terms": stats.terms is not None,
        "content_hash": stats.content_hash(),
    }
    tables = {
        "class_docs": stats.class_docs,
        "classes_per_term": np.diff(stats.indptr),
        "class_of": stats.class_of,
        "df": stats.df,
        "tf": stats.tf,
        "term_df": stats.term_df,
        "term_tf": stats.term_tf,
    }
    if stats.terms is not None:
        tables["term_sizes"] = np.diff(stats.terms.offsets)
        tables["term_bytes"] = stats.terms.data
    return header, {name: _narrow(table) for name, table in tables.items()}


def load(path: str | Path) -> TermStats:
    """Read statistics; a file that is cut, altered or of another kind is an error."""
    header, tables = read_store(path, KIND, VERSION)
    return unpack(header, tables, path)


def unpack(header: dict[str, Any], tables: dict[str, Array], path: str | Path) -> TermStats:
    """The inverse of ``pack``; ``path`` is for messages."""
    from termfold.stats.term_stats import TermStats

    try:
        stats = _assemble(TermStats, header, tables)
        content_hash = stats.content_hash()
        if problem := contradiction(stats):
            raise ValueError(problem)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise FileFormatError(f"{path}: the tables do not fit together ({error})") from error
    if content_hash != header.get("content_hash"):
        raise FileFormatError(f"{path}: the content was altered; its hash is not the one stated")
    return stats


def _assemble(cls: type[TermStats], header: dict[str, Any], tables: dict[str, Array]) -> TermStats:
    wide = {name: _widen(table) for name, table in tables.items() if name != "term_bytes"}
    n_terms = len(wide["classes_per_term"])
    if n_terms != header["n_terms"]:
        raise ValueError(f"{n_terms} terms, not {header['n_terms']}")
    terms = None
    if header["named_terms"]:
        terms = Vocabulary.checked(tables["term_bytes"], wide["term_sizes"])
    indptr = offsets_of(wide["classes_per_term"], len(wide["class_of"]))
    classes = _classes(header["classes"])
    class_of = wide["class_of"]
    if len(class_of) and not 0 <= class_of.min() <= class_of.max() < len(classes):
        raise ValueError("a class number is out of range")
    first = np.zeros(len(class_of) + 1, np.bool_)
    first[indptr] = True
    if np.any((np.diff(class_of) <= 0) & ~first[1:-1]):
        raise ValueError("the classes of a term are not in order")
    entries = len(class_of)
    lengths = {"df": entries, "tf": entries, "term_df": n_terms, "term_tf": n_terms}
    for name, length in (*lengths.items(), ("class_docs", len(classes))):
        if wide[name].shape != (length,):
            raise ValueError(f"{name} has the shape {wide[name].shape}, not {(length,)}")
    for group in (("class_docs", "df", "term_df"), ("tf", "term_tf")):
        if len({wide[name].dtype for name in group}) > 1:
            raise ValueError(f"{', '.join(group)}: some are integers, others are not")
    if terms is not None and len(terms) != n_terms:
        raise ValueError(f"{len(terms)} names of {n_terms} terms")
    analyzer = header["analyzer"]
    return cls(
        classes=classes,
        terms=terms,
        n_docs=_number(header["n_docs"]),
        class_docs=wide["class_docs"],
        indptr=indptr,
        class_of=class_of.astype(np.int32),
        df=wide["df"],
        tf=wide["tf"],
        term_df=wide["term_df"],
        term_tf=wide["term_tf"],
        analyzer=None if analyzer is None else Analyzer.from_dict(analyzer),
        pruned=bool(header["pruned"]),
    )


def _classes(names: Any) -> Array:
    """Names, or numbers, sorted and distinct."""
    if not isinstance(names, list) or not (
        all(isinstance(name, str) for name in names)
        or all(isinstance(name, int | float) and math.isfinite(name) for name in names)
    ):
        raise ValueError("the classes are neither names nor numbers")
    if any(one >= other for one, other in itertools.pairwise(names)):
        raise ValueError("the classes are not sorted")
    return np.asarray(names) if names else np.zeros(0, "<U1")


def _number(value: Any) -> int | float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 2**63:
        raise ValueError(f"{value!r} is no number of documents")
    return value


def _narrow(table: Array) -> Array:
    """Integers in the smallest unsigned type that holds them."""
    if table.dtype.kind != "i" or table.min(initial=0) < 0:
        return table
    return table.astype(np.min_scalar_type(table.max(initial=0)))


def _widen(table: Array) -> Array:
    if table.dtype.kind == "f":
        if not np.all(np.isfinite(table)):
            raise ValueError("a sum is not finite")
        return table.astype(np.float64)
    if table.dtype.kind not in "iu" or table.max(initial=0) > np.iinfo(np.int64).max:
        raise ValueError(f"numbers of type {table.dtype}, or beyond 64 bits")
    return table.astype(np.int64)
