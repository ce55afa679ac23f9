"""What the studies compute themselves, against slow and obvious oracles."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import stats
from sklearn.naive_bayes import BernoulliNB

from termfold_studies.best_terms.collections import combine_posts, last_of_each_group, read_post
from termfold_studies.best_terms.filters import PresenceBayes
from termfold_studies.common.figures import cliques
from termfold_studies.common.page import judge
from termfold_studies.common.significance import (
    Difference,
    critical_difference,
    friedman,
    holm,
    over_collections,
    over_documents,
    over_splits,
)

# -- significance -----------------------------------------------------------------------------


def _micro_f1(counts):
    right, wrong, missed = counts.sum(axis=0)
    return 2 * right / (2 * right + wrong + missed)


def test_the_bootstrap_over_documents_is_that_of_drawing_documents():
    rng = np.random.default_rng(3)
    first, second = (rng.integers(0, 3, (300, 3)) for _ in range(2))
    second[:, 1] += rng.integers(0, 2, 300)
    found = over_documents(first, second)

    drawn = []
    for _ in range(2000):
        some = rng.integers(0, 300, 300)
        drawn.append(_micro_f1(first[some]) - _micro_f1(second[some]))
    assert found.value == pytest.approx(_micro_f1(first) - _micro_f1(second))
    assert [found.low, found.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.006)
    beyond_zero = min(np.mean(np.array(drawn) <= 0), np.mean(np.array(drawn) >= 0))
    assert found.p == pytest.approx(2 * beyond_zero, abs=0.04)


def test_no_difference_is_no_difference():
    same = over_documents([1, 0, 1], [1, 0, 1])
    assert (same.value, same.p, same.sign) == (0, 1, 0)


def test_a_clear_difference_has_its_sign():
    better = over_documents([1] * 95 + [0] * 5, [1] * 60 + [0] * 40)
    assert better.sign == 1
    assert over_documents([1] * 60 + [0] * 40, [1] * 95 + [0] * 5).sign == -1
    assert better.p < 0.001
    assert str(better).startswith("+35.0 (+")


def test_differences_over_splits_without_shared_documents_are_student_s():
    gaps = [0.01, 0.03, 0.02, 0.04]
    tiny = 1e-12  # of the documents are tested, so that splits share nothing
    assert over_splits(gaps, tiny).p == pytest.approx(stats.ttest_1samp(gaps, 0).pvalue)


def test_shared_documents_make_a_difference_less_sure():
    gaps = [0.01, 0.03, 0.02, 0.04]
    assert over_splits(gaps, 0.33).p > over_splits(gaps, 0.1).p
    assert over_splits([0.0, 0.0], 0.3).p == 1


def test_differences_over_collections_are_wilcoxon_s():
    gaps = [0.01, 0.02, 0.05, 0.03, 0.04, -0.002]
    found = over_collections(gaps)
    assert found.p == stats.wilcoxon(gaps).pvalue
    assert (found.low, found.high) == (-0.002, 0.05)
    assert over_collections([0.0, 0.0]).p == 1


def test_holm_by_hand():
    p = [0.01, 0.2, 0.02, 0.9]
    corrected = [d.p for d in holm([Difference(0, 0, 0, value) for value in p])]
    assert corrected == pytest.approx([0.04, 0.4, 0.06, 0.9])


def test_critical_differences_of_demsar_s_table():
    # q at 5 % is 2.343 for two more methods than one, 2.728 for five (Demšar 2006, table 5)
    assert critical_difference(3, 10) == pytest.approx(2.343 * np.sqrt(3 * 4 / 60), rel=1e-3)
    assert critical_difference(5, 10) == pytest.approx(2.728 * np.sqrt(5 * 6 / 60), rel=1e-3)


def test_methods_that_always_rank_alike_differ():
    scores = np.array([[0.9, 0.8, 0.1]] * 6) + np.arange(6)[:, None] / 100
    assert friedman(scores) < 0.01


def test_bars_join_what_is_within_the_distance():
    assert cliques([1, 2, 3, 9], 2) == [(1, 3)]
    assert cliques([1, 5, 9], 1) == []


def test_verdicts():
    assert [judge(n, 3) for n in (0, 1, 3)] == ["not confirmed", "partly confirmed", "confirmed"]
    assert judge(1, 3, against=2) == "not confirmed"


# -- the filter -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def documents():
    rng = np.random.default_rng(5)
    X = sp.csr_matrix((rng.random((60, 15)) < 0.3).astype(float))
    Y = (rng.random((60, 4)) < 0.4).astype(int)
    return X[:40], Y[:40], X[40:]


@pytest.mark.parametrize("size", [1, 6, 15])
def test_naive_bayes_of_one_list_is_scikit_learn_s(documents, size):
    X, Y, X_test = documents
    ranking = np.random.default_rng(6).permutation(15)
    found = PresenceBayes(X, Y).predict(X_test, ranking, size)
    kept = ranking[:size]
    for k in range(4):
        oracle = BernoulliNB().fit(X[:, kept], Y[:, k]).predict(X_test[:, kept])
        assert found[:, k].astype(int).tolist() == oracle.tolist()


@pytest.mark.parametrize("size", [1, 6, 15])
def test_naive_bayes_of_a_list_for_each_class_is_scikit_learn_s(documents, size):
    X, Y, X_test = documents
    rankings = np.array([np.random.default_rng(k).permutation(15) for k in range(4)])
    found = PresenceBayes(X, Y).predict(X_test, rankings, size)
    for k, ranking in enumerate(rankings):
        kept = ranking[:size]
        oracle = BernoulliNB().fit(X[:, kept], Y[:, k]).predict(X_test[:, kept])
        assert found[:, k].astype(int).tolist() == oracle.tolist()


# -- posts ------------------------------------------------------------------------------------

POST = "Subject: tea\nDate: {}\n\n{}"


def test_posts_in_several_groups_are_taken_once():
    posts = [POST.format("6 Apr 93 10:00 GMT", text) for text in ("one", "two", "one", "  ")]
    texts, groups, times = combine_posts(posts, ["a", "a", "b", "b"])
    assert texts == ["tea\n\none", "tea\n\ntwo"]
    assert groups == [["a", "b"], ["a"]]
    assert len(times) == 2


def test_the_last_posts_of_each_group_are_held_back():
    days = [read_post(POST.format(f"{day} Apr 1993 10:00 GMT", "x"))[2] for day in (3, 1, 2, 5)]
    groups = [["a"], ["a"], ["a", "b"], ["b"]]
    assert last_of_each_group(groups, days, 1) == [True, False, False, True]
    assert last_of_each_group(groups, days, 2) == [True, False, True, True]


@pytest.mark.parametrize("date", ["", "yesterday", "32 Apr 1993 10:00"])
def test_an_unreadable_date_is_the_earliest(date):
    assert read_post(POST.format(date, "x"))[2].year == 1


def test_a_date_without_a_zone_can_be_compared():
    known, naive = (
        read_post(POST.format(d, "x"))[2] for d in ("6 Apr 93 10:00 GMT", "6 Apr 93 10:00")
    )
    assert known == naive
