"""Metrics against scikit-learn's, folds, and measuring."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from termfold.corpus import open_corpus
from termfold.errors import CorpusError
from termfold.evaluate import (
    Documents,
    compare,
    cross_validate,
    evaluate,
    read_documents,
    summarize,
    ways,
)

NAMES = st.sampled_from("abcd")


@settings(deadline=None)
@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=30))
def test_one_label_each(pairs: list[tuple[str, str]]) -> None:
    truth, predicted = map(list, zip(*pairs, strict=True))
    summary = summarize(truth, predicted)
    names = [one["name"] for one in summary["classes"]]
    assert names == sorted({*truth, *predicted})
    assert summary["accuracy"] == pytest.approx(accuracy_score(truth, predicted))
    assert summary["micro"]["f1"] == pytest.approx(summary["accuracy"])
    assert summary["macro"]["f1"] == pytest.approx(
        f1_score(truth, predicted, average="macro", zero_division=0)
    )
    if len(names) > 1:  # scikit-learn warns of a single one
        assert summary["confusion"] == confusion_matrix(truth, predicted, labels=names).tolist()
    mistakes = sum(a != b for a, b in pairs)
    assert sum(pair["documents"] for pair in summary["confused"]) == mistakes


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.lists(NAMES, unique=True)] * 2), min_size=1, max_size=30))
def test_several_labels(pairs: list[tuple[list[str], list[str]]]) -> None:
    truth, predicted = map(list, zip(*pairs, strict=True))
    summary = summarize(truth, predicted)
    names = sorted({name for labels in truth + predicted for name in labels})
    assert summary["coverage"] == np.mean([bool(labels) for labels in predicted])
    assume(len(names) > 1)  # scikit-learn takes fewer for one label each
    encoder = MultiLabelBinarizer(classes=names)
    true, said = encoder.fit_transform(truth), encoder.transform(predicted)
    assert summary["accuracy"] == pytest.approx(np.mean((true == said).all(axis=1)))
    for average in ("micro", "macro"):
        expected = f1_score(true, said, average=average, zero_division=0)
        assert summary[average]["f1"] == pytest.approx(expected)


@pytest.mark.parametrize(("predicted", "f1"), [([["a"]], 1), ([[]], 0)])
def test_a_single_class(predicted: list[list[str]], f1: float) -> None:
    summary = summarize([["a"]], predicted)
    assert summary["micro"]["f1"] == summary["macro"]["f1"] == summary["accuracy"] == f1
    assert summarize([[]], [[]])["macro"] == {"precision": 0, "recall": 0, "f1": 0}


def test_a_document_without_a_label_is_missed() -> None:
    summary = summarize(["a", "b"], ["a", None])
    assert summary["coverage"] == 0.5
    assert summary["micro"]["precision"] == 1
    assert summary["micro"]["recall"] == 0.5


@pytest.mark.parametrize(
    ("truth", "predicted", "message"),
    [(["a"], [], "1 true labels, but 0 predicted"), ([], [], "no documents")],
)
def test_labels_that_cannot_be_compared(truth: Any, predicted: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        summarize(truth, predicted)


def documents(labels: list[Any], multilabel: bool = False) -> Documents:
    return Documents(pa.array([f"text {i}" for i in range(len(labels))], pa.large_string()),
                     labels, multilabel)  # fmt: skip


@settings(deadline=None)
@given(st.lists(NAMES, min_size=3, max_size=40), st.integers(2, 3))
def test_folds_are_even(labels: list[str], count: int) -> None:
    fold = documents(labels).folds(count)
    sizes = np.bincount(fold, minlength=count)
    assert sizes.max() - sizes.min() <= 1
    for name in set(labels):
        of_class = np.bincount(fold[np.array(labels) == name], minlength=count)
        assert of_class.max() - of_class.min() <= 1


def test_splits_test_each_document_once() -> None:
    whole = documents([["a"], ["a", "b"], [], ["b"], ["a"]], multilabel=True)
    tested = [text for _, test in whole.splits(2) for text in test.texts.to_pylist()]
    assert sorted(tested) == whole.texts.to_pylist()
    for train, test in whole.splits(2):
        assert len(train) + len(test) == 5


class Parrot:
    """Learns the labels by heart, and says "a" of what it never saw."""

    def fit(self, X: Any, y: Any) -> Parrot:
        self.known = dict(zip(X.to_pylist(), y, strict=True))
        return self

    def predict(self, X: Any) -> list[Any]:
        return [self.known.get(text, "a") for text in X.to_pylist()]


def test_cross_validation_tests_what_was_not_learnt() -> None:
    summary = cross_validate(Parrot, documents(["a", "b"] * 6), 3)
    assert summary["accuracy"] == 0.5
    assert summary["folds"]["accuracy"] == {"mean": 0.5, "deviation": 0}
    assert summary["terms"] is None


def test_evaluate_reads_batches() -> None:
    parrot = Parrot().fit(pa.array(["x", "y"]), ["a", "b"])
    corpus = open_corpus(["x", "y", "z"], labels=["a", "b", "b"], batch_bytes=1)
    summary = evaluate(parrot, corpus, multilabel=False)
    assert summary["accuracy"] == pytest.approx(2 / 3)
    assert summary["timing"]["documents_per_second"] > 0


def test_evaluate_needs_labels_of_the_same_kind() -> None:
    corpus = open_corpus(["x"], labels=[["a", "b"]])
    with pytest.raises(CorpusError, match="near row 0: 2 labels"):
        evaluate(Parrot().fit(pa.array(["x"]), ["a"]), corpus, multilabel=False)
    with pytest.raises(CorpusError, match="without labels"):
        evaluate(Parrot().fit(pa.array(["x"]), ["a"]), open_corpus(["x"]), multilabel=False)


def test_a_way_that_fails_does_not_stop_the_others() -> None:
    texts = ["cheap pills", "lunch at ten", "cheap watches", "meeting at ten"] * 5
    whole = read_documents(texts, labels=["spam", "ham"] * 10)
    small = ways(["fedip"], ["rule"], max_bytes=10)
    results = compare([*small, *ways(["fedip"], ["rule"])], whole)
    assert "no room" in results[0]["error"]
    assert results[1]["accuracy"] == 1
