"""Numbers to rely on: finite, in the same order in either precision, adding up to one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model_tools import random_model
from strategies import collections
from termfold import FEDIP, OCFS, TermProjection, TermSelector, TextClassifier, collect
from termfold.classify.model import TermModel
from termfold.datasets import load_debian
from termfold.scores import score_classes
from termfold.scores.registry import SCORES

WORDS = ["to", "be", "or", "not", "größe", "中文", "x" * 40, "12"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)


def in_float64(model: TermModel, texts: list[str]) -> np.ndarray:
    """The scores once more, term by term, in double precision."""
    terms = list(model.terms)
    place = {term: t for t, term in enumerate(terms)}
    rows = []
    for text in texts:
        counts: dict[int, int] = {}
        for term in model.analyzer.terms(text):
            if term in place:
                counts[place[term]] = counts.get(place[term], 0) + 1
        tf = {
            "binary": lambda c: 1.0,
            "count": float,
            "sublinear": lambda c: 1 + np.log(float(c)),
        }[model.tf]
        x = {t: tf(c) * float(model.idf[t]) for t, c in counts.items()}
        norm = {
            "none": 1.0,
            "l1": sum(x.values()) or 1.0,
            "l2": np.sqrt(sum(v * v for v in x.values())) or 1.0,
        }[model.norm]
        row = sum(
            (
                v / norm * float(model.scale[t]) * model.weights[t].astype(float)
                for t, v in x.items()
            ),
            np.zeros(model.n_classes),
        )
        rows.append(row + model.bias.astype(float))
    return np.array(rows)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(TEXT, min_size=1, max_size=6),
    st.sampled_from(["binary", "count", "sublinear"]),
    st.sampled_from(["none", "l1", "l2"]),
    st.booleans(),
    st.integers(0, 5),
)
def test_scores_have_the_order_of_double_precision(texts, tf, norm, int8, seed):
    """Where two scores differ by more than the rounding of their summands, their order is exact."""
    model = random_model([" ".join(WORDS)], tf=tf, norm=norm, int8=int8, seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = model.scores(texts, 1)
        p = model.probabilities(found)
    exact = in_float64(model, texts)
    assert np.all(np.isfinite(found))
    size = 1 + np.abs(model.weights.astype(float)).max() * float(model.scale.max()) * 60
    slack = 1e-5 * size
    assert np.allclose(found, exact, atol=slack)
    for row, truth in zip(found, exact, strict=True):
        apart = truth[:, None] - truth[None, :] > 2 * slack
        assert np.all((row[:, None] > row[None, :])[apart])
    assert np.allclose(p.sum(axis=1), 1, atol=1e-12)


def test_probabilities_of_extreme_scores():
    model = random_model(["a b"], classes=("a", "b", "c"))
    for scale in (1e-30, 1, 1e4, 1e30, 3e38):
        scores = (np.array([[1, 0, -1], [0, 0, 0], [-1, -1, 1]]) * scale).astype(np.float32)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            p = model.probabilities(scores)
        assert np.all(np.isfinite(p))
        assert np.allclose(p.sum(axis=1), 1)


@pytest.mark.parametrize("effort", ["refined", "head", "rule"])
@pytest.mark.parametrize("multilabel", [False, True])
def test_learning_from_odd_collections_warns_of_nothing(effort, multilabel):
    """Empty texts, one document in a class, equal texts in other classes, very long ones."""
    texts = ["", "a", "a a", "b c", "b c", "d " * 5000, "größe 中文", "12 12", "e f g", "e f"]
    labels = ["x", "x", "y", "x", "y", "z", "x", "y", "x", "y"]
    y = [[label] if i % 3 else [label, "w"] for i, label in enumerate(labels)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        classifier = TextClassifier(effort=effort).fit(texts, y if multilabel else labels)
        scores, p = classifier.transform(texts), classifier.predict_proba(texts)
    assert np.all(np.isfinite(scores))
    assert np.all((p >= 0) & (p <= 1))
    if not multilabel:
        assert np.allclose(p.sum(axis=1), 1)


@settings(max_examples=40, deadline=None)
@given(collections(weighted=True))
def test_every_score_of_every_collection_is_finite(collection):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in SCORES:
            assert np.all(np.isfinite(score_classes(collection.stats, name))), name


@pytest.mark.parametrize(
    "estimator",
    [OCFS(k=20), TermSelector(score="chi2", k=20), FEDIP(), TermProjection()],
    ids=lambda estimator: type(estimator).__name__,
)
def test_matrices_of_either_precision_give_the_same_order(estimator):
    """Counts are whole in float32, too: so are sums, and with them all that is ranked."""
    from termfold import TermCounter

    data = load_debian("train")
    counts = TermCounter(min_df=5).fit_transform(data.data[:600])
    y = data.target[:600]
    single = estimator.fit(counts.astype(np.float32), y).transform(counts.astype(np.float32))
    double = estimator.fit(counts.astype(np.float64), y).transform(counts.astype(np.float64))
    assert np.array_equal(np.asarray(single.todense() if hasattr(single, "todense") else single,
                                     np.float32),
                          np.asarray(double.todense() if hasattr(double, "todense") else double,
                                     np.float32))  # fmt: skip


# -- many at once -----------------------------------------------------------------------------


def test_one_model_serves_32_threads():
    data = load_debian("test")
    texts = data.data[:400]
    train = load_debian("train")
    classifier = TextClassifier().fit(train.data[:800], train.target[:800])
    expected = classifier.transform(texts)
    found: list[bool] = []
    barrier = threading.Barrier(32)

    def work(number: int) -> None:
        barrier.wait()
        mine = texts[number % 8 :: 2]
        same = np.array_equal(classifier.transform(mine), expected[number % 8 :: 2])
        found.append(same and len(classifier.explain(mine[0]).scores) == 12)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 32


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_one_model_serves_forked_processes():
    """In a process of its own: forking one that has threads may end in a lock held for ever."""
    script = """if True:
        import os
        import numpy as np
        from termfold import TextClassifier
        from termfold.datasets import load_debian
        train = load_debian("train")
        classifier = TextClassifier().fit(train.data[:800], train.target[:800])
        expected = classifier.transform(train.data[:300])
        children = []
        for _ in range(4):
            process = os.fork()
            if process == 0:
                again = classifier.transform(train.data[:300])
                os._exit(0 if np.array_equal(again, expected) else 1)
            children.append(process)
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        assert codes == [0] * 4, codes
    """
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


def test_counting_in_32_threads_is_counting_in_one():
    data = load_debian("train")
    texts, labels = data.data[:2000], [str(name) for name in data.target[:2000]]
    one = collect(texts, labels=labels, n_jobs=1)
    assert collect(texts, labels=labels, n_jobs=32, batch_bytes=2000) == one
