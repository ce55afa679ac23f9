"""Write docs/benchmarks_core.md and its figure from the JSON lines in benchmarks/results.

python benchmarks/core_tables.py
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")

from make_tables import table
from matplotlib import pyplot as plt

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks_core.md"
FIGURE = HERE.parent / "docs" / "images" / "growth.svg"

INTRO = """\
# Benchmarks of the core

This page is written by `benchmarks/core_tables.py` from the lines in `benchmarks/results`; nothing
in it is typed. Each section names the script that measures it; all need the folder of the
collections in `TERMFOLD_DATA`. Contenders take turns within one run; times are medians. What a
second thread brings shows only where the machine has nothing else to do, so the load is given.
"""


def main() -> None:
    parts = [INTRO, counting(), collecting(), scoring(), projecting(), growing(), few_features()]
    PAGE.write_text("\n".join(parts), encoding="utf-8")


def results(name: str) -> list[dict[str, Any]]:
    """All lines of a file of results, the latest last; none where there is no file."""
    path = HERE / "results" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def latest(lines: Iterable[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    """The last line for each combination of some fields."""
    return list({tuple(line.get(name) for name in names): line for line in lines}.values())


def machine(line: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in line["versions"].items())
    return f"\n{line['processor']}, {line['cpus']} cores, load {line['load']:.1f}; {versions}.\n"


# -- sections ---------------------------------------------------------------------------------


def counting() -> str:
    lines = {line["task"]: line for line in latest(results("counter"), "task")}
    peaks = lines.pop("peak of fit_transform")["megabytes_above_the_texts"]
    rows = []
    for task, line in lines.items():
        for name, ratio in line["times_as_fast"].items():
            rates = line["megabytes_per_second"], line["megabytes_per_second_of_processor"]
            peak = f"{peaks[name]:.0f}" if task == "fit_transform" and name in peaks else ""
            rows.append(
                [task, name, *(f"{rate[name]:.0f}" for rate in rates), f"{ratio:.1f}", peak]
            )
    line = lines["fit_transform"]
    about = (
        "## Counting terms\n\n`bench_counter.py`: `TermCounter` and scikit-learn's "
        f"`CountVectorizer` on {line['data']}, {line['documents']:,} texts of "
        f"{line['megabytes']:.1f} MB in a list of `str`; the same matrix of {line['terms']:,} "
        "terms. *limit* is a loop that reads each byte and looks it up in a table of 256 numbers. "
        "Memory is the peak of the process above what it had before.\n\n"
    )
    head = ["", "", "MB/s", "MB/s of processor", "times scikit-learn", "peak, MB"]
    return about + table(head, rows) + machine(line)


def collecting() -> str:
    rows = [
        [
            "`termfold stats`",
            f"{line['n_jobs']}",
            f"{line['megabytes']:,.0f}",
            f"{line['megabytes_per_second']:.0f}",
            f"{line['peak_megabytes']:.0f}",
        ]
        for line in latest(results("collect"), "n_jobs")
    ]
    for line in latest(results("large"), "max_text", "spill"):
        limits = {"--spill": line.get("spill"), "--max-text": line["max_text"]}
        limit = " ".join(
            f"{name} {size}" for name, size in limits.items() if size not in (None, "none")
        )
        for step, what in (("fit", f"fit {limit}"), ("predict", "predict")):
            rows.append(
                [
                    f"`termfold {what}`",
                    "2",
                    f"{line['megabytes']:,.0f}",
                    f"{line[step]['megabytes_per_second']:.0f}",
                    f"{line[step]['peak_megabytes']:.0f}",
                ]
            )
    about = (
        "## Collections larger than memory\n\n`bench_collect.py` and `bench_large.py`: 20 "
        "Newsgroups again and again with letters changed at random places, so that new terms keep "
        "coming; Parquet with zstd. The peak is that of the whole process; about 270 MB of it are "
        "Python, its libraries and the compiled kernels.\n\n"
    )
    head = ["", "threads", "MB of text", "MB/s", "peak, MB"]
    return about + table(head, rows) + machine(results("collect")[-1])


def scoring() -> str:
    line = results("scores")[-1]
    seconds = {name: statistics.median(values) for name, values in line["seconds"].items()}
    rows = [
        [name.replace("sklearn", "scikit-learn"), f"{1000 * value:,.1f}"]
        for name, value in seconds.items()
    ]
    about = (
        f"## Scores\n\n`bench_scores.py`: {line['data']}, {line['shape'][1]:,} terms and "
        f"{line['n_classes']} classes. All but the first line start from the statistics; each "
        "score is that of all terms for all classes, with its ranking. `mutual_info_classif` is "
        "timed on some of the columns.\n\n"
    )
    return about + table(["", "ms"], rows)


def projecting() -> str:
    line = results("projection_speed")[-1]
    names = list(line["collections"])
    methods = list(dict.fromkeys(run for name in names for run in line["collections"][name]["cpu"]))
    rows = []
    for method in methods:
        row = [method]
        for name in names:
            found = line["collections"][name]
            if method not in found["cpu"]:
                row.append("too large")
                continue
            row.append(f"{found['cpu'][method]:.4f} ({found['times FEDIP, cpu'][method]:.1f})")
        rows.append(row)
    sizes = [
        f"{name}: {c['documents']:,} × {c['terms']:,}, {c['classes']}"
        for name, c in line["collections"].items()
    ]
    about = (
        "## Projections\n\n`bench_projection_speed.py`: fitting and projecting the same "
        "documents, from a sparse matrix of counts, on one thread: seconds of processor, and how "
        f"many times those of FEDIP. Documents × terms, classes: {'; '.join(sizes)}. `LDAQR` and "
        "`OrthogonalCentroid` are ours, which decompose the centroids alone and never make a "
        "dense matrix of documents and terms; *LDA/QR, dense* takes the steps of the paper in "
        "NumPy, with the documents less their centroids in a dense matrix, where that fits into "
        "4 GB.\n\n"
    )
    return about + table(["", *names], rows) + machine(line)


def growing() -> str:
    line = results("projection_speed")[-1]
    growth = {int(n): found for n, found in line["growth"].items()}
    series = {
        method: [found["cpu"][method] for found in growth.values()]
        for method in next(iter(growth.values()))["cpu"]
    }
    for score, found in best_terms_growth(list(growth)).items():
        series[f"BestTerms, {score}"] = found
    rows = [
        [method, *(f"{1000 * value:,.0f}" for value in values), f"{exponent(growth, values):.2f}"]
        for method, values in series.items()
    ]
    draw(growth, series)
    about = (
        "## Growth\n\nThe same, and the training of best terms (`bench_best_terms.py`), on "
        "parts of the training documents of 20 Newsgroups: milliseconds of processor, and the "
        "exponent of the number of counts that fits them best; 1 is linear growth, less means "
        "that there is a part that does not grow.\n\n"
        "![Time against the number of documents](images/growth.svg)\n\n"
    )
    return about + table(["documents", *(f"{n:,}" for n in growth), "exponent"], rows)


def best_terms_growth(sizes: list[int]) -> dict[str, list[float]]:
    lines = [line for line in results("best_terms") if line["what"] == "growth"]
    found: dict[str, dict[int, float]] = {}
    for line in latest(lines, "score", "n_docs"):
        median = statistics.median(line["cpu_seconds"])
        found.setdefault(line["score"], {})[line["n_docs"]] = median
    return {
        score: [times[n] for n in sizes]
        for score, times in found.items()
        if set(sizes) <= times.keys()
    }


def exponent(growth: dict[int, dict[str, Any]], values: list[float]) -> float:
    counts = [found["counts"] for found in growth.values()]
    logs = [[math.log(v) for v in column] for column in (counts, values)]
    return statistics.linear_regression(*logs).slope


def draw(growth: dict[int, dict[str, Any]], series: dict[str, list[float]]) -> None:
    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    ranked = sorted(series.items(), key=lambda item: -item[1][-1])  # the legend reads like the plot
    for i, (method, values) in enumerate(ranked):
        style = {"color": f"C{i % 10}", "marker": "osv"[i // 10], "markersize": 3.5}
        axes.plot(list(growth), values, label=method, **style)
    axes.set(xscale="log", yscale="log", xlabel="documents", ylabel="seconds of processor")
    axes.set_title("Fitting and projecting 20 Newsgroups, one thread", loc="left", fontsize=10)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    FIGURE.parent.mkdir(exist_ok=True)
    figure.savefig(FIGURE, metadata={"Date": None})
    plt.close(figure)


def few_features() -> str:
    line = results("projection_quality")[-1]
    rows = [
        [name, f"{found['features']:,}", found.get("candidate", ""), f"{found['test']:.4f}"]
        for name, found in line["test"].items()
    ]
    about = (
        f"## Few features\n\n`bench_projection_quality.py`: {line['collection']}, published "
        "split. What is chosen is chosen on thirds held out of the training documents; the test "
        "split is read once. Micro-F1 of the rule and of a linear SVM on class-named features, "
        "beside the SVM on all terms.\n\n"
    )
    return about + table(["", "features", "chosen", "micro-F1, test"], rows)


if __name__ == "__main__":
    main()
