"""The page on OCFS."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from termfold_studies.common import figures
from termfold_studies.common.page import (
    best_in_bold,
    claims_section,
    figure,
    page,
    percent,
    provenance,
    seconds,
    spread,
    table,
    table_of_columns,
    times_as_many,
)
from termfold_studies.common.rows import Row, pick, values
from termfold_studies.common.study import Report
from termfold_studies.ocfs.claims import claims
from termfold_studies.ocfs.methods import EXTENSIONS, OTHERS, PAPER
from termfold_studies.ocfs.view import collections_of, published, ratios

QUESTION = """\
Yan et al. (SIGIR 2005) choose the terms along which the centroids of the classes lie farthest
apart, and report that this beats information gain (IG) and χ² (CHI), most of all when only ten
terms are kept, in about half their time. Does it, on the collections at hand?
"""
PROTOCOL = """\
- **Collections.** The five comp.\\* groups of 20 Newsgroups, as in the paper, and all twenty
  (both *bydate*, as published); Reuters-21578 with each document's first topic (ModApte, the 90
  topics with documents in both parts), as the paper did with RCV1; and the 58 sections of
  Debian's directory of packages, which stands in for the Open Directory, another directory kept
  by people. RCV1 and the Open Directory themselves were not at hand.
- **Documents** are tf-idf vectors of length one, all words of two characters and more, idf from
  the training part. The paper says no more than "the traditional TFIDF indexing", so the
  normalisation is our inference; a line of the tables below shows what happens without it.
- **Selection** sees the training part alone. As in the paper, IG is that of all classes at once,
  and CHI the mean over classes weighted by P(k).
- **Classifier.** A linear SVM (LIBLINEAR, C = 1, squared hinge loss) for each class against the
  rest on the kept columns; the paper's was SMO. Nothing is tuned, so no development part is
  needed. Micro-F1, which is accuracy here.
- **Significance.** The bootstrap over test documents, 2,000 times, corrected by Holm for all
  comparisons of a claim; for random divisions of the training part (60/40, five times) the
  corrected resampled t-test.
"""

_TIMES_FIGURE = figure(
    "ocfs-times", "Seconds of processor time to rank all terms, on a logarithmic scale"
)


def report(rows: list[Row]) -> Report:
    """The page, its claims and its figures."""
    found = claims(rows)
    sections = [
        ("", QUESTION),
        ("Protocol", PROTOCOL),
        ("What holds", claims_section(found)),
        ("Micro-F1 of the paper's three", _methods_table(rows, PAPER) + "\n" + _curves_shown(rows)),
        ("On random divisions", _random_table(rows)),
        ("Which terms are kept", _overlap_table(rows) + "\n" + _best_terms_table(rows)),
        ("Time", _times_table(rows) + "\n" + _TIMES_FIGURE),
        ("How many terms: the share of energy", _energy_table(rows)),
        ("Beyond the paper: extensions", EXTENSIONS_TEXT + _methods_table(rows, EXTENSIONS)),
        ("Beyond the paper: every other score", OTHERS_TEXT + _methods_table(rows, OTHERS)),
        ("Where the numbers come from", provenance("ocfs", rows)),
    ]  # fmt: skip
    return Report(
        "OCFS (SIGIR 2005)",
        page("OCFS: orthogonal centroid feature selection", "termfold study ocfs", sections),
        found,
        [partial(_draw_curves, rows), partial(_draw_times, rows)],
    )


EXTENSIONS_TEXT = """\
Announced in the paper as future work. *Sqrt* and *uniform weights* let small classes count for more
than their size; in *two stages* OCFS leaves four times as many terms as are wanted, and another
score chooses among them. The last line ranks by centroids of tf-idf that is not normalised.

"""
OTHERS_TEXT = """\
Each by the largest value for a class, whereas the paper's IG and CHI are averages; `chi2, max` and
`ig, max` show what that choice alone does.

"""


# -- tables -----------------------------------------------------------------------------------


def _methods_table(rows: list[Row], methods: tuple[str, ...]) -> str:
    """A table for each collection: the paper's three and other methods × numbers of terms."""
    made = []
    for name in collections_of(rows):
        of = pick(published(rows), collection=name)
        names = [m for m in dict.fromkeys((*PAPER, *methods)) if pick(of, method=m)]
        if not set(names) - set(PAPER) and set(methods) - set(PAPER):
            continue
        sizes = sorted(values(pick(of, method=names[-1]), "size"))
        columns = {}
        for size in sizes:
            f1 = [next((r["f1"] for r in pick(of, method=m, size=size)), None) for m in names]
            columns[f"{size:,}"] = best_in_bold([percent(value) for value in f1], f1)
        about = f"{name}; with all terms {percent(_all_terms(rows, name))}\n\n"
        made.append(about + table_of_columns("terms", names, columns))
    return "\n".join(made)


def _random_table(rows: list[Row]) -> str:
    again = [row for row in rows if row["what"] == "f1" and row["split"].startswith("random")]
    body = []
    for name in values(again, "collection"):
        for size in values(pick(again, collection=name), "size"):
            of = pick(again, collection=name, size=size)
            scores = [[r["f1"] for r in pick(of, method=method)] for method in PAPER]
            means = [sum(score) / len(score) for score in scores]
            shown = best_in_bold([spread(score) for score in scores], means)
            body.append([f"{name}, {size:,} terms", *shown])
    about = "Mean ± standard deviation over random divisions, 60/40, of the training documents.\n\n"
    return about + table(["", "OCFS", "IG", "CHI"], body)


def _overlap_table(rows: list[Row]) -> str:
    about = (
        "How many of the kept terms two methods share. The paper has, for the five groups at 10, "
        "100, 1,000 and 10,000 terms: OCFS and IG 7, 62, 532, 6494; OCFS and CHI 6, 55, 509, 6530; "
        "IG and CHI 9, 85, 831, 9096.\n\n"
    )
    made = []
    for row in pick(rows, what="overlap"):
        sizes = row["sizes"]
        body = [
            [pair.replace("ocfs", "OCFS").replace("ig", "IG").replace("chi2", "CHI"), *map(str, n)]
            for pair, n in row["shared"].items()
        ]
        head = [row["collection"], *(f"{size:,}" for size in sizes)]
        made.append(table(head, body))
    return about + "\n".join(made)


def _best_terms_table(rows: list[Row]) -> str:
    about = (
        "The ten terms of each method, in their order; those that not all three share stand in "
        "italics.\n\n"
    )
    body = []
    for row in pick(rows, what="overlap"):
        best = row["best"]
        common = set.intersection(*(set(terms) for terms in best.values()))
        for method, terms in best.items():
            shown = " ".join(term if term in common else f"*{term}*" for term in terms)
            body.append([row["collection"], method, shown])
    head = "| collection | method | terms |\n| --- | --- | --- |\n"
    return about + head + "".join(f"| {' | '.join(line)} |\n" for line in body)


def _times_table(rows: list[Row]) -> str:
    about = (
        "Processor time, median of rounds in which the three take turns: from the matrix of the "
        "training documents to the ranking, and of that the part after the sums over documents "
        "are known. In the last columns how many times as long IG and CHI take as OCFS, with the "
        "least and the largest of the rounds.\n\n"
    )
    body = []
    for row in pick(rows, what="times"):
        for step, taken in row["seconds"].items():
            cells = [seconds(taken[method]["cpu"]) for method in PAPER]
            more = [times_as_many(ratios(taken, method)) for method in PAPER[1:]]
            body.append([f"{row['collection']}: {step}", *cells, *more])
    head = ["seconds", "OCFS", "IG", "CHI", "IG / OCFS", "CHI / OCFS"]
    return about + table(head, body)


def _energy_table(rows: list[Row]) -> str:
    about = (
        "The fewest terms whose OCFS scores sum to a share of the sum of all, and what they give. "
        "The paper's example is a share of 80 %.\n\n"
    )
    body = [
        [
            f"{row['collection']}, {row['energy']:.0%}",
            f"{row['size']:,}",
            percent(row["f1"]),
            percent(_all_terms(rows, row["collection"])),
        ]
        for row in pick(rows, what="energy")
    ]
    return about + table(["collection, energy", "terms", "micro-F1", "of all terms"], body)


def _all_terms(rows: list[Row], collection: str) -> float | None:
    found = pick(rows, what="f1", collection=collection, method="all terms")
    return found[0]["f1"] if found else None


# -- figures ----------------------------------------------------------------------------------


def _curves_shown(rows: list[Row]) -> str:
    return figure("ocfs-f1", "Micro-F1 by the number of terms, for the three methods of the paper")


def _draw_curves(rows: list[Row], folder: Path) -> None:
    names = collections_of(rows)
    with figures.figure(folder, "ocfs-f1", len(names), columns=2) as panels:
        for axes, name in zip(panels, names, strict=True):
            series: dict[str, Any] = {}
            for method, label in zip(PAPER, ("OCFS", "IG", "CHI"), strict=True):
                of = [row for row in published(rows) if row["collection"] == name]
                of = pick(of, method=method)
                series[label] = ([r["size"] for r in of], [r["f1"] for r in of])
            figures.lines(axes, series, title=name, x="terms", y="micro-F1")


def _draw_times(rows: list[Row], folder: Path) -> None:
    timed = pick(rows, what="times")
    with figures.figure(folder, "ocfs-times", len(timed), columns=2) as panels:
        for axes, row in zip(panels, timed, strict=True):
            taken = row["seconds"]["matrix to ranking"]
            of = {
                label: float(seconds(taken[method]["cpu"]))
                for method, label in zip(PAPER, ("OCFS", "IG", "CHI"), strict=True)
            }
            figures.bars(axes, of, title=row["collection"], y="seconds", log=True)
