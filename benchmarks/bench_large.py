"""Learn from and classify several gigabytes on disk: rates and memory.

    TERMFOLD_DATA=<folder with the parquet files> python benchmarks/bench_large.py

The corpus is that of ``bench_collect.py``: 20 Newsgroups again and again, with letters replaced at
random places. Everything is done by the command line, in processes of their own, whose peaks of
memory the kernel tells. Training keeps what it has counted in temporary files beyond so much text
as ``--spill`` says, or with ``--max-text`` a random sample.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _common import record
from bench_collect import SEED, write_corpus


def run(*arguments: str) -> dict[str, float]:
    """Run the program; seconds by the clock, and the most memory it had."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "termfold", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise subprocess.CalledProcessError(os.waitstatus_to_exitcode(status), command)
    return {"seconds": time.perf_counter() - start, "peak_megabytes": usage.ru_maxrss * 1024 / 1e6}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=4000)
    parser.add_argument("--spill", default="50M", help="text to hold in memory at a time")
    parser.add_argument("--max-text", default="none", help="text to learn from")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus, model, out = (
            str(Path(folder) / name) for name in ("corpus.parquet", "big.termfold", "out.parquet")
        )
        write_corpus(Path(corpus), options.megabytes)
        limits = "--spill", options.spill, "--max-text", options.max_text
        fitted = run("fit", corpus, "-o", model, *limits)
        shown = subprocess.run(
            [sys.executable, "-m", "termfold", "inspect", model, "--json"],
            check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        about = json.loads(shown.stdout)
        predicted = run("predict", model, corpus, "-o", out)
        record(
            "large",
            data="20 Newsgroups, repeated with changes, Parquet (zstd)",
            seed=SEED,
            megabytes=options.megabytes,
            spill=options.spill,
            max_text=options.max_text,
            about={name: about[name] for name in ("bytes", "documents", "terms", "terms_seen")},
            fit=fitted | {"megabytes_per_second": options.megabytes / fitted["seconds"]},
            predict=predicted | {"megabytes_per_second": options.megabytes / predicted["seconds"]},
        )


if __name__ == "__main__":
    main()
