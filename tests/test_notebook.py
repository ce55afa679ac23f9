"""What notebooks show."""

from __future__ import annotations

import numpy as np
import pytest

from report_tools import HOSTILE, Page, corpus, hostile_corpus
from termfold import OCFS, BestTerms, TermCounter, TermSelector, TermStats, TextClassifier, collect
from termfold.datasets import load_debian

TEXTS, LABELS = corpus(3)


def shown(thing) -> Page:
    """What a notebook takes, which prefers the bundle to the method."""
    bundle = thing._repr_mimebundle_(include=None, exclude=None)
    assert bundle["text/html"] == thing._repr_html_()
    assert bundle["text/plain"] == repr(thing)
    return Page(bundle["text/html"])


def counts():
    counter = TermCounter()
    return counter.fit_transform(TEXTS), [str(t) for t in counter.get_feature_names_out()]


def test_statistics_show_the_terms_of_each_class():
    page = shown(collect(load_debian("train")))
    for word in ("4,788 documents", "games", "674", "player", "postgresql"):
        assert word in page.text


def test_statistics_without_classes_or_counts_show_themselves():
    assert "0 documents" in shown(TermStats.empty()).text
    weighted = TermStats.from_matrix([[0.5, 1.5]], ["x"], terms=["a", "b"])
    assert "1 documents" in shown(weighted).text


def test_selectors_show_their_best_terms():
    X, names = counts()
    stats = TermStats.from_matrix(X, LABELS, terms=names)
    for selector in (TermSelector("chi2", k=25), OCFS(k=25)):
        page = shown(selector.fit_stats(stats))
        assert names[selector.ranking_[0]] in page.text
        assert f"keeps 25 of {len(names)} terms" in page.text
        assert "and 5 more" in page.text
        assert str(selector) in page.text.replace("\n", "")


def test_columns_without_names_show_their_numbers():
    selector = TermSelector(k=1).fit([[1, 0], [0, 1], [0, 1]], ["x", "y", "y"])
    assert str(selector.ranking_[0]) in shown(selector).text
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[1, 0], [0, 1], [0, 1]], columns=["tea", "war"])
    assert "tea" in shown(TermSelector(k=2).fit(frame, ["x", "y", "y"])).text


def test_best_terms_show_those_for_and_against():
    frame = pytest.importorskip("pandas").DataFrame(
        [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]], columns=["tea", "war", "both"]
    )
    page = shown(BestTerms().fit(frame, ["x", "x", "y", "y"]))
    assert "terms for it" in page.text
    assert "tea" in page.text


def test_a_classifier_shows_what_makes_each_class():
    page = shown(TextClassifier().fit(TEXTS, LABELS))
    assert "class 02" in page.text
    assert "own2x" in page.text


@pytest.mark.parametrize("thing", [TextClassifier(), TermSelector(), OCFS(), BestTerms()])
def test_what_is_not_fitted_shows_its_parameters(thing):
    assert type(thing).__name__ in shown(thing).text


def test_many_classes_are_cut():
    texts = [f"word{k} here" for k in range(70)] * 2
    labels = [f"c{k:02}" for k in range(70)] * 2
    assert "and 10 more classes" in shown(collect(texts, labels=labels)).text


def test_hostile_names_are_text():
    texts, labels = hostile_corpus()
    terms = sorted(HOSTILE)
    matrix = TermStats.from_matrix(np.eye(len(terms), dtype=int), terms, terms=terms)
    for thing in (
        collect(texts, labels=labels),
        TextClassifier().fit(texts, labels),
        matrix,
        TermSelector(k=5).fit_stats(matrix),
    ):
        tags = {tag for tag, _ in shown(thing).tags}
        assert tags <= {"div", "table", "tr", "th", "td", "b", "span", "pre"}
