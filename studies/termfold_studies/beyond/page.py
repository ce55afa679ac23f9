"""The page on all methods and all collections."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from termfold_studies.beyond.advice import advice, against_default, claims, differences_text
from termfold_studies.beyond.view import (
    complete,
    mean_f1,
    mean_features,
    ranks,
    relative_time,
    row_of,
    scores,
)
from termfold_studies.common import figures
from termfold_studies.common.page import (
    best_in_bold,
    claims_section,
    figure,
    page,
    percent,
    provenance,
    table,
)
from termfold_studies.common.rows import Row, pick
from termfold_studies.common.significance import critical_difference, show_p
from termfold_studies.common.study import IncompleteError, Report

QUESTION = """\
Which method should I use? All methods of the library, and what they are compared with, on all
collections of texts at hand, each with its defaults.
"""
PROTOCOL = """\
- **Collections**: English and Chinese, news, reviews, titles, packages, 2 to 70 classes, one
  label a document (of Reuters the first topic). Divided as published where that is so, else 67/33
  at random (seed 0). AG News and DBpedia are parts of what was published.
- **Methods** with their defaults; nothing is tuned, so the test documents are read once. Weights
  are tf-idf with sublinear counts where a method takes weights. *+ SVM* is LIBLINEAR with C = 1,
  *+ rule* the calibrated rule; projections by counts hand leave-one-out features on, to the SVM
  of unit length.
- **Ranks** by micro-F1 on each collection, averaged; Friedman's test, and Nemenyi's critical
  difference for all pairs (Demšar 2006).
- **Times** are processor time from texts to a trained model, one thread, one run, as a share of
  that of the SVM on all terms: geometric means.
"""

_RANKS_FIGURE = figure(
    "beyond-ranks",
    "Mean ranks by micro-F1, the best at the left; bars join what is not told apart",
)
_COSTS_FIGURE = figure(
    "beyond-costs", "Mean micro-F1 against features of a document, and against time to train"
)


def report(rows: list[Row]) -> Report:
    """The page, its claims and its figures."""
    _, names = complete(rows)
    if not names:
        raise IncompleteError(
            "no collection has results of all methods yet; `termfold study beyond` goes on with it"
        )
    found = claims(rows)
    diagram = _RANKS_FIGURE if len(names) > 2 else ""
    sections = [
        ("", QUESTION),
        ("A rule of thumb", advice(rows)),
        ("Do the defaults follow it?", claims_section(found)),
        ("Protocol", PROTOCOL),
        ("Ranks", differences_text(rows) + "\n" + diagram),
        ("Accuracy against features and time", _COSTS_FIGURE),
        ("All methods", _methods_table(rows)),
        ("Micro-F1 on each collection", _collections_table(rows)),
        ("Where the numbers come from", provenance("beyond", rows)),
    ]  # fmt: skip
    draws = [partial(_draw_costs, rows)]
    if len(names) > 2:
        draws.append(partial(_draw_ranks, rows))
    return Report(
        "Beyond the papers",
        page("Which method should I use?", "termfold study beyond", sections),
        found,
        draws,
    )


def _methods_table(rows: list[Row]) -> str:
    rank, f1 = ranks(rows), mean_f1(rows)
    methods, _ = complete(rows)
    macro = dict(zip(methods, scores(rows, "macro_f1").mean(axis=0).tolist(), strict=True))
    against = against_default(rows)
    body = [
        [
            f"`{m}`" if m.startswith("Text") else m,
            f"{rank[m]:.1f}",
            percent(f1[m]),
            percent(macro[m]),
            f"{mean_features(rows, m):,.0f}",
            f"{relative_time(rows, m):.2f}",
            f"{100 * against[m].value:+.1f} ({show_p(against[m].p)})" if m in against else "",
        ]
        for m in sorted(methods, key=lambda m: rank[m])
    ]
    head = ["", "mean rank", "micro-F1", "macro-F1", "features", "time to train", "default less it"]
    about = (
        "Means over collections, of features and time geometric ones; in the last column by how "
        "many points of micro-F1 the default is better, in the median, and Wilcoxon's p over "
        "collections after Holm.\n\n"
    )
    return about + table(head, body)


def _collections_table(rows: list[Row]) -> str:
    methods, names = complete(rows)
    values = scores(rows)
    columns = [best_in_bold([percent(v) for v in line], list(line)) for line in values.tolist()]
    order = np.argsort([ranks(rows)[m] for m in methods], kind="stable")
    body = [[methods[i], *(column[i] for column in columns)] for i in order]
    about = "\n".join(
        f"- {name} ({row_of(rows, name, methods[0])['split']}): "
        f"{c['documents'][0]:,} / {c['documents'][1]:,} documents, {c['terms']:,} terms, "
        f"{c['classes']} classes"
        for name in names
        for c in pick(rows, what="counting", collection=name)
    )
    return f"{about}\n\n" + table(["", *names], body)


def _draw_ranks(rows: list[Row], folder: Path) -> None:
    methods, names = complete(rows)
    with figures.figure(folder, "beyond-ranks") as [axes]:
        axes.figure.set_size_inches(9, 5)
        distance = critical_difference(len(methods), len(names))
        figures.critical_difference_diagram(axes, ranks(rows), distance)


def _draw_costs(rows: list[Row], folder: Path) -> None:
    methods, _ = complete(rows)
    f1 = mean_f1(rows)
    with figures.figure(folder, "beyond-costs", 2, columns=1) as [features, seconds]:
        places = {m: (mean_features(rows, m), f1[m]) for m in methods}
        figures.points(features, places, x="features of a document", y="mean micro-F1")
        places = {m: (relative_time(rows, m), f1[m]) for m in methods}
        figures.points(seconds, places, x="time to train / that of the SVM", y="mean micro-F1")
        features.figure.set_size_inches(8, 8)
