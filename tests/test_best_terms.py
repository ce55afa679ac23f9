"""BestTerms and BestTermsClassifier against a naive reading of the five steps."""

from __future__ import annotations

import pickle
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from strategies import collections
from termfold.classify.best_terms import BestTermsClassifier
from termfold.errors import StatsError
from termfold.scores import SCORES, Contingency
from termfold.select import best_terms_steps
from termfold.select.best_terms import BestTerms
from termfold.select.best_terms_steps import narrow, presence
from termfold.terms.counter import TermCounter

NINE = ["dia", "chi2", "ngl", "ig", "mi", "or", "rs", "gss", "df"]

# -- the five steps by sets and loops ---------------------------------------------------------


def one_score(name, counts, members, term):
    """The score of one term for a set of documents, from a table counted by hand."""
    held = {i for i, row in enumerate(counts) if row[term]}
    if SCORES[name].unit == "documents":
        joint, term_total = len(held & members), len(held)
        class_total, total = len(members), len(counts)
    else:
        joint = sum(counts[i][term] for i in members)
        term_total = sum(row[term] for row in counts)
        class_total = sum(sum(counts[i]) for i in members)
        total = sum(sum(row) for row in counts) or 1
    table = Contingency(
        np.array([[joint]], float), np.array([[term_total]], float),
        np.array([[class_total]], float), float(total),
    )  # fmt: skip
    return SCORES[name].function(table).item()


def five_steps(name, floor, counts, members):
    documents = set(range(len(counts)))
    terms_of = [{t for t, count in enumerate(row) if count} for row in counts]
    held_by = [{i for i in documents if t in terms_of[i]} for t in range(len(counts[0]))]
    prior = len(members) / len(documents)

    def precision(t):
        return len(held_by[t] & members) / len(held_by[t])

    def best(terms, members):
        return min(terms, key=lambda t: (-one_score(name, counts, members, t), t))

    seen = {t for t in range(len(held_by)) if held_by[t]}
    # Quotients of numbers as small as these are equal only if their fractions are.
    usable = {t for t in seen if precision(t) > prior and precision(t) >= floor}
    negative = {t for t in seen if precision(t) < prior}
    positives = {best(terms_of[i] & usable, members) for i in members if terms_of[i] & usable}
    kept = {i for i in documents if terms_of[i] & positives}
    complement = documents - members
    negatives = {
        best(terms_of[i] & negative, complement) for i in kept - members if terms_of[i] & negative
    }
    return sorted(positives), sorted(negatives), sorted(kept)


FLOORS = st.sampled_from([0, 0.25, 1 / 3, 0.5, 0.6, 0.7, 0.75, 1])


@given(collections(), st.sampled_from([*NINE, "chi2_tf", "bns", "gini"]), FLOORS, st.booleans())
@settings(deadline=None, max_examples=300)
def test_the_five_steps(collection, name, floor, dense):
    counts, indicator = collection.counts, collection.indicator
    if indicator.shape[1] == 1:  # scikit-learn reads a single column as labels
        indicator = np.hstack([1 - indicator, indicator])
    if (indicator.sum(axis=1) == 1).all() and indicator.any(axis=0).sum() == 1:
        return
    best = BestTerms(name, min_precision=floor).fit(
        counts if dense else sp.csr_array(counts), indicator
    )
    # As it goes where the documents have many tokens: the best terms are ranked and walked.
    with patch.multiple(best_terms_steps, FEW_TOKENS=0, WALKED=2):
        walked = BestTerms(name, min_precision=floor).fit(counts, indicator)
    for attribute in ("positive_terms_", "negative_terms_"):
        for mine, its in zip(getattr(best, attribute), getattr(walked, attribute), strict=True):
            np.testing.assert_array_equal(mine, its)
    for k in range(indicator.shape[1]):
        members = set(np.flatnonzero(indicator[:, k]).tolist())
        positive, negative, kept = five_steps(name, floor, counts.tolist(), members)
        assert best.positive_terms_[k].tolist() == positive
        assert best.negative_terms_[k].tolist() == negative
        assert best.n_documents_[k] == len(kept)
    used = np.concatenate([*best.positive_terms_, *best.negative_terms_])
    assert best.get_support(indices=True).tolist() == sorted(set(used.tolist()))


@pytest.mark.parametrize("read_twice", [0, 2, 1e9])
def test_narrow_is_indexing(read_twice):
    """From the rows or from the columns of the matrix, the restricted matrix is the same."""
    random = np.random.default_rng(0)
    dense = (random.random((30, 20)) < 0.3).astype(int)
    documents = presence(sp.csr_array(dense))
    features, kept = np.array([1, 2, 7, 19]), random.random(30) < 0.5
    with patch.object(best_terms_steps, "READ_TWICE", read_twice):
        narrowed = narrow(documents, documents.tocsc(), features, kept)
    np.testing.assert_array_equal(narrowed.toarray(), dense[kept][:, features])
    assert narrowed.has_canonical_format


# -- scikit-learn's checks --------------------------------------------------------------------

NAMED_SCORE = "calls whatever attribute is named `score`; of BestTerms it is a parameter"
EXPECTED_FAILURES = {
    "BestTerms": {
        "check_fit_score_takes_y": NAMED_SCORE,
        "check_n_features_in_after_fitting": NAMED_SCORE,
        "check_pipeline_consistency": NAMED_SCORE,
    },
    "BestTermsClassifier": {
        "check_classifiers_train": "its classes differ in values; here only presence counts",
    },
}
NEGATIVE = "predicts for negative values, which are an error here"


def expected_failures(estimator):
    expected = dict(EXPECTED_FAILURES[type(estimator).__name__])
    if hasattr(estimator, "predict_proba"):
        expected["check_decision_proba_consistency"] = NEGATIVE
    return expected


@parametrize_with_checks(
    [BestTerms(), BestTermsClassifier(), BestTermsClassifier("svm", "chi2", min_precision=0)],
    expected_failed_checks=expected_failures,
)
@pytest.mark.filterwarnings("ignore:.*array_api:sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# -- looking at terms -------------------------------------------------------------------------

X = sp.csr_array([
    [1, 1, 0, 0, 1],
    [1, 0, 1, 0, 1],
    [0, 1, 0, 1, 1],
    [0, 1, 1, 1, 1],
    [1, 0, 0, 1, 1],
    [0, 0, 0, 0, 0],
])  # fmt: skip
Y = np.array(["x", "x", "y", "y", "y", "z"])


def test_ties_go_to_the_first_column():
    best = BestTerms("dia", min_precision=0).fit([[1, 1, 0, 0], [0, 0, 1, 1]], ["x", "y"])
    assert [terms.tolist() for terms in best.positive_terms_] == [[0], [2]]


def test_a_term_in_every_document_is_never_taken():
    best = BestTerms("df", min_precision=0).fit([[1, 1, 0], [1, 0, 1], [1, 0, 1]], ["x", "y", "y"])
    assert best.get_support().tolist() == [False, True, True]


def test_a_precision_of_one_takes_pure_terms_only():
    best = BestTerms("chi2", min_precision=1).fit(X, Y)
    assert [terms.tolist() for terms in best.positive_terms_] == [[], [3], []]
    assert [terms.tolist() for terms in best.negative_terms_] == [[], [], []]
    assert best.n_documents_.tolist() == [0, 3, 0]


def test_presence_is_all_that_counts():
    best = BestTerms("or").fit(X, Y)
    scaled = BestTerms("or").fit(X * 0.3, Y)
    unsorted = sp.csr_array((X.data.copy(), X.indices.copy(), X.indptr), X.shape)
    for lo, hi in zip(X.indptr[:-1], X.indptr[1:], strict=True):
        unsorted.indices[lo:hi] = unsorted.indices[lo:hi][::-1]
    unsorted.has_sorted_indices = unsorted.has_canonical_format = False
    with_zeros = sp.csr_array((np.ones(30), np.tile(np.arange(5), 6), np.arange(0, 31, 5)))
    with_zeros.data[:] = X.toarray().ravel()
    for other in (scaled, BestTerms("or").fit(unsorted, Y), BestTerms("or").fit(with_zeros, Y)):
        for name in ("positive_terms_", "negative_terms_"):
            for mine, its in zip(getattr(best, name), getattr(other, name), strict=True):
                np.testing.assert_array_equal(mine, its)
    assert with_zeros.nnz == 30  # what was given is not changed
    assert unsorted.indices[0] == 4


def test_a_score_of_ones_own():
    def rarity(table):
        return -table.term_total + 0 * table.joint

    best = BestTerms(rarity, min_precision=0).fit(X, Y)
    assert best.positive_terms_[0].tolist() == [0, 2]
    with pytest.raises(ValueError, match=r"must return an array of the shape \(1, 3\)"):
        BestTerms(lambda table: np.zeros(3), min_precision=0).fit(X, Y)


# -- as scikit-learn's estimators are used ------------------------------------------------------

TEXTS = ["red green", "red blue", "red", "dog cat", "dog", "cat bird dog"] * 4
TOPICS = ["colour", "colour", "colour", "animal", "animal", "animal"] * 4


def test_pipelines_with_names():
    pipeline = make_pipeline(TermCounter(), BestTerms("chi2"), BernoulliNB()).fit(TEXTS, TOPICS)
    assert pipeline[:-1].get_feature_names_out().tolist() == ["dog", "red"]
    assert pipeline.score(TEXTS, TOPICS) == 1
    pipeline = make_pipeline(TermCounter(), BestTermsClassifier("svm")).fit(TEXTS, TOPICS)
    assert pipeline.predict(["a blue bird", "the red one"]).tolist() == ["animal", "colour"]


def test_grid_search():
    counts = TermCounter().fit_transform(TEXTS)
    grid = {"term_score": ["chi2", "or"], "min_precision": [0, 1], "head": ["naive_bayes", "svm"]}
    search = GridSearchCV(BestTermsClassifier(), grid, cv=2).fit(counts, TOPICS)
    assert search.best_score_ == 1
    own = BestTermsClassifier(BernoulliNB(), min_precision=0)
    mixed = TermCounter().fit_transform([text + " dog" for text in TEXTS[:2]] + TEXTS[2:])
    search = GridSearchCV(own, {"head__alpha": [0.1, 1]}, cv=2).fit(mixed, TOPICS)
    assert search.best_estimator_.rules_[0].head.alpha == search.best_params_["head__alpha"]


def test_pandas_output():
    counter = TermCounter()
    counts = counter.fit_transform(TEXTS).toarray()
    frame = pd.DataFrame(counts, columns=counter.get_feature_names_out())
    selected = BestTerms("chi2").set_output(transform="pandas").fit_transform(frame, TOPICS)
    assert selected.columns.tolist() == ["dog", "red"]
    names = BestTerms("chi2").fit(counts, TOPICS).get_feature_names_out(frame.columns)
    assert names.tolist() == ["dog", "red"]
    classifier = BestTermsClassifier().fit(frame, TOPICS)
    assert classifier.feature_names_in_.tolist() == frame.columns.tolist()
    assert classifier.predict(frame).tolist() == TOPICS


def test_clone_and_pickle():
    for estimator in (BestTerms("ig", min_precision=0.1), BestTermsClassifier("svm", "ig")):
        assert clone(estimator).get_params() == estimator.get_params()
    classifier = BestTermsClassifier().fit(X, Y)
    again = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(again.decision_function(X), classifier.decision_function(X))
    selector = pickle.loads(pickle.dumps(BestTerms().fit(X, Y)))
    np.testing.assert_array_equal((selector.transform(X) - BestTerms().fit_transform(X, Y)).data, 0)


# -- bad and odd input --------------------------------------------------------------------------

BOTH = pytest.mark.parametrize("estimator", [BestTerms(), BestTermsClassifier()], ids=str)


@BOTH
def test_one_class_only(estimator):
    with pytest.raises(StatsError, match=r"all documents are of one class, \['x'\]"):
        estimator.fit(X, ["x"] * 6)


@BOTH
def test_no_labels_at_all(estimator):
    with pytest.raises(StatsError, match="no document has a label"):
        estimator.fit(X, np.zeros((6, 2), int))


@BOTH
def test_bad_values(estimator):
    with pytest.raises(ValueError, match=f"Negative values in data .* {type(estimator).__name__}"):
        estimator.fit(-X, Y)
    with pytest.raises(ValueError, match="contains NaN"):
        estimator.fit(np.full((6, 2), np.nan), Y)
    with pytest.raises(ValueError, match="X has 6 rows, but y has 5 labels"):
        estimator.fit(X, Y[:5])
    with pytest.raises(ValueError, match="requires y to be passed"):
        estimator.fit(X, None)


def test_bad_parameters():
    with pytest.raises(ValueError, match=r"min_precision must be from 0 to 1, not 1\.5"):
        BestTerms(min_precision=1.5).fit(X, Y)
    with pytest.raises(ValueError, match="did you mean 'chi2'"):
        BestTermsClassifier(term_score="chi").fit(X, Y)
    with pytest.raises(ValueError, match="unknown head 'bayes'; allowed: naive_bayes, svm, or"):
        BestTermsClassifier("bayes").fit(X, Y)
