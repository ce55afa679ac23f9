"""Tables from the rows of a matrix are those from its columns, to the last bit."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings

from termfold.stats import TermStats
from termfold.stats.survey import Survey


@st.composite
def matrices(draw):
    """A matrix with stored zeros, negative and real values, labels of any number, weights."""
    n_docs, n_terms = draw(st.integers(0, 8)), draw(st.integers(0, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    values = rng.choice(draw(st.sampled_from([[0, 1, 2], [0, -1, 7], [0, 0.3, 1.7]])), n_docs * 6)
    X = values.reshape(n_docs, 6)[:, :n_terms]
    rows = sp.csr_array(X.astype(draw(st.sampled_from([X.dtype, np.float64, np.float32]))))
    rows.data[: draw(st.integers(0, 2))] = 0
    labels = [["a", "b", "c"][: rng.integers(0, 4)] for _ in range(n_docs)]
    if draw(st.booleans()):
        labels = [[name] for name in rng.choice(["a", "b", "c"], n_docs)]
    weights = draw(st.sampled_from([None, rng.integers(0, 3, n_docs), rng.random(n_docs)]))
    return rows, labels, weights


@settings(deadline=None)
@given(matrices())
def test_rows_and_columns_give_the_same(matrix):
    rows, labels, weights = matrix
    by_rows = TermStats.from_matrix(rows, labels, sample_weight=weights)
    by_columns = TermStats.from_matrix(rows.tocsc(), labels, sample_weight=weights)
    assert by_rows.content_hash() == by_columns.content_hash()
    assert by_rows == by_columns


def test_more_pairs_than_the_first_arrays_hold():
    rng = np.random.default_rng(0)
    X = sp.csr_array(rng.poisson(0.6, (400, 900)))
    y = rng.integers(0, 90, 400)
    assert TermStats.from_matrix(X, y) == TermStats.from_matrix(X.tocsc(), y)


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int16, np.uint32, np.int64, np.float32])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_types_of_values_and_of_indices(kind, index):
    X = sp.csr_array(np.array([[1, 0, 1], [0, 0, 1]], kind))
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    stats = TermStats.from_matrix(X, ["x", "y"])
    assert stats.exact
    assert stats.dense("tf").tolist() == [[1, 0, 1], [0, 0, 1]]
    assert stats.term_df.tolist() == [1, 0, 2]


def test_rows_out_of_order_with_entries_given_twice():
    X = sp.csr_array(([1, 2, 3, 4], [2, 0, 2, 1], [0, 3, 3, 4]), (3, 3))
    before = X.indices.copy()
    stats = TermStats.from_matrix(X, ["x", "y", "x"])
    np.testing.assert_array_equal(X.indices, before)
    assert stats == TermStats.from_matrix(X.toarray(), ["x", "y", "x"])
    assert stats.term_df.tolist() == [1, 1, 1]


@pytest.mark.parametrize("make", [sp.csr_array, sp.csc_array])
@pytest.mark.parametrize("index", [3, -1])
def test_an_index_outside_the_matrix(make, index):
    X = make(np.eye(3))
    X.indices[1] = index
    with pytest.raises(ValueError, match=r"ind(ex|ices)"):
        TermStats.from_matrix(X, ["x", "y", "z"])


@settings(deadline=None)
@given(
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 9), max_size=20)
    | st.lists(st.floats(-1e300, 1e300) | st.integers(-9, 9).map(float), max_size=20)
)
def test_a_survey_by_blocks(values):
    array = np.array(values, dtype=np.int64 if values and isinstance(values[0], int) else float)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("termfold.stats.survey._BLOCK", 3)
        found = Survey.of(array)
    sizes = [abs(float(value)) for value in values]
    assert found.least == float(min([0, *values]))
    assert found.most == float(max([0, *values]))
    assert found.total == pytest.approx(sum(sizes))
    fits = array.dtype.kind == "i" or max([0, *sizes]) < 2**53
    assert found.whole == (fits and all(value == int(value) for value in values))


def test_numbers_whose_sum_is_infinite_are_no_error():
    assert Survey.of(np.array([1.7e308, 1.7e308])).total == np.inf


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("at", [0, 2**15 - 1, 2**15, 2**15 + 5])
def test_a_survey_finds_what_is_no_number(bad, at):
    values = np.ones(2**15 + 6)
    values[at] = bad
    with pytest.raises(ValueError, match="NaN or infinity"):
        Survey.of(values)


@pytest.mark.parametrize("total", [2**32 - 1, 2**32, 2**40])
def test_sums_at_the_edge_of_32_bits(total):
    X = sp.csr_array(np.array([[total - 1, 0], [1, 5]]))
    stats = TermStats.from_matrix(X, ["x", "x"], sample_weight=np.array([1, 1]))
    assert stats.tf.tolist() == [total, 5]
    assert stats.term_tf.tolist() == [total, 5]
    twice = TermStats.from_matrix(X, ["x", "x"], sample_weight=np.array([2, 2]))
    assert twice.tf.tolist() == [2 * total, 10]
    assert twice.df.tolist() == [4, 2]
