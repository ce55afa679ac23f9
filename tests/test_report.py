"""The summary of a collection, by slow oracles."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from report_tools import (
    corpus,
    debian_report,
)
from termfold import TextClassifier, collect, top_terms
from termfold.corpus import Batch
from termfold.datasets import load_debian
from termfold.evaluate.documents import deal
from termfold.report import Report, make_report
from termfold.report.layout import discs
from termfold.report.reading import read
from termfold.report.terms import SCORES_SAID, rounded
from termfold.scores import SCORE_NAMES
from termfold.terms.analyzer import Analyzer

TRAIN = load_debian("train")


@pytest.fixture(scope="module")
def summary():
    return debian_report().summary


# -- terms ------------------------------------------------------------------------------------


def test_every_score_has_the_terms_that_top_terms_ranks(summary):
    stats = collect(TRAIN).prune(min_df=3)
    assert {score["name"] for score in summary["scores"]} == set(SCORE_NAMES)
    for score in SCORE_NAMES:
        ranked = top_terms(stats, score, 15)
        for of_class in summary["classes"]:
            expected = [
                (row.term, rounded(row.score), row.class_docs, row.docs)
                for row in ranked
                if row.class_name == of_class["name"]
            ]
            terms = of_class["terms"]
            found = [
                (terms[i]["term"], value, terms[i]["docs_in_class"], terms[i]["docs"])
                for i, value in of_class["best"][score]
            ]
            assert found == expected


def test_all_scores_are_explained():
    assert set(SCORES_SAID) == {*SCORE_NAMES, "weight"}


def test_a_model_s_weights_are_one_more_score():
    texts, labels = corpus(3)
    classifier = TextClassifier().fit(texts, labels)
    found = classifier.report(texts, labels).summary
    assert found["scores"][0]["name"] == "weight"
    for of_class in found["classes"]:
        expected = [
            (term.term, rounded(term.value))
            for term in classifier.explain_class(of_class["name"], n=200).terms
        ]
        terms = [(of_class["terms"][i]["term"], value) for i, value in of_class["best"]["weight"]]
        assert terms
        # Only terms more frequent in the class than elsewhere are shown.
        assert [pair for pair in expected if pair in terms] == terms


# -- predictions ------------------------------------------------------------------------------


def test_each_text_is_labelled_by_what_was_learnt_from_others():
    texts, labels = corpus(4, 15, words=12, seed=1)
    found = make_report(texts, labels, folds=3, seed=5).summary
    _, ids = np.unique(labels, return_inverse=True)
    fold = deal(ids, 3, 5)
    said = np.empty(len(texts), object)
    for held in range(3):
        others = [i for i in range(len(texts)) if fold[i] != held]
        model = TextClassifier().fit([texts[i] for i in others], [labels[i] for i in others])
        mine = np.flatnonzero(fold == held)
        said[mine] = model.predict([texts[i] for i in mine])
    assert found["metrics"]["accuracy"] == np.mean(said == np.array(labels))
    names = [of_class["name"] for of_class in found["classes"]]
    expected = [
        [
            sum(a == true and b == given for a, b in zip(labels, said, strict=True))
            for given in names
        ]
        for true in names
    ]
    assert found["between"]["counts"] == expected
    assert "of the other 2 of 3 parts" in found["metrics"]["how"]


def test_the_terms_that_misled_are_those_of_the_explanations():
    texts, labels = corpus(4, 30, words=10, seed=2)
    half = len(texts) // 2
    order = np.random.default_rng(0).permutation(len(texts))
    texts, labels = [texts[i] for i in order], [labels[i] for i in order]
    model = TextClassifier(precision="float32").fit(texts[:half], labels[:half])
    found = model.report(texts[half:], labels[half:]).summary
    names = [of_class["name"] for of_class in found["classes"]]
    assert found["between"]["pairs"]
    for pair in found["between"]["pairs"]:
        sums: dict[str, float] = {}
        mistaken = 0
        true, given = names[pair["true"]], names[pair["predicted"]]
        for text, label in zip(texts[half:], labels[half:], strict=True):
            explanation = model.explain(text)
            if label == true and explanation.predicted == (given,):
                mistaken += 1
                against = {c.term: c.value for c in explanation.contributions(true)}
                for c in explanation.contributions(given):
                    sums[c.term] = sums.get(c.term, 0) + c.value - against[c.term]
        assert mistaken == pair["documents"]
        for term, value in pair["terms"]:
            assert value == pytest.approx(sums[term] / mistaken, rel=1e-3)
        best = sorted((v for v in sums.values() if v > 0), reverse=True)[:6]
        assert [value for _, value in pair["terms"]] == pytest.approx(
            [value / mistaken for value in best], rel=1e-3
        )


def test_test_texts_are_labelled_by_what_was_learnt_from_the_corpus():
    texts, labels = corpus(3, seed=3)
    others = (*corpus(3, 5, seed=4),)
    found = make_report(texts, labels, test=others).summary
    model = TextClassifier().fit(texts, labels)
    assert found["metrics"]["accuracy"] == model.score(*others)
    assert found["metrics"]["documents"] == 15
    assert found["corpus"]["documents"] == 36
    assert "of the test corpus" in found["metrics"]["how"]


def test_classes_only_the_model_or_the_test_texts_know_are_shown():
    texts, labels = corpus(3)
    model = TextClassifier().fit([*texts, "odd one", "odd two"], [*labels, "odd", "odd"])
    found = model.report(texts, labels, test=(["new", "words"], ["new", "new"])).summary
    assert [c["name"] for c in found["classes"]] == [*sorted(set(labels)), "new", "odd"]
    assert found["classes"][-1]["documents"] == 0
    assert Report(found).to_html()
    assert Report(found).to_markdown()


def test_several_labels():
    texts = ["tea cup", "war gun", "tea war cup gun", "nothing here", "tea pot", "war peace"] * 5
    labels = [["tea"], ["war"], ["tea", "war"], [], ["tea"], ["war"]] * 5
    found = make_report(texts, labels, multilabel=True).summary
    assert found["metrics"]["multilabel"]
    assert found["corpus"]["labels_per_document"] == 1
    counts = np.array(found["between"]["counts"])
    assert counts.shape == (2, 2)
    assert counts.diagonal().sum() == sum(c["right"] for c in found["metrics"]["classes"])
    assert {tuple(d["labels"]) for d in found["map"]["documents"]} == {(0,), (1,), (0, 1), ()}


def test_few_documents_have_no_curve():
    model = TextClassifier().fit(["tea cup", "war gun"], ["tea", "war"])
    found = model.report(["tea", "war"], ["tea", "war"]).summary
    assert found["curve"] is None
    assert "against the number" not in Report(found).to_markdown()


# -- the sample -------------------------------------------------------------------------------


def _batches(texts, labels, size):
    for start in range(0, len(texts), size):
        part = slice(start, start + size)
        yield Batch(
            pa.array(texts[part], pa.large_string()),
            pa.array([[label] for label in labels[part]]),
            "list",
            start,
        )


def test_the_sample_does_not_depend_on_batches():
    texts, labels = corpus(5, 40)
    found = [
        read(_batches(texts, labels, size), Analyzer(), max_documents=60, seed=3)[1]
        for size in (7, 50, 200)
    ]
    for sample in found:
        assert len(sample) == 60
        assert sample.read == 200
        assert [p.row for p in sample.places] == [p.row for p in found[0].places]
        assert sample.texts.to_pylist() == [texts[p.row] for p in sample.places]
        assert sample.labels == [[labels[p.row]] for p in sample.places]


def test_all_documents_are_counted_and_a_sample_is_labelled():
    texts, labels = corpus(3, 40)
    found = make_report(texts, labels, max_documents=50).summary
    assert found["corpus"]["documents"] == 120
    assert found["corpus"]["sampled"] == found["metrics"]["documents"] == 50
    assert found["curve"]["documents"] == 50


def test_the_same_report_every_time():
    texts, labels = corpus(4, 30)
    reports = [
        make_report(texts, labels, max_documents=100, n_jobs=n).to_json() for n in (1, 2, -1)
    ]
    assert len(set(reports)) == 1


# -- the map ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [1, 2, 3, 20, 60])
def test_discs_lie_apart_and_documents_in_their_disc(n_classes):
    rng = np.random.default_rng(n_classes)
    probabilities = rng.dirichlet(np.full(n_classes, 0.3), 400)
    likeness = rng.random((n_classes, n_classes))
    likeness = (likeness + likeness.T) / 2
    layout = discs(probabilities, likeness)
    apart = np.linalg.norm(layout.centres[:, None] - layout.centres[None], axis=2)
    touch = layout.radii[:, None] + layout.radii[None]
    assert np.all(
        apart[~np.eye(n_classes, dtype=bool)] > (touch - 0.1)[~np.eye(n_classes, dtype=bool)]
    )
    best = probabilities.argmax(axis=1)
    distance = np.linalg.norm(layout.points - layout.centres[best], axis=1)
    assert np.all(distance <= layout.radii[best] + 0.5)
    for k in range(n_classes):
        own = np.flatnonzero(best == k)
        # The surer, the nearer to the centre.
        order = own[np.argsort(-probabilities[own, k], kind="stable")]
        assert np.all(np.diff(np.round(distance[order], 6)) >= 0)
        between = np.linalg.norm(layout.points[own][:, None] - layout.points[own][None], axis=2)
        assert np.all(between[~np.eye(len(own), dtype=bool)] > 0.85)


def test_a_document_lies_on_the_side_of_the_class_that_comes_second():
    probabilities = np.array([[0.9, 0.1, 0.0]] * 9 + [[0.5, 0.5 - 1e-3, 0.0], [0.5, 0.0, 0.499]])
    layout = discs(probabilities, np.eye(3))
    for row, second in ((9, 1), (10, 2)):
        towards = layout.centres[second] - layout.centres[0]
        assert (layout.points[row] - layout.centres[0]) @ towards > 0


# -- statistics alone -------------------------------------------------------------------------


def test_statistics_tell_what_classes_have_in_common():
    stats = collect(
        ["tea cup milk", "tea pot", "coffee cup milk", "coffee pot", "war gun", "war tank"],
        labels=["tea", "tea", "coffee", "coffee", "war", "war"],
    )
    found = stats.report(title="drinks").summary
    first = found["between"]["pairs"][0]
    names = [of_class["name"] for of_class in found["classes"]]
    assert {names[first["true"]], names[first["predicted"]]} == {"coffee", "tea"}
    assert {term for term, _ in first["terms"]} == {"cup", "milk", "pot"}
    assert "metrics" not in found
    assert found["title"] == "drinks"
    likeness = np.array(found["between"]["likeness"])
    np.testing.assert_allclose(likeness, likeness.T)
    np.testing.assert_allclose(likeness.diagonal(), 1, atol=1e-4)


@pytest.mark.parametrize(
    ("stats", "message"),
    [
        (lambda: collect(["a tea"], labels=["x"]), "there is 'x' only"),
        (lambda: collect(["a tea"], labels=[[]]), "no document has a label"),
    ],
)
def test_a_report_needs_two_classes(stats, message):
    with pytest.raises(ValueError, match=message):
        stats().report()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "at least 2"),
        ({"max_documents": 0}, "max_documents=0; it must be at least 1"),
        ({"n_terms": 0}, "n_terms=0"),
        ({"folds": 2}, "2 documents are too few"),
    ],
)
def test_bad_calls_are_told(options, message):
    with pytest.raises(ValueError, match=message):
        make_report(["a tea", "a war"], ["x", "y"], **options)


def test_unlabelled_texts_are_told():
    with pytest.raises(ValueError, match="label"):
        make_report(["a tea", "a war"])
