from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from strategies import collections
from termfold.scores import POLICIES, rank, round_robin, score_classes, score_terms
from termfold.scores.policies import reduce_classes
from termfold.stats import TermStats

quick = settings(max_examples=60, deadline=None)


@quick
@given(collections(weighted=True))
def test_max_sum_and_mean(collection):
    stats = collection.stats
    for name in ("chi2", "ngl", "mi", "chi2_tf"):
        scores = score_classes(stats, name)
        p_class = stats.class_docs / stats.n_docs
        assert_array_equal(score_terms(stats, name, "max"), scores.max(axis=0))
        assert_allclose(score_terms(stats, name, "sum"), scores.sum(axis=0), atol=1e-9)
        assert_allclose(score_terms(stats, name, "mean"), p_class @ scores, atol=1e-9)


def naive_round_robin(scores):
    """Each class in turn gives its best term not taken yet."""
    n_classes, n_terms = scores.shape
    taken = []
    while len(taken) < n_terms:
        own = scores[len(taken) % n_classes]
        free = [t for t in range(n_terms) if t not in taken]
        taken.append(max(free, key=lambda t: (own[t], -t)))
    return taken


@quick
@given(collections())
def test_round_robin(collection):
    scores = score_classes(collection.stats, "chi2")
    order = naive_round_robin(scores)
    assert_array_equal(round_robin(scores), order)
    places = score_terms(collection.stats, "chi2", "round_robin")
    assert_array_equal(rank(places), order)
    assert_array_equal(np.sort(places), np.arange(len(order)) + 1)


def test_round_robin_serves_every_class():
    # Both of the best terms by χ² stand for x; y's best comes second all the same.
    X = np.array([[1, 1, 0]] * 5 + [[0, 0, 1]] + [[0, 0, 0]] * 4)
    y = ["x"] * 5 + ["y"] * 3 + ["z"] * 2
    stats = TermStats.from_matrix(X, y)
    assert_array_equal(rank(score_terms(stats, "ngl", "max")), [0, 1, 2])
    assert_array_equal(rank(score_terms(stats, "ngl", "round_robin")), [0, 2, 1])


@pytest.mark.parametrize("n_labels", [1, 2])
def test_joint(n_labels):
    @quick
    @given(collections(multi_label=n_labels == 2))
    def check(collection):
        stats = collection.stats
        present = collection.counts > 0
        expected = np.zeros(present.shape[1])
        for inside in (collection.indicator == 1).T:
            expected -= xlogx(inside.mean())
            for event in (present, ~present):
                p_event = event.mean(axis=0)
                both = (event & inside[:, None]).mean(axis=0)
                given_event = both / np.where(p_event, p_event, 1)
                expected += p_event * [xlogx(p) for p in given_event]
        assert_allclose(score_terms(stats, "ig", "joint"), expected, atol=1e-12)
        assert score_terms(stats, "ig", "joint").min() >= 0

    check()


def xlogx(p):
    return p * np.log(p) if p > 0 else 0.0


def test_errors():
    stats = TermStats.from_matrix([[1, 0], [0, 1]], ["x", "y"])
    with pytest.raises(ValueError, match=r"unknown policy 'meant'; did you mean 'mean'\? Allowed"):
        score_terms(stats, "chi2", "meant")
    with pytest.raises(ValueError, match=r"unknown policy 'best'\. Allowed: max, sum, mean"):
        score_terms(stats, "chi2", "best")
    with pytest.raises(ValueError, match="'joint' exists for the score 'ig', not for 'chi2'"):
        score_terms(stats, "chi2", "joint")
    with pytest.raises(ValueError, match="not a function of one term's scores"):
        reduce_classes(np.zeros((2, 2)), "joint", np.ones(2))
    assert POLICIES == ("max", "sum", "mean", "round_robin", "joint")


def test_ties_keep_the_order_of_columns():
    scores = np.tile([1.0, 2.0, 2.0, 1.0], 100)
    ranking = rank(scores)
    assert_array_equal(scores[ranking], np.sort(scores)[::-1])
    assert (np.diff(ranking[:200]) > 0).all()
    assert (np.diff(ranking[200:]) > 0).all()
    assert_array_equal(rank(np.array([[0, 1], [1, 0]])), [[1, 0], [0, 1]])
