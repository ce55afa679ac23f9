"""Results as JSON lines: one row a measurement, written as soon as it is made."""

from __future__ import annotations

import base64
import json
import os
import platform
import time
import zlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: What a measurement is of (collection, split, method, seed, …), and what it found, in one dict.
Row: TypeAlias = dict[str, Any]

PACKAGES = ("termfold", "numba", "numpy", "scikit-learn", "scipy")


class Rows:
    """The file of a study's results; what it holds already is not measured again.

    Parameters
    ----------
    path : Path
        Made when the first row is written.
    say : callable
        Told of each row.
    """

    def __init__(self, path: Path, say: Callable[[str], None] = lambda what: None) -> None:
        self.path = path
        self._say = say
        self._versions = {name: version(name) for name in PACKAGES}
        self._versions["python"] = platform.python_version()
        self._known = {_identity(row["key"]) for row in _lines(path)}

    def lacks(self, **key: Any) -> bool:
        """Whether there is no row of this key yet."""
        return _identity(key) not in self._known

    def measure(self, key: dict[str, Any], run: Callable[[], dict[str, Any]]) -> None:
        """Run a measurement and append what it found, unless the file has it.

        Parameters
        ----------
        key : dict
            All that the measurement depends on.
        run : callable
            Returns what was found: JSON types.
        """
        if not self.lacks(**key):
            return
        wall, cpu = time.perf_counter(), time.process_time()
        found = run()
        row = {
            "key": key,
            "found": found,
            "run": {
                "when": datetime.now(UTC).isoformat(timespec="seconds"),
                "wall": round(time.perf_counter() - wall, 4),
                "cpu": round(time.process_time() - cpu, 4),
                "cpus": os.cpu_count(),
                "load": round(os.getloadavg()[0], 1),
                "versions": self._versions,
            },
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
        self._known.add(_identity(key))
        self._say(" · ".join(str(value) for value in key.values()))


def read_rows(path: Path) -> list[Row]:
    """All rows of a file, each as one flat dict; ``run`` stays a dict in it."""
    return [{**row["key"], **row["found"], "run": row["run"]} for row in _lines(path)]


def pick(rows: Iterable[Row], **wanted: Any) -> list[Row]:
    """The rows that have these values, in their order.

    Examples
    --------
    >>> pick([{"a": 1, "b": 2}, {"a": 2, "b": 2}], a=2)
    [{'a': 2, 'b': 2}]
    """
    return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]


def values(rows: Iterable[Row], name: str) -> list[Any]:
    """What the rows have under a name, each once, in the order of appearance."""
    return list(dict.fromkeys(row[name] for row in rows if name in row))


def pack(numbers: Any) -> str:
    """Small whole numbers as a short string: of each document, how many labels were right.

    Examples
    --------
    >>> unpack(pack([0, 1, 2])).tolist()
    [0, 1, 2]
    """
    array = np.asarray(numbers)
    flags = array.dtype == np.bool_
    data = np.packbits(array) if flags else array.astype(np.uint8)
    head = f"{'b' if flags else 'u'}{len(array)}:"
    return head + base64.b85encode(zlib.compress(data.tobytes(), 9)).decode()


def unpack(text: str) -> NDArray[np.int64]:
    """The numbers of ``pack``."""
    head, _, packed = text.partition(":")
    data = np.frombuffer(zlib.decompress(base64.b85decode(packed)), np.uint8)
    if head[0] == "b":
        data = np.unpackbits(data, count=int(head[1:]))
    return data.astype(np.int64)


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    found = []
    whole = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(whole, 1):
        if not line:
            continue
        try:
            found.append(json.loads(line))
        except ValueError as error:
            raise ValueError(
                f"{path}, line {number}: no row of results; if the run before was cut while it "
                "wrote this line, delete the line"
            ) from error
    return found


def _identity(key: dict[str, Any]) -> str:
    return json.dumps(key, sort_keys=True)
