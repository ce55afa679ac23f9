"""Figures hold what they are given, whatever the names."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from report_tools import HOSTILE, corpus, scripts_of_the_world
from termfold import FEDIP, OCFS, TermSelector, TermStats, TextClassifier, collect
from termfold.evaluate import feature_curve

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

import matplotlib.pyplot as plt  # noqa: E402

from termfold.plot import (  # noqa: E402
    ConfusionDisplay,
    CurveDisplay,
    ScatterDisplay,
    TermsDisplay,
)

TEXTS, LABELS = corpus(3)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier().fit(TEXTS, LABELS)


def drawn(display):
    """Render the figure: a glyph or a formula that cannot be drawn is an error here."""
    display.figure_.canvas.draw()
    return display


def tick_labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def test_terms_by_a_score():
    stats = collect(TEXTS, labels=LABELS)
    display = drawn(TermsDisplay.from_stats(stats, "class 01", "log_rr", n=4))
    assert [bar.get_width() for bar in display.bars_] == pytest.approx(list(display.values))
    assert tick_labels(display.ax_.yaxis) == list(display.terms)
    assert display.ax_.get_title(loc="left") == "class 01"
    assert display.values == sorted(display.values, reverse=True)


def test_terms_of_what_is_fitted(classifier):
    display = drawn(TermsDisplay.from_estimator(classifier, "class 02", n=5))
    assert list(display.terms) == [t.term for t in classifier.explain_class("class 02", 5).terms]
    X = [[2, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 3]]
    y = ["tea", "tea", "war", "war"]
    for selector in (TermSelector("ig", k=2), OCFS(k=2)):
        ranked = drawn(TermsDisplay.from_estimator(selector.fit(X, y), n=3))
        assert list(ranked.terms) == [str(t) for t in selector.ranking_]
    pools = drawn(TermsDisplay.from_estimator(FEDIP().fit(X, y), "tea"))
    assert list(pools.terms) == ["0"]
    with pytest.raises(ValueError, match="no class 'x'; there are"):
        TermsDisplay.from_estimator(FEDIP().fit(X, y), "x")
    with pytest.raises(TypeError, match="str ranks no terms"):
        TermsDisplay.from_estimator("no estimator")


def test_two_classes_face_to_face(classifier):
    display = drawn(
        ScatterDisplay.from_estimator(classifier, TEXTS, LABELS, ("class 00", "class 02"))
    )
    scores = classifier.transform(TEXTS)
    others, first, second = (paths.get_offsets() for paths in display.ax_.collections)
    inside = np.array(LABELS) == "class 00"
    np.testing.assert_allclose(first, scores[inside][:, [0, 2]], rtol=1e-6)
    assert len(others) == len(second) == len(first) == 12
    with pytest.raises(ValueError, match="no class 'x'"):
        ScatterDisplay.from_estimator(classifier, TEXTS, LABELS, ("x", "class 02"))
    with pytest.raises(ValueError, match="features of shape"):
        ScatterDisplay.from_predictions([[1.0]], ["a", "b"])


def test_curves_are_those_that_were_measured(classifier):
    display = drawn(
        CurveDisplay.from_estimator(classifier, TEXTS, LABELS, rankings=["chi2"], sizes=[2, 5])
    )
    expected = feature_curve(TEXTS, ["chi2"], [2, 5], labels=LABELS)
    assert display.curve == expected
    [line] = display.ax_.get_lines()
    points = [*expected["methods"][0]["points"], expected["all_terms"]]
    assert line.get_xdata().tolist() == [point["terms"] for point in points]
    assert line.get_ydata().tolist() == [point["accuracy"] for point in points]


@pytest.mark.parametrize("order", ["likeness", "name"])
def test_a_confusion_counts(order):
    truth = [*LABELS, "class 01"]
    said = [*LABELS[1:], LABELS[0], None]
    display = drawn(ConfusionDisplay.from_predictions(truth, said, order=order))
    from sklearn.metrics import confusion_matrix

    np.testing.assert_array_equal(display.counts, confusion_matrix(truth[:-1], said[:-1]))
    names = tick_labels(display.ax_.yaxis)
    assert sorted(names) == display.classes
    assert names == tick_labels(display.ax_.xaxis)
    if order == "name":
        assert names == display.classes
    rows = [display.classes.index(name) for name in names]
    numbers = {
        tuple(map(round, text.get_position())): text.get_text() for text in display.ax_.texts
    }
    for (j, i), number in numbers.items():
        assert display.counts[rows[i], rows[j]] == int(number)


def test_a_confusion_of_a_classifier(classifier):
    display = ConfusionDisplay.from_estimator(classifier, TEXTS, LABELS)
    assert display.counts.trace() == round(classifier.score(TEXTS, LABELS) * len(TEXTS))
    with pytest.raises(ValueError, match="several labels"):
        ConfusionDisplay.from_predictions([["a"]], [["a"]])
    with pytest.raises(ValueError, match="order is 'likeness' or 'name'"):
        display.plot(order="size")


def test_axes_may_be_given(classifier):
    _, axes = plt.subplots(1, 2)
    display = TermsDisplay.from_estimator(classifier, "class 00", ax=axes[1])
    assert display.ax_ is axes[1]
    assert display.figure_ is axes[1].figure


@pytest.mark.filterwarnings("ignore:Glyph .* missing from")  # where no font has the letters
def test_names_are_no_formulas_and_of_any_script():
    names = ["$\\frac{", "a_b^c$", *HOSTILE]
    stats = TermStats.from_matrix(np.eye(len(names), dtype=int), sorted(names), terms=sorted(names))
    drawn(TermsDisplay.from_stats(stats, sorted(names)[0]))
    drawn(ConfusionDisplay.from_predictions(names, names))
    drawn(ScatterDisplay.from_predictions(np.eye(len(names)), sorted(names)))
    texts, labels = scripts_of_the_world()
    world = collect(texts, labels=labels)
    for name in world.classes.tolist():
        drawn(TermsDisplay.from_stats(world, name))


def test_without_matplotlib_the_error_says_what_to_install():
    code = (
        "import sys; sys.modules['matplotlib'] = sys.modules['matplotlib.pyplot'] = None\n"
        "from termfold.plot import TermsDisplay\n"
        "try: TermsDisplay(['a'], [1.0]).plot()\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'termfold[plot]'" in done.stdout
