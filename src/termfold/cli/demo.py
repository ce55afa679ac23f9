"""``termfold demo``: the main job on the built-in data."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

import click
import numpy as np
from rich.table import Table

from termfold._arrays import Ints
from termfold.cli.console import messages, show, steps

if TYPE_CHECKING:
    from termfold.scores import ScoreName

DIMENSIONS = (10, 50, 200, 1000)
METHODS: tuple[ScoreName | Literal["ocfs"], ...] = ("ocfs", "chi2", "ig", "gss", "chi2_tf", "bns", "dfs", "acc2", "kl", "log_rr", "or", "df")
_COLUMNS_OF_TERMS = 8


@click.command("demo")
def command() -> None:
    """Count, score, select and classify the built-in data.

    The data: descriptions of Debian packages and the section each is filed under. Terms are
    chosen on the training split alone, a linear SVM is trained on them, and its micro-averaged F1
    on the test split is shown for each method and number of terms.
    """
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.metrics import f1_score
    from sklearn.svm import LinearSVC

    from termfold.datasets import load_debian
    from termfold.scores import rank, score_terms
    from termfold.scores.top import top_terms
    from termfold.select import OCFS
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
    y, y_test = train.target, test.target
    stats = TermStats.from_matrix(counts, y, terms=counter.terms_)
    tfidf = TfidfTransformer(sublinear_tf=True).fit(counts)
    X, X_test = (
        tfidf.transform(counts).tocsc(),
        tfidf.transform(counter.transform(test.text)).tocsc(),
    )
    messages.print(f"{stats} in {time.perf_counter() - began:.2f} s")

    f1: dict[str, list[float]] = {}
    seconds: dict[str, float] = {}

    def measure(columns: Ints) -> float:
        model = LinearSVC().fit(X[:, columns], y)
        return float(f1_score(y_test, model.predict(X_test[:, columns]), average="micro"))

    with steps("training", total=len(METHODS) * len(DIMENSIONS) + 1) as done:
        for name in METHODS:
            began = time.perf_counter()
            if name == "ocfs":
                ranking = OCFS().fit(X, y).ranking_
            else:
                ranking = rank(score_terms(stats, name, "max"))
            seconds[name] = time.perf_counter() - began
            f1[name] = []
            for size in DIMENSIONS:
                f1[name].append(measure(ranking[:size]))
                done(f"{name}, {size} terms")
        everything = measure(np.arange(stats.n_terms))
        done("all terms")

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
    best = [max(f1[name][i] for name in METHODS) for i in range(len(DIMENSIONS))]
    for name in sorted(METHODS, key=lambda name: -f1[name][0]):
        cells = [
            f"[bold green]{value:.3f}[/]" if value == top else f"{value:.3f}"
            for value, top in zip(f1[name], best, strict=True)
        ]
        table.add_row(name, *cells, f"{seconds[name]:.3f}")
    table.add_section()
    table.add_row(
        f"all {stats.n_terms:,} terms", *[""] * (len(DIMENSIONS) - 1), f"{everything:.3f}"
    )
    show(table)

    terms = Table("class", "terms that make it (by χ²)", header_style="bold")
    rows = top_terms(stats, "chi2", _COLUMNS_OF_TERMS)
    for k, name in enumerate(train.target_names):
        terms.add_row(name, " ".join(row.term for row in rows if row.class_name in (name, k)))
    show(terms)
    messages.print("Now your own: termfold stats count --help")
