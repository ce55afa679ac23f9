"""The page on FEDIP."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from termfold_studies.common import figures
from termfold_studies.common.page import (
    best_in_bold,
    claims_section,
    figure,
    page,
    percent,
    provenance,
    spread,
    table,
)
from termfold_studies.common.rows import Row, pick
from termfold_studies.common.significance import holm, show_p
from termfold_studies.common.study import Report
from termfold_studies.fedip.claims import claims
from termfold_studies.fedip.methods import IMPROVED, PUBLISHED
from termfold_studies.fedip.view import accuracies, collections_of, mean_accuracy, overall

QUESTION = """\
Tariq and Karim (CIKM 2011) fold a document into one feature a class by pooling what its terms
tell about the class, and report higher accuracies than LSI and LDA/QR with as many features, at a
fraction of their time. Does it hold, and what is gained by the variants that came after?
"""
PROTOCOL = """\
- **Collections.** The movie reviews of Pang and Lee (version 2.0), and thirteen of the matrices
  that were distributed with CLUTO. The paper took five of that family; the copy of its table that
  was at hand has lost their names, so all that could be had are here, ordered by their number of
  classes. The matrices came through a third party and lack some unused columns.
- **Divisions.** Five at random, 67 % to learn from and 33 % to test, as in the paper. Nothing is
  chosen by the test documents.
- **Projections.** FEDIP as published: raw relative risk, threshold 1, maximum likelihood (an
  infinite ratio is replaced by half a document or occurrence), counts, one feature a class. *The
  denominator is an inference*: the text leaves open whether a feature is divided by the weights
  of all terms of a document or of those in the pool; the former is used, the latter is a line of
  the table of variants. LSI by Lanczos with as many dimensions as classes, LDA/QR with one less,
  both on counts and on tf-idf of unit length, since the paper does not say on what.
- **Training documents** are projected like any others, as the paper's algorithm does; *leave one
  out* marks features that each training document would get from a fit of all others.
- **Classifiers.** A linear SVM (LIBLINEAR, C = 1) on features of variance one, and Gaussian naive
  Bayes. The paper used LIBSVM and MATLAB; whether it scaled features it does not say, so the SVM
  was also run without.
- **Significance.** On one collection the corrected resampled t-test over the five divisions, over
  all collections Wilcoxon's signed-rank test; both corrected by Holm.
"""
_TIMES_FIGURE = figure("fedip-times", "Time as a multiple of that of FEDIP-a")
_SCATTER_FIGURE = figure(
    "fedip-scatter",
    "Test documents of the movie reviews in two dimensions, by FEDIP-b and by LSI",
)
_DEFAULT = "b, smoothed, 1 + log counts, leave one out (the default)"
_STEPS = (
    ("FEDIP-b, over the pool", "FEDIP-b"),
    ("FEDIP-b, leave one out", "FEDIP-b"),
    ("b, smoothed, leave one out", "FEDIP-b, leave one out"),
    (_DEFAULT, "b, smoothed, leave one out"),
    ("b, log ratio, smoothed, leave one out", _DEFAULT),
    ("b, log ratio, R = 2 K, leave one out", "b, log ratio, smoothed, leave one out"),
    ("b, log ratio, R = 4 K, leave one out", "b, log ratio, R = 2 K, leave one out"),
    ("FEDIP-a, over the pool", "FEDIP-a"),
    ("FEDIP-a, leave one out", "FEDIP-a"),
    ("a, signed log ratio, smoothed, leave one out", "FEDIP-a, leave one out"),
)  # fmt: skip
_HEADS = ("SVM", "naive Bayes", "SVM, features not scaled", "largest feature")


def report(rows: list[Row]) -> Report:
    """The page, its claims and its figures."""
    found = claims(rows)
    scattered = bool(pick(rows, what="scatter"))
    shown = _SCATTER_FIGURE if scattered else ""
    sections = [
        ("", QUESTION),
        ("Protocol", PROTOCOL),
        ("What holds", claims_section(found)),
        ("Accuracy with a linear SVM", _accuracy_table(rows, "SVM")),
        ("Accuracy with naive Bayes", _accuracy_table(rows, "naive Bayes")),
        ("Two dimensions", shown),
        ("Relative times", _times_table(rows) + "\n" + _TIMES_FIGURE),
        ("Beyond the paper: one change at a time", _steps_table(rows)),
        ("All projections and classifiers", _overview_table(rows)),
        ("Where the numbers come from", provenance("fedip", rows)),
    ]  # fmt: skip
    draws = [partial(_draw_times, rows)]
    if scattered:
        draws.append(partial(_draw_scatter, rows))
    return Report(
        "FEDIP (CIKM 2011)",
        page("FEDIP: one feature a class", "termfold study fedip", [s for s in sections if s[1]]),
        found,
        draws,
    )


# -- tables -----------------------------------------------------------------------------------


def _accuracy_table(rows: list[Row], head: str) -> str:
    """Collections × projections, mean ± standard deviation of the divisions."""
    body = []
    for name in collections_of(rows):
        shape = pick(rows, what="collection", collection=name)[0]
        of = [accuracies(rows, name, method, head) for method in PUBLISHED]
        shown = best_in_bold([spread(a) for a in of], [statistics.mean(a) for a in of])
        everything = accuracies(rows, name, "all terms, tf-idf", "SVM")
        about = f"{name}: {shape['documents']:,} × {shape['terms']:,}, {shape['classes']} classes"
        body.append([about, *shown, *([spread(everything)] if head == "SVM" else [])])
    last = ["all terms"] if head == "SVM" else []
    about = (
        "Per cent, mean ± standard deviation; *all terms*, a linear SVM on tf-idf without any "
        "reduction, is for orientation.\n\n"
        if last
        else "Per cent, mean ± standard deviation.\n\n"
    )
    return about + table(["", *PUBLISHED, *last], body)


def _times_table(rows: list[Row]) -> str:
    timed = pick(rows, what="times")
    names = list(timed[0]["seconds"])
    body = []
    for row in timed:
        medians = {name: statistics.median(row["seconds"][name]["cpu"]) for name in names}
        base = medians["FEDIP-a"]
        ratios = [f"{medians[name] / base:.1f}" for name in names[1:]]
        body.append([row["collection"], f"{base:.4f}", *ratios])
    about = (
        "Seconds of processor time that FEDIP-a takes to learn and to project the training "
        "documents, and the time "
        "of the others as a multiple of it (medians of rounds in turn).\n\n"
    )
    return about + table(["", "FEDIP-a, seconds", *names[1:]], body)


def _steps_table(rows: list[Row]) -> str:
    found = [
        (step, base, overall(rows, (step, head), (base, head)), head)
        for step, base in _STEPS
        for head in ("SVM", "naive Bayes")
    ]
    corrected = holm([difference for _, _, difference, _ in found])
    body = []
    for index in range(0, len(found), 2):
        step, base, _, _ = found[index]
        cells = []
        for offset in (0, 1):
            d = corrected[index + offset]
            low, high = (f"{100 * end:+.1f}" for end in (d.low, d.high))
            cells += [f"{100 * d.value:+.1f} ({low} to {high})", show_p(d.p)]
        body.append([f"{step}, against {base}", *cells])
    about = (
        "What each change does to the accuracy, in points: the median over collections, with the "
        "least and the most; Wilcoxon's test over collections after Holm. R > K, more features "
        "than classes, is named in the paper but not given: parts of equal information are this "
        "project's reading.\n\n"
    )
    return about + table(["", "SVM", "", "naive Bayes", ""], body)


def _overview_table(rows: list[Row]) -> str:
    """Means over collections."""
    names = collections_of(rows)
    body = []
    for method in (*PUBLISHED, *IMPROVED):
        cells = []
        for head in _HEADS:
            known = all(accuracies(rows, name, method, head) for name in names)
            cells.append(_mean(rows, names, method, head) if known else "–")
        body.append([method, *cells])
    about = f"Mean accuracy of the {len(names)} collections, per cent.\n\n"
    return about + table(["", *_HEADS], body)


def _mean(rows: list[Row], names: Sequence[str], method: str, head: str) -> str:
    return percent(statistics.mean(mean_accuracy(rows, name, method, head) for name in names))


# -- figures ----------------------------------------------------------------------------------


def _draw_times(rows: list[Row], folder: Path) -> None:
    timed = pick(rows, what="times")
    names = list(timed[0]["seconds"])[1:]
    series = {}
    for name in names:
        up = [
            statistics.median(row["seconds"][name]["cpu"])
            / statistics.median(row["seconds"]["FEDIP-a"]["cpu"])
            for row in timed
        ]
        series[name] = (list(range(len(timed))), up)
    with figures.figure(folder, "fedip-times") as [axes]:
        figures.lines(axes, series, y="time / time of FEDIP-a", log=False)
        axes.set_yscale("log")
        labels = [row["collection"] for row in timed]
        axes.set_xticks(range(len(timed)), labels, rotation=45, ha="right", fontsize=7)
        for limit in (4, 15):
            axes.axhline(limit, color="#777777", linestyle=":", linewidth=1)


def _draw_scatter(rows: list[Row], folder: Path) -> None:
    found = pick(rows, what="scatter")
    with figures.figure(folder, "fedip-scatter", len(found), columns=2) as panels:
        for axes, row in zip(panels, found, strict=True):
            figures.scatter(axes, row["points"], row["labels"], title=row["method"])
