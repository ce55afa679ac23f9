"""Write docs/benchmarks_serve.md from the last line in benchmarks/results/serve.jsonl.

python benchmarks/serve_tables.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core_tables import machine, results
from make_tables import table

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks_serve.md"

INTRO = """\
# Benchmarks of the service

This page is written by `benchmarks/serve_tables.py` from the last line that
`benchmarks/bench_serve.py` has written; nothing in it is typed. Beside `termfold serve` stands what
many write first: ten lines of FastAPI with a scikit-learn pipeline (TF-IDF, linear SVM) out of a
pickle. Both are asked in turn, on the same machine that asks.
"""


def main() -> None:
    line = results("serve")[-1]
    PAGE.write_text("\n".join([INTRO, single(line), batches(line)]), encoding="utf-8")


def single(line: dict[str, Any]) -> str:
    rows = [
        [
            name,
            f"{found['accuracy']:.3f}",
            *(middle(found["single"][key], digits) for key, digits in _SINGLE.items()),
        ]
        for name, found in line["services"].items()
    ]
    names = ["", "accuracy", "requests/s", "half within, ms", "99 % within, ms", "processor, ms"]
    return (
        "## One text a request\n\n"
        f"{line['data']}; {line['bytes_per_text']:.0f} bytes a text, {line['connections']} "
        f"connections of `wrk`, {line['seconds']} s a run. Medians, with the least and the largest "
        "of the runs; the last column is the processor's time for a request.\n\n"
        + table(names, rows)
        + machine(line)
    )


_SINGLE = {"requests_per_second": 0, "p50_ms": 1, "p99_ms": 1, "cpu_ms_per_request": 3}


def batches(line: dict[str, Any]) -> str:
    rows = [
        [name, _BODIES[way], middle(speed, 0)]
        for name, found in line["services"].items()
        for way, speed in found["batch_mb_per_second"].items()
    ]
    return (
        "## Many texts a request\n\n"
        f"{line['batch_texts']:,} texts, {line['batch_megabytes']:.1f} MB, in one request; from "
        "writing it to having read the answer.\n\n" + table(["", "body", "MB/s of text"], rows)
    )


_BODIES = {"json": "JSON", "lines": "plain text, one on each line"}


def middle(values: dict[str, Any], digits: int) -> str:
    low, median, high = (f"{values[name]:,.{digits}f}" for name in ("min", "median", "max"))
    return f"{median} ({low} to {high})"


if __name__ == "__main__":
    main()
