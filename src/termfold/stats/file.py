"""The count file: ``TermStats`` as one safetensors file with a JSON header, nothing executable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from termfold._arrays import Array
from termfold.errors import FileFormatError
from termfold.store import from_bytes, read_store, to_bytes, write_store
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import Vocabulary

if TYPE_CHECKING:
    from termfold.stats.term_stats import TermStats

KIND = "termfold-stats"
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
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise FileFormatError(f"{path}: the tables do not fit together ({error})") from error
    if content_hash != header.get("content_hash"):
        raise FileFormatError(f"{path}: the content was altered; its hash is not the one stated")
    return stats


def _assemble(cls: type[TermStats], header: dict[str, Any], tables: dict[str, Array]) -> TermStats:
    n_terms = int(header["n_terms"])
    wide = {name: _widen(table) for name, table in tables.items() if name != "term_bytes"}
    terms = None
    if header["named_terms"]:
        offsets = _offsets(wide["term_sizes"], n_terms, len(tables["term_bytes"]))
        if tables["term_bytes"].dtype != np.uint8:
            raise ValueError(f"term_bytes has the type {tables['term_bytes'].dtype}, not uint8")
        terms = Vocabulary(tables["term_bytes"], offsets)
    indptr = _offsets(wide["classes_per_term"], n_terms, len(wide["class_of"]))
    classes = np.asarray(header["classes"])
    class_of = wide["class_of"]
    if len(class_of) and not 0 <= class_of.min() <= class_of.max() < len(classes):
        raise ValueError("a class number is out of range")
    lengths = {"df": indptr[-1], "tf": indptr[-1], "term_df": n_terms, "term_tf": n_terms}
    for name, length in (*lengths.items(), ("class_docs", len(classes))):
        if wide[name].shape != (length,):
            raise ValueError(f"{name} has the shape {wide[name].shape}, not {(int(length),)}")
    analyzer = header["analyzer"]
    return cls(
        classes=classes if len(classes) else np.zeros(0, "<U1"),
        terms=terms,
        n_docs=header["n_docs"],
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


def _offsets(sizes: Array, count: int, total: int) -> Array:
    if sizes.shape != (count,) or sizes.sum() != total:
        raise ValueError(
            f"{len(sizes)} sizes that add up to {sizes.sum()}, not {count} and {total}"
        )
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def _narrow(table: Array) -> Array:
    """Integers in the smallest unsigned type that holds them."""
    if table.dtype.kind != "i" or table.min(initial=0) < 0:
        return table
    return table.astype(np.min_scalar_type(table.max(initial=0)))


def _widen(table: Array) -> Array:
    return table.astype(np.float64 if table.dtype.kind == "f" else np.int64)
