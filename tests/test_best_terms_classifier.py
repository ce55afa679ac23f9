"""BestTermsClassifier: what it decides, against steps put together by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB
from sklearn.svm import LinearSVC

from strategies import collections
from termfold.classify.best_terms import BestTermsClassifier
from termfold.classify.best_terms_head import PresenceBayes, margins
from termfold.select.best_terms import BestTerms
from termfold.stats import Labels

X = sp.csr_array([
    [1, 1, 0, 0, 1],
    [1, 0, 1, 0, 1],
    [0, 1, 0, 1, 1],
    [0, 1, 1, 1, 1],
    [1, 0, 0, 1, 1],
    [0, 0, 0, 0, 0],
])  # fmt: skip
Y = np.array(["x", "x", "y", "y", "y", "z"])
FLOORS = st.sampled_from([0, 0.25, 1 / 3, 0.5, 0.6, 0.7, 0.75, 1])


@given(collections(n_classes=3), FLOORS, st.sampled_from(["or", "chi2", "df"]))
@settings(deadline=None, max_examples=60)
def test_decisions(collection, floor, name):
    """Terms, documents, head and floor put together by hand."""
    counts, indicator = collection.counts, collection.indicator
    classifier = BestTermsClassifier(term_score=name, min_precision=floor).fit(counts, indicator)
    decisions = classifier.decision_function(counts)
    assert np.isfinite(decisions).all()
    np.testing.assert_array_equal(classifier.predict(counts), decisions > 0)
    best = BestTerms(name, min_precision=floor).fit(counts, indicator)
    expected = np.full(decisions.shape, np.nan)
    for k, (positive, negative) in enumerate(
        zip(best.positive_terms_, best.negative_terms_, strict=True)
    ):
        features = sorted([*positive, *negative])
        kept = counts[:, positive].any(axis=1)
        target = indicator[:, k]
        assert classifier.n_features_[k] == len(features)
        assert classifier.reduction_[k] == (kept | target.all()).mean()
        if target.all():
            expected[:, k] = np.log(len(counts) + 1)
        elif target[kept].all():
            expected[kept, k] = np.log(kept.sum() + 1)
        else:
            head = BernoulliNB().fit(counts[kept][:, features], target[kept])
            log_proba = head.predict_joint_log_proba(counts[kept][:, features])
            expected[kept, k] = log_proba[:, 1] - log_proba[:, 0]
    rejected = np.isnan(expected)
    least = min(0, np.nanmin(expected, initial=0))
    np.testing.assert_allclose(decisions[~rejected], expected[~rejected], atol=1e-9)
    lost = np.isnan(expected).all(axis=1)
    shares = (indicator[lost].sum(axis=0) + indicator.mean(axis=0)) / (lost.sum() + 1)
    floors = np.broadcast_to(least - 1 + shares, expected.shape)
    np.testing.assert_allclose(decisions[rejected], floors[rejected], atol=1e-9)


HEADS = ["naive_bayes", "svm", BernoulliNB(), LogisticRegression(), LinearSVC(),
         RandomForestClassifier(5, random_state=0)]  # fmt: skip


@pytest.mark.parametrize("head", HEADS, ids=str)
@pytest.mark.parametrize("classes", [2, 3, "several"])
def test_every_head(head, classes):
    """Early rejection, finite decisions, and that predictions follow from them."""
    random = np.random.default_rng(0)
    topics = random.integers(0, 3, 120)
    rates = np.full((3, 12), 0.1)
    rates[np.arange(12) % 3, np.arange(12)] = 0.5
    documents = sp.csr_array((random.random((120, 12)) < rates[topics]).astype(float))
    y = topics if classes == 3 else topics == 1 if classes == 2 else np.eye(3, dtype=int)[topics]
    classifier = BestTermsClassifier(head, min_precision=0.4).fit(documents, y)
    decisions = classifier.decision_function(documents)
    assert np.isfinite(decisions).all()
    predicted = classifier.predict(documents)
    assert (predicted == y).mean() > 0.75
    if classes == 2:
        np.testing.assert_array_equal(predicted, classifier.classes_[(decisions > 0).astype(int)])
    elif classes == 3:
        np.testing.assert_array_equal(predicted, classifier.classes_[decisions.argmax(axis=1)])
    else:
        np.testing.assert_array_equal(predicted, decisions > 0)
    if hasattr(classifier, "predict_proba"):
        proba = classifier.predict_proba(documents)
        assert proba.shape == (120, len(classifier.classes_))
        assert ((proba >= 0) & (proba <= 1)).all()
        if classes != "several":
            np.testing.assert_allclose(proba.sum(axis=1), 1)
            np.testing.assert_array_equal(classifier.classes_[proba.argmax(axis=1)], predicted)
    else:
        assert head == "svm" or isinstance(head, LinearSVC)
    if classes != 2:
        dense = documents.toarray()
        for k, rule in enumerate(classifier.rules_):
            rejected = ~dense[:, rule.positive].any(axis=1)
            assert rejected.any()
            assert (decisions[rejected, k] == classifier.floor_[k]).all()
            assert (decisions[~rejected, k, None] >= classifier.floor_).all()


def test_a_rejected_class_comes_after_every_accepted_one():
    classifier = BestTermsClassifier(min_precision=0).fit(X, Y)
    unsure = sp.csr_array([[0, 0, 0, 1, 0]])
    decisions = classifier.decision_function(unsure)[0]
    rejecting = [not unsure[:, rule.positive].sum() for rule in classifier.rules_]
    assert rejecting == [True, False, True]
    assert decisions[1] > decisions[[0, 2]].max()


def test_all_classes_reject():
    """Of the documents that all rejected in training, here the empty one, most were z."""
    classifier = BestTermsClassifier().fit(X, Y)
    assert classifier.predict([[0, 0, 0, 0, 0]]).tolist() == ["z"]
    # Without such documents in training it is the largest class.
    classifier = BestTermsClassifier(min_precision=0).fit(X[:5], Y[:5])
    assert classifier.predict([[0, 0, 0, 0, 0]]).tolist() == ["y"]


def test_naive_bayes_is_scikit_learns():
    random = np.random.default_rng(1)
    documents = sp.csr_matrix((random.random((50, 8)) < 0.3).astype(float))
    y = random.integers(0, 2, 50)
    mine, its = PresenceBayes(alpha=0.5).fit(documents, y), BernoulliNB(alpha=0.5).fit(documents, y)
    np.testing.assert_allclose(margins(mine, documents), margins(its, documents), atol=1e-12)
    np.testing.assert_allclose(mine.predict_proba(documents), its.predict_proba(documents))
    np.testing.assert_array_equal(mine.predict(documents), its.predict(documents))


def test_threads_change_nothing():
    one, two = (BestTermsClassifier(min_precision=0, n_jobs=n).fit(X, Y) for n in (1, 2))
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))


# -- odd input --------------------------------------------------------------------------------


def test_negative_values_to_predict():
    with pytest.raises(ValueError, match="Negative values"):
        BestTermsClassifier().fit(X, Y).predict(-X)


def test_a_class_with_one_document():
    classifier = BestTermsClassifier(min_precision=0).fit(X[:3], ["x", "y", "z"])
    assert classifier.predict(X[:3]).tolist() == ["x", "y", "z"]


def test_columns_of_the_indicator_without_documents_or_without_others():
    """A class that no document has is never predicted, one that all have always."""
    indicator = np.column_stack([np.zeros(6), np.ones(6), Y == "y"]).astype(int)
    classifier = BestTermsClassifier().fit(X, sp.csr_array(indicator))
    predicted = classifier.predict(X)
    assert predicted[:, :2].tolist() == indicator[:, :2].tolist()
    assert classifier.predict(np.zeros((1, 5))).tolist() == [[0, 1, 0]]
    assert BestTerms().fit(X, indicator).n_documents_.tolist()[:2] == [0, 0]


def test_one_class_of_several_labels():
    labels = Labels.of([["x"], ["x"], [], [], [], []])
    classifier = BestTermsClassifier(min_precision=0).fit(X, labels)
    assert classifier.multilabel_
    assert classifier.predict(X).shape == (6, 1)
    assert BestTerms("chi2", min_precision=0).fit(X, labels).positive_terms_[0].tolist() == [0]


def test_every_head_may_be_missing():
    """At precision 1 there is nothing to tell apart: what holds a pure term is of the class."""
    documents = [[1, 0, 0], [1, 0, 1], [0, 1, 0], [0, 1, 1], [0, 0, 1]]
    classifier = BestTermsClassifier(min_precision=1).fit(documents, ["x", "x", "y", "y", "y"])
    assert [rule.head for rule in classifier.rules_] == [None, None]
    assert classifier.predict(documents).tolist() == ["x", "x", "y", "y", "y"]


def test_documents_of_no_terms_at_all():
    classifier = BestTermsClassifier().fit(np.zeros((3, 2)), ["x", "y", "y"])
    assert classifier.predict(np.zeros((2, 2))).tolist() == ["y", "y"]
    assert classifier.n_features_.tolist() == [0, 0]
