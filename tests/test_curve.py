"""Accuracy against the number of terms."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import binomtest

from termfold.classify.training import read_training_set
from termfold.corpus import open_corpus
from termfold.datasets import load_debian
from termfold.evaluate import feature_curve, read_documents
from termfold.stats import TermStats
from termfold.terms.analyzer import Analyzer

TRAIN = load_debian("train")


@pytest.fixture(scope="module")
def curve():
    return feature_curve(TRAIN, ["ocfs", "df"], [10, 100, 1000])


def test_it_is_of_json_types_and_has_all_points(curve):
    assert json.loads(json.dumps(curve)) == curve
    assert [method["name"] for method in curve["methods"]] == ["ocfs", "df"]
    for method in curve["methods"]:
        assert [point["terms"] for point in method["points"]] == [10, 100, 1000]
    assert curve["documents"] == len(TRAIN)
    assert curve["tested"] == len(TRAIN) // 3
    assert curve["all_terms"]["terms"] == curve["terms"] > 10_000


def test_more_and_better_terms_help(curve):
    ocfs, df = ([p["accuracy"] for p in method["points"]] for method in curve["methods"])
    assert ocfs == sorted(ocfs)
    assert ocfs[0] > df[0] + 0.1
    assert curve["all_terms"]["accuracy"] > ocfs[0]


def test_the_interval_is_clopper_and_pearsons(curve):
    point = curve["all_terms"]
    right = round(point["accuracy"] * curve["tested"])
    interval = binomtest(right, curve["tested"]).proportion_ci(0.95, method="exact")
    assert (point["low"], point["high"]) == pytest.approx((interval.low, interval.high))


def test_all_right_and_all_wrong_have_intervals():
    texts = ["cheap pills", "meeting at ten"] * 6
    point = feature_curve(texts, [], labels=["spam", "ham"] * 6)["all_terms"]
    assert (point["accuracy"], point["high"]) == (1, 1)
    assert 0 < point["low"] < 1


def test_all_terms_by_cross_validation_are_the_classifier_itself():
    """Slowly, with TextClassifier on the texts of each fold."""
    from termfold import TextClassifier

    few = (TRAIN.data[:300], TRAIN.target[:300].tolist())
    documents = read_documents(few[0], labels=few[1])
    right = 0
    for train, test in documents.splits(3):
        whole = TextClassifier(max_bytes=None, precision="float32")
        said = whole.fit(train.texts, train.labels).predict(test.texts)
        right += int(np.sum(said == np.array(test.labels)))
    curve = feature_curve(few[0], [], labels=few[1], folds=3)
    assert curve["tested"] == 300
    assert round(curve["all_terms"]["accuracy"] * 300) == right


def test_only_the_part_learnt_from_ranks_the_terms():
    """A term that occurs in held-out documents only is in no ranking."""
    from termfold.evaluate.curve import _splits

    corpus = open_corpus(TRAIN)
    [part] = _splits(read_training_set(corpus, Analyzer()), None, 0)
    assert np.all(TermStats.from_matrix(part.train.counts, part.train.labels).term_df > 0)
    assert len(part.train) + len(part.test) == len(TRAIN)


def test_several_labels_are_measured_too():
    texts = ["tea cup", "war gun", "tea war cup gun", "nothing here"] * 8
    labels = [["tea"], ["war"], ["tea", "war"], []] * 8
    curve = feature_curve(texts, ["chi2"], [1, 2, 4], labels=labels, multilabel=True)
    assert curve["multilabel"]
    assert curve["methods"][0]["points"][-1]["micro_f1"] > 0.9
    assert curve["methods"][0]["points"][0]["micro_f1"] < 1


def test_a_sample_is_used_of_many_documents():
    curve = feature_curve(TRAIN, ["df"], [10], max_documents=600)
    assert (curve["documents"], curve["tested"]) == (600, 200)


def test_each_measurement_is_told():
    told = []
    feature_curve(["a one", "b two"] * 9, ["df"], [1, 2], labels=["x", "y"] * 9, done=told.append)
    assert told == ["all terms", "df, 1 terms"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rankings": ["chi"]}, "no ranking 'chi'; there are 'ocfs' and"),
        ({"sizes": [0]}, "numbers of terms are at least 1"),
        ({"folds": 1}, "at least two"),
    ],
)
def test_bad_calls_are_told(arguments, message):
    with pytest.raises(ValueError, match=message):
        feature_curve(["a one", "b two"] * 9, labels=["x", "y"] * 9, **arguments)


def test_too_few_documents_are_told():
    with pytest.raises(ValueError, match="too few to learn from"):
        feature_curve(["one", "one", "one"], labels=["x", "y", "y"])
