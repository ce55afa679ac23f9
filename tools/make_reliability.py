"""Write the tables of docs/reliability.md: ``python tools/make_reliability.py``."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- tables: made by tools/make_reliability.py -->\n", "<!-- end of tables -->"

# What is an input of each campaign, and what else is told.
CAMPAIGNS = {
    "fuzz_bytes": ("documents", "short documents of random bytes: in either order, in threads"),
    "fuzz_kernels": ("documents", "documents against patterns of `re`, sums against a dictionary"),
    "fuzz_counters": ("texts", "texts of all scripts against `CountVectorizer`, sums likewise"),
    "fuzz_files": ("files", "altered and forged model and count files"),
    "fuzz_corpora": ("files", "altered corpora in every format"),
    "fuzz_cli": ("commands", "command lines"),
    "fuzz_kills": ("kills", "`kill -9` during `fit`, `update`, `stats merge` and `predict -o`"),
}
LEFT_OUT = {"seed", "seconds", "rounds", "python", "termfold", "numba", "pyarrow"}


def main() -> None:
    before, rest = PAGE.read_text().split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{campaigns()}\n{limits()}\n{END}{after}")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def campaigns() -> str:
    rows = ["| what is tried | inputs | of these | seeds |", "| --- | ---: | --- | --- |"]
    inputs = 0
    for name, (unit, what) in CAMPAIGNS.items():
        found = lines(ROOT / "fuzz" / "results" / f"{name}.jsonl")
        if not found:
            continue
        total: Counter[str] = Counter()
        for line in found:
            total.update({key: value for key, value in line.items() if key not in LEFT_OUT})
        number = total.pop(unit)
        inputs += number
        more = ", ".join(f"{key.replace('_', ' ')} {value:,}" for key, value in total.items())
        seeds = ", ".join(str(line["seed"]) for line in found)
        rows.append(f"| {what} | {number:,} {unit} | {more} | {seeds} |")
    rows.append(f"| together | {inputs:,} | | |")
    return "\n".join(rows) + "\n\nNo failure is left in these runs.\n"


def limits() -> str:
    rows = [
        "Limits, from `benchmarks/bench_limits.py`; times are of a busy machine of two cores.\n",
        "| case | seconds | peak memory, MB | |",
        "| --- | ---: | ---: | --- |",
    ]
    latest = {line["case"]: line for line in lines(ROOT / "benchmarks/results/limits.jsonl")}
    told = ("terms", "file_megabytes", "model_megabytes", "accuracy", "refused_at")
    for line in latest.values():
        more = [f"{name.replace('_', ' ')} {shown(line[name])}" for name in told if name in line]
        rows.append(
            f"| {line['what']} | {line['seconds']:.1f} | {line['peak_megabytes']:,.0f} | "
            f"{', '.join(more)} |"
        )
    return "\n".join(rows) + "\n"


def shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"


if __name__ == "__main__":
    main()
