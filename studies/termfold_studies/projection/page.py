"""The page on term projection."""

from __future__ import annotations

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
    seconds,
    spread,
    table,
    table_of_columns,
)
from termfold_studies.common.rows import Row, pick
from termfold_studies.common.study import Report
from termfold_studies.projection.claims import claims
from termfold_studies.projection.view import (
    ALL,
    collections_of,
    complete,
    cuts_of,
    f1,
    heads,
    latent,
    n_classes,
    n_terms,
    selected,
    sizes_of,
)

QUESTION = """\
Zheng, Liu, Teng and Sun (AIRS 2009) count occurrences rather than documents in χ², give every
term to the class it speaks for most, and sum a document's terms by class: as many features as
classes. This is said to be as good as thousands of selected terms, in a fraction of the time, and
to carry over better from one source of texts to another.
"""
PROTOCOL = """\
- **Collections.** The paper's Chinese Encyclopedia and Chinese Web Documents are not public. In
  their place: titles of THUCNews (published development part to learn from, test part to test),
  full news articles of THUCNews and Sogou (1,495), hotel reviews (both divided at random, 67/33,
  five times); 20 Newsgroups (*bydate*), which the paper has too; and Debian's directory of 58
  sections, which is nearest to the encyclopedia's 55. All are smaller than its 64,529 articles,
  or their texts shorter. Two sources: titles of THUCNews and of Toutiao, in the eight classes
  that both have. Tables hold what was measured to the end (next section).
- **Two classes** are a corner: χ² of a term is the same for both, so the published form gives all
  terms to one class, and its rule can only ever name that one. The default form does not.
- **Terms.** Chinese in overlapping pairs of characters, as in the paper; English in words.
- **Published form.** `TermProjection(T, weight="rr", smoothing=0, discriminability="max",
  positive=False, input_weight="tfidf", denominator="none")`, ε = 0.5. The displayed formulas are
  lost from the copy at hand: that a feature is *the sum of tf · idf · PR*, and that PR is *the
  ratio of the rates of documents*, are inferences from the words around them.
- **Classifiers.** By rule the largest feature wins; the SVM (LIBLINEAR, C = 1; the paper's was
  LIBSVM) sees features of unit length. The traditional way: the best terms by the largest χ² for
  a class, tf-idf of unit length, SVM. LSA: as many singular vectors of tf-idf, by Lanczos, SVM.
- **Significance.** The bootstrap over test documents (2,000 times) where there is one division,
  the corrected resampled t-test where there are five; corrected by Holm within each claim.
"""

_SELECTION_FIGURE = figure("projection-chi2", "Micro-F1 of a linear SVM on selected terms") + "\n"
_TERMS_FIGURE = (
    figure(
        "projection-terms",
        "Micro-F1 by the number of terms looked at, published form; the line is an SVM on 4,000 "
        "selected terms",
    )
    + "\n"
)


def report(rows: list[Row]) -> Report:
    """The page, its claims and its figures."""
    everything, rows = rows, complete(rows)
    found = claims(rows)
    sections = [
        ("", QUESTION),
        ("Protocol", PROTOCOL),
        ("Collections", _collections_table(rows)),
        ("What holds", claims_section(found)),
        ("χ² of documents and of occurrences", _SELECTION_FIGURE + _selection_table(rows)),
        ("As many features as classes", _TERMS_FIGURE + _projection_tables(rows)),
        ("Latent semantic analysis", _latent_table(rows)),
        ("Times", _times_table(rows)),
        ("Where the numbers come from", provenance("projection", everything)),
    ]  # fmt: skip
    return Report(
        "Term projection (AIRS 2009)",
        page("Term projection", "termfold study projection", sections),
        found,
        [partial(_draw_selection, rows), partial(_draw_projection, rows)],
    )


def _shown(rows: list[Row]) -> str:
    return spread([row["f1"] for row in rows])


# -- tables -----------------------------------------------------------------------------------


def _collections_table(rows: list[Row]) -> str:
    body = []
    for name in collections_of(rows):
        of = pick(rows, what="collection", collection=name)
        train, test = of[0]["documents"]
        cells = [f"{train:,}", f"{test:,}", f"{n_terms(rows, name):,}", str(n_classes(rows, name))]
        body.append([name, *cells, str(len(of))])
    head = ["", "training documents", "test documents", "terms", "classes K", "divisions measured"]
    return table(head, body)


def _selection_table(rows: list[Row]) -> str:
    names = collections_of(rows)
    sizes = sorted({size for name in names for size in sizes_of(rows, name)})
    body = []
    for name in names:
        for score, label in (("chi2", "documents"), ("chi2_tf", "occurrences")):
            cells = [_shown(selected(rows, name, score, size)) for size in sizes]
            other = "chi2" if score == "chi2_tf" else "chi2_tf"
            for i, size in enumerate(sizes):
                mine, theirs = (f1(selected(rows, name, s, size)) for s in (score, other))
                if mine is not None and theirs is not None and mine > theirs:
                    cells[i] = f"**{cells[i]}**"
            last = _shown(selected(rows, name, score, ALL)) if score == "chi2" else ""
            body.append([f"{name}, {label}", *cells, last])
    about = (
        "Micro-F1 in per cent, of a linear SVM on the best terms by the largest χ² for a class; "
        "the better of the two in bold; mean ± standard deviation where there are several "
        "divisions.\n\n"
    )
    return about + table(["terms", *(f"{size:,}" for size in sizes), "all"], body)


def _projection_tables(rows: list[Row]) -> str:
    about = (
        "Micro-F1 in per cent on as many features as classes, by how many terms were looked at "
        "(T). *Published* is the paper's form as far as it can be rebuilt, *default* that of "
        "`TermProjection()`.\n\n"
    )
    made = []
    ways = [
        ("published", "largest feature"), ("published", "SVM"), ("default", "largest feature"),
        ("default", "calibrated rule"), ("default", "SVM"),
    ]  # fmt: skip
    for name in collections_of(rows):
        cuts = cuts_of(rows, name)
        if not cuts:
            continue
        columns = {}
        for cut in cuts:
            found = [heads(rows, name, form, cut, head) for form, head in ways]
            shown = best_in_bold([_shown(f) for f in found], [f1(f) for f in found])
            columns["all" if cut is None else f"{cut:,}"] = shown
        title = f"{name}, K = {n_classes(rows, name)}, {n_terms(rows, name):,} terms"
        names = [", ".join(way) for way in ways]
        made.append(f"{title}\n\n" + table_of_columns("T", names, columns))
    return about + "\n".join(made)


def _latent_table(rows: list[Row]) -> str:
    body = []
    for name in collections_of(rows):
        k = n_classes(rows, name)
        if not latent(rows, name, k):
            continue
        cells = [_shown(latent(rows, name, size)) for size in (k, 100, 200)]
        mine = [
            _shown(heads(rows, name, "published", None, head))
            for head in ("largest feature", "SVM")
        ]
        body.append([f"{name}, K = {k}", *cells, *mine])
    head = ["", "LSA, K", "LSA, 100", "LSA, 200", "projection, rule", "projection, SVM"]
    return "Micro-F1 in per cent; the projection in its published form, all terms.\n\n" + table(
        head, body
    )


def _times_table(rows: list[Row]) -> str:
    about = (
        "Seconds of processor time, one run each (the median where there are several divisions): "
        "to make the features of the training documents, and to train; the same for the test "
        "documents; and micro-F1 in per cent. Counting and scoring terms is not in it.\n\n"
    )
    body = []
    for name in collections_of(rows):
        for label, found in _timed(rows, name):
            if not found:
                continue
            steps = [
                [
                    r.get("seconds", {}).get("project_train", r.get("select_seconds", 0))
                    for r in found
                ],
                [r["train_seconds"] for r in found],
                [r.get("seconds", {}).get("project_test", 0) for r in found],
                [r["test_seconds"] for r in found],
            ]
            body.append([f"{name}: {label}", *map(seconds, steps), percent(f1(found))])
    head = ["", "features, training", "training", "features, test", "test", "micro-F1"]
    return about + table(head, body)


def _timed(rows: list[Row], name: str) -> list[tuple[str, list[Row]]]:
    k = n_classes(rows, name)
    projected = partial(heads, rows, name, "published", None)
    return [
        ("χ², 4,000 terms, SVM", selected(rows, name, "chi2", 4000)),
        ("all terms, SVM", selected(rows, name, "chi2", ALL)),
        (f"projection, {k} features, rule", projected("largest feature")),
        (f"projection, {k} features, SVM", projected("SVM")),
        (f"LSA, {k} dimensions, SVM", latent(rows, name, k)),
        ("LSA, 100 dimensions, SVM", latent(rows, name, 100)),
        ("LSA, 200 dimensions, SVM", latent(rows, name, 200)),
    ]  # fmt: skip


# -- figures ----------------------------------------------------------------------------------


def _draw_selection(rows: list[Row], folder: Path) -> None:
    names = collections_of(rows)
    with figures.figure(folder, "projection-chi2", len(names)) as panels:
        for axes, name in zip(panels, names, strict=True):
            sizes = sizes_of(rows, name)
            series = {
                label: (sizes, [f1(selected(rows, name, score, size)) or 0.0 for size in sizes])
                for score, label in (("chi2_tf", "occurrences"), ("chi2", "documents"))
            }
            figures.lines(axes, series, title=name.replace("→", "to"), x="terms", y="micro-F1")


def _draw_projection(rows: list[Row], folder: Path) -> None:
    names = [name for name in collections_of(rows) if len(cuts_of(rows, name)) > 1]
    with figures.figure(folder, "projection-terms", len(names)) as panels:
        for axes, name in zip(panels, names, strict=True):
            cuts = cuts_of(rows, name)
            across = [n_terms(rows, name) if cut is None else cut for cut in cuts]
            series = {
                label: (
                    across,
                    [f1(heads(rows, name, "published", cut, head)) or 0.0 for cut in cuts],
                )
                for head, label in (("SVM", "SVM"), ("largest feature", "rule"))
            }
            figures.lines(
                axes, series, title=name.replace("→", "to"), x="terms looked at", y="micro-F1"
            )
            traditional = f1(selected(rows, name, "chi2", 4000))
            if traditional is not None:
                axes.axhline(traditional, color="black", linestyle=":", linewidth=1)
