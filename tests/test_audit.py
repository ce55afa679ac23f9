from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.sparse as sp

from termfold.classify.audit import audit, shares_of_terms
from termfold.classify.training import TrainingSet, read_training_set
from termfold.corpus import open_corpus
from termfold.datasets import load_debian
from termfold.errors import StatsError
from termfold.project.fedip import FEDIP
from termfold.stats import Labels
from termfold.terms.analyzer import Analyzer


def training_of(texts, y):
    corpus = open_corpus(texts, label=None)
    return read_training_set(corpus, Analyzer(), labels=Labels.of(y), n_jobs=1)


@pytest.fixture(scope="module")
def debian():
    return training_of(*load_debian("train").pair())


def with_flips(training, rate, seed):
    """Replace a share of the labels by others; tell which."""
    rng = np.random.default_rng(seed)
    labels, n_classes = training.labels, len(training.labels.classes)
    rows = rng.choice(len(training), round(rate * len(training)), replace=False)
    ids = labels.ids.copy()
    ids[rows] = (ids[rows] + rng.integers(1, n_classes, len(rows))) % n_classes
    flipped = Labels(labels.classes, labels.indptr, ids.astype(np.int32))
    return TrainingSet(training.terms, training.counts, flipped), rows


def test_flipped_labels_come_first(debian):
    training, rows = with_flips(debian, 0.05, seed=0)
    suspects = audit(training)
    flipped = set(rows.tolist())
    hits = [suspect.row in flipped for suspect in suspects[: len(rows)]]
    assert np.mean(hits) > 0.8  # 0.845 measured
    assert np.mean(hits[: len(rows) // 2]) > 0.92
    classes = debian.labels.classes
    right = [s.suggested == classes[debian.labels.ids[s.row]] for s in suspects if s.row in flipped]
    assert len(right) > 0.95 * len(rows)
    assert np.mean(right) > 0.88


def test_suspects_are_sorted_and_whole(debian):
    training, _ = with_flips(debian, 0.05, seed=1)
    suspects = audit(training, n=50, n_terms=3)
    assert suspects == audit(training, n_terms=3)[:50]
    chances = [suspect.probability_of_label for suspect in suspects]
    assert chances == sorted(chances)
    for suspect in suspects:
        row = training.labels.ids[suspect.row]
        assert suspect.label == training.labels.classes[row] != suspect.suggested
        odds = suspect.probability_of_suggested / suspect.probability_of_label
        assert suspect.margin == pytest.approx(np.log(odds), rel=1e-6)
        assert suspect.margin > 0
        shares = [share for _, share in suspect.deciding_terms]
        assert shares == sorted(shares, reverse=True)
        assert len(shares) <= 3
    values = json.loads(json.dumps(suspects[0].to_dict()))
    assert values["deciding_terms"][0] == list(suspects[0].deciding_terms[0])


@pytest.mark.parametrize("several", [False, True])
def test_shares_add_up_to_the_leave_one_out_features(debian, several):
    rows = np.arange(40)
    labels = debian.rows(rows).labels
    if several:
        labels = Labels.of([["x"], ["x", "y"], [], ["z", "y"]] * 10)
    training = TrainingSet(debian.terms, debian.counts[rows], labels)
    pools = FEDIP(
        "bernoulli", "log_rr", smooth="count", smoothing=0.5, signed=True,
        input_weight="sublinear_tfidf", denominator="norm",
    )  # fmt: skip
    features = pools.fit_transform(training.counts, labels)
    some = np.array([3, 30, 7])
    directions = np.random.default_rng(0).normal(size=(3, features.shape[1]))
    counts, shares = shares_of_terms(pools, training, some, directions)
    sums = np.add.reduceat(shares, counts.indptr[:-1])
    assert sums == pytest.approx((features[some] * directions).sum(axis=1), rel=1e-9)


def test_missing_and_superfluous_labels():
    texts = ["cat purrs meow", "dog barks woof", "cat meow dog woof", "rain falls"] * 10
    y = [["cat"], ["dog"], ["cat", "dog"], []] * 10
    y[2], y[5] = ["cat"], ["cat", "dog"]
    found = {(s.row, s.label, s.suggested) for s in audit(training_of(texts, y))}
    assert found == {(2, None, "dog"), (5, "cat", None)}
    missing = next(s for s in audit(training_of(texts, y)) if s.label is None)
    assert missing.probability_of_label + missing.probability_of_suggested == pytest.approx(1)
    assert {term for term, _ in missing.deciding_terms} <= {"cat", "meow", "dog", "woof"}


def test_one_label_each_read_as_several():
    texts = ["cat meow", "dog woof"] * 10
    y = ["cat", "dog"] * 9 + ["dog", "dog"]
    training = training_of(texts, y)
    assert {(s.row, s.label, s.suggested) for s in audit(training)} == {(18, "dog", "cat")}
    found = {(s.row, s.label, s.suggested) for s in audit(training, multilabel=True)}
    assert found == {(18, "dog", None), (18, None, "cat")}


def test_a_class_of_one_document_is_not_judged():
    texts = ["cat meow", "dog woof"] * 10 + ["dog woof"]
    y = ["cat", "dog"] * 10 + ["lone"]
    assert audit(training_of(texts, y)) == []
    assert audit(training_of(texts, [[label] for label in y]), multilabel=True) == [
        # The document may be of another class as well.
        *[s for s in audit(training_of(texts, y), multilabel=True) if s.label is None]
    ]


def test_documents_without_terms_and_classes_without_documents():
    counts = sp.csr_matrix(np.array([[2, 0], [1, 0], [0, 1], [0, 3], [0, 0]] * 4, np.float32))
    labels = Labels(np.array(["a", "b", "c"]), np.arange(21), np.array([0, 0, 1, 1, 1] * 4))
    terms = training_of(["aa bb"], ["x"]).terms
    for multilabel in (False, True):
        suspects = audit(TrainingSet(terms, counts, labels), multilabel)
        assert all(suspect.suggested != "c" for suspect in suspects)
        assert all(suspect.row % 5 == 4 for suspect in suspects)


def test_one_class_is_an_error():
    with pytest.raises(StatsError, match="one class"):
        audit(training_of(["aa", "bb"], ["x", "x"]))
