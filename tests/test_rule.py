"""The rule: decisions, probabilities, thresholds, and its place after a projection."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from termfold.classify.rule import RuleClassifier
from termfold.errors import StatsError
from termfold.project import FEDIP, TermProjection

NOT_ALIGNED = "a rule needs as many features for each class"
# These checks draw features that are not those of the classes, most often in another number.
EXPECTED_FAILURES = {
    f"check_{name}": "its features are not those of the classes"
    for name in (
        "classifiers_classes",
        "classifiers_multilabel_output_format_decision_function",
        "classifiers_multilabel_output_format_predict",
        "classifiers_multilabel_output_format_predict_proba",
        "classifiers_multilabel_representation_invariance",
        "classifiers_train",
        "dtype_object",
        "estimators_dtypes",
        "estimators_fit_returns_self",
        "estimators_nan_inf",
        "estimators_overwrite_params",
        "estimators_pickle",
        "n_features_in_after_fitting",
        "pipeline_consistency",
        "positive_only_tag_during_fit",
        "readonly_memmap_input",
    )
}


@parametrize_with_checks([RuleClassifier()], expected_failed_checks=lambda _: EXPECTED_FAILURES)
def test_sklearn(estimator, check):
    check(estimator)


def make(n_docs=200, n_classes=3, noise=0.5, seed=0):
    """Features around the truth, each class on a scale of its own."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_docs)
    X = np.eye(n_classes)[y] + noise * rng.normal(size=(n_docs, n_classes))
    return X * (1 + np.arange(n_classes)), y


def test_temperature_leaves_the_largest_feature():
    X, y = make()
    rule = RuleClassifier("temperature").fit(X, y)
    np.testing.assert_array_equal(rule.predict(X), X.argmax(axis=1))
    # no other temperature fits better
    losses = []
    for factor in (0.8, 1.0, 1.25):
        scores = np.exp(X * rule.slopes_ * factor)
        losses.append(log_loss(y, scores / scores.sum(axis=1, keepdims=True)))
    assert losses[1] == min(losses)


def test_classes_on_different_scales():
    X, y = make()
    plain, own = RuleClassifier("temperature").fit(X, y), RuleClassifier().fit(X, y)
    assert own.score(X, y) > plain.score(X, y) + 0.05
    probabilities = own.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(probabilities.argmax(axis=1), own.predict(X))
    # as good as logistic regression, which has K² slopes
    bound = log_loss(y, LogisticRegression(C=1e6, max_iter=1000).fit(X, y).predict_proba(X))
    assert log_loss(y, probabilities) < 1.05 * bound


def test_features_of_a_class_are_summed():
    X, y = make()
    parts = np.repeat(X / 4, 4, axis=1)
    np.testing.assert_allclose(
        RuleClassifier().fit(parts, y).predict_proba(parts),
        RuleClassifier().fit(X, y).predict_proba(X),
        rtol=1e-4,
    )


def test_several_labels():
    rng = np.random.default_rng(1)
    Y = (rng.random((300, 4)) < [0.5, 0.2, 0.05, 0]).astype(int)
    X = Y + 0.6 * rng.normal(size=Y.shape)
    rule = RuleClassifier().fit(X, Y)
    predicted = rule.predict(X)
    assert predicted.shape == Y.shape
    assert not predicted[:, 3].any()  # no document has the class
    np.testing.assert_array_equal(rule.predict_proba(X) >= 0.5, predicted)
    for k in range(3):
        cuts = np.unique(X[:, k])
        best = max(f1_score(Y[:, k], X[:, k] >= cut) for cut in cuts)
        assert f1_score(Y[:, k], predicted[:, k]) == pytest.approx(best)
    same = RuleClassifier().fit(X, sp.csr_matrix(Y))
    np.testing.assert_array_equal(same.predict(X), predicted)


def test_two_classes_have_one_decision():
    X, y = make(n_classes=2)
    rule = RuleClassifier().fit(X, np.array(["no", "yes"])[y])
    decision = rule.decision_function(X)
    assert decision.shape == (200,)
    np.testing.assert_array_equal(rule.predict(X) == "yes", decision > 0)


def test_features_that_never_err_and_features_that_say_nothing():
    y = np.array([0, 1, 2] * 5)
    sure = RuleClassifier().fit(np.eye(3)[y], y)
    assert np.isfinite(sure.slopes_).all()
    assert sure.score(np.eye(3)[y], y) == 1
    blind = RuleClassifier().fit(np.zeros((15, 3)), [0] * 9 + [1] * 4 + [2] * 2)
    assert (blind.predict(np.zeros((2, 3))) == 0).all()  # the largest class
    np.testing.assert_allclose(
        blind.predict_proba(np.zeros((1, 3)))[0], [0.6, 4 / 15, 2 / 15], atol=0.01
    )


@pytest.mark.parametrize("projection", [FEDIP(), FEDIP(n_features=6), TermProjection()])
def test_after_a_projection(projection):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 300)
    rates = np.where(np.arange(60) % 3 == y[:, None], 0.3, 0.15)
    X = sp.csr_matrix(rng.poisson(rates))
    names = np.array(["a", "b", "c"])[y]
    model = make_pipeline(projection, RuleClassifier()).fit(X[:200], names[:200])
    assert model.score(X[200:], names[200:]) > 0.6
    # calibrated on features of documents unseen: about as sure as it is right
    sure = model.predict_proba(X[200:]).max(axis=1).mean()
    assert abs(sure - model.score(X[200:], names[200:])) < 0.12
    search = GridSearchCV(model, {"ruleclassifier__calibration": ["class", "temperature"]}, cv=2)
    assert search.fit(X, names).best_score_ > 0.6
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


def test_multilabel_after_a_projection():
    rng = np.random.default_rng(3)
    Y = (rng.random((300, 4)) < [0.5, 0.3, 0.2, 0]).astype(int)
    X = rng.poisson(0.1 + 0.5 * np.repeat(Y, 5, axis=1))
    model = make_pipeline(FEDIP(), RuleClassifier()).fit(X, Y)
    assert f1_score(Y[:, :3], model.predict(X)[:, :3], average="micro") > 0.7


def test_bad_input():
    X, y = make(20)
    with pytest.raises(StatsError, match="one class"):
        RuleClassifier().fit(X, [0] * 20)
    with pytest.raises(ValueError, match=re.escape(NOT_ALIGNED)):
        RuleClassifier().fit(X[:, :2], y)
    with pytest.raises(ValueError, match="calibration"):
        RuleClassifier("isotonic").fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        RuleClassifier().fit(np.full((20, 3), np.nan), y)
    with pytest.raises(ValueError, match="20, 19"):
        RuleClassifier().fit(X, y[:19])
