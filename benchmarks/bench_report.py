"""How large a report is, and what it takes to make one; each collection after a warm-up.

TERMFOLD_DATA=<folder> python benchmarks/bench_report.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from _common import record

from termfold.datasets import (
    load_20newsgroups,
    load_debian,
    load_debian_full,
    load_reuters21578,
    load_toutiao_titles,
)
from termfold.datasets.dataset import Dataset
from termfold.datasets.folder import find_data_file
from termfold.errors import CorpusError
from termfold.report import make_report

COLLECTIONS: dict[str, tuple[str | None, Callable[[], Dataset]]] = {
    "Debian sample, training split": (None, lambda: load_debian("train")),
    "Toutiao titles": ("zh_toutiao_titles.parquet", load_toutiao_titles),
    "20 Newsgroups": ("20newsgroups_bydate.parquet", load_20newsgroups),
    "Debian, all sections": ("debian.parquet", load_debian_full),
    "Reuters-21578, ModApte": ("reuters21578.parquet", load_reuters21578),
}


def main() -> None:
    """Report on each collection that is at hand."""
    make_report(load_debian("test"))  # kernels are compiled, or loaded
    for name, (file, load) in COLLECTIONS.items():
        try:
            if file is not None:
                find_data_file(file, None)
        except CorpusError as error:
            print(f"{name}: {error}")
            continue
        documents = load()
        steps: dict[str, float] = {}
        last = [time.perf_counter()]

        def done(what: str, steps: dict[str, float] = steps, last: list[float] = last) -> None:
            now = time.perf_counter()
            kind = "curve" if what.endswith("terms") else what.split(" ")[0]
            steps[kind] = steps.get(kind, 0.0) + now - last[0]
            last[0] = now

        wall, cpu = time.perf_counter(), time.process_time()
        report = make_report(documents, title=name, done=done)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        began = time.perf_counter()
        page = report.to_html().encode()
        record(
            "report",
            collection=name,
            documents=report.summary["corpus"]["documents"],
            labelled=report.summary["metrics"]["documents"],
            classes=report.summary["corpus"]["classes"],
            accuracy=report.summary["metrics"]["accuracy"],
            seconds={"wall": wall, "cpu": cpu, "page": time.perf_counter() - began, "steps": steps},
            bytes={
                "html": len(page),
                "markdown": len(report.to_markdown().encode()),
                "json": len(report.to_json().encode()),
            },
        )


if __name__ == "__main__":
    main()
