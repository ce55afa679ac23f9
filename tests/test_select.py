from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from strategies import collections
from termfold.errors import StatsError
from termfold.scores import SCORE_NAMES, ocfs_scores, rank, score_terms
from termfold.scores.association import relevancy
from termfold.select import OCFS, TermSelector
from termfold.stats import Labels, TermStats

quick = settings(max_examples=50, deadline=None)

NAMED_SCORE = (
    "these checks call whatever attribute is named `score`; of TermSelector it is a parameter"
)
EXPECTED_FAILURES = {
    "TermSelector": {
        "check_fit_score_takes_y": NAMED_SCORE,
        "check_n_features_in_after_fitting": NAMED_SCORE,
        "check_pipeline_consistency": NAMED_SCORE,
    },
}


@parametrize_with_checks(
    [TermSelector(), TermSelector("ig", "joint", energy=0.8), OCFS(),
     OCFS(candidates=3, then="ig", k=2)],
    expected_failed_checks=lambda e: EXPECTED_FAILURES.get(type(e).__name__, {}),
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*array_api:sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_columns_are_counted_after_fitting():
    """What check_n_features_in_after_fitting would check of TermSelector."""
    X, y = np.eye(3), ["x", "y", "y"]
    selector = TermSelector().fit(X, y)
    assert selector.n_features_in_ == 3
    for method in (selector.transform, partial(selector.partial_fit, y=y)):
        with pytest.raises(ValueError, match="X has 1 features, but TermSelector is expecting 3"):
            method(X[:, :1])


# -- what is kept -----------------------------------------------------------------------------


@quick
@given(collections(n_classes=2), st.sampled_from(SCORE_NAMES), st.integers(1, 6))
def test_keeps_the_best_of_the_ranking(collection, name, k):
    X, y = collection.counts, collection.indicator
    selector = TermSelector(name, k=k).fit(X, y)
    scores = score_terms(collection.stats, name)
    assert_array_equal(selector.scores_, scores)
    assert_array_equal(selector.ranking_, rank(scores))
    assert_array_equal(selector.get_support(indices=True), np.sort(rank(scores)[:k]))
    assert_array_equal(selector.transform(X), X[:, selector.get_support()])
    sparse = TermSelector(name, k=k).fit(sp.csr_array(X), sp.csr_array(y))
    assert_array_equal(sparse.scores_, scores)
    assert_array_equal(sparse.transform(sp.csr_array(X)).toarray(), selector.transform(X))


X = np.array([[5, 0, 1, 0], [5, 1, 0, 1], [0, 1, 1, 0], [0, 0, 0, 1]])
Y = ["x", "x", "y", "y"]


def test_how_many():
    # χ² of the columns: 4, 0, 0, 0.
    def kept(**how_many):
        return TermSelector("chi2", **how_many).fit(X, Y).get_support(indices=True).tolist()

    assert kept() == [0, 1, 2, 3]
    assert kept(k=2) == [0, 1]  # ties break by column
    assert kept(k=np.int64(9)) == [0, 1, 2, 3]
    assert kept(percentile=50) == [0, 1]
    assert kept(percentile=1) == [0]
    assert kept(threshold=4) == [0]
    assert kept(threshold=0) == [0, 1, 2, 3]
    assert kept(energy=1.0) == [0]
    nothing = TermStats.from_matrix(X, Y).take(np.array([], int))
    assert OCFS(energy=0.5).fit_stats(nothing).get_support().shape == (0,)


def test_default_is_a_thousand():
    wide = sp.random_array((20, 1500), density=0.2, rng=0, format="csr")
    y = np.arange(20) % 2
    for selector in (TermSelector(), OCFS()):
        assert selector.fit(wide, y).get_support().sum() == 1000


@quick
@given(collections(n_classes=3), st.floats(0.01, 1))
def test_energy_is_the_smallest_number_that_suffices(collection, share):
    selector = OCFS(energy=share).fit(collection.counts, collection.indicator)
    descending = np.sort(selector.scores_)[::-1]
    p = selector.get_support().sum()
    reached = share * descending.sum() * (1 - 1e-12)
    assert descending[:p].sum() >= reached
    assert p == 1 or descending[: p - 1].sum() < reached * (1 + 1e-11)


def test_energy_counts_negative_scores_as_zero():
    selector = TermSelector(lambda table: table.determinant, "sum", energy=0.5).fit(X, Y)
    assert selector.get_support().sum() == 1
    selector = TermSelector(lambda table: -np.ones_like(table.joint), energy=0.9).fit(X, Y)
    assert selector.get_support(indices=True).tolist() == [0]


@pytest.mark.parametrize(("parameters", "message"), [
    ({"k": 1, "energy": 0.5}, "give one of k, percentile, threshold and energy, not k and energy"),
    ({"k": 0}, "k must be a positive whole number, not 0"),
    ({"k": 1.5}, "k must be a positive whole number, not 1.5"),
    ({"percentile": 0}, r"percentile must be in \(0, 100\], not 0"),
    ({"energy": 1.1}, r"energy must be in \(0, 1\], not 1.1"),
    ({"threshold": np.nan}, "threshold must be a finite number"),
])  # fmt: skip
def test_how_many_errors(parameters, message):
    for selector in (TermSelector(**parameters), OCFS(**parameters)):
        for step in (selector.fit, selector.partial_fit):
            with pytest.raises(ValueError, match=message):
                step(X, Y)


# -- sums add ---------------------------------------------------------------------------------


@pytest.mark.parametrize("selector", [TermSelector("ig"), TermSelector("chi2_tf", "sum"), OCFS()])
def test_batches_are_one_fit(selector):
    @quick
    @given(collections(n_classes=3), st.integers(1, 5), st.booleans())
    def check(collection, size, weigh):
        X, y = collection.counts, collection.indicator
        weights = np.arange(1, len(X) + 1) if weigh else None
        whole = clone(selector).fit(X, y, sample_weight=weights)
        parts = clone(selector)
        for start in range(0, len(X), size):
            rows = slice(start, start + size)
            parts.partial_fit(X[rows], y[rows], None if weights is None else weights[rows])
        assert parts.stats_ == whole.stats_
        assert_array_equal(parts.scores_, whole.scores_)
        assert_array_equal(parts.get_support(), whole.get_support())

    check()


def test_batches_after_a_look():
    selector = TermSelector(k=1).fit(X, Y)
    before = selector.ranking_
    selector.partial_fit(X[:, ::-1], Y).partial_fit(X[:, ::-1], Y)
    assert selector.stats_.n_docs == 12
    assert not np.array_equal(before, selector.ranking_)


@quick
@given(collections(n_classes=2))
def test_weights_are_repetitions(collection):
    X, y = collection.counts, collection.indicator
    weights = np.arange(len(X)) % 3 + 1
    repeated = np.repeat(np.arange(len(X)), weights)
    for selector in (TermSelector("chi2"), OCFS()):
        weighted = clone(selector).fit(X, y, sample_weight=weights)
        assert weighted.stats_ == clone(selector).fit(X[repeated], y[repeated]).stats_


def test_weights_must_not_be_negative():
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        TermSelector().fit(X, Y, sample_weight=[1, 1, 1, -1])


def test_one_class():
    with pytest.raises(StatsError, match="two classes or more; there is one class only, 'x'"):
        TermSelector().fit(X, ["x"] * 4)
    with pytest.raises(StatsError, match="there is none"):
        OCFS().fit(X, np.zeros((4, 2)))
    selector = OCFS(k=1).partial_fit(X[:2], Y[:2])
    with pytest.raises(StatsError, match="one class only"):
        selector.transform(X)
    assert_array_equal(selector.partial_fit(X[2:], Y[2:]).transform(X), X[:, :1])


def test_bad_matrices():
    with pytest.raises(ValueError, match="Negative values in data passed to TermSelector"):
        TermSelector().fit(sp.csr_array(-X), Y)
    for selector in (TermSelector(), OCFS()):
        with pytest.raises(ValueError, match="NaN"):
            clone(selector).fit([[np.nan], [1]], ["x", "y"])
        with pytest.raises(ValueError, match="3 labels"):
            clone(selector).fit(X, Y[:3])
        with pytest.raises(NotFittedError):
            selector.transform(X)
        with pytest.raises(NotFittedError):
            selector.scores_  # noqa: B018
    for selector in (TermSelector(policy="x"), OCFS(candidates=1, then="ig", policy="x")):
        with pytest.raises(ValueError, match="unknown policy"):
            selector.fit(X, Y)
    with pytest.raises(ValueError, match="did you mean 'chi2'"):
        TermSelector("chi_2").fit(X, Y)
    with pytest.raises(ValueError, match="gives an order, no sizes"):
        TermSelector(policy="round_robin", threshold=1).fit(X, Y)


# -- labels -----------------------------------------------------------------------------------


def test_forms_of_labels():
    flat = TermSelector("ngl").fit(X, Y).scores_
    column = np.array(Y)[:, None]
    indicator = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    for y in (column, indicator, sp.csr_array(indicator), pd.Series(Y), Labels.of(Y)):
        assert_array_equal(TermSelector("ngl").fit(X, y).scores_, flat)
    several = Labels.of([["x"], ["x", "y"], [], ["y"]])
    assert TermSelector().fit(X, several).stats_.class_docs.tolist() == [2, 2]
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        TermSelector().fit(X, [0.5, 1.5, 2.5, 3.5])


# -- statistics without documents -------------------------------------------------------------


@pytest.mark.parametrize("name", SCORE_NAMES)
def test_every_score_from_one_file(tmp_path, name):
    TermStats.from_matrix(X, Y, terms=["a", "b", "c", "d"]).save(tmp_path / "counts")
    stats = TermStats.load(tmp_path / "counts")
    selector = TermSelector(name, k=2).fit_stats(stats)
    assert_array_equal(selector.scores_, TermSelector(name).fit(X, Y).scores_)
    assert_array_equal(selector.transform(X), TermSelector(name, k=2).fit_transform(X, Y))
    chosen = selector.get_support(indices=True)
    assert selector.get_feature_names_out().tolist() == ["abcd"[t] for t in chosen]
    assert selector.n_features_in_ == 4


def test_statistics_replace_an_earlier_fit():
    frame = pd.DataFrame(X, columns=["p", "q", "r", "s"])
    selector = OCFS(k=1).fit(frame, Y)
    assert selector.get_feature_names_out().tolist() == ["p"]
    selector.fit_stats(TermStats.from_matrix(X, Y, terms=["a", "b", "c", "d"]))
    assert selector.get_feature_names_out().tolist() == ["a"]
    with pytest.raises(StatsError, match="one class only"):
        OCFS().fit_stats(TermStats.from_matrix(X, ["x"] * 4))


# -- OCFS -------------------------------------------------------------------------------------


def test_iris():
    iris, y = load_iris(return_X_y=True)
    selector = OCFS(k=2).fit(iris, y)
    assert_array_equal(selector.scores_.round(4), [0.4214, 0.0756, 2.9140, 0.5361])
    assert selector.get_support(indices=True).tolist() == [2, 3]
    assert OCFS(energy=0.8).fit(iris, y).get_support(indices=True).tolist() == [2, 3]
    assert OCFS(energy=0.7).fit(iris, y).get_support(indices=True).tolist() == [2]


def test_class_weights_change_the_scores():
    y = ["x", "y", "y", "y"]
    scores = {w: OCFS(class_weight=w).fit(X, y).scores_ for w in ("size", "uniform", "sqrt")}
    stats = TermStats.from_matrix(X, y)
    for weight, found in scores.items():
        assert_array_equal(found, ocfs_scores(stats, weight))
    assert not np.allclose(scores["size"], scores["uniform"])
    with pytest.raises(ValueError, match="class_weight is one of"):
        OCFS(class_weight="x").fit(X, y)


@quick
@given(collections(n_classes=3), st.integers(1, 5), st.integers(1, 5))
def test_two_stages(collection, candidates, k):
    X, y = collection.counts, collection.indicator
    selector = OCFS(k, candidates=candidates, then="ig", policy="mean").fit(X, y)
    first = rank(ocfs_scores(collection.stats))[:candidates]
    second = score_terms(collection.stats, "ig", "mean")
    expected = sorted(first, key=lambda t: (-second[t], t))[:k]
    assert_array_equal(selector.get_support(indices=True), np.sort(expected))
    everything = OCFS(percentile=100, candidates=candidates, then="ig").fit(X, y)
    assert_array_equal(everything.get_support(indices=True), np.sort(first))


def test_two_stages_need_both():
    for half in ({"candidates": 3}, {"then": "ig"}):
        with pytest.raises(ValueError, match="two stages need both"):
            OCFS(**half).fit(X, Y)
    with pytest.raises(ValueError, match="candidates must be a positive whole number, not 0"):
        OCFS(candidates=0, then="ig").fit(X, Y)
    with pytest.raises(ValueError, match="unknown score"):
        OCFS(candidates=1, then="x").fit(X, Y)


# -- the ecosystem ----------------------------------------------------------------------------

TEXTS = ["red apple", "green apple pie", "fast red car", "slow car", "apple tart", "car race"] * 3
KINDS = ["food", "food", "car", "car", "food", "car"] * 3


def test_pipeline_with_names():
    pipeline = make_pipeline(CountVectorizer(), TermSelector(k=2), MultinomialNB())
    assert pipeline.fit(TEXTS, KINDS).predict(["an apple"]).tolist() == ["food"]
    assert pipeline[:-1].get_feature_names_out().tolist() == ["apple", "car"]
    tf_idf = make_pipeline(CountVectorizer(), TfidfTransformer(), OCFS(k=2))
    assert tf_idf.fit(TEXTS, KINDS).get_feature_names_out().tolist() == ["apple", "car"]


def test_grid_search():
    pipeline = make_pipeline(CountVectorizer(), TermSelector(), MultinomialNB())
    grid = {
        "termselector__score": ["chi2", "ig", partial(relevancy, damping=0.1)],
        "termselector__policy": ["max", "round_robin"],
        "termselector__k": [1, 2],
    }
    search = GridSearchCV(pipeline, grid, cv=2).fit(TEXTS, KINDS)
    assert search.best_score_ == 1.0
    assert search.best_params_["termselector__k"] in (1, 2)


def test_pandas_output():
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    for selector in (TermSelector(k=2), OCFS(k=2)):
        out = selector.set_output(transform="pandas").fit_transform(frame, Y)
        assert out.columns.tolist() == ["a", "b"]
        assert_array_equal(out, X[:, :2])


def test_inverse_transform():
    for make in (np.asarray, sp.csr_array):
        selector = TermSelector(k=2).fit(make(X), Y)
        back = selector.inverse_transform(selector.transform(make(X)))
        back = back.toarray() if sp.issparse(back) else back
        assert_array_equal(back, X * selector.get_support())


def test_clone_and_pickle():
    selector = TermSelector(partial(relevancy, damping=0.1), "mean", k=2).fit(X, Y)
    again = pickle.loads(pickle.dumps(selector))
    assert_array_equal(again.ranking_, selector.ranking_)
    assert_allclose(clone(selector).fit(X, Y).scores_, selector.scores_)
