"""Altered model and count files: each is refused by a ``FileFormatError``, or is a sound file.

An input is one file that is loaded. Half are altered byte by byte: flipped, cut, longer, parts
repeated or swapped. In the others the header or a table is altered and the hash is made to fit, as
an attacker would. A file that is not refused is used: its statistics are added, taken apart and
ranked, its model predicts, explains, and is saved again; all numbers have to be finite.
"""

from __future__ import annotations

import copy
import json
import struct
import tempfile
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import common
import numpy as np
from safetensors.numpy import save

from termfold import TermStats, TextClassifier, top_terms
from termfold.classify import model_file
from termfold.errors import FileFormatError, TermfoldError
from termfold.peek import peek
from termfold.stats import file as stats_file
from termfold.store import read_store
from termfold.terms.analyzer import Analyzer

FILES = 200
TEXTS = ["a goal in the match", "the bank cut its rate", "größer 中文 match", "shares of the bank"]
ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 1.5, 2**31, 2**63, -(2**63), 10**30, float("nan"),
    float("inf"), "", "x", "word", "\ud800", [], [[]], {}, {"a": 1}, [1, 2], ["b", "a"], ["a", "a"],
    ["a", 1], [0.5, 1.5], [2, 1], "english", "refined",
]  # fmt: skip
ODD_NUMBERS = [0, 1, -1, 127, -128, 255, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 2**40]
ODD_REALS = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 3e38, 1e-45, 1e9, 1e300]


def originals() -> dict[str, bytes]:
    """A count file, a model, one with float weights, one for several labels, an updatable one."""
    labels = ["sport", "trade", "sport", "trade"]
    several = [["sport"], ["trade", "sport"], [], ["trade"]]
    made = {
        "counts": TermStats.from_matrix(
            [[1, 0, 300], [0, 70_000, 2], [5, 1, 1]], ["x", "y", "x"], terms=["a", "b", "ä"]
        ),
        "model": TextClassifier(n_jobs=1).fit(TEXTS, labels),
        "floats": TextClassifier(precision="float32", n_jobs=1).fit(TEXTS, labels),
        "several": TextClassifier(n_jobs=1).fit(TEXTS, several),
        "updatable": TextClassifier(
            updatable=True, analyzer=Analyzer(stop_words=["the"]), n_jobs=1
        ).fit(TEXTS, labels),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, one in made.items():
            one.save(Path(folder) / name)
        return {name: (Path(folder) / name).read_bytes() for name in made}


ORIGINALS = originals()
SCRATCH = tempfile.TemporaryDirectory(prefix="termfold-fuzz-")


def one_round(rng: np.random.Generator) -> Counter:
    seen: Counter = Counter()
    path = Path(SCRATCH.name) / "altered"
    for _ in range(FILES):
        name = str(rng.choice(list(ORIGINALS)))
        content = ORIGINALS[name]
        try:
            altered = altered_bytes(rng, content) if rng.random() < 0.5 else forged(rng, name)
        except (TypeError, ValueError, OverflowError, UnicodeEncodeError):
            continue  # what cannot be written is no input
        path.write_bytes(altered)
        seen["files"] += 1
        seen["refused" if refused(path, name) else "sound"] += 1
    return seen


def refused(path: Path, name: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with suppress(FileFormatError):
            peek(path)
        try:
            if name == "counts":
                use_stats(TermStats.load(path))
            else:
                use_model(TextClassifier.load(path, n_jobs=1), path)
        except FileFormatError:
            return True
    return False


def use_stats(stats: TermStats) -> None:
    for step in (
        lambda: stats + stats,
        lambda: stats - stats,
        lambda: stats.prune(2),
        lambda: stats.content_hash(),
        lambda: stats.dense("tf"),
        lambda: list(stats.terms or []),
        lambda: [row.score for row in top_terms(stats, "chi2", 5)],
    ):
        try:
            value = step()
        except TermfoldError:
            continue
        except ValueError:
            # Counts that are negative, or of more documents than there are, have no scores.
            continue
        if isinstance(value, list) and value and isinstance(value[0], float):
            assert np.all(np.isfinite(value)), value


def use_model(classifier: TextClassifier, path: Path) -> None:
    texts = [*TEXTS, "", "unheard-of"]
    scores = classifier.transform(texts)
    assert np.all(np.isfinite(scores)), scores
    proba = classifier.predict_proba(texts)
    assert np.all((proba >= 0) & (proba <= 1)), proba
    if not classifier.model_.multilabel:
        assert np.allclose(proba.sum(axis=1), 1)
    classifier.predict(texts)
    classifier.explain(texts[0])
    if classifier.updatable and hasattr(classifier, "memory_"):
        with suppress(ValueError):  # parameters that no classifier can have
            classifier.partial_fit(["the match"], ["sport"])
    model_file.save(classifier.model_, path.with_name("again"))
    model_file.load(path.with_name("again"))


# -- altering ---------------------------------------------------------------------------------


def altered_bytes(rng: np.random.Generator, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(int(rng.geometric(0.6))):
        at = int(rng.integers(len(data)))
        end = min(len(data), at + int(rng.geometric(0.1)))
        match rng.integers(7):
            case 0:
                data[at] ^= 1 << int(rng.integers(8))
            case 1:
                data[at] = int(rng.integers(256))
            case 2:
                del data[at:]
            case 3:
                del data[at:end]
            case 4:
                data[at:at] = rng.bytes(end - at)
            case 5:
                data[at:end] = data[:8]
            case _:
                data[at] = int(rng.choice(np.frombuffer(b'0123456789eE.-+IUFB"{}[],: \n', "u1")))
        if not data:
            break
    return bytes(data)


def parts_of(content: bytes, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    path = Path(SCRATCH.name) / "original"
    path.write_bytes(content)
    kind = stats_file.KIND if name == "counts" else model_file.KIND
    return read_store(path, kind, 1)


def forged(rng: np.random.Generator, name: str) -> bytes:
    """A file of which the header or some tables are others, with the hash that belongs to them."""
    header, tables = copy.deepcopy(PARTS[name])
    for _ in range(int(rng.geometric(0.7))):
        if rng.random() < 0.5:
            alter_header(rng, header)
        else:
            key = str(rng.choice(list(tables)))
            tables[key] = altered_table(rng, tables[key])
    kept = {k: v for k, v in header.items() if k not in ("kind", "version", "content_hash")}
    if name != "counts":
        header["content_hash"] = model_file._hash(kept, tables)
    else:
        header["content_hash"] = hash_of_stats(header, tables) or header.get("content_hash")
    if rng.random() < 0.02:
        header["content_hash"] = ODD_VALUES[rng.integers(len(ODD_VALUES))]
    text = json.dumps(header, ensure_ascii=bool(rng.random() < 0.5))
    if rng.random() < 0.02:
        text = text.replace("{", "[" * int(rng.integers(1, 10**5)), 1)
    written = save({k: np.ascontiguousarray(t) for k, t in tables.items()}, {"termfold": text})
    if rng.random() < 0.1:  # a shape that lies
        size = struct.unpack("<Q", written[:8])[0]
        layout = json.loads(written[8 : 8 + size])
        key = str(rng.choice([k for k in layout if k != "__metadata__"]))
        field = str(rng.choice(["shape", "data_offsets", "dtype"]))
        layout[key][field] = [
            [10**15], [0, 10**15], [-1], [2**62, 4], "F64", "BF16", [0, 1], [], None, ["a"], [1.5],
        ][rng.integers(11)]  # fmt: skip
        head = json.dumps(layout).encode()
        written = struct.pack("<Q", len(head)) + head + written[8 + size :]
    return written


def hash_of_stats(header: dict[str, Any], tables: dict[str, Any]) -> str | None:
    try:
        return stats_file._assemble(TermStats, header, tables).content_hash()
    except Exception:  # what is broken needs no hash
        return None


def alter_header(rng: np.random.Generator, header: dict[str, Any]) -> None:
    """Give some value anywhere in the header another one."""
    value: Any = header
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = keys[rng.integers(len(keys))]
        inner = value[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.7:
            value = inner
            continue
        if isinstance(value, dict) and rng.random() < 0.15:
            del value[key]
        elif isinstance(value, list) and rng.random() < 0.3:
            value.append(inner)
        else:
            value[key] = ODD_VALUES[rng.integers(len(ODD_VALUES))]
        return


def altered_table(rng: np.random.Generator, table: np.ndarray) -> np.ndarray:
    kind = rng.integers(7)
    if kind == 0:
        return table[: rng.integers(len(table) + 1)]
    if kind == 1:
        return np.concatenate([table, table[:1]])
    if kind == 2:
        with np.errstate(over="ignore", invalid="ignore"):
            return table.astype(rng.choice(["i8", "i1", "u8", "f4", "f8", "f2", "?", "u1"]))
    if kind == 3:
        return table[:, None]
    wide = table.astype("f8" if table.dtype.kind == "f" else "i8")
    odd = ODD_REALS if table.dtype.kind == "f" else ODD_NUMBERS
    if wide.size == 0:
        return wide
    flat = wide.reshape(-1)
    at = rng.integers(flat.size)
    flat[at] = odd[rng.integers(len(odd))]
    if kind == 4 and flat.size > 1 and table.dtype.kind != "f":  # the sum stays
        with np.errstate(over="ignore"):
            flat[(at + 1) % flat.size] += table.reshape(-1)[at] - flat[at]
    if kind == 5:
        with np.errstate(over="ignore", invalid="ignore"):
            return flat.astype(table.dtype).reshape(table.shape)
    return flat.reshape(table.shape)


PARTS = {name: parts_of(content, name) for name, content in ORIGINALS.items()}

if __name__ == "__main__":
    common.main(one_round, __doc__)
