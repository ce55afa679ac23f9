"""TermCounter against scikit-learn's CountVectorizer, and its own laws."""

from __future__ import annotations

import os
import pickle
import re

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks as checks

from termfold.terms.counter import TermCounter
from termfold.terms.texts import utf8_of

needs_data = pytest.mark.skipif(
    "TERMFOLD_DATA" not in os.environ,
    reason="the collections do not come with termfold: set TERMFOLD_DATA to their folder",
)
TEXTS = ["to be or not to be", "", "To do, or NOT to do: be", "Größe 12 größe", "be be be", "123"]
WORD = st.sampled_from(["to", "be", "or", "not", "Be", "größe", "中文", "a", "12", "ΟΔΟΣ", "x_y"])
WORDS = st.lists(WORD, max_size=12)
DOCS = st.lists(WORDS.map(" ".join), max_size=12)


def assert_equal(ours: sp.csr_matrix, theirs: sp.csr_matrix) -> None:
    """Equal to the types of the arrays within."""
    assert type(ours) is type(theirs)
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    theirs.sort_indices()
    for name in ("indptr", "indices", "data"):
        one, other = getattr(ours, name), getattr(theirs, name)
        assert one.dtype == other.dtype, name
        np.testing.assert_array_equal(one, other)


def compare(train: list[str], test: list[str], **options) -> None:
    """Both learn from some texts and count others."""
    theirs = CountVectorizer(**options)
    if "analyzer" in options:
        options["unit"] = options.pop("analyzer")
    ours = TermCounter(**options, cjk="word")
    try:
        expected = theirs.fit_transform(train)
    except ValueError:
        with pytest.raises(ValueError, match=r"no terms|max_df="):
            ours.fit_transform(train)
        return
    assert_equal(ours.fit_transform(train), expected)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    assert ours.vocabulary_ == theirs.vocabulary_
    assert_equal(ours.transform(test), theirs.transform(test))
    assert_equal(ours.fit(train).transform(test), theirs.transform(test))


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.uint8])
@pytest.mark.parametrize("binary", [False, True])
def test_types_of_counts(dtype, binary):
    compare(TEXTS, TEXTS[::-1], dtype=dtype, binary=binary)


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("analyzer", ["word", "char", "char_wb"])
@pytest.mark.parametrize("ngram_range", [(1, 1), (1, 2), (2, 2), (2, 4)])
def test_units(lowercase, analyzer, ngram_range):
    compare(TEXTS, TEXTS[::-1], lowercase=lowercase, analyzer=analyzer, ngram_range=ngram_range)


@pytest.mark.parametrize("min_df", [1, 2, 3, 0.0, 0.2, 0.5, 6, np.int64(2)])
@pytest.mark.parametrize("max_df", [1.0, 0.5, 0.34, 1, 2, 5, np.float64(0.7)])
def test_limits(min_df, max_df):
    compare(TEXTS, TEXTS[::-1], min_df=min_df, max_df=max_df)


@settings(max_examples=60, deadline=None)
@given(
    DOCS,
    DOCS,
    st.sampled_from([1, 2, 0.3]),
    st.sampled_from([1.0, 0.8, 3]),
    st.booleans(),
    st.sampled_from([(1, 1), (1, 3)]),
    st.sampled_from([None, ["to", "be"]]),
)
def test_any_documents(train, test, min_df, max_df, binary, ngram_range, stop_words):
    compare(
        train, test, min_df=min_df, max_df=max_df, binary=binary, ngram_range=ngram_range,
        stop_words=stop_words,
    )  # fmt: skip


def test_the_sample():
    from termfold.datasets import load_debian

    dataset = load_debian()
    compare(dataset.data, dataset.data[::-1])
    compare(dataset.data[::4], dataset.data[::7], ngram_range=(1, 2), min_df=2, max_df=0.3)
    compare(dataset.data[::9], dataset.data[::7], analyzer="char_wb", ngram_range=(3, 5))


@needs_data
@pytest.mark.slow
def test_20newsgroups():
    from termfold.datasets import load_20newsgroups

    compare(load_20newsgroups("train").data, load_20newsgroups("test").data[::10])


@pytest.mark.parametrize("k", [1, 2, 3, 4, 100])
def test_max_features_keeps_the_most_frequent_and_breaks_ties_by_the_term(k):
    texts = ["dd cc bb", "dd cc aa", "dd bb aa zz"]  # dd 3; aa, bb, cc 2; zz 1
    expected = sorted(["dd", "aa", "bb", "cc", "zz"][:k])
    counter = TermCounter(max_features=k)
    matrix = counter.fit_transform(texts)
    assert counter.get_feature_names_out().tolist() == expected
    whole = CountVectorizer(vocabulary=expected).fit_transform(texts)
    np.testing.assert_array_equal(matrix.toarray(), whole.toarray())


# -- laws -------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.lists(DOCS, min_size=1, max_size=4),
    st.sampled_from([1, 2, 0.2]),
    st.sampled_from([1.0, 3, 0.9]),
    st.sampled_from([None, 2]),
)
def test_batches_are_one_fit(batches, min_df, max_df, max_features):
    """Whatever the batches: also one with fewer documents than ``min_df``, or none."""
    limits = {"min_df": min_df, "max_df": max_df, "max_features": max_features}
    texts = [text for batch in batches for text in batch]
    stream = TermCounter(**limits)
    for batch in batches:
        stream.partial_fit(batch)
    try:
        whole = TermCounter(**limits).fit(texts)
    except ValueError:
        assert len(stream.terms_) == 0
        assert stream.transform(texts).shape == (len(texts), 0)
        return
    assert stream.terms_ == whole.terms_
    assert stream.totals_.n_docs == whole.totals_.n_docs == len(texts)
    np.testing.assert_array_equal(stream.totals_.df, whole.totals_.df)
    np.testing.assert_array_equal(stream.totals_.tf, whole.totals_.tf)
    assert_equal(stream.transform(texts), whole.transform(texts))


def test_fit_begins_anew():
    counter = TermCounter().partial_fit(["one two"])
    assert counter.fit(["three"]).vocabulary_ == {"three": 0}
    assert counter.partial_fit(["one"]).vocabulary_ == {"one": 0, "three": 1}


@pytest.mark.parametrize("n_jobs", [2, 3, 4, -1, None])
def test_threads_change_nothing(n_jobs):
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(5000)]
    texts = [" ".join(rng.choice(words, rng.integers(0, 90))) for _ in range(2000)]
    texts += ["", " ".join(rng.choice(words, 60_000)), ""]
    one, many = TermCounter(n_jobs=1, min_df=2), TermCounter(n_jobs=n_jobs, min_df=2)
    assert_equal(many.fit_transform(texts), one.fit_transform(texts))
    assert many.terms_ == one.terms_
    assert_equal(many.transform(texts[::-1]), one.transform(texts[::-1]))


@pytest.mark.parametrize("n_jobs", [1, 4])
def test_a_single_document_larger_than_a_part(n_jobs):
    text = "ab cd " * 50_000
    for texts in ([text], [text, ""], ["", text], ["", "", text, "x"]):
        found = TermCounter(n_jobs=n_jobs).fit_transform(texts)
        assert_equal(found, CountVectorizer().fit_transform(texts))


def test_no_documents():
    counter = TermCounter().fit(TEXTS)
    assert counter.transform([]).shape == (0, len(counter.terms_))
    assert counter.transform(pa.array(TEXTS).slice(3, 0)).shape == (0, len(counter.terms_))
    assert counter.transform(pa.chunked_array([], pa.string())).shape[0] == 0
    assert counter.inverse_transform(counter.transform([])) == []


# -- what goes in -----------------------------------------------------------------------------

SERIES = {
    "list": list,
    "tuple": tuple,
    "bytes": lambda texts: [text.encode() for text in texts],
    "generator": iter,
    "numpy": np.array,
    "numpy objects": lambda texts: np.array(texts, object),
    "pandas": pd.Series,
    "pandas objects": lambda texts: pd.Series(texts, dtype=object),
    "pandas with an index": lambda texts: pd.Series(texts, index=range(7, 7 + len(texts))),
    "pandas arrow": lambda texts: pd.Series(texts, dtype=pd.ArrowDtype(pa.string())),
    "pandas arrow large": lambda texts: pd.Series(texts, dtype=pd.ArrowDtype(pa.large_string())),
    "pandas categorical": lambda texts: pd.Series(texts).astype("category"),
    "polars": pl.Series,
    "polars categorical": lambda texts: pl.Series(texts).cast(pl.Categorical),
    "arrow": pa.array,
    "arrow large": lambda texts: pa.array(texts, pa.large_string()),
    "arrow view": lambda texts: pa.array(texts, pa.string_view()),
    "arrow dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "arrow chunks": lambda texts: pa.chunked_array([texts[:2], [], texts[2:]]),
    "arrow slice": lambda texts: pa.array(["other", *texts, "more"]).slice(1, len(texts)),
}


@pytest.mark.parametrize("kind", SERIES)
def test_kinds_of_input(kind):
    make = SERIES[kind]
    expected = TermCounter().fit_transform(TEXTS)
    counter = TermCounter()
    assert_equal(counter.fit_transform(make(TEXTS)), expected)
    assert_equal(counter.transform(make(TEXTS)), expected)


@pytest.mark.parametrize("kind", ["arrow large", "pandas arrow large", "arrow slice"])
def test_the_text_is_not_copied(kind):
    texts = SERIES[kind](["some text", "more of it"])
    array = texts if isinstance(texts, pa.Array) else pa.array(texts)
    array = array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
    data, _ = utf8_of(texts)
    assert data.ctypes.data == array.buffers()[2].address


def test_memory_that_cannot_be_written():
    texts = pa.array(TEXTS, pa.large_string())
    sink = pa.BufferOutputStream()
    batch = pa.record_batch({"text": texts})
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    read = pa.ipc.open_stream(sink.getvalue()).read_next_batch()["text"]
    assert_equal(TermCounter().fit_transform(read), TermCounter().fit_transform(TEXTS))


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("one string", "got one string; give a list of texts: [text]"),
        (None, "got None; give a list of texts"),
        (5, "got 5; give a list of texts"),
        ([1, 2], "text 0 is 1 of type int, not a string"),
        (["a", None], "text 1 is null"),
        (["a", float("nan")], "text 1 is nan of type float"),
        (["a", b"\xff"], r"text 1 is b'\xff' of type bytes"),
        ([["a"], ["b"]], "text 0 is ['a'] of type list"),
        (np.array([["a", "b"]]), "of type ndarray, not a string"),
        (["ok", "\ud800"], "text 1 holds a lone surrogate"),
        (b"bytes", "text 0 is 98 of type int"),
        (np.arange(3), "text 0 is np.int64(0)"),
        (pa.array(["a", None]), "text 1 is null"),
        (pa.array([1, 2]), "texts must be strings, got Arrow type int64"),
        (pa.chunked_array([["a"], [None]]), "text 1 is null"),
        (pd.Series(["a", None]), "text 1 is null"),
        (pd.Series(["a", np.nan], dtype=object), "text 1 is null"),
        (pd.Series(["a", 1], dtype=object), "text 1 is 1 of type int"),
        (pd.Series([1.5, 2.5]), "texts must be strings, got Arrow type double"),
        (pd.DataFrame({"text": ["a"]}), "texts must be strings, got Arrow type struct"),
        (pl.Series(["a", None]), "text 1 is null"),
        (pl.Series([1]), "texts must be strings, got Arrow type int64"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else None,
)
@pytest.mark.parametrize("method", ["fit", "partial_fit", "fit_transform", "transform"])
def test_bad_input(texts, message, method):
    counter = TermCounter().fit(["some text"])
    with pytest.raises(ValueError, match=re.escape(message)):
        getattr(counter, method)(texts)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_df": 0}, "min_df=0; it must be a number of documents"),
        ({"min_df": -1}, "min_df=-1"),
        ({"min_df": 1.5}, "min_df=1.5"),
        ({"min_df": "2"}, "min_df='2'"),
        ({"min_df": None}, "min_df=None"),
        ({"max_df": float("nan")}, "max_df=nan"),
        ({"max_df": 0}, "max_df=0"),
        ({"min_df": 3, "max_df": 2}, "max_df=2 are fewer documents than min_df=3 of 2"),
        ({"min_df": 2}, "no terms are left: try a lower min_df"),
        ({"max_features": 0}, "max_features=0; it must be at least 1"),
        ({"unit": "page"}, "unit='page'"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"stop_words": ["one", "two"]}, "no terms: the texts are empty, or hold only stop words"),
        ({"min_length": 9}, "shorter than min_length=9"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        TermCounter(**options).fit(["one", "two"])
    if "n_jobs" not in options:
        with pytest.raises(ValueError, match=re.escape(message)):
            TermCounter(**options).fit_transform(["one", "two"])


def test_not_fitted():
    for method in (TermCounter().transform, TermCounter().inverse_transform):
        with pytest.raises(NotFittedError):
            method(["text"])
    with pytest.raises(NotFittedError):
        TermCounter().get_feature_names_out()


# -- as a part of scikit-learn ----------------------------------------------------------------


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csc_array, sp.coo_array, sp.csr_matrix.toarray])
def test_inverse_transform(make):
    counter, vectorizer = TermCounter(), CountVectorizer()
    X, expected = counter.fit_transform(TEXTS), vectorizer.fit_transform(TEXTS)
    found = counter.inverse_transform(make(X))
    for ours, theirs in zip(found, vectorizer.inverse_transform(expected), strict=True):
        assert sorted(ours) == sorted(theirs)


def test_inverse_transform_leaves_its_input_as_it_is():
    counter = TermCounter()
    X = counter.fit_transform(TEXTS)
    X.data[::2] = 0
    before = X.copy()
    assert len(counter.inverse_transform(X)[1]) == 0
    assert X.nnz == before.nnz
    assert_equal(X, before)


def test_pickle_and_clone():
    counter = TermCounter(ngram_range=(1, 2), stop_words=["or"], n_jobs=2)
    assert clone(counter).get_params() == counter.get_params()
    expected = counter.fit_transform(TEXTS)
    for copy in (pickle.loads(pickle.dumps(counter)), clone(counter).fit(TEXTS)):
        assert_equal(copy.transform(TEXTS), expected)
    later = pickle.loads(pickle.dumps(counter)).partial_fit(["new words"])
    assert later.totals_.n_docs == len(TEXTS) + 1


def test_pipeline_and_grid_search():
    texts = ["good film", "bad film", "good plot", "bad plot", "a good one", "a bad one"] * 4
    y = np.array(["pos", "neg"] * 12)
    pipeline = make_pipeline(TermCounter(), TfidfTransformer(), LogisticRegression())
    assert pipeline.fit(texts, y).score(texts, y) == 1.0
    names = pipeline[:-1].get_feature_names_out()
    assert names.tolist() == ["bad", "film", "good", "one", "plot"]
    grid = {"termcounter__ngram_range": [(1, 1), (1, 2)], "termcounter__min_df": [1, 2]}
    search = GridSearchCV(make_pipeline(TermCounter(), MultinomialNB()), grid, cv=3)
    assert search.fit(pd.Series(texts), y).best_score_ == 1.0


def test_set_output():
    counter = TermCounter().set_output(transform="default")
    assert sp.issparse(counter.fit_transform(TEXTS))
    with pytest.raises(ValueError, match="sparse"):
        TermCounter().set_output(transform="pandas").fit_transform(TEXTS)


def test_html_and_repr():
    counter = TermCounter(min_df=2)
    assert repr(counter) == "TermCounter(min_df=2)"
    assert "TermCounter" in counter._repr_html_()


@pytest.mark.parametrize(
    "check",
    [
        checks.check_estimator_cloneable,
        checks.check_estimator_repr,
        checks.check_estimator_tags_renamed,
        checks.check_get_params_invariance,
        checks.check_mixin_order,
        checks.check_no_attributes_set_in_init,
        checks.check_parameters_default_constructible,
        checks.check_set_params,
        checks.check_valid_tag_types,
    ],
    ids=lambda check: check.__name__,
)
def test_scikit_learns_checks(check):
    """Those that fit no matrix; ``parametrize_with_checks`` passes over estimators of text."""
    check("TermCounter", TermCounter())
