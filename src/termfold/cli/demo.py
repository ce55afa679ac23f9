"""``termfold demo``: the main job on the built-in data."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal

import click
import numpy as np
from rich.table import Table

from termfold._arrays import Ints
from termfold.cli.console import messages, say, show, steps, write_json
from termfold.cli.options import json_option

if TYPE_CHECKING:
    from termfold.scores import ScoreName
    from termfold.stats import TermStats

DIMENSIONS = (10, 50, 200, 1000)
METHODS: tuple[ScoreName | Literal["ocfs"], ...] = (
    "ocfs",
    "chi2",
    "ig",
    "gss",
    "chi2_tf",
    "bns",
    "dfs",
    "acc2",
    "kl",
    "log_rr",
    "or",
    "df",
)
_COLUMNS_OF_TERMS = 8


@click.command("demo")
@json_option
def command(as_json: bool) -> None:
    """Count, score, select and classify the built-in data.

    The data: descriptions of Debian packages and the section each is filed under. Terms are
    chosen on the training split alone, a linear SVM is trained on them, and its micro-averaged F1
    on the test split is shown for each method and number of terms.

    \b
    Examples:
      termfold demo
      termfold demo --json
    """
    from termfold.datasets import load_debian
    from termfold.stats import TermStats
    from termfold.terms import TermCounter

    train, test = load_debian("train"), load_debian("test")
    messages.print(
        f"built-in data: {len(train.text):,} training and {len(test.text):,} test documents, "
        f"{len(train.target_names)} classes"
    )
    began = time.perf_counter()
    counter = TermCounter()
    counts = counter.fit_transform(train.text)
    stats = TermStats.from_matrix(counts, train.target, terms=counter.terms_)
    say(f"{stats} in {time.perf_counter() - began:.2f} s")
    results = _measure(stats, counts, train.target, counter.transform(test.text), test.target)
    if as_json:
        write_json(results)
        return
    show(_table_of_f1(results))
    show(_table_of_terms(stats, train.target_names))
    say("Now your own: termfold fit --help")


def _measure(stats: TermStats, counts: Any, y: Any, test: Any, y_test: Any) -> dict[str, Any]:
    """F1 by method and number of terms, and the seconds that scoring took."""
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.metrics import f1_score
    from sklearn.svm import LinearSVC

    from termfold.scores import rank, score_terms
    from termfold.select import OCFS

    tfidf = TfidfTransformer(sublinear_tf=True).fit(counts)
    X, X_test = tfidf.transform(counts).tocsc(), tfidf.transform(test).tocsc()

    def f1_of(columns: Ints) -> float:
        model = LinearSVC().fit(X[:, columns], y)
        return float(f1_score(y_test, model.predict(X_test[:, columns]), average="micro"))

    methods = []
    with steps("training", total=len(METHODS) * len(DIMENSIONS) + 1) as done:
        for name in METHODS:
            began = time.perf_counter()
            if name == "ocfs":
                ranking = OCFS().fit(X, y).ranking_
            else:
                ranking = rank(score_terms(stats, name, "max"))
            seconds = time.perf_counter() - began
            f1 = []
            for size in DIMENSIONS:
                f1.append(f1_of(ranking[:size]))
                done(f"{name}, {size} terms")
            methods.append({"method": name, "f1": f1, "seconds": seconds})
        everything = f1_of(np.arange(stats.n_terms))
        done("all terms")
    return {
        "terms": list(DIMENSIONS),
        "methods": methods,
        "all_terms": stats.n_terms,
        "f1_of_all_terms": everything,
    }


def _table_of_f1(results: dict[str, Any]) -> Table:
    table = Table(
        "method",
        *(f"{size:,} terms" for size in DIMENSIONS),
        "seconds to score",
        title="micro-F1 of a linear SVM, test split",
        title_justify="left",
        header_style="bold",
    )
    for column in table.columns[1:]:
        column.justify = "right"
    methods = sorted(results["methods"], key=lambda result: -result["f1"][0])
    best = [max(f1) for f1 in zip(*(result["f1"] for result in methods), strict=True)]
    for result in methods:
        cells = [
            f"[bold green]{value:.3f}[/]" if value == top else f"{value:.3f}"
            for value, top in zip(result["f1"], best, strict=True)
        ]
        table.add_row(result["method"], *cells, f"{result['seconds']:.3f}")
    table.add_section()
    blanks = [""] * (len(DIMENSIONS) - 1)
    table.add_row(
        f"all {results['all_terms']:,} terms", *blanks, f"{results['f1_of_all_terms']:.3f}"
    )
    return table


def _table_of_terms(stats: TermStats, classes: list[str]) -> Table:
    from termfold.scores.top import top_terms

    table = Table("class", "terms that make it (by χ²)", header_style="bold")
    rows = top_terms(stats, "chi2", _COLUMNS_OF_TERMS)
    for k, name in enumerate(classes):
        table.add_row(name, " ".join(row.term for row in rows if row.class_name in (name, k)))
    return table
