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
    "termfold_spark_plain": "— with the daemon of Spark",
    "termfold_spark_rule": "— by rule",
    "mllib_nb_plain": "MLlib, naive Bayes, one `Pipeline`",
    "mllib_nb": "MLlib, naive Bayes, tuned",
    "mllib_svc_10": "MLlib, LinearSVC, tuned, 10 iterations",
    "mllib_svc_100": "MLlib, LinearSVC, tuned, 100 iterations",
}
# The crawl is assumed, not measured: so many pages with so many bytes of text each.
PAGES, PAGE_BYTES, TASK_BYTES, HEAPS = 3_000_000_000, 3_000, 1_000_000_000, 0.55


def latest() -> list[dict[str, Any]]:
    """The last line of each thing measured, as it is measured now."""
    lines = (json.loads(line) for line in (RESULTS / "spark.jsonl").read_text().splitlines())
    keys = ("part", "contender", "data", "cores", "megabytes")
    found = {tuple(line.get(key) for key in keys): line for line in lines}
    return [line for line in found.values() if line["part"] != "compare" or "megabytes" in line]


Lines = dict[str, dict[str, Any]]


def comparison(lines: list[dict[str, Any]]) -> str:
    """One block of rows for each text, the smallest first."""
    texts: dict[str, Lines] = {}
    for line in lines:
        if line["part"] == "compare":
            texts.setdefault(line["data"], {})[line["contender"]] = line
    ordered = sorted(texts.values(), key=lambda found: _of_spark(found)["megabytes"])
    rows = [
        "From Parquet to the labels of the test split, two cores, in a new session each, and "
        "*again* in the same session. MLlib with `StringIndexer`, `RegexTokenizer`, "
        "`CountVectorizer`, `UnivariateFeatureSelector` (chi2, 10,000 terms) and its classifier, "
        "at defaults; *tuned*, words and counts are cached and terms of one document left out. "
        "LinearSVC is for one class against the rest, with so many passes for each; 100 are the "
        "default. CPU is that of all processes, Java's and Python's. Ratios are of seconds to "
        "termfold on Spark.\n",
        "| | accuracy | seconds | again | CPU seconds | ratio | ratio again |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for found in ordered:
        ours = _of_spark(found)
        name = ours["data"].removesuffix(": test split")
        rows.append(f"| **{name}, {ours['megabytes']:.0f} MB** | | | | | | |")
        rows += [_row(title, found[key], ours) for key, title in NAMES.items() if key in found]
    return "\n".join([*rows, "", _verdict(ordered), *map(_overhead, ordered)])


def _of_spark(found: Lines) -> dict[str, Any]:
    return found["termfold_spark"]


def _row(title: str, line: dict[str, Any], ours: dict[str, Any]) -> str:
    ratio = line["seconds"] / ours["seconds"]
    if line["accuracy"] is None:
        return f"| {title} | stopped | > {line['seconds']:.0f} | | | > {ratio:.0f} | |"
    again, ours_again = line["again_seconds"], ours["again_seconds"]
    return (
        f"| {title} | {line['accuracy']:.3f} | {line['seconds']:.1f} "
        f"| {f'{again:.1f}' if again else ''} | {line['cpu_seconds']:.1f} | {ratio:.1f} "
        f"| {f'{again / ours_again:.1f}' if again and ours_again else ''} |"
    )


def _verdict(texts: list[Lines]) -> str:
    """How many times as fast, and how much more accurate, than each classifier of MLlib."""
    said = []
    for key, title in NAMES.items():
        pairs = [(found[key], _of_spark(found)) for found in texts if key in found]
        if not key.startswith("mllib") or not pairs:
            continue
        ratios = [theirs["seconds"] / ours["seconds"] for theirs, ours in pairs]
        times = f"{min(ratios):.1f} to {max(ratios):.1f}" if len(pairs) > 1 else f"{ratios[0]:.1f}"
        finished = [pair for pair in pairs if pair[0]["accuracy"] is not None]
        if not finished:
            said.append(f"{title}: more than {times} times as fast")
            continue
        points = [100 * (ours["accuracy"] - theirs["accuracy"]) for theirs, ours in finished]
        gains = f"{min(points):+.1f} to {max(points):+.1f}" if len(set(points)) > 1 else ""
        said.append(
            f"{title}: {times} times as fast, accuracy {gains or f'{points[0]:+.1f}'} points"
        )
    return "Termfold on Spark against " + "; ".join(said) + "."


def _overhead(found: Lines) -> str:
    """What Spark costs over one machine."""
    ours, local = _of_spark(found), found["termfold_local"]
    first = ours["seconds"] - local["seconds"]
    said = f"Over one machine, {ours['megabytes']:.0f} MB take {first:.1f} s longer on Spark"
    if ours["again_seconds"] and local["again_seconds"]:
        said += f", {ours['again_seconds'] - local['again_seconds']:.1f} s longer again"
    return said + "."


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
        f"Measured on {lines[0]['processor']}, {lines[0]['cpus']} cores. The load was "
        f"{min(loads):.1f} to {max(loads):.1f}, of which these runs make about two themselves; "
        "where it was more, seconds are uneven and CPU seconds are steadier."
    )
    page = PAGE.read_text()
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    PAGE.write_text(head + BEGIN + "\n" + "\n\n".join([machine, *made]) + "\n\n" + END + tail)


if __name__ == "__main__":
    main()
