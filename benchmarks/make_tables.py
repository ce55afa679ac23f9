"""Write docs/benchmarks.md from the JSON lines in benchmarks/results.

python benchmarks/make_tables.py
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "text_classifier.jsonl"
PAGE = HERE.parent / "docs" / "benchmarks.md"

OURS_TWO = "termfold, 2 threads"
OURS, CHI2, FULL, TUNED = (
    "termfold, 1 thread",
    "TF-IDF, chi2 10,000, LinearSVC",
    "TF-IDF, LinearSVC",
    "TF-IDF, LinearSVC, C chosen",
)
FAST = "fastText, 1 thread"

INTRO = """\
# Benchmarks

This page is written by `benchmarks/make_tables.py` from the lines in `benchmarks/results`; nothing
in it is typed. To run all again, with the collections of `termfold.datasets` in one folder:

    pip install 'termfold[bench]'
    TERMFOLD_DATA=<folder> python benchmarks/bench_text_classifier.py
    python benchmarks/make_tables.py

`TextClassifier()` has its defaults everywhere; `head` and `rule` are its other efforts. Beside it:

- scikit-learn: `TfidfVectorizer(sublinear_tf=True)` and `LinearSVC`, on all terms, with C = 1 or C
  chosen from 0.1, 0.3, 1 and 3; and on the 10,000 best terms by chi2. For several labels one
  against the rest. For Chinese `analyzer="char", ngram_range=(2, 2)`.
- fastText: 25 epochs, learning rate chosen from 0.1, 0.25, 0.5 and 1, text prepared as in its
  tutorial; several labels with the loss `ova` and a threshold of one half. For Chinese characters
  with blanks between them, and `wordNgrams=2`. Its training file is shuffled beforehand, and
  writing it is not counted. Of its two wheels the measurements are of `fasttext-wheel`; with
  `fasttext-numpy2-wheel` training often ended in "Encountered NaN".
- Vowpal Wabbit: one against all, logistic loss, ten passes, 22 bits, learning rate chosen likewise;
  for Chinese characters and `--ngram 2`. It predicts from a file and writes a file. Not for
  several labels.

What is chosen is chosen on a third held out of the training documents. Rivals work on one thread,
but for "fastText, 2 threads", and Vowpal Wabbit, which reads its file on a second one.
"""

READING_TIMES = """\
Times are medians in seconds, with the least and the largest. All methods took turns within a run.
The machine ({processor}, {cpus} cores) was shared with other work, with a load of {low} to {high}
while measuring; so ratios are given of processor time too, which is steadier. Versions:
{versions}.
"""


def latest_results() -> list[dict[str, Any]]:
    """The last line of each measurement."""
    latest: dict[tuple[Any, ...], dict[str, Any]] = {}
    for text in RESULTS.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        key = tuple(line.get(name) for name in ("what", "data", "method", "max_bytes"))
        latest[key] = line
    return list(latest.values())


def main() -> None:
    lines = latest_results()
    compared = [line for line in lines if line["what"] == "compare"]
    parts = [
        INTRO,
        machine(lines),
        "## Ratios\n",
        ratios(compared),
        "## Accuracy\n",
        accuracy(compared),
        *times(compared, "Training, from a list of texts", "fit"),
        *times(compared, "Training, from Parquet, reading included", "fit_parquet"),
        *times(compared, "Predicting, a list of texts", "predict"),
        *times(compared, "Predicting, from Parquet, reading included", "predict_parquet"),
        "## Throughput\n",
        throughput([line for line in lines if line["what"] == "throughput"]),
        "## Size of the model\n",
        sizes([line for line in lines if line["what"] == "size"]),
        "## The first call\n",
        first_call([line for line in lines if line["what"] == "cold"]),
    ]
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text("\n".join(part for part in parts if part), encoding="utf-8")


# -- parts of the page ------------------------------------------------------------------------


def machine(lines: list[dict[str, Any]]) -> str:
    last = lines[-1]
    loads = [line["load"] for line in lines]
    versions = last["versions"] | last["rivals"]
    return READING_TIMES.format(
        cpus=last["cpus"],
        processor=last["processor"],
        low=f"{min(loads):.1f}",
        high=f"{max(loads):.1f}",
        versions=", ".join(f"{name} {number}" for name, number in versions.items()),
    )


def ratios(compared: list[dict[str, Any]]) -> str:
    """How many times longer others take than one thread of termfold, by the wall / processor."""
    rows = []
    for data, methods in by_data(compared).items():
        if not {OURS, OURS_TWO, CHI2, FULL, FAST} <= methods.keys():
            continue
        ours = methods[OURS]
        goals = [("fit", CHI2, 10), ("fit", FAST, 10), ("predict", FULL, 15), ("predict", FAST, 3)]
        row = [data]
        for step, rival, goal in goals:
            pair = [ratio(methods[rival], ours, step + kind) for kind in ("", "_cpu")]
            text = " / ".join(f"{value:.1f}" for value in pair)
            row.append(text if pair[1] >= goal else f"*{text}*")
        gain = 100 * (ours["micro_f1"] - methods[FULL]["micro_f1"])
        two = ratio(methods[CHI2], methods[OURS_TWO], "fit")
        row.insert(2, f"{two:.1f}" if two >= 10 else f"*{two:.1f}*")
        row.append(f"{gain:+.2f}" if gain >= -0.5 else f"*{gain:+.2f}*")
        rows.append(row)
    head = [
        "",
        "training: chi2, SVM",
        "the same, two threads",
        "training: fastText",
        "predicting: SVM",
        "predicting: fastText",
        "micro-F1 against SVM, points",
    ]
    wanted = ["wanted", "10", "10", "10", "15", "3", "−0.50"]
    about = (
        "Time of others divided by that of `termfold`, one thread each: of the wall / of the "
        "processor; in the second column by the wall with two threads of `termfold`, its default "
        "here. What misses the mark is in italics.\n\n"
    )
    mean = [row[-1].strip("*") for row in rows]
    last = ["mean", "", "", "", "", "", f"{statistics.mean(map(float, mean)):+.2f}"] if rows else []
    return about + table(head, [wanted, *rows, last])


def accuracy(compared: list[dict[str, Any]]) -> str:
    """Micro-F1, and macro-F1 below it."""
    names = list(
        dict.fromkeys(line["method"] for line in compared if "2 thr" not in line["method"])
    )
    rows = []
    for data, methods in by_data(compared).items():
        any_line = next(iter(methods.values()))
        train, test = any_line["documents"]
        about = f"{data}: {any_line['split']}, {train:,} / {test:,}, {any_line['classes']} classes"
        best = max(methods[name]["micro_f1"] for name in names if name in methods)
        row = [about]
        for name in names:
            if name not in methods:
                row.append("–")
                continue
            micro, macro = (methods[name][f"{kind}_f1"] for kind in ("micro", "macro"))
            parameter = "".join(f", {k} {v}" for k, v in methods[name]["parameters"].items())
            shown = f"**{micro:.4f}**" if micro == best else f"{micro:.4f}"
            row.append(f"{shown} ({macro:.3f}{parameter})")
        rows.append(row)
    about = (
        "Micro-F1, which is accuracy where a document has one label; in parentheses macro-F1 and "
        "what was chosen.\n\n"
    )
    return about + table(["", *(name.removesuffix(", 1 thread") for name in names)], rows)


def times(compared: list[dict[str, Any]], title: str, step: str) -> Iterable[str]:
    names = methods_of([line for line in compared if step in line["seconds"]])
    rows = [
        [data, *(spread(methods[name], step) if name in methods else "–" for name in names)]
        for data, methods in by_data(compared).items()
    ]
    yield f"## {title}\n"
    yield table(["", *names], rows)


def throughput(lines: list[dict[str, Any]]) -> str:
    about = (
        "Predicting with one and two threads, from an Arrow array and from a list of `str`; "
        "*limit* is a loop that reads each byte and looks it up in a table of 256 numbers, on one "
        "thread. The last column is one text at a time.\n\n"
    )
    head = [
        "", "MB", "documents", "limit, MB/s", "Arrow, 1: MB/s", "of the limit", "Arrow, 2: MB/s",
        "list, 1: MB/s", "list, 2: MB/s", "list, 1: documents/s", "one text",
    ]  # fmt: skip
    rows = []
    for line in lines:
        speed = {k: line["megabytes"] / min(v) for k, v in line["seconds"].items()}
        single = statistics.median(line["seconds"]["1,000 texts, one by one"]) / 1000
        rows.append([
            line["data"],
            f"{line['megabytes']:.1f}",
            f"{line['documents']:,}",
            f"{speed['limit']:,.0f}",
            f"{speed['arrow, 1']:.0f}",
            f"{speed['arrow, 1'] / speed['limit']:.0%}",
            f"{speed['arrow, 2']:.0f}",
            f"{speed['list, 1']:.0f}",
            f"{speed['list, 2']:.0f}",
            f"{line['documents'] / min(line['seconds']['list, 1']):,.0f}",
            f"{1e6 * single:.0f} µs ({line['single_text_bytes']:,} bytes)",
        ])  # fmt: skip
    return about + table(head, rows) + "\nSpeeds are the best of several runs.\n"


def sizes(lines: list[dict[str, Any]]) -> str:
    head = ["max_bytes", "bytes", "terms", "micro-F1", "macro-F1", "loading"]
    rows = [
        [
            "none" if line["max_bytes"] is None else f"{line['max_bytes']:,}",
            f"{line['bytes']:,}",
            f"{line['terms']:,}",
            f"{line['micro_f1']:.4f}",
            f"{line['macro_f1']:.4f}",
            f"{1000 * statistics.median(line['seconds']['load']):.1f} ms",
        ]
        for line in lines
    ]
    name = lines[0]["data"] if lines else ""
    return f"On {name}, test split, eight bits a weight.\n\n" + table(head, rows)


def first_call(lines: list[dict[str, Any]]) -> str:
    seconds = lines[-1]["seconds"] if lines else {}
    states = list(dict.fromkeys(name.split(":")[0] for name in seconds))
    rows = [
        [state, *(f"{statistics.median(seconds[f'{state}: {step}']):.2f}" for step in STEPS)]
        for state in states
    ]
    about = (
        "Kernels are compiled at the first call and kept on disk; no other time on this page "
        "holds that. Seconds in a new process, 500 documents:\n\n"
    )
    return about + table(["", *STEPS], rows)


STEPS = ("import", "fit", "predict")


# -- numbers ----------------------------------------------------------------------------------


def by_data(lines: list[dict[str, Any]]) -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for line in lines:
        found.setdefault(line["data"], {})[line["method"]] = line
    return found


def methods_of(lines: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(line["method"] for line in lines))


def ratio(rival: dict[str, Any], ours: dict[str, Any], step: str) -> float:
    theirs, own = (statistics.median(line["seconds"][step]) for line in (rival, ours))
    return float(theirs / own)


def spread(line: dict[str, Any], step: str) -> str:
    seconds = line["seconds"].get(step)
    if not seconds:
        return "–"
    digits = 3 if statistics.median(seconds) < 1 else 1
    middle, *ends = (f"{f(seconds):.{digits}f}" for f in (statistics.median, min, max))
    return middle if len(seconds) == 1 else f"{middle} ({ends[0]}–{ends[1]})"


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *(row for row in rows if row)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    main()
