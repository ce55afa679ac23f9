"""Draw docs/images/benchmark.svg, the README's figure, from the lines in benchmarks/results.

    python benchmarks/make_figures.py

The same lines give the same file, byte by byte, with the same version of Matplotlib.
"""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from make_tables import FAST, FULL, OURS, by_data, latest_results

FIGURE = Path(__file__).parent.parent / "docs" / "images" / "benchmark.svg"
# Of each rival the form that needs least time.
SHOWN = {
    OURS: ("termfold", "#1f5f8b", "o"),
    FULL: ("scikit-learn: TF-IDF, LinearSVC", "#c4622d", "s"),
    FAST: ("fastText", "#7b6aa6", "^"),
    "Vowpal Wabbit": ("Vowpal Wabbit", "#6a9a55", "D"),
}
NAMES = {
    "debian_sample": "Debian, 12 sections",
    "debian_58_sections": "Debian, 58 sections",
    "imdb": "IMDB",
    "agnews_partial": "AG News, part",
    "dbpedia14_sample": "DBpedia, sample",
    "reuters21578_r90": "Reuters-21578, 90 topics",
    "thucnews_titles": "THUCNews titles, Chinese",
    "20newsgroups_bydate": "20 Newsgroups, by date",
}


def main() -> None:
    mpl.rcParams |= {"svg.hashsalt": "termfold", "svg.fonttype": "none", "font.size": 10}
    compared = by_data([line for line in latest_results() if line["what"] == "compare"])
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    for row, methods in enumerate(compared.values()):
        for axes in (left, right):
            axes.axhline(row, color="#e6eaed", linewidth=1, zorder=0)
        for method, (label, color, marker) in SHOWN.items():
            if method in methods:
                style: dict[str, Any] = {
                    "color": color, "marker": marker, "markersize": 7, "linestyle": "",
                    "zorder": 4 if method == OURS else 3,
                }  # fmt: skip
                line = methods[method]
                name = label if row == 0 else None
                left.plot(statistics.median(line["seconds"]["fit"]), row, label=name, **style)
                right.plot(100 * line["micro_f1"], row, **style)
    left.set_xscale("log")
    left.xaxis.set_major_formatter("{x:g}")
    left.set_yticks(range(len(compared)), [NAMES.get(data, data) for data in compared])
    left.invert_yaxis()
    left.set_xlabel("seconds to train, one thread, from a list of texts")
    right.set_xlabel("micro-F1 on the test split, per cent")
    for axes in (left, right):
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
    figure.legend(loc="outside upper center", ncols=len(SHOWN), frameon=False, handletextpad=0.3)
    FIGURE.parent.mkdir(exist_ok=True)
    figure.savefig(FIGURE, metadata={"Date": None}, facecolor="white")
    print(f"{FIGURE.name}: {FIGURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
