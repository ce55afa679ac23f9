"""What the paper on best terms says, and whether it holds here."""

from __future__ import annotations

import statistics

from termfold_studies.best_terms.view import (
    NINE,
    best,
    chosen,
    collections_of,
    compare,
    filters,
    setting,
    tested,
)
from termfold_studies.common.page import Claim, judge, percent
from termfold_studies.common.rows import Row, pick, values
from termfold_studies.common.significance import holm


def claims(rows: list[Row]) -> list[Claim]:
    """All claims."""
    return [
        _bayes_rises(rows), _chosen_before(rows), _svm_not_hurt(rows), _svm_monotonous(rows),
        _same_scores(rows), _same_by_rs(rows), _few_documents(rows), _precise_scores(rows),
        _faster(rows),
    ]  # fmt: skip


def _bayes_rises(rows: list[Row]) -> Claim:
    of, cases = tested(rows), []
    for name in collections_of(rows):
        for score in _scores(rows):
            rival = best(filters(of, name, "naive Bayes", score))
            ours = best(
                pick(of, collection=name, head="naive Bayes", method="best terms", score=score)
            )
            cases.append((name, score, ours, rival))
    found = holm([compare(rows, ours, rival) for _, _, ours, rival in cases])
    ahead = sum(d.sign > 0 for d in found)
    shown = []
    for name in collections_of(rows):
        mine = [d.value for (c, *_), d in zip(cases, found, strict=True) if c == name]
        top, other = (
            best(pick(of, collection=name, head="naive Bayes", method="best terms")),
            best(filters(of, name, "naive Bayes")),
        )
        shown.append(
            f"{name}: by {100 * min(mine):+.1f} to {100 * max(mine):+.1f} points; of all, "
            f"{setting(top)} has {percent(top['micro'])} (macro {percent(top['macro'])}), the best "
            f"filter ({setting(other)}) {percent(other['micro'])} (macro "
            f"{percent(other['macro'])}), all terms "
            f"{percent(_all_terms(of, name, 'naive Bayes')['micro'])}"
        )
    return Claim(
        "Best terms raise the F1 of naive Bayes clearly over that of the filter, by every score.",
        judge(ahead, len(found)),
        "For each score, the best precision floor against the filter's best size, both as the "
        "test documents have it, as in the paper's figures: micro-F1 is clearly higher in "
        f"{ahead} of {len(found)} cases (bootstrap, Holm). {'. '.join(shown)}.",
    )


def _chosen_before(rows: list[Row]) -> Claim:
    names = collections_of(rows)
    pairs = [(chosen(rows, name, "best terms"), chosen(rows, name, "filter")) for name in names]
    found = holm([compare(rows, *pair) for pair in pairs])
    shown = "; ".join(
        f"{name}: {setting(ours)} {percent(ours['micro'])} (macro {percent(ours['macro'])}), "
        f"{setting(rival)} {percent(rival['micro'])} (macro {percent(rival['macro'])}), "
        f"difference in micro-F1 {d}"
        for name, (ours, rival), d in zip(names, pairs, found, strict=True)
    )
    return Claim(
        "The same, where score, size and precision are chosen on a third of the training "
        "documents.",
        judge(sum(d.sign > 0 for d in found), len(found)),
        f"{shown}.",
    )


def _svm_not_hurt(rows: list[Row]) -> Claim:
    of = tested(rows)
    low = [r for r in pick(of, method="best terms", head="SVM") if r["precision"] <= 0.5]
    found = holm([compare(rows, r, _all_terms(of, r["collection"], "SVM")) for r in low])
    ahead, behind = (sum(d.sign == sign for d in found) for sign in (1, -1))
    shown, fits = [], 0
    for name in collections_of(rows):
        mine = [(r, d) for r, d in zip(low, found, strict=True) if r["collection"] == name]
        row, d = max(mine, key=lambda pair: float(pair[0]["micro"]))
        fits += d.sign >= 0
        everything = _all_terms(of, name, "SVM")
        shown.append(
            f"{name}: at best {percent(row['micro'])} ({setting(row)}), all terms "
            f"{percent(everything['micro'])}, difference {d}"
        )
    verdict = judge(fits, len(shown)) if not behind else judge(fits, len(shown) + 1)
    return Claim(
        "A linear SVM is not hurt by best terms, or even gains.",
        verdict,
        f"Against the SVM on all terms, for p up to 0.5 ({len(found)} settings): clearly better in "
        f"{ahead}, clearly worse in {behind} (mostly scores that favour frequent terms). "
        f"{'. '.join(shown)}. With p above 0.5 too few documents hold a usable term, and F1 falls.",
    )


def _svm_monotonous(rows: list[Row]) -> Claim:
    of, shown, fits, total = tested(rows), [], 0, 0
    for name in collections_of(rows):
        everything = _all_terms(of, name, "SVM")
        tops = [best(filters(of, name, "SVM", score)) for score in _scores(rows, "SVM")]
        found = holm([compare(rows, row, everything) for row in tops])
        fits += sum(d.sign <= 0 for d in found)
        total += len(found)
        row, d = max(zip(tops, found, strict=True), key=lambda pair: pair[1].value)
        shown.append(f"{name}: {setting(row)} is {d} against all terms")
    return Claim(
        "A filter never helps the SVM: it is best with all terms.",
        judge(fits, total),
        f"The best size of each score is not clearly better than all terms in {fits} of {total} "
        f"cases. {'; '.join(shown)}.",
    )


def _same_scores(rows: list[Row]) -> Claim:
    alone = [
        *_gaps(rows, "dia", "mi", "filter, local"),
        *_gaps(rows, "dia", "mi", "best terms"),
    ]
    together = _gaps(tested(rows), "dia", "mi", "filter, global")
    return Claim(
        "DIA and MI have the same effect.",
        "confirmed" if max(alone) == 0 else "not confirmed",
        f"Largest difference in micro-F1 over {len(alone)} settings of the local filter and of "
        f"best terms: {100 * max(alone):.2f} points, as must be: for one class they give the same "
        "order. Where one list of terms is made for all classes they differ, by up to "
        f"{100 * max(together):.1f} points over {len(together)} sizes.",
    )


def _same_by_rs(rows: list[Row]) -> Claim:
    names = [name for name in values(tested(rows), "score") if name.startswith("rs")]
    gaps = {name: _gaps(tested(rows), name, "df", "filter, local") for name in names}
    shown = ", ".join(
        f"{name} {100 * statistics.median(of):.1f} (at most {100 * max(of):.1f})"
        for name, of in gaps.items()
    )
    typical = max(statistics.median(of) for of in gaps.values())
    worst = max(max(of) for of in gaps.values())
    return Claim(
        "DF and RS have almost the same effect, whatever the damping of RS.",
        judge((typical < 0.01) + (worst < 0.02) + (typical < 0.03), 3),
        f"Median difference in micro-F1 of naive Bayes over the sizes of the local filter, in "
        f"points: {shown}. RS is in the form of Sebastiani's survey, an inference: in Wiener's it "
        "would not resemble DF.",
    )


def _few_documents(rows: list[Row]) -> Claim:
    shown, fits = [], []
    for name in collections_of(rows):
        about = pick(rows, what="collection", collection=name)[0]
        share = about["labels_per_document"] / about["classes"]
        kept = [
            r["kept_documents"] / share
            for r in pick(tested(rows), collection=name, method="best terms", head="naive Bayes")
            if r["precision"] in (0.25, 0.5)
        ]
        fits.append(max(kept) < 5)
        shown.append(
            f"{name}: {statistics.median(kept):.1f} times the documents of the class "
            f"({min(kept):.1f} to {max(kept):.1f}), {percent(statistics.median(kept) * share)} % "
            "of all"
        )
    return Claim(
        "With p of 0.25 and more, training takes few documents besides those of the class.",
        judge(sum(fits), len(fits)),
        f"Documents kept on average of the classes, over scores and p of 0.25 and 0.5: "
        f"{'; '.join(shown)}.",
    )


def _precise_scores(rows: list[Row]) -> Claim:
    shown, fits = [], []
    for name in collections_of(rows):
        of = pick(tested(rows), collection=name, method="best terms", head="naive Bayes")
        features = {
            r["score"]: r["features"] for r in of if r["precision"] == min(values(of, "precision"))
        }
        order = sorted(features, key=lambda score: -features[score])
        fits.append(set(order[: 3 if "or" in features else 2]) <= {"dia", "mi", "or"})
        shown.append(f"{name}: " + ", ".join(f"{score} {features[score]:,.0f}" for score in order))
    return Claim(
        "Scores that favour precise terms (MI, OR) collect more features.",
        judge(sum(fits), len(fits)),
        f"Features a class at p = 0: {'; '.join(shown)}.",
    )  # fmt: skip


def _faster(rows: list[Row]) -> Claim:
    ratios: dict[str, list[float]] = {"local filter": [], "global filter": []}
    for row in pick(rows, what="times"):
        median = {name: statistics.median(t["cpu"]) for name, t in row["seconds"].items()}
        for name, of in ratios.items():
            of.append(median[name] / median["best terms"])
    local = ratios["local filter"]
    enough = sum(ratio > 1 for ratio in local)
    shown = "; ".join(
        f"the {name} takes {statistics.median(of):.1f} times as long ({min(of):.1f} to "
        f"{max(of):.1f})"
        for name, of in ratios.items()
    )
    return Claim(
        "Best terms are selected faster than by the filter.",
        "partly confirmed" if enough else "not confirmed",
        f"Processor time from the matrix to the chosen columns: {shown}. So faster than a choice "
        "for each class, not than one list for all; which of the two the paper timed is not clear "
        "from the copy at hand. The vocabulary here is small, and counts are shared by all.",
    )


# -- helpers ----------------------------------------------------------------------------------


def _scores(rows: list[Row], head: str = "naive Bayes") -> list[str]:
    """The scores measured both ways."""
    of = tested(rows)
    names = values(pick(of, method="best terms"), "score")
    known = {r["score"] for r in of if r["method"].startswith("filter") and r["head"] == head}
    return [name for name in NINE if name in names and name in known]


def _all_terms(of: list[Row], name: str, head: str) -> Row:
    return pick(of, collection=name, method="all terms", head=head)[0]


def _gaps(rows: list[Row], first: str, second: str, method: str) -> list[float]:
    """Differences in micro-F1 of two scores in the same settings."""
    names = ("collection", "split", "head", "size", "precision")
    other = {
        tuple(row.get(name) for name in names): row["micro"]
        for row in pick(rows, what="f1", method=method, score=second)
    }
    return [
        abs(row["micro"] - other[setting])
        for row in pick(rows, what="f1", method=method, score=first)
        if (setting := tuple(row.get(name) for name in names)) in other
    ]
