"""A model of counts alone is the largest feature of FEDIP, whatever number of weights is kept."""

from __future__ import annotations

import numpy as np
import pytest

from termfold import FEDIP, TermCounter, TermStats, collect
from termfold.classify import model_file
from termfold.classify.from_counts import model_of_counts
from termfold.datasets import load_debian
from termfold.errors import StatsError


@pytest.fixture(scope="module")
def train():
    whole = load_debian("train")
    return whole.data[:900], whole.labels.to_pylist()[:900]


@pytest.fixture(scope="module")
def test():
    whole = load_debian("test")
    return whole.data[:300], whole.labels.to_pylist()[:300]


def test_its_scores_are_the_features_of_fedip(train, test):
    counter = TermCounter()
    pools = FEDIP("multinomial", "log_rr", smoothing=0.1, smooth="count", signed=True)
    features = pools.fit(counter.fit_transform(train[0]), train[1])
    wanted = features.transform(counter.transform(test[0]))
    model = model_of_counts(collect(*train[:1], labels=train[1]))
    scores = model.scores(test[0])
    # Weights of eight bits: a step is 1/127 of the largest of a term.
    np.testing.assert_allclose(scores, wanted, atol=0.05)
    assert np.mean(scores.argmax(axis=1) == wanted.argmax(axis=1)) > 0.99


def test_it_labels_texts_much_better_than_chance_and_fits_in_a_file(train, test, tmp_path):
    model = model_of_counts(collect(train[0], labels=train[1]))
    names = np.array(model.classes)
    found = names[model.scores(test[0]).argmax(axis=1)]
    assert np.mean(found == np.array(test[1])) > 0.6
    model_file.save(model, tmp_path / "m")
    again = model_file.load(tmp_path / "m")
    assert np.array_equal(again.scores(test[0]), model.scores(test[0]))


def test_of_too_many_weights_those_of_frequent_terms_are_kept(train):
    stats = collect(train[0], labels=train[1])
    model = model_of_counts(stats, max_weights=100 * stats.n_classes)
    assert len(model.terms) == 100
    kept = {stats.terms.position(term) for term in model.terms}
    least = stats.term_df[list(kept)].min()
    assert least >= np.sort(stats.term_df)[-100]


@pytest.mark.parametrize(
    ("stats", "word"),
    [
        (TermStats.from_matrix([[1, 0], [0, 1]], ["x", "y"], terms=["a", "b"]), "matrix"),
        (collect(["one"], labels=["x"]), "two classes"),
        (TermStats.empty(), "matrix"),
        (collect(["", ""], labels=["x", "y"]), "two classes"),
    ],
)
def test_what_cannot_tell_texts_apart_is_an_error(stats, word):
    with pytest.raises(StatsError, match=word):
        model_of_counts(stats)
