"""Write the measurements in docs/spark.md from results/spark.jsonl.

python benchmarks/make_spark_tables.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from _common import RESULTS

PAGE = Path(__file__).parents[1] / "docs" / "spark.md"
BEGIN, END = "<!-- measured: by benchmarks/make_spark_tables.py -->\n", "<!-- end -->"
NAMES = {
    "termfold_local": "termfold, one machine, 2 threads",
    "termfold_spark": "termfold on Spark",
    "termfold_spark_rule": "termfold on Spark, by rule",
    "mllib_nb": "MLlib, naive Bayes",
    "mllib_svc": "MLlib, LinearSVC one against the rest",
}
# The crawl is assumed, not measured: so many pages with so many bytes of text each.
PAGES, PAGE_BYTES, TASK_BYTES, HEAPS = 3_000_000_000, 3_000, 1_000_000_000, 0.55


def latest() -> list[dict[str, Any]]:
    """The last line of each thing measured."""
    lines = (json.loads(line) for line in (RESULTS / "spark.jsonl").read_text().splitlines())
    keys = ("part", "contender", "cores", "megabytes")
    found = {tuple(line.get(key) for key in keys): line for line in lines}
    return list(found.values())


def comparison(lines: list[dict[str, Any]]) -> str:
    measured = {line["contender"]: line for line in lines if line["part"] == "compare"}
    ours = measured["termfold_spark"]
    rows = [
        "20 Newsgroups, from Parquet to the labels of the test split, two cores, in a new session "
        "each; MLlib with `RegexTokenizer`, `CountVectorizer`, `UnivariateFeatureSelector` (chi2, "
        "10,000 terms) and its classifier, all else at defaults. CPU is that of all processes, "
        "Java's and Python's. Ratios to termfold on Spark. MLlib's pipeline reads no labels by "
        "name, so its numbers include a `StringIndexer`.\n",
        "| | accuracy | seconds | CPU seconds | seconds, ratio | CPU, ratio |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, title in NAMES.items():
        if name in measured:
            line = measured[name]
            rows.append(
                f"| {title} | {line['accuracy']:.3f} | {line['seconds']:.1f} "
                f"| {line['cpu_seconds']:.1f} | {line['seconds'] / ours['seconds']:.1f} "
                f"| {line['cpu_seconds'] / ours['cpu_seconds']:.1f} |"
            )
    rows.append(
        "\nOn so small a collection most of the time on Spark is spent on starting: Python workers "
        "load termfold, and Java compiles. What is left of it once they run shows in the "
        "difference of first and later passes below. Where text fits one machine, use one machine."
    )
    return "\n".join(rows)


def growth(lines: list[dict[str, Any]]) -> str:
    measured = sorted(
        (line for line in lines if line["part"] == "growth"),
        key=lambda line: (line["megabytes"], line["cores"]),
    )
    rows = [
        "`collect_stats` with `min_df=2` on text of growing size, with workers that run already; "
        "the first pass also starts them.\n",
        "| MB of text | cores | tasks | seconds | first pass | MB/s | MB per CPU second "
        "| terms kept | shuffled, share of the text |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    rows += [
        f"| {line['megabytes']:.0f} | {line['cores']} | {line['tasks']} | {line['seconds']:.1f} "
        f"| {line['first_seconds']:.1f} | {line['megabytes_per_second']:.0f} "
        f"| {line['megabytes_per_cpu_second']:.0f} | {line['terms_kept']:,} "
        f"| {line['shuffle_share']:.1%} |"
        for line in measured
    ]
    return "\n".join(rows)


def crawl(lines: list[dict[str, Any]]) -> str:
    """What a crawl of the web would take, from the largest text measured on one core."""
    line = max(
        (line for line in lines if line["part"] == "growth" and line["cores"] == 1),
        key=lambda line: line["megabytes"],
    )
    total = PAGES * PAGE_BYTES
    hours = total / 1e6 / line["megabytes_per_cpu_second"] / 3600
    per_task = line["shuffle_bytes"] / line["tasks"]
    text_per_task = line["megabytes"] * 1e6 / line["tasks"]
    tasks = total / TASK_BYTES
    shuffled = tasks * per_task * (TASK_BYTES / text_per_task) ** HEAPS
    return (
        f"**A crawl of the web**, by calculation: {PAGES / 1e9:.0f} thousand million pages of "
        f"{PAGE_BYTES / 1e3:.0f} kB of text, {total / 1e12:.0f} TB (assumed). At the "
        f"{line['megabytes_per_cpu_second']:.0f} MB per CPU second of the largest text above, one "
        f"pass takes {hours:,.0f} core-hours: {hours / 200 * 60:.0f} minutes on 200 cores, if "
        f"storage delivers {total / (hours / 200 * 3600) / 1e9:.1f} GB/s. In {tasks:,.0f} tasks of "
        f"{TASK_BYTES / 1e9:.0f} GB, each sending the vocabulary of its part "
        f"({per_task / 1e6:.1f} MB for {text_per_task / 1e6:.0f} MB here, growing as the power "
        f"{HEAPS} of the text), {shuffled / 1e9:,.0f} GB are shuffled, {shuffled / total:.1%} of "
        "the text. Web text has more rare terms than posts, so take this as the lower end."
    )


def vocabulary(lines: list[dict[str, Any]]) -> str:
    (line,) = (line for line in lines if line["part"] == "large vocabulary")
    return (
        f"**A large vocabulary**: {line['distinct_terms']:,} distinct terms, pruned by `min_df=2`, "
        f"with a Java heap of {line['driver_java_heap']} for driver and executors together: "
        f"{line['seconds']:.0f} s; the driver's Python peaked at "
        f"{line['driver_bytes'] / 1e6:.0f} MB."
    )


def main() -> None:
    lines = latest()
    parts = {line["part"] for line in lines}
    makers = {"compare": [comparison], "growth": [growth, crawl], "large vocabulary": [vocabulary]}
    made = [make(lines) for part, all_of in makers.items() if part in parts for make in all_of]
    loads = [line["load"] for line in lines]
    machine = (
        f"Measured on {lines[0]['processor']}, {lines[0]['cpus']} cores, with a load of "
        f"{min(loads):.1f} to {max(loads):.1f} by other work at the same time, so that seconds are "
        "uneven and CPU seconds are steadier."
    )
    page = PAGE.read_text()
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    PAGE.write_text(head + BEGIN + "\n" + "\n\n".join([machine, *made]) + "\n\n" + END + tail)


if __name__ == "__main__":
    main()
