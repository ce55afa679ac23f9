"""The vocabulary against ``sorted`` and ``set``."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from termfold.terms.vocabulary import EMPTY, Vocabulary

# Long common beginnings, ends of zeros, and characters whose order UTF-16 would turn around.
TERM = st.one_of(
    st.text(max_size=12),
    st.text(st.sampled_from("a\0ä中\uffff𐀀"), max_size=12),
    st.text(st.sampled_from("ab"), max_size=20).map(lambda end: "sameprefix" + end),
)
TERMS = st.lists(TERM, max_size=40)


def slices(terms: list[str]) -> tuple[np.ndarray, np.ndarray]:
    encoded = [term.encode() for term in terms]
    data = np.frombuffer(b"".join(encoded), np.uint8)
    return data, np.cumsum([0] + [len(term) for term in encoded])


@given(TERMS)
def test_terms_are_sorted_and_distinct(terms):
    vocabulary = Vocabulary.from_terms(terms)
    expected = sorted(set(terms))
    assert list(vocabulary) == expected
    assert [vocabulary[i] for i in range(len(vocabulary))] == expected
    assert vocabulary.to_arrow().to_pylist() == expected
    assert Vocabulary.from_arrow(vocabulary.to_arrow()) == vocabulary
    assert len(vocabulary) == len(expected)


@settings(deadline=None)
@given(st.sets(TERM, max_size=40).map(list))
def test_sorting_slices_tells_the_ranks(terms):
    vocabulary, ranks = Vocabulary.from_slices(*slices(terms))
    assert list(vocabulary) == sorted(terms)
    assert [vocabulary[rank] for rank in ranks] == terms


@settings(deadline=None)
@given(TERMS, TERM)
def test_position(terms, other):
    vocabulary = Vocabulary.from_terms(terms)
    for i, term in enumerate(vocabulary):
        assert vocabulary.position(term) == i
    assert (vocabulary.position(other) is not None) == (other in terms)


@settings(deadline=None)
@given(TERMS, TERMS)
def test_union(a, b):
    one, other = Vocabulary.from_terms(a), Vocabulary.from_terms(b)
    union, from_one, from_other = one.union(other)
    assert list(union) == sorted({*a, *b})
    for part, ids in ((one, from_one), (other, from_other)):
        assert [part[i] if i >= 0 else None for i in ids] == [
            term if term in set(part) else None for term in union
        ]
    assert other.union(one)[0] == union
    assert one.union(one)[0] == one.union(EMPTY)[0] == one


@settings(deadline=None)
@given(TERMS, st.data())
def test_take(terms, data):
    vocabulary = Vocabulary.from_terms(terms)
    kept = data.draw(st.sets(st.sampled_from(range(len(vocabulary))))) if len(vocabulary) else set()
    taken = vocabulary.take(np.array(sorted(kept), np.int64))
    assert list(taken) == [term for i, term in enumerate(vocabulary) if i in kept]


def test_many_terms_that_begin_alike():
    terms = [f"https example org {i}" for i in range(5000)]
    vocabulary, _ = Vocabulary.from_slices(*slices(terms[::-1]))
    assert list(vocabulary) == sorted(terms)


def test_equality_and_errors():
    vocabulary = Vocabulary.from_terms(["b", "a"])
    assert vocabulary != Vocabulary.from_terms(["a", "c"])
    assert vocabulary != Vocabulary.from_terms(["ab"])
    assert vocabulary != ["a", "b"]
    assert repr(vocabulary) == "Vocabulary(2 terms: 'a', 'b')"
    assert repr(EMPTY) == "Vocabulary(0 terms)"
    for index in (-1, 2):
        with pytest.raises(IndexError, match="of a vocabulary of 2"):
            vocabulary[index]
    with pytest.raises(TypeError, match="unhashable"):
        hash(vocabulary)
