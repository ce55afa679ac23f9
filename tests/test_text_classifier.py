"""TextClassifier: what it predicts, and that nothing but the data decides it."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.special import softmax
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from termfold import Analyzer, TextClassifier
from termfold.classify.learn import learn
from termfold.classify.model_file import content_hash, size_in_bytes
from termfold.classify.order import in_content_order
from termfold.classify.training import read_training_set
from termfold.classify.weigh import EFFORTS, METHODS
from termfold.corpus import open_corpus
from termfold.datasets import load_debian
from termfold.errors import StatsError
from termfold.terms import TermCounter
from termfold.terms.spans import spans

TEXTS = [
    "the match was won by the home team",
    "a goal in the last minute of the match",
    "the team lost its goal keeper",
    "shares fell as the bank cut its rate",
    "the bank sold shares to the state",
    "rate of interest and shares of the bank",
]
LABELS = ["sport"] * 3 + ["trade"] * 3
NEW = ["a goal by the team", "the rate of the bank"]


@pytest.fixture(scope="module")
def debian():
    train, test = load_debian("train"), load_debian("test")
    return train.text.to_pylist()[:1500], train.target[:1500], test.text.to_pylist(), test.target


@pytest.fixture(scope="module")
def fitted(debian):
    texts, labels, *_ = debian
    return TextClassifier().fit(texts, labels)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("effort", EFFORTS)
def test_every_method_and_effort_learns(method, effort):
    classifier = TextClassifier(method, effort, n_terms=12).fit(TEXTS, LABELS)
    assert classifier.predict(NEW).tolist() == ["sport", "trade"]
    assert classifier.predict_proba(NEW).sum(axis=1) == pytest.approx([1, 1])


@pytest.mark.parametrize("effort", EFFORTS)
def test_accuracy_on_the_built_in_data(debian, effort):
    texts, labels, test_texts, test_labels = debian
    accuracy = TextClassifier(effort=effort).fit(texts, labels).score(test_texts, test_labels)
    assert accuracy > 0.7  # the largest class has a fifth of the documents


def test_score_is_the_sum_that_the_model_states(fitted, debian):
    """The oracle: terms by the plain-Python analyzer, weights from the model, summed in float64."""
    model = fitted.model_
    place = {term: i for i, term in enumerate(model.terms)}
    weights = model.weights.astype(np.float64) * model.scale[:, None]
    for text in debian[2][:50]:
        counts: dict[int, int] = {}
        for span in spans(model.analyzer, text):
            if span.term in place:
                counts[place[span.term]] = counts.get(place[span.term], 0) + 1
        x = {t: (1 + np.log(c)) * float(model.idf[t]) for t, c in counts.items()}
        length = np.sqrt(sum(value**2 for value in x.values()))
        scores = sum(value * weights[t] for t, value in x.items()) / length + model.bias
        assert fitted.transform([text])[0] == pytest.approx(scores, abs=1e-4)


@pytest.mark.parametrize("effort", EFFORTS)
def test_threads_do_not_change_a_bit(debian, effort):
    texts, labels, test_texts, _ = debian
    models = [TextClassifier(effort=effort, n_jobs=n).fit(texts, labels) for n in (1, 2, 4)]
    assert len({content_hash(c.model_) for c in models}) == 1
    scores = [c.transform(test_texts) for c in models]
    assert all(np.array_equal(scores[0], other) for other in scores[1:])


def test_a_text_is_scored_the_same_alone_and_among_others(fitted, debian):
    texts = debian[2][:40]
    together = fitted.transform(texts)
    assert np.array_equal(together, np.vstack([fitted.transform([text]) for text in texts]))


def test_one_model_in_many_threads(fitted, debian):
    texts = debian[2][:200]
    expected = fitted.transform(texts)
    wrong = []

    def score():
        for _ in range(5):
            if not np.array_equal(fitted.transform(texts), expected):
                wrong.append(1)

    threads = [threading.Thread(target=score) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_inputs_of_all_kinds_give_one_model(debian, tmp_path):
    texts, labels = debian[0][:300], debian[1][:300]
    frame = pd.DataFrame({"text": texts, "label": labels})
    frame.to_parquet(tmp_path / "train.parquet")
    frame.to_csv(tmp_path / "train.csv", index=False)
    forms = [
        (texts, labels),
        (np.array(texts, dtype=object), labels),
        (pa.array(texts), labels),
        (frame["text"], frame["label"]),
        (frame, None),
        (tmp_path / "train.parquet", None),
        (str(tmp_path / "train.csv"), None),
    ]
    assert len({content_hash(TextClassifier().fit(X, y).model_) for X, y in forms}) == 1


def test_auto_tells_what_it_tried(debian):
    texts, labels = debian[0][:600], debian[1][:600]
    hurried = TextClassifier("auto", seconds=0).fit(texts, labels)
    assert len(hurried.trials_) == 1
    patient = TextClassifier("auto").fit(texts, labels)
    assert len(patient.trials_) == 7
    best = max(patient.trials_, key=lambda trial: trial.micro_f1)
    about = patient.model_.about
    assert (about["effort"], patient.model_.analyzer.ngram_range) == (best.effort, best.ngram_range)
    assert about["tried"] == [trial.to_dict() for trial in patient.trials_]
    several = TextClassifier("auto", seconds=0).fit(texts, [[label] for label in labels])
    assert several.predict(texts[:3]) is not None


def test_a_sample_of_too_much_text_is_always_the_same(debian):
    texts, labels, test_texts, test_labels = debian
    limit = sum(len(text.encode()) for text in texts) // 3
    models = [
        TextClassifier(max_text_bytes=limit, n_jobs=n).fit(texts, labels, batch_bytes=size).model_
        for n, size in ((1, 10_000), (2, 50_000), (4, 1 << 20))
    ]
    about = models[0].about
    assert about["documents"] == len(texts)
    assert 0.1 < about["documents_used"] / len(texts) <= 0.4
    assert len({content_hash(model) for model in models}) == 1
    assert TextClassifier.of(models[0]).score(test_texts, test_labels) > 0.6


def test_a_sample_without_a_class_says_so(debian):
    texts, labels = list(debian[0][:300]), [*debian[1][:299], "rare"]
    classifier = TextClassifier(max_text_bytes=20_000)
    with pytest.raises(ValueError, match=r"no text of \d classes: .*raise max_text_bytes"):
        classifier.fit(texts, labels)


def test_counts_of_a_class_that_is_not_remembered():
    texts = [f"{words} {i}" for words in ("alpha beta", "gamma delta") for i in range(30)]
    classifier = TextClassifier(effort="rule", updatable=True, memory=10)
    with pytest.raises(StatsError, match=r"none is of 'c'.*raise memory"):
        classifier.fit([*texts, "odd thing"], ["a"] * 30 + ["b"] * 30 + ["c"])


@pytest.mark.parametrize("effort", ["refined", "head", "rule"])
@pytest.mark.parametrize("several", [False, True], ids=["one label", "several labels"])
def test_a_class_without_texts_is_never_predicted(debian, effort, several):
    """As in a fold of cross-validation, where a rare class may be absent."""
    texts, labels = debian[0][:400], list(debian[1][:400])
    kinds = [np.array([label]) for label in labels]
    corpus = open_corpus(texts, labels=[list(k) for k in kinds] if several else labels)
    training = in_content_order(read_training_set(corpus, Analyzer()))
    classes = training.labels.classes
    rest = training.rows(
        np.flatnonzero(np.diff(training.labels.indptr) * (training.labels.ids != 3))
    )
    settings = TextClassifier(effort=effort)._settings()
    model = learn(rest, several, settings)
    assert model.classes == classes.tolist()
    assert model.about["documents_of_class"][3] == 0
    scores = model.scores(texts)
    chosen = model.chosen(scores)
    assert not chosen[:, 3].any()
    assert model.probabilities(scores)[:, 3].max() < 0.5
    truth = np.array(labels)[:, None] == classes
    known = ~truth[:, 3]
    assert (chosen & truth)[known].any(axis=1).mean() > 0.8


# -- labels -----------------------------------------------------------------------------------


def test_score_of_several_labels_wants_all_of_them():
    classifier = TextClassifier().fit(TEXTS, [["a", "b"], ["a"], ["a", "b"], ["c"], ["c"], []])
    found = classifier.predict(TEXTS)
    assert classifier.score(TEXTS, found) == 1
    wrong = [["c", *labels] if "c" not in labels else [] for labels in found[:2]] + found[2:]
    assert classifier.score(TEXTS, wrong) == pytest.approx(4 / 6)
    assert classifier.score(TEXTS, wrong, sample_weight=[0, 1, 1, 1, 1, 1]) == pytest.approx(0.8)
    assert classifier.score(TEXTS, [list(reversed(labels)) for labels in found]) == 1


def test_numbers_as_labels_come_back_as_numbers():
    classifier = TextClassifier().fit(TEXTS, [10, 10, 10, 9, 9, 9])
    assert classifier.predict(NEW).tolist() == [10, 9]
    assert classifier.classes_.tolist() == [9, 10]


MANY = [["ball"], ["ball", "news"], ["ball"], ["money"], ["money", "news"], []]


def test_several_labels_as_lists_and_as_an_indicator():
    lists = TextClassifier(min_df=1).fit(TEXTS, MANY)
    names = ["ball", "money", "news"]
    indicator = np.array([[name in labels for name in names] for labels in MANY], int)
    matrix = TextClassifier(min_df=1).fit(TEXTS, indicator)
    predicted = matrix.predict(TEXTS)
    assert predicted.shape == (6, 3)
    assert lists.predict(TEXTS) == [
        [name for name, is_in in zip(names, row, strict=True) if is_in] for row in predicted
    ]
    p = lists.predict_proba(NEW)
    assert np.all((p >= 0) & (p <= 1))


def test_two_classes_have_one_decision_value():
    classifier = TextClassifier().fit(TEXTS, LABELS)
    assert classifier.decision_function(NEW).shape == (2,)
    assert classifier.transform(NEW).shape == (2, 2)
    assert (classifier.decision_function(NEW) > 0).tolist() == [False, True]


def test_abstaining():
    classifier = TextClassifier(abstain_below=0.999999).fit(TEXTS, LABELS)
    assert classifier.predict(["nothing known here"]).tolist() == [None]
    classifier.abstain_below = 0.0
    assert None not in classifier.predict(NEW).tolist()


def test_top_classes_come_with_their_probabilities(fitted, debian):
    texts = debian[2][:5]
    for row, p in zip(fitted.predict_top(texts, k=3), fitted.predict_proba(texts), strict=True):
        assert [value for _, value in row] == sorted(p, reverse=True)[:3]


def test_probabilities_are_calibrated_on_unseen_texts(fitted, debian):
    """Of the texts to which it gives about 80 %, about 80 % are right."""
    _, _, texts, labels = debian
    p = fitted.predict_proba(texts)
    right = fitted.classes_[p.argmax(axis=1)] == labels
    error = 0.0
    for low in np.arange(0, 1, 0.1):
        inside = (p.max(axis=1) >= low) & (p.max(axis=1) < low + 0.1)
        if inside.any():
            error += inside.mean() * abs(right[inside].mean() - p.max(axis=1)[inside].mean())
    assert error < 0.08
    assert p == pytest.approx(
        softmax(fitted.transform(texts) * fitted.model_.slopes, axis=1), rel=1e-4
    )


# -- small models -----------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [400_000, 100_000, 30_000])
def test_max_bytes_is_kept_and_the_loss_is_told(debian, tmp_path, limit):
    texts, labels, *_ = debian
    classifier = TextClassifier(max_bytes=limit).fit(texts, labels)
    classifier.save(tmp_path / "m.termfold")
    assert (tmp_path / "m.termfold").stat().st_size <= limit
    about = classifier.model_.about["pruned"] if limit < 400_000 else {}
    if about:
        assert 0.5 < about["same_best_class_on_training"] <= 1


def test_max_bytes_too_small_says_so():
    with pytest.raises(ValueError, match="max_bytes=100 leaves no room"):
        TextClassifier(max_bytes=100).fit(TEXTS, LABELS)


@pytest.mark.parametrize(("precision", "share"), [("int8", 0.5), ("float16", 0.7)])
def test_fewer_bits_change_scores_little(debian, tmp_path, precision, share):
    texts, labels, test_texts, _ = debian
    full = TextClassifier(precision="float32", max_bytes=None).fit(texts, labels)
    small = TextClassifier(precision=precision, max_bytes=None).fit(texts, labels)
    assert size_in_bytes(small.model_) < size_in_bytes(full.model_) * share
    same = full.predict(test_texts) == small.predict(test_texts)
    assert same.mean() > 0.99
    small.save(tmp_path / "small")
    assert (tmp_path / "small").stat().st_size < size_in_bytes(small.model_) + 4096
    loaded = TextClassifier.load(tmp_path / "small")
    np.testing.assert_array_equal(loaded.transform(test_texts), small.transform(test_texts))


def test_half_precision_keeps_within_max_bytes(debian, tmp_path):
    texts, labels, *_ = debian
    classifier = TextClassifier(precision="float16", max_bytes=100_000).fit(texts, labels)
    classifier.save(tmp_path / "m.termfold")
    assert 80_000 < (tmp_path / "m.termfold").stat().st_size <= 100_000


# -- learning more, and less ------------------------------------------------------------------


@pytest.mark.parametrize("effort", EFFORTS)
def test_partial_fit_and_forget_are_exact(debian, effort, tmp_path):
    texts, labels, *_ = debian
    once = TextClassifier(effort=effort, updatable=True).fit(texts, labels)
    first = TextClassifier(effort=effort, updatable=True).fit(texts[:900], labels[:900])
    before = content_hash(first.model_)
    first.save(tmp_path / "before")
    first.partial_fit(texts[900:], labels[900:])
    assert content_hash(first.model_) == content_hash(once.model_)
    first.forget(texts[900:], labels[900:])
    assert content_hash(first.model_) == before
    first.save(tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()
    loaded = TextClassifier.load(tmp_path / "after").partial_fit(texts[900:], labels[900:])
    assert content_hash(loaded.model_) == content_hash(once.model_)


def test_memory_is_bounded_and_statistics_are_not(debian):
    texts, labels, *_ = debian
    classifier = TextClassifier(updatable=True, memory=500).fit(texts, labels)
    assert len(classifier.memory_.documents) == 500
    assert classifier.stats_.n_docs == len(texts)
    classifier.forget(texts[:10], labels[:10])
    assert classifier.stats_.n_docs == len(texts) - 10


def test_by_rule_the_statistics_of_all_count_not_only_the_memory(debian):
    texts, labels, test_texts, _ = debian
    small = TextClassifier(effort="rule", updatable=True, memory=200).fit(texts, labels)
    assert len(small.model_.terms) == small.stats_.n_terms
    alone = TextClassifier(effort="rule").fit(*small.memory_.pair())
    assert len(alone.model_.terms) < len(small.model_.terms)
    assert small.predict(test_texts).shape == (len(test_texts),)


def test_forgetting_what_was_never_learnt_is_an_error():
    classifier = TextClassifier(updatable=True).fit(TEXTS, LABELS)
    before = classifier.stats_, classifier.memory_
    # The last consists of terms that were learnt, so that the counts alone would not tell.
    for text, label in (
        ("an unheard-of text", "sport"),
        (TEXTS[0], LABELS[-1]),
        (TEXTS[0] + " " + TEXTS[0].split()[0], LABELS[0]),
        (TEXTS[0].split()[0], LABELS[0]),
    ):
        with pytest.raises(StatsError, match=f"never learnt with '{label}'"):
            classifier.forget([text], [label])
    with pytest.raises(StatsError, match="never learnt"):
        classifier.forget([TEXTS[0]] * 2, [LABELS[0]] * 2)
    assert (classifier.stats_, classifier.memory_) == before


def test_of_more_texts_than_are_remembered_the_counts_tell_what_was_never_learnt():
    classifier = TextClassifier(updatable=True, memory=len(TEXTS) - 1).fit(TEXTS, LABELS)
    with pytest.raises(StatsError, match=r"never added: .* has -1 documents"):
        classifier.forget(["unheard-of"], [LABELS[0]])


def test_partial_fit_needs_an_updatable_classifier():
    with pytest.raises(ValueError, match="updatable=True"):
        TextClassifier().partial_fit(TEXTS, LABELS)


# -- scikit-learn -----------------------------------------------------------------------------


def test_it_is_an_estimator(debian):
    texts, labels = np.array(debian[0][:400], dtype=object), debian[1][:400]
    assert cross_val_score(TextClassifier(), texts, labels, cv=3).mean() > 0.5
    search = GridSearchCV(TextClassifier(), {"C": [0.1, 1.0]}, cv=2).fit(texts, labels)
    assert search.best_params_["C"] in (0.1, 1.0)
    fitted = TextClassifier(analyzer=Analyzer(ngram_range=(1, 2))).fit(texts, labels)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(fitted.transform(texts[:20]), again.transform(texts[:20]))
    assert clone(fitted).get_params() == fitted.get_params()


def test_its_features_feed_other_classifiers():
    pipeline = make_pipeline(TextClassifier(), LinearSVC()).fit(TEXTS, LABELS)
    assert pipeline.predict(NEW).tolist() == ["sport", "trade"]


def test_it_beats_nothing_by_less_than_counting_terms_costs(debian):
    """The usual pipeline on the same data is no better by more than a point."""
    from sklearn.feature_extraction.text import TfidfTransformer

    texts, labels, test_texts, test_labels = debian
    usual = make_pipeline(TermCounter(), TfidfTransformer(sublinear_tf=True), LinearSVC())
    ours = TextClassifier().fit(texts, labels).score(test_texts, test_labels)
    assert ours > usual.fit(texts, labels).score(test_texts, test_labels) - 0.01


# -- explaining -------------------------------------------------------------------------------


def test_contributions_add_up_to_the_score(fitted, debian):
    for text in debian[2][:20]:
        explanation = fitted.explain(text)
        total = np.asarray(explanation.values).sum(axis=0) + fitted.model_.bias
        assert total == pytest.approx(fitted.transform([text])[0], abs=1e-4)


def test_exports_score_alike(fitted, debian):
    texts = debian[2][:50]
    assert fitted.to_sklearn().predict(texts).tolist() == fitted.predict(texts).tolist()
    assert fitted.to_frame().num_rows > 0
    assert fitted.to_sql().scores


def test_notebooks_show_the_terms_of_each_class():
    hostile = TextClassifier().fit(TEXTS, ["<script>alert(1)</script>"] * 3 + ["b"] * 3)
    assert "<script>" not in hostile._repr_html_()
    assert "bank" in hostile._repr_html_()
    assert "TextClassifier()" in TextClassifier()._repr_html_()


# -- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"method": "magic"}, "method='magic'; it must be one of"),
        ({"effort": "much"}, "effort='much'"),
        ({"precision": "int4"}, "precision='int4'"),
        ({"C": 0}, "C=0"),
        ({"min_df": 0}, "min_df=0"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        TextClassifier(**parameters).fit(TEXTS, LABELS)


@pytest.mark.parametrize(
    ("texts", "labels", "message"),
    [
        (TEXTS, ["one"] * 6, "all texts are of one class"),
        (TEXTS, LABELS[:5], "6 texts, but 5 labels"),
        (TEXTS, None, "no labels"),
        (["", " ", "."], ["a", "b", "a"], "no terms"),
        ([], [], "no documents"),
        (["x y", None], ["a", "b"], "row 1"),
    ],
)
def test_bad_data(texts, labels, message):
    with pytest.raises(ValueError, match=message):
        TextClassifier().fit(texts, labels)


def test_texts_without_known_terms_get_the_bias(fitted):
    scores = fitted.transform(["", "qqqq zzzz"])
    assert np.array_equal(scores[0], fitted.model_.bias)
    assert np.array_equal(scores[1], fitted.model_.bias)
    assert fitted.transform([]).shape == (0, 12)


def test_predicting_before_fitting():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        TextClassifier().predict(["text"])
