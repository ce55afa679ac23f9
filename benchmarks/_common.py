"""What the benchmarks share: runs in turn, peaks of memory, and one JSON line for each result."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import pyarrow as pa

RESULTS = Path(__file__).parent / "results"
PACKAGES = ("termfold", "numba", "numpy", "pyarrow", "scikit-learn", "scipy")


def in_turn(contenders: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, dict[str, Any]]:
    """Time each contender in each round, so that what else the machine does hits all alike.

    Seconds by the clock on the wall, and of all threads of the process together.
    """
    wall: dict[str, list[float]] = {name: [] for name in contenders}
    cpu: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(repeats):
        for name, run in contenders.items():
            wall_start, cpu_start = time.perf_counter(), time.process_time()
            run()
            wall[name].append(time.perf_counter() - wall_start)
            cpu[name].append(time.process_time() - cpu_start)
    return {name: {"wall": spread(wall[name]), "cpu": spread(cpu[name])} for name in contenders}


def spread(values: list[float]) -> dict[str, Any]:
    """Median, extremes and all values."""
    return {
        "median": statistics.median(values),
        "min": min(values),
        "max": max(values),
        "all": values,
    }


def peak_of(run: Callable[[], Any]) -> int:
    """By how many bytes the process grows at its peak while something runs (Linux).

    Not ``ru_maxrss``: that begins with the peak of the process which started this one.
    """
    # What was freed before would be used again, and not be seen.
    gc.collect()
    pa.default_memory_pool().release_unused()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = _status("VmRSS")
    run()
    return _status("VmHWM") - before


def resident_peak() -> int:
    """The largest number of bytes that this process had in memory since it began (Linux)."""
    return _status("VmHWM")


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


def in_process(script: str, *arguments: str) -> Any:
    """Run a script in a process of its own; what it prints last is JSON."""
    command = [sys.executable, script, *arguments]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(printed.splitlines()[-1])


def record(name: str, **result: Any) -> None:
    """Print a result, and keep it."""
    keep(name, **result)
    print(json.dumps(result, indent=1))


def keep(name: str, **result: Any) -> None:
    """Append a result to ``results/NAME.jsonl``, with what it depends on."""
    line = {
        "benchmark": name,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpus": os.cpu_count(),
        "machine": platform.machine(),
        "processor": _processor(),
        "load": os.getloadavg()[0],
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in PACKAGES},
        },
        **result,
    }
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / f"{name}.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


@numba.njit(nogil=True)
def look_up_bytes(data: Any, table: Any) -> int:
    """What any reader of text has to do at the least: look each byte up in a table."""
    total = 0
    for byte in data:
        total += table[byte]
    return total
