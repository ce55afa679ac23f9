"""The page on best terms."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from termfold_studies.best_terms.claims import claims
from termfold_studies.best_terms.view import NINE, collections_of, tested
from termfold_studies.common import figures
from termfold_studies.common.page import (
    best_in_bold,
    claims_section,
    figure,
    page,
    percent,
    provenance,
    seconds,
    table,
    table_of_columns,
    times_as_many,
)
from termfold_studies.common.rows import Row, pick, values
from termfold_studies.common.study import Report

QUESTION = """\
Fragoudis, Meretakis and Likothanassis (Knowledge and Information Systems, 2005) let every
document name its best term, rather than rank the vocabulary, and train each class on the
documents that hold one of these. Naive Bayes is said to gain much, the SVM to lose nothing, in
less time.
"""
PROTOCOL = """\
- **Collections.** Reuters-21578, ModApte, the 90 topics with documents in both parts. 20
  Newsgroups in time order: the 19,997 posts, those in several groups taken once with all their
  labels, empty ones left out; subject and body; the last 250 posts of each group by their Date
  header are the test. A post in several groups is a test document if it is among the last of any:
  our reading. What came out is close to the paper: Reuters 7,112 words (8,067 there), 20
  Newsgroups 14,505 and 4,920 documents (14,482 and 4,838), 26,724 words (26,983).
- **Words** in lower case, no numbers, stop words out, in at least five training documents; only
  presence counts. The stop list is ours, the paper's is not given.
- **Best terms.** The displayed definitions are lost from the copy of the paper at hand: that *p
  is a floor of precision*, and that *negative terms are scored for the complement of the class*,
  are inferences from the sentences left.
- **Filter.** *Local*: each class keeps its own best terms; *global*: one list for all classes, by
  the largest score for a class. Bernoulli naive Bayes, and a linear SVM (LIBLINEAR, C = 0.1; the
  paper's was SVMlight with its own default).
- **Measures.** Micro- and macro-F1 over all binary decisions, several labels a document; a class
  without any found or true label counts 0. Differences in micro-F1 by the bootstrap over test
  documents (2,000 times), corrected by Holm within each claim. Where something is chosen, the
  text says on which documents.
"""

_FILTER_FIGURE = (
    figure(
        "best-terms-filter",
        "Micro-F1 of naive Bayes by the number of terms of each class, filter; the line shows a "
        "linear SVM on all terms",
    )
    + "\n"
)
_PRECISION_FIGURE = figure("best-terms-precision", "Micro-F1 by the precision floor p") + "\n"


def report(rows: list[Row]) -> Report:
    """The page, its claims and its figures."""
    found = claims(rows)
    sections = [
        ("", QUESTION),
        ("Protocol", PROTOCOL),
        ("What holds", claims_section(found)),
        ("The filter with naive Bayes", _FILTER_FIGURE + _filter_tables(rows, "naive Bayes")),
        ("The filter with a linear SVM", _filter_tables(rows, "SVM")),
        ("Best terms", _PRECISION_FIGURE + _best_tables(rows)),
        ("Features, documents kept and training time", _size_tables(rows)),
        ("Time to select", _times_table(rows)),
        ("Where the numbers come from", provenance("best-terms", rows)),
    ]  # fmt: skip
    return Report(
        "Best terms (KAIS 2005)",
        page("BT: best terms", "termfold study best-terms", sections),
        found,
        [partial(_draw_filter, rows), partial(_draw_precision, rows)],
    )


# -- tables -----------------------------------------------------------------------------------


def _filter_tables(rows: list[Row], head: str) -> str:
    made = []
    for name, policy in product(collections_of(rows), ("global", "local")):
        of = pick(tested(rows), collection=name, head=head, method=f"filter, {policy}")
        if not of:
            continue
        sizes = sorted(values(of, "size"))
        all_terms = pick(tested(rows), collection=name, head=head, method="all terms")[0]
        counted = "in all" if policy == "global" else "a class"
        title = (
            f"{name}, {policy} filter, terms {counted}; micro- / macro-F1 in per cent. All terms: "
            f"{_both(all_terms)}.\n\n"
        )
        made.append(title + _scores_table(of, {f"{size:,}": {"size": size} for size in sizes}))
    return "\n".join(made)


def _best_tables(rows: list[Row]) -> str:
    made = []
    for name, head in product(collections_of(rows), ("naive Bayes", "SVM")):
        of = pick(tested(rows), collection=name, head=head, method="best terms")
        precisions = sorted(values(of, "precision"))
        title = f"{name}, {head}, by p; micro- / macro-F1 in per cent.\n\n"
        made.append(title + _scores_table(of, {str(p): {"precision": p} for p in precisions}))
    return "\n".join(made)


def _scores_table(rows: list[Row], columns: dict[str, dict[str, Any]]) -> str:
    """F1 by score and by what each column wants of its rows, the best micro-F1 in bold."""
    scores = values(rows, "score")
    shown = {}
    for title, wanted in columns.items():
        column = [pick(rows, score=score, **wanted)[0] for score in scores]
        shown[title] = best_in_bold([_both(r) for r in column], [r["micro"] for r in column])
    return table_of_columns("score", scores, shown)


def _both(row: Row) -> str:
    return f"{percent(row['micro'])} / {percent(row['macro'])}"


def _size_tables(rows: list[Row]) -> str:
    about = (
        "Features a class / share of the training documents kept, on average of the classes / "
        "seconds of processor time to select, to train naive Bayes and to label the test documents "
        "(one run each).\n\n"
    )
    made = []
    for name in collections_of(rows):
        of = pick(tested(rows), collection=name, head="naive Bayes", method="best terms")
        precisions = sorted(values(of, "precision"))
        body = []
        for score in values(of, "score"):
            cells = []
            for precision in precisions:
                r = pick(of, score=score, precision=precision)[0]
                kept = percent(r["kept_documents"])
                cells.append(f"{r['features']:,.0f} / {kept} % / {r['run']['cpu']:.2f}")
            body.append([score, *cells])
        made.append(table([f"{name}, p =", *map(str, precisions)], body))
    return about + "\n".join(made)


def _times_table(rows: list[Row]) -> str:
    about = (
        "Seconds of processor time from the matrix of the training documents to the columns chosen "
        "(best terms with p = 0.25; 200 terms a class for the local filter, 1,000 in all for the "
        "global one), medians of rounds in which they take turns; and how many times as long the "
        "filters take.\n\n"
    )
    names = ("best terms", "local filter", "global filter")
    body = []
    for row in pick(rows, what="times"):
        taken = {name: row["seconds"][name]["cpu"] for name in names}
        ratios = [
            times_as_many([f / b for f, b in zip(taken[name], taken["best terms"], strict=True)])
            for name in names[1:]
        ]
        cells = [seconds(taken[name]) for name in names]
        body.append([f"{row['collection']}, {row['score']}", *cells, *ratios])
    return about + table(["", *names, "local / best terms", "global / best terms"], body)


# -- figures ----------------------------------------------------------------------------------


def _draw_filter(rows: list[Row], folder: Path) -> None:
    names = collections_of(rows)
    with figures.figure(folder, "best-terms-filter", len(names), columns=2) as panels:
        for axes, name in zip(panels, names, strict=True):
            of = pick(tested(rows), collection=name, head="naive Bayes", method="filter, local")
            series = {}
            for score in values(of, "score"):
                if score in NINE and score != "dia":  # the same as mi
                    mine = pick(of, score=score)
                    series[score] = ([r["size"] for r in mine], [r["micro"] for r in mine])
            figures.lines(axes, series, title=name, x="terms a class", y="micro-F1")
            svm = pick(tested(rows), collection=name, head="SVM", method="all terms")[0]
            axes.axhline(svm["micro"], color="black", linestyle=":", linewidth=1)


def _draw_precision(rows: list[Row], folder: Path) -> None:
    cases = list(product(collections_of(rows), ("naive Bayes", "SVM")))
    with figures.figure(folder, "best-terms-precision", len(cases), columns=2) as panels:
        for axes, (name, head) in zip(panels, cases, strict=True):
            of = pick(tested(rows), collection=name, head=head, method="best terms")
            series = {}
            for score in values(of, "score"):
                if score != "dia":
                    mine = pick(of, score=score)
                    series[score] = ([r["precision"] for r in mine], [r["micro"] for r in mine])
            figures.lines(axes, series, title=f"{name}, {head}", x="p", y="micro-F1", log=False)
