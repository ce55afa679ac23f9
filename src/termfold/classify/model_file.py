"""The model file: a ``TermModel`` as one safetensors file with a JSON header; never a pickle."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from termfold._arrays import Array
from termfold.classify.memory import Memory
from termfold.classify.model import TermModel
from termfold.errors import FileFormatError
from termfold.stats import TermStats
from termfold.stats import file as stats_file
from termfold.store import from_bytes, read_store, to_bytes, write_store
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import Vocabulary

KIND = "termfold-model"
VERSION = 1

_KEPT = "kept."
_PER_CLASS = ("bias", "slopes", "intercepts", "thresholds")
_PER_TERM = ("idf", "scale")


class Kept(NamedTuple):
    """What an updatable classifier keeps beside its model."""

    stats: TermStats
    memory: Memory
    multilabel: bool
    parameters: dict[str, Any]


def save(model: TermModel, path: str | Path, kept: Kept | None = None) -> None:
    """Write a model; equal models give equal bytes."""
    write_store(path, KIND, VERSION, *_parts(model, kept))


def dumps(model: TermModel) -> bytes:
    """A model as the content of a file, to be sent elsewhere."""
    return to_bytes(KIND, VERSION, *_parts(model, None))


def _parts(model: TermModel, kept: Kept | None) -> tuple[dict[str, Any], dict[str, Array]]:
    header, tables = header_of(model), tables_of(model)
    if kept is not None:
        more, more_tables = _pack(kept)
        header["kept"] = more
        tables |= {f"{_KEPT}{name}": table for name, table in more_tables.items()}
    return {**header, "content_hash": _hash(header, tables)}, tables


def load(path: str | Path) -> TermModel:
    """Read a model; a file that is cut, altered or of another kind is an error."""
    return load_all(path)[0]


def load_all(path: str | Path) -> tuple[TermModel, Kept | None]:
    """Read a model, and what was kept with it for updates."""
    return _whole(*read_store(path, KIND, VERSION), path)


def loads(content: bytes, name: str = "bytes") -> TermModel:
    """The inverse of ``dumps``; ``name`` is for messages."""
    return _whole(*from_bytes(content, KIND, VERSION, name), name)[0]


def _whole(
    header: dict[str, Any], tables: dict[str, Array], path: str | Path
) -> tuple[TermModel, Kept | None]:
    """Check that nothing was altered, and put the parts together."""
    stated = header.pop("content_hash", None)
    for name in ("kind", "version"):
        header.pop(name)
    if _hash(header, tables) != stated:
        raise FileFormatError(f"{path}: the content was altered; its hash is not the one stated")
    try:
        kept = None
        if "kept" in header:
            more = {
                name.removeprefix(_KEPT): table
                for name, table in tables.items()
                if name.startswith(_KEPT)
            }
            kept = _unpack(header["kept"], more, path)
        return _assemble(header, tables), kept
    except (KeyError, TypeError, ValueError) as error:
        raise FileFormatError(f"{path}: the tables do not fit together ({error})") from error


def _pack(kept: Kept) -> tuple[dict[str, Any], dict[str, Array]]:
    stats_header, tables = stats_file.pack(kept.stats)
    memory_header, memory_tables = kept.memory.pack()
    plain = {name: value for name, value in kept.parameters.items() if name != "analyzer"}
    header = {
        "stats": stats_header,
        "memory": memory_header,
        "multilabel": kept.multilabel,
        "parameters": plain,
    }
    return header, tables | memory_tables


def _unpack(header: dict[str, Any], tables: dict[str, Array], path: str | Path) -> Kept:
    return Kept(
        stats_file.unpack(header["stats"], tables, path),
        Memory.unpack(header["memory"], tables),
        bool(header["multilabel"]),
        dict(header["parameters"]),
    )


def content_hash(model: TermModel) -> str:
    """SHA-256 of the content: equal for equal models."""
    return _hash(header_of(model), tables_of(model))


def size_in_bytes(model: TermModel) -> int:
    """About the size of the file: all but the JSON header's fixed parts."""
    header = json.dumps(header_of(model), ensure_ascii=False).encode()
    return len(header) + sum(table.nbytes for table in tables_of(model).values())


def header_of(model: TermModel) -> dict[str, Any]:
    """What is not a table."""
    return {
        "classes": model.classes,
        "multilabel": model.multilabel,
        "analyzer": model.analyzer.to_dict(),
        "tf": model.tf,
        "norm": model.norm,
        "about": model.about,
    }


def tables_of(model: TermModel) -> dict[str, Array]:
    """The arrays as they are kept; a term's size takes one byte where it can, its idf two."""
    sizes = np.diff(model.terms.offsets)
    tables = {
        "term_bytes": model.terms.data,
        "term_sizes": sizes.astype(np.min_scalar_type(sizes.max(initial=0))),
        "weights": weights_kept(model.weights),
        **{name: getattr(model, name) for name in _PER_CLASS},
    }
    if not np.all(model.idf == 1):
        tables["idf"] = model.idf.astype(np.float16) if _fits_half(model.idf) else model.idf
    if model.weights.dtype == np.int8:
        tables["scale"] = model.scale.astype(np.float16) if _fits_half(model.scale) else model.scale
    return tables


def weights_kept(weights: Array) -> Array:
    """Weights as they are in the file: in half precision, if that is all they need."""
    return (
        weights.astype(np.float16) if weights.dtype != np.int8 and _fits_half(weights) else weights
    )


def _fits_half(values: Array) -> bool:
    return bool(np.array_equal(values.astype(np.float16).astype(np.float32), values))


def _hash(header: dict[str, Any], tables: dict[str, Array]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True, ensure_ascii=False).encode())
    for name in sorted(tables):
        table = np.ascontiguousarray(tables[name])
        digest.update(f"{name}:{table.dtype.str}:{table.shape};".encode())
        digest.update(table.tobytes())
    return digest.hexdigest()


def _assemble(header: dict[str, Any], tables: dict[str, Array]) -> TermModel:
    sizes = tables["term_sizes"].astype(np.int64)
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    if offsets[-1] != len(tables["term_bytes"]):
        raise ValueError("the terms' sizes do not add up to their bytes")
    shape = (len(sizes), len(header["classes"]))
    weights = tables["weights"]
    if weights.shape != shape or weights.dtype.name not in ("float32", "float16", "int8"):
        raise ValueError(f"weights of shape {weights.shape}, not {shape}")
    if weights.dtype == np.float16:
        weights = weights.astype(np.float32)
    vectors = {name: tables[name].astype(np.float32) for name in _PER_CLASS}
    for name in _PER_TERM:
        table = tables.get(name, np.ones(len(sizes)))
        vectors[name] = table.astype(np.float32)
    for name, vector in vectors.items():
        wanted = shape[1] if name in _PER_CLASS else shape[0]
        if vector.shape != (wanted,):
            raise ValueError(f"{name} of shape {vector.shape}, not {(wanted,)}")
    if header["tf"] not in ("binary", "count", "sublinear"):
        raise ValueError(f"tf is {header['tf']!r}")
    if header["norm"] not in ("none", "l1", "l2"):
        raise ValueError(f"norm is {header['norm']!r}")
    return TermModel(
        classes=[str(name) for name in header["classes"]],
        multilabel=bool(header["multilabel"]),
        analyzer=Analyzer.from_dict(header["analyzer"]),
        terms=Vocabulary(tables["term_bytes"], offsets),
        weights=weights,
        tf=header["tf"],
        norm=header["norm"],
        about=dict(header["about"]),
        **vectors,
    )
