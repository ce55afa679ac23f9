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
from termfold.peek import MODEL as KIND
from termfold.stats import TermStats
from termfold.stats import file as stats_file
from termfold.store import from_bytes, read_store, to_bytes, write_store
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import Vocabulary

VERSION = 1

_KEPT = "kept."
# Parameters that are the model's already, or the machine's.
_NOT_KEPT = ("analyzer", "n_jobs")
_PER_CLASS = ("bias", "slopes", "intercepts", "thresholds")
_PER_TERM = ("idf", "scale")
# No factor of a score is larger in any model that was learnt; so scores stay finite.
_LARGEST = 1e9


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
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise FileFormatError(f"{path}: the tables do not fit together ({error})") from error


def _pack(kept: Kept) -> tuple[dict[str, Any], dict[str, Array]]:
    stats_header, tables = stats_file.pack(kept.stats)
    memory_header, memory_tables = kept.memory.pack()
    plain = {name: value for name, value in kept.parameters.items() if name not in _NOT_KEPT}
    header = {
        "stats": stats_header,
        "memory": memory_header,
        "multilabel": kept.multilabel,
        "parameters": plain,
    }
    return header, tables | memory_tables


def _unpack(header: dict[str, Any], tables: dict[str, Array], path: str | Path) -> Kept:
    memory = Memory.unpack(header["memory"], tables)
    multilabel = bool(header["multilabel"])
    if not multilabel and any(len(document.labels) != 1 for document in memory.documents):
        raise ValueError("a remembered text has not one label")
    return Kept(
        stats_file.unpack(header["stats"], tables, path),
        memory,
        multilabel,
        {name: value for name, value in header["parameters"].items() if name not in _NOT_KEPT},
    )


def checked_parameters(
    found: dict[str, Any], defaults: dict[str, Any], path: str | Path
) -> dict[str, Any]:
    """Parameters from a file, if their names and types are those of a classifier."""
    for name, value in found.items():
        usual = defaults.get(name)
        kind = type(usual) if isinstance(usual, str | bool) else int | float
        absent = value is None and (usual is None or name == "max_bytes")
        if name not in defaults or not (absent or isinstance(value, kind)):
            raise FileFormatError(f"{path}: a classifier has no parameter {name}={value!r:.80}")
    return found


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
    with np.errstate(over="ignore"):
        half = values.astype(np.float16)
    return bool(np.array_equal(half.astype(np.float32), values))


def _hash(header: dict[str, Any], tables: dict[str, Array]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True, ensure_ascii=False).encode())
    for name in sorted(tables):
        table = np.ascontiguousarray(tables[name])
        digest.update(f"{name}:{table.dtype.str}:{table.shape};".encode())
        digest.update(table.tobytes())
    return digest.hexdigest()


def _assemble(header: dict[str, Any], tables: dict[str, Array]) -> TermModel:
    terms = Vocabulary.checked(tables["term_bytes"], tables["term_sizes"])
    classes = header["classes"]
    if not isinstance(classes, list) or not all(isinstance(name, str) for name in classes):
        raise ValueError("the classes are not names")
    if len(set(classes)) < max(1, len(classes)):
        raise ValueError("a class is named twice, or there is none")
    shape = (len(terms), len(classes))
    weights = tables["weights"]
    if weights.shape != shape or weights.dtype.name not in ("float32", "float16", "int8"):
        raise ValueError(f"weights of shape {weights.shape}, not {shape}")
    if weights.dtype == np.float16:
        weights = weights.astype(np.float32)
    if weights.dtype == np.float32 and not np.all(np.abs(weights) <= _LARGEST):
        raise ValueError(f"weights that are not numbers below {_LARGEST:.0e}")
    vectors = {name: _vector(name, tables[name], shape[1]) for name in _PER_CLASS}
    for name in _PER_TERM:
        vectors[name] = _vector(name, tables.get(name, np.ones(shape[0], np.float32)), shape[0])
    if header["tf"] not in ("binary", "count", "sublinear"):
        raise ValueError(f"tf is {header['tf']!r}")
    if header["norm"] not in ("none", "l1", "l2"):
        raise ValueError(f"norm is {header['norm']!r}")
    return TermModel(
        classes=classes,
        multilabel=bool(header["multilabel"]),
        analyzer=Analyzer.from_dict(header["analyzer"]),
        terms=terms,
        weights=weights,
        tf=header["tf"],
        norm=header["norm"],
        about=dict(header["about"]),
        **vectors,
    )


def _vector(name: str, values: Array, length: int) -> Array:
    if values.shape != (length,) or values.dtype.name not in ("float16", "float32"):
        raise ValueError(f"{name} of shape {values.shape} and type {values.dtype}")
    numbers = values.astype(np.float32)
    # A threshold may be infinite: that of a class that is never chosen.
    if np.any(np.isnan(numbers) if name == "thresholds" else ~(np.abs(numbers) <= _LARGEST)):
        raise ValueError(f"{name} that are not numbers below {_LARGEST:.0e}")
    return numbers
