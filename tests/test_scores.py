from __future__ import annotations

import tracemalloc
from functools import partial
from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2_contingency
from sklearn.datasets import load_iris
from sklearn.metrics import mutual_info_score

from score_oracles import ORACLES
from strategies import collections
from termfold.errors import StatsError
from termfold.scores import (
    POLICIES,
    SCORE_NAMES,
    SCORES,
    Contingency,
    Score,
    ocfs_class_scores,
    ocfs_scores,
    rank,
    resolve,
    score_classes,
    score_terms,
)
from termfold.scores import contingency as contingency_module
from termfold.scores.association import (
    bns,
    log_relative_risk,
    odds_ratio,
    relative_risk,
    relevancy,
)
from termfold.scores.information import mutual_information
from termfold.stats import TermStats

quick = settings(max_examples=60, deadline=None)
strict = partial(np.errstate, divide="raise", invalid="raise", over="raise")


def table(joint, term_only, class_only, neither):
    """One class, one term."""
    total = joint + term_only + class_only + neither
    return Contingency(
        np.array([[joint]], float),
        np.array([[joint + term_only]], float),
        np.array([[joint + class_only]], float),
        float(total),
    )


# -- one table, worked by hand ----------------------------------------------------------------

#                 in class   outside
# term present        8          2        10      P(t|k) = .4     P(k|t) = .8
# term absent        12         78        90      P(t|¬k) = .025  P(k) = .2
#                    20         80       100
BY_HAND = {
    "acc2": 0.375,
    "bns": 1.959964 - 0.2533471,
    "chi2": 25.0,
    "chi2_tf": 25.0,
    "df": 8.0,
    "dfs": 0.8 / 1.625,
    "dia": 0.8,
    "gini": 0.1024,
    "gss": 0.06,
    "ig": 0.0969552,
    "kl": 0.4 * 2.7725887,
    "log_rr": 2.7725887,
    "mi": 1.3862944,
    "ngl": 5.0,
    "or": 8.5 * 78.5 / (2.5 * 12.5),
    "rr": 16.0,
    "rs": np.log(34 / 68.5),  # (2/5 + 1/6) / (39/40 + 1/6)
    "tfrf": 2.5849625,
}


@pytest.mark.parametrize("name", SCORE_NAMES)
def test_worked_by_hand(name):
    assert_allclose(SCORES[name].function(table(8, 2, 12, 78)), [[BY_HAND[name]]], rtol=1e-6)


def test_parameters_are_set_with_partial():
    worked = table(8, 2, 12, 78)
    wiener = partial(relevancy, damping=0.1, variant="wiener")
    assert_allclose(wiener(worked), np.log(0.5 / 0.125))
    assert_allclose(partial(bns, clip=0.4)(worked), 0, atol=1e-12)
    for function in (odds_ratio, relative_risk, log_relative_risk, mutual_information):
        with pytest.raises(ValueError, match="smoothing must be positive, not 0"):
            function(worked, smoothing=0)
    with pytest.raises(ValueError, match="damping must be positive"):
        relevancy(worked, damping=-1)
    with pytest.raises(ValueError, match="'sebastiani' or 'wiener'"):
        relevancy(worked, variant="x")
    with pytest.raises(ValueError, match="clip must be between"):
        bns(worked, clip=0.5)


# -- plain loops over documents ---------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", SCORE_NAMES)
def test_agrees_with_loops_over_documents(name, weighted):
    @settings(max_examples=40, deadline=None)
    @given(collections(weighted=weighted))
    def check(collection):
        if name == "chi2_tf" and not collection.counts.any():
            return  # no occurrence, no table: see the corners
        with strict():
            scores = score_classes(collection.stats, name)
        for k, klass in enumerate(collection.stats.classes):
            for t in range(collection.counts.shape[1]):
                cells = collection.cells(t, klass, occurrences=name == "chi2_tf")
                expected = ORACLES[name](*_without_rounding(cells))
                assert_allclose(scores[k, t], expected, rtol=1e-6, atol=1e-9)

    check()


def _without_rounding(cells):
    return [0 if cell < 1e-12 * sum(cells) else cell for cell in cells]


@quick
@given(collections(weighted=True))
def test_cells_and_sums(collection):
    tables = Contingency.from_stats(collection.stats)
    for k, klass in enumerate(collection.stats.classes):
        for t in range(collection.counts.shape[1]):
            joint, term_only, class_only, neither = collection.cells(t, klass)
            assert_allclose(tables.joint[k, t], joint)
            assert_allclose(tables.term_only[k, t], term_only, atol=1e-9)
            assert_allclose(tables.class_only[k, t], class_only, atol=1e-9)
            assert_allclose(tables.neither[k, t], neither, atol=1e-9)
            assert_allclose(tables.p_term[0, t], (joint + term_only) / tables.total)
            assert_allclose(tables.p_class[k, 0], (joint + class_only) / tables.total)


@quick
@given(collections(multi_label=False))
def test_joint_information_gain_is_mutual_information(collection):
    scores = score_terms(collection.stats, "ig", "joint")
    labels = collection.indicator.argmax(axis=1)
    for t, column in enumerate(collection.counts.T):
        assert_allclose(scores[t], mutual_info_score(labels, column > 0), atol=1e-12)


@quick
@given(collections(multi_label=False, n_classes=2))
def test_two_classes_agree_with_scipy_and_scikit_learn(collection):
    labels = collection.indicator[:, 0]
    chi2, ig = (score_classes(collection.stats, name) for name in ("chi2", "ig"))
    joint = score_terms(collection.stats, "ig", "joint")
    for t, column in enumerate(collection.counts.T > 0):
        assert_allclose(ig[:, t], mutual_info_score(labels, column), atol=1e-12)
        assert_allclose(ig[:, t], joint[t], atol=1e-12)
        if 0 < column.sum() < len(column):
            crossed = [[np.sum((labels == x) & (column == y)) for x in (0, 1)] for y in (0, 1)]
            statistic = chi2_contingency(crossed, correction=False).statistic
            assert_allclose(chi2[:, t], statistic, atol=1e-12)


# -- identities -------------------------------------------------------------------------------


@quick
@given(collections())
def test_identities(collection):
    stats = collection.stats
    chi2, ngl, gss = (score_classes(stats, name) for name in ("chi2", "ngl", "gss"))
    assert_allclose(ngl**2, chi2, atol=1e-12)
    assert_array_equal(np.sign(ngl), np.sign(gss))
    tables = Contingency.from_stats(stats)
    spread = tables.p_class * (1 - tables.p_class) * tables.p_term * (1 - tables.p_term)
    assert_allclose(chi2 * spread, stats.n_docs * gss**2, atol=1e-9)  # χ² = N φ²
    assert chi2.max() <= stats.n_docs * (1 + 1e-12)
    rr, log_rr, kl = (score_classes(stats, name) for name in ("rr", "log_rr", "kl"))
    assert_allclose(log_rr[rr > 0], np.log(rr[rr > 0]), atol=1e-12)
    assert_allclose(kl, tables.tpr * np.log(np.where(rr > 0, rr, 1)), atol=1e-12)
    assert_allclose(score_classes(stats, "acc2"), np.abs(tables.tpr - tables.fpr))


@quick
@given(collections())
def test_dia_and_mi_rank_alike(collection):
    # Scores are rounded, for terms that tie in exact numbers must tie here.
    dia, mi = (score_classes(collection.stats, name).round(9) for name in ("dia", "mi"))
    assert_array_equal(rank(dia), rank(mi))


@quick
@given(collections())
def test_doubling_every_document(collection):
    once, twice = collection.stats, collection.repeated(2).stats
    tables = Contingency.from_stats(once)
    cells = (tables.joint, tables.term_only, tables.class_only, tables.neither)
    inner = np.all([cell > 0 for cell in cells], axis=0)
    factors = {"chi2": 2, "chi2_tf": 2, "df": 2, "ngl": np.sqrt(2)}
    for name in set(SCORE_NAMES) - {"or"}:  # half a document in each cell weighs less in more
        before, after = score_classes(once, name), score_classes(twice, name)
        # Where a cell is zero, what is smoothed is half a document, again.
        where = inner if name in ("mi", "rr", "log_rr", "kl", "tfrf") else np.full_like(inner, True)
        expected = factors.get(name, 1) * before
        assert_allclose(after[where], expected[where], atol=1e-10, err_msg=name)


@quick
@given(collections(weighted=True))
def test_terms_do_not_depend_on_their_block(collection):
    stats = collection.stats
    for name in SCORE_NAMES:
        whole = [score_classes(stats, name), score_terms(stats, name, "mean")]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(contingency_module, "CELLS_PER_BLOCK", 1)
            single = [score_classes(stats, name), score_terms(stats, name, "mean")]
        assert_array_equal(whole[0], single[0], err_msg=name)
        assert_array_equal(whole[1], single[1], err_msg=name)


@quick
@given(collections())
def test_order_of_documents_and_classes(collection):
    stats = collection.stats
    turned = TermStats.from_matrix(collection.counts[::-1], collection.indicator[::-1, ::-1])
    for name in SCORE_NAMES:
        assert_array_equal(score_classes(stats, name)[::-1], score_classes(turned, name))


def test_perfect_term_has_the_best_odds():
    # Perfect; missing in one document of the class; in one document outside; of no class at all.
    X = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 1, 1], [0, 0, 1, 0], [0, 0, 0, 1]])
    odds = score_classes(TermStats.from_matrix(X, ["x", "x", "x", "y", "y"]), "or")[0]
    assert rank(odds)[0] == 0


# -- corners ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCORE_NAMES)
@pytest.mark.parametrize("cells", [
    (5, 0, 0, 5), (0, 5, 5, 0), (5, 0, 3, 5), (0, 5, 5, 3), (3, 2, 0, 5), (3, 2, 5, 0),
    (0, 0, 5, 5), (5, 5, 0, 0), (0, 0, 10, 0), (10, 0, 0, 0), (4, 0, 6, 0), (0, 4, 0, 6),
    (0, 10, 0, 0), (0, 0, 0, 10), (1, 0, 0, 0), (1e-30, 0, 0, 1e-30), (1e12, 1, 1, 1e12),
])  # fmt: skip
def test_defined_at_the_corners(name, cells):
    with strict():
        score = SCORES[name].function(table(*cells))
    assert np.isfinite(score).all()
    if name in ("chi2", "chi2_tf", "ngl", "gss", "ig", "log_rr", "acc2", "bns"):
        joint, term_only, class_only, neither = cells
        by_class = (joint + class_only, term_only + neither)
        if 0 in by_class or 0 in (joint + term_only, class_only + neither):
            assert_allclose(score, 0, atol=1e-12)


@pytest.mark.parametrize("policy", POLICIES)
def test_collections_of_corners(policy):
    X = np.array([[1, 0, 1, 0], [1, 0, 0, 2], [1, 0, 0, 0]])
    for stats in (
        TermStats.from_matrix(X, ["x", "y", "z"]),
        TermStats.from_matrix(X, ["x", "x", "x"]),
        TermStats.from_matrix(X[:1], ["x"]),
        TermStats.from_matrix(np.zeros((3, 4)), ["x", "y", "y"]),
        TermStats.from_matrix(X, np.array([[1, 1], [1, 1], [0, 0]])),
        TermStats.from_matrix(X, ["x", "y", "y"], sample_weight=[0.1, 0.2, 0.3]),
    ):
        for name in SCORE_NAMES if policy != "joint" else ("ig",):
            with strict():
                scores = score_terms(stats, name, policy)
            assert scores.shape == (4,)
            assert np.isfinite(scores).all()


def test_weighted_rounding_is_no_document():
    # 0.1 + 0.2 + … leaves 1e-17 where integers leave nothing.
    weights = np.array([0.1, 0.2, 0.3, 0.7, 0.6, 0.5])
    X = np.array([[1, 1]] * 3 + [[0, 1]] * 3)
    tables = Contingency.from_stats(TermStats.from_matrix(X, list("xxxyyy"), sample_weight=weights))
    assert_array_equal(tables.term_only[0], [0, tables.other_classes[0, 0]])
    assert_array_equal(tables.neither[:, 1], [0, 0])
    assert_array_equal(tables.degenerate, [[False, True], [False, True]])


def test_errors():
    stats = TermStats.from_matrix([[1.5, -1.0], [0.0, 1.0]], ["x", "y"])
    with pytest.raises(StatsError, match="negative weights"):
        score_classes(stats, "chi2_tf")
    with pytest.raises(StatsError, match="without classes"):
        score_classes(TermStats.empty())
    with pytest.raises(StatsError, match="without classes"):
        ocfs_scores(TermStats.empty())
    with pytest.raises(ValueError, match="unit is 'documents' or 'occurrences', not 'x'"):
        Contingency.from_stats(stats, unit="x")
    with pytest.raises(ValueError, match="class_weight is one of"):
        ocfs_scores(stats, "x")
    assert score_classes(stats.take(np.array([], int))).shape == (2, 0)


# -- the registry -----------------------------------------------------------------------------


def test_unknown_names_list_the_known():
    with pytest.raises(ValueError, match=r"unknown score 'chi2tf'; did you mean 'chi2_tf'\?.*tfrf"):
        resolve("chi2tf")
    with pytest.raises(ValueError, match=r"unknown score 3"):
        resolve(3)


def test_own_scores():
    stats = TermStats.from_matrix([[2, 0], [1, 1], [0, 1]], ["x", "x", "y"])

    def lift(tables):
        return tables.precision - tables.p_class

    assert_allclose(score_classes(stats, lift), [[1 / 3, -1 / 6], [-1 / 3, 1 / 6]])
    occurrences = Score(lambda tables: tables.joint, unit="occurrences")
    assert_array_equal(score_classes(stats, occurrences), [[3, 1], [0, 1]])
    with pytest.raises(ValueError, match=r"must return an array of the shape \(2, 2\)"):
        score_classes(stats, lambda tables: tables.p_term)


def test_memory_does_not_grow_with_classes_times_terms():
    n_classes, n_terms = 300, 30_000
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(n_classes, size=60_000), rng.integers(n_terms, size=60_000)
    X = sp.csr_array((np.ones(60_000, int), (rows, columns)), (n_classes, n_terms))
    stats = TermStats.from_matrix(X, np.arange(n_classes))
    score_terms(stats, "ig", "mean")
    tracemalloc.start()
    score_terms(stats, "ig", "mean")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6  # all scores would be 72 MB


# -- OCFS -------------------------------------------------------------------------------------


@pytest.mark.parametrize("class_weight", ["size", "uniform", "sqrt"])
def test_ocfs_agrees_with_loops_over_documents(class_weight):
    @quick
    @given(collections())
    def check(collection):
        X, indicator = collection.counts - 1.5, collection.indicator
        stats = TermStats.from_matrix(X, indicator)
        sizes = indicator.sum(axis=0)
        weights = {
            "size": sizes / len(X),
            "uniform": np.ones(len(sizes)) / len(sizes),
            "sqrt": sizes**0.5 / (sizes**0.5).sum(),
        }[class_weight]
        expected = [
            weights[k] * (X[indicator[:, k] == 1].mean(axis=0) - X.mean(axis=0)) ** 2
            for k in range(len(sizes))
        ]
        assert_allclose(ocfs_class_scores(stats, class_weight), expected, atol=1e-12)
        assert_allclose(ocfs_scores(stats, class_weight), np.sum(expected, axis=0), atol=1e-12)
        counts = TermStats.from_matrix(collection.counts, indicator)  # the same, but sparse
        assert_allclose(ocfs_scores(counts, class_weight), np.sum(expected, axis=0), atol=1e-12)

    check()


@quick
@given(collections(multi_label=False))
def test_ocfs_maximises_the_trace(collection):
    X, labels = collection.counts.astype(float), collection.indicator.argmax(axis=1)
    groups = [X[labels == k] for k in np.unique(labels)]
    S_b = sum(
        len(group) / len(X) * np.outer(m := group.mean(axis=0) - X.mean(axis=0), m)
        for group in groups
    )
    p = (X.shape[1] + 1) // 2
    best = max(S_b[np.ix_(c, c)].trace() for c in combinations(range(X.shape[1]), p))
    chosen = rank(ocfs_scores(collection.stats))[:p]
    assert_allclose(S_b[np.ix_(chosen, chosen)].trace(), best, atol=1e-12)


def test_iris_third_and_fourth_not_third_and_first():
    X, y = load_iris(return_X_y=True)
    scores = ocfs_scores(TermStats.from_matrix(X, y))
    assert_array_equal(scores.round(4), [0.4214, 0.0756, 2.9140, 0.5361])
    assert_array_equal(rank(scores)[:2], [2, 3])
