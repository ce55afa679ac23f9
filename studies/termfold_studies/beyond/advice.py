"""The rule of thumb, drawn from the rows."""

from __future__ import annotations

import numpy as np

from termfold_studies.beyond.measure import AUTO
from termfold_studies.beyond.methods import DEFAULT, SVM
from termfold_studies.beyond.view import (
    complete,
    mean_f1,
    mean_features,
    ranks,
    relative_time,
    row_of,
    scores,
)
from termfold_studies.common.page import Claim, judge, percent
from termfold_studies.common.rows import Row, pick, unpack
from termfold_studies.common.significance import (
    Difference,
    critical_difference,
    friedman,
    holm,
    over_collections,
    over_documents,
    show_p,
)

_FEWEST = 3  # collections, for a test of ranks
_FEW = ("FEDIP", "term projection", "LDA/QR", "orthogonal", "word clusters")
_COUNTS_ONLY = ("FEDIP + rule", "term projection + rule", 'TextClassifier(effort="rule")',
                "multinomial naive Bayes", "complement naive Bayes")  # fmt: skip


def default_against_svm(rows: list[Row]) -> dict[str, Difference]:
    """The library's default less the SVM on all terms, on each collection."""
    _, names = complete(rows)
    found = [
        over_documents(
            unpack(row_of(rows, name, DEFAULT)["right"]), unpack(row_of(rows, name, SVM)["right"])
        )
        for name in names
    ]
    return dict(zip(names, holm(found), strict=True))


def advice(rows: list[Row]) -> str:
    """Which method to use, in a few lines with their numbers."""
    f1, rank = mean_f1(rows), ranks(rows)
    few = max((m for m in f1 if m.startswith(_FEW)), key=lambda m: f1[m], default=None)
    kept = max((m for m in f1 if "1,000" in m), key=lambda m: f1[m])
    quick = max((m for m in f1 if m in _COUNTS_ONLY), key=lambda m: f1[m])
    lines = [
        f"- **Accuracy first:** `{DEFAULT}`, the default, or a linear SVM on all terms: mean "
        f"micro-F1 {percent(f1[DEFAULT])} and {percent(f1[SVM])}, mean rank {rank[DEFAULT]:.1f} "
        f"and {rank[SVM]:.1f}{_told_apart(rows)}. The default learns in "
        f"{relative_time(rows, DEFAULT):.2f} of the time, into a model of 2 MB at most.",
        "- **Counts alone, no optimisation** (a stream, a count file, exact forgetting): "
        f"`{quick}`, {percent(f1[quick])}, {100 * (f1[quick] - f1[SVM]):+.1f} points against the "
        "SVM.",
    ]
    if few is not None:
        lines.append(
            "- **As few features as classes** (to plot, to store, to feed another model): "
            f"`{few}`, {percent(f1[few])} on {mean_features(rows, few):.0f} features (geometric "
            "mean)."
        )
    lines.append(
        f"- **Terms as they are, but few** (to read, to index): `{kept}`, {percent(f1[kept])}."
    )
    return "\n".join(lines) + "\n"


def _told_apart(rows: list[Row]) -> str:
    """Whether the ranks of the default and of the SVM differ."""
    methods, names = complete(rows)
    if len(names) < _FEWEST:
        return ""
    rank = ranks(rows)
    apart = abs(rank[DEFAULT] - rank[SVM]) > critical_difference(len(methods), len(names))
    return ", which differ" if apart else ", not told apart"


def against_default(rows: list[Row]) -> dict[str, Difference]:
    """The default less each other method over collections, corrected for their number."""
    methods, _ = complete(rows)
    table = scores(rows)
    own = table[:, methods.index(DEFAULT)]
    others = [m for m in methods if m != DEFAULT]
    found = [over_collections((own - table[:, methods.index(m)]).tolist()) for m in others]
    return dict(zip(others, holm(found), strict=True))


def claims(rows: list[Row]) -> list[Claim]:
    """Not of a paper: what the defaults promise."""
    methods, names = complete(rows)
    against = default_against_svm(rows)
    ahead, behind = (sum(d.sign == sign for d in against.values()) for sign in (1, -1))
    table = scores(rows)
    gaps = table[:, methods.index(DEFAULT)] - table[:, methods.index(SVM)]
    shown = "; ".join(f"{name} {d}" for name, d in against.items())
    overall = over_collections(gaps.tolist()) if len(names) > 1 else None
    whole = f" Over collections: median {100 * float(np.median(gaps)):+.1f} points"
    whole += f", Wilcoxon {show_p(overall.p)}." if overall else "."
    made = [
        Claim(
            "The default, `TextClassifier()`, is as accurate as a linear SVM on all terms.",
            judge(sum(d.sign >= 0 for d in against.values()), len(against)),
            f"Clearly better on {ahead} and clearly worse on {behind} of {len(names)} collections "
            f"(bootstrap over test documents, Holm): {shown}.{whole}",
        )
    ]
    chosen = [row for row in pick(rows, what="f1", method=AUTO) if row["collection"] in names]
    if chosen:
        gains = [row["f1"] - row_of(rows, row["collection"], DEFAULT)["f1"] for row in chosen]
        efforts = [row["chosen"]["effort"] for row in chosen]
        refined = efforts.count("refined")
        trials = [row["trials"] for row in chosen]
        tried = f"{min(trials)} to {max(trials)}"
        told = "; ".join(
            f"{row['collection']} {row['chosen']['effort']}, C = {row['chosen']['C']:g}, n-grams "
            f"to {row['chosen']['ngram_range'][1]}: {100 * gain:+.1f}"
            for row, gain in zip(chosen, gains, strict=True)
        )
        made.append(
            Claim(
                'The choice by cross-validation, `method="auto"`, agrees with what is best here.',
                judge(sum(gain > -0.005 for gain in gains), len(gains)),
                f"Within a minute, in which it tried {tried} ways, it chose "
                f"the refined effort on {refined} of {len(chosen)} collections; against the "
                f"default, in points: {told}.",
            )
        )
    return made


def differences_text(rows: list[Row]) -> str:
    """Friedman's test and the critical difference."""
    methods, names = complete(rows)
    if len(names) < _FEWEST:
        return "There are too few collections for a test of ranks.\n"
    distance = critical_difference(len(methods), len(names))
    return (
        f"Friedman's test over {len(names)} collections and {len(methods)} methods: "
        f"{show_p(friedman(scores(rows)))}. Mean ranks that differ by less than {distance:.2f} "
        "(Nemenyi, 5 %) are not told apart; bars join them. So many pairs take many collections "
        "to tell "
        "apart; the table of all methods has the test against the default alone.\n"
    )
