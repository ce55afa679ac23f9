from __future__ import annotations

import io
import itertools
import json
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from model_tools import model_of, random_model
from termfold.classify.explain import explain, explain_class
from termfold.classify.passages import SEARCHED_WHOLE, Mark, passages, segments
from termfold.datasets import load_debian
from termfold.terms.analyzer import Analyzer
from termfold.terms.spans import spans

HOSTILE = "<script>alert(1)</script> \"'><img src=x onerror=alert(2)> &amp; [bold]x[/] \x1b[2J"
ANALYZERS = [
    Analyzer(),
    Analyzer(ngram_range=(1, 3), stop_words="english"),
    Analyzer(unit="char", ngram_range=(2, 4)),
    Analyzer(unit="char_wb", ngram_range=(3, 5)),
]
LETTERS = st.text("abAB 用做文ßİΣ,.\n1_", max_size=60)


class Reader(HTMLParser):
    """Checks that tags are balanced and harmless, and keeps text and elements."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.open, self.titles = "", [], 0
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        assert tag in {"div", "span", "b", "table", "tr", "th", "td"}
        names = dict(attrs)
        assert set(names) <= {"style", "title", "dir", "class"}
        assert "url" not in names.get("style", "")
        self.titles += "title" in names
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def printed(thing):
    console = Console(width=200, file=io.StringIO())
    console.print(thing)
    return console.file.getvalue()


# -- a text -----------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(
    texts=st.lists(LETTERS, min_size=1, max_size=4),
    analyzer=st.sampled_from(ANALYZERS),
    tf=st.sampled_from(["binary", "count", "sublinear"]),
    norm=st.sampled_from(["none", "l1", "l2"]),
    int8=st.booleans(),
)
def test_contributions_add_up(texts, analyzer, tf, norm, int8):
    model = random_model(texts, analyzer=analyzer, tf=tf, norm=norm, int8=int8, share=0.7)
    scores = model.scores(texts)
    for text, score in zip(texts, scores, strict=True):
        explanation = explain(model, text)
        assert np.array_equal(explanation.scores, score)
        sums = explanation.values.sum(axis=0) + explanation.bias
        size = np.abs(explanation.values).sum(axis=0) + 1
        assert np.all(np.abs(sums - score) <= 1e-5 * size)
        total = len(analyzer.terms(text))
        assert explanation.counts.sum() + explanation.n_unknown == total
        places = dict(zip(explanation.terms, explanation.positions, strict=True))
        for term, start, end in spans(analyzer, text):
            assert term not in places or (start, end) in places[term]
        assert [len(p) for p in explanation.positions] == explanation.counts.tolist()


def test_order_by_size_then_by_term():
    model = model_of({"aa": (1, 0), "bb": (-2, 0), "cc": (1, 0), "dd": (5, 9)})
    explanation = explain(model, "cc aa, BB xx")
    assert explanation.terms == ("bb", "aa", "cc")
    assert [c.value for c in explanation.contributions("a")] == [-2, 1, 1]
    assert explanation.contributions("a")[0].positions == ((7, 9),)
    assert explanation.n_unknown == 1
    assert explanation.predicted == ("a",)  # both scores are zero: the first, as argmax says


def test_several_labels_or_none():
    model = model_of({"aa": (3, 1), "bb": (0, 3)}, multilabel=True, thresholds=np.float32([1, 2]))
    assert explain(model, "aa bb").predicted == ("a", "b")
    nothing = explain(model, "cc")
    assert nothing.predicted == ()
    assert "no class" in nothing._repr_html_()
    assert "no class" in printed(nothing)


def test_unknown_class_and_wrong_type():
    model = model_of({"aa": (3, 1)})
    with pytest.raises(ValueError, match="no class 'z'; there are"):
        explain(model, "aa").contributions("z")
    with pytest.raises(TypeError, match="not a string"):
        explain(model, ["aa"])


def test_to_dict_is_json():
    explanation = explain(model_of({"aa": (3, 1), "bb": (0, 2)}), "aa bb bb cc")
    values = json.loads(json.dumps(explanation.to_dict()))
    assert values["predicted"] == ["b"]
    assert [c["name"] for c in values["classes"]] == ["a", "b"]
    assert values["terms"][0] == {
        "term": "bb",
        "count": 2,
        "contributions": [0, 4],
        "positions": [[3, 5], [6, 8]],
    }
    assert (values["n_known"], values["n_unknown"]) == (3, 1)
    assert len(explanation.to_dict(top=1)["terms"]) == 1


@pytest.mark.parametrize("analyzer", ANALYZERS, ids=str)
def test_long_text(analyzer):
    text = "\n".join(load_debian().data)[:1_000_000]
    needle = "\n quixotic windmill \n"
    text = text[:600_000] + needle + text[600_000:]
    terms = ["quixotic", "quix", " win", "uixot"]
    model = model_of(dict.fromkeys([*terms, "the", "he "], (1, 0)), analyzer=analyzer)
    model.weights[:, 0] = [1.0 if term in terms else 1e-6 for term in model.terms]
    explanation = explain(model, text)
    html = explanation._repr_html_()
    assert len(html) < 100_000
    assert "quixotic" in Reader(html).text
    assert "quixotic" in printed(explanation)
    found = [text[a:b] for p in explanation.positions for a, b in p]
    folded = {term.strip() for term in terms}
    assert {span.strip() for span in found} & folded


def test_pieces_give_the_spans_of_the_whole(monkeypatch):
    monkeypatch.setattr("termfold.classify.passages._PIECES_SEARCHED", 1_000_000)
    rng = np.random.default_rng(0)
    words = ["alpha", "Beta,", "用做文本。", "gamma  ", "ΑΣ", "\n\n", "İx", "the"]
    text = " ".join(rng.choice(words, SEARCHED_WHOLE // 4))
    assert len(text) > SEARCHED_WHOLE
    for analyzer in ANALYZERS:
        model = random_model([text], analyzer=analyzer, share=0.5)
        explanation = explain(model, text)
        places = {term: [] for term in explanation.terms}
        for term, start, end in spans(analyzer, text):
            if term in places:
                places[term].append((start, end))
        assert tuple(map(tuple, places.values())) == explanation.positions


def test_text_without_boundaries():
    text = "x" * (SEARCHED_WHOLE + 10)
    model = model_of({text: (1, 0)})
    assert explain(model, text).positions == (((0, len(text)),),)
    assert explain(model, "").terms == ()
    Reader(explain(model, "")._repr_html_())


# -- pages and terminals ----------------------------------------------------------------------


@pytest.mark.parametrize("analyzer", ANALYZERS, ids=str)
def test_hostile_strings_stay_text(analyzer):
    classes = (HOSTILE, "</div><style>*{display:none}</style>")
    model = random_model([HOSTILE], analyzer=analyzer, classes=classes)
    explanation = explain(model, HOSTILE)
    reader = Reader(explanation.to_html())
    assert HOSTILE.replace("\x1b", "�") in reader.text
    assert "\x1b" not in explanation.to_html()
    assert reader.titles > 0
    assert "[bold]x[/]" in printed(explanation)
    assert "\x1b" not in printed(explanation)
    made = explain_class(model, classes[0], texts=[HOSTILE])
    assert HOSTILE.replace("\x1b", "�") in Reader(made.to_html()).text
    assert "[bold]x[/]" in printed(made)


@given(LETTERS, st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9), st.floats(-2, 2))))
def test_segments_keep_the_text_and_add_values(text, triples):
    marks = [
        Mark(start, min(start + n, len(text)), value)
        for start, n, value in triples
        if start < len(text)
    ]
    found = segments(text, marks, 0, len(text))
    assert "".join(segment.text for segment in found) == text
    place = 0
    for part, value in found:
        for _ in part:
            covering = [m.value for m in marks if m.start <= place < m.end]
            assert (value is None) == (not covering)
            assert value is None or value == pytest.approx(sum(covering), abs=1e-9)
            place += 1


@given(st.integers(0, 6000), st.integers(1, 5), st.floats(-1, 1))
def test_passages_are_short_and_hold_the_strongest(start, n, value):
    text = "some words here " * 400
    marks = [Mark(start, start + n, 2.0), Mark(3000, 3005, value)]
    chosen = passages(text, marks, size=500)
    assert sum(hi - lo for lo, hi in chosen) < 800
    assert all(a[1] < b[0] for a, b in itertools.pairwise(chosen))
    assert any(lo <= start and start + n <= hi for lo, hi in chosen)


# -- a class ----------------------------------------------------------------------------------


def test_what_makes_a_class():
    weights = {"cat": (4, 1), "dog": (1, 4), "pet": (3, 3), "fur": (3, 0)}
    model = model_of(weights, idf=np.float32([1, 1, 2, 1]))  # cat, dog, fur, pet
    made = explain_class(model, "a", texts=["dog", "cat fur", "cat"])
    assert [term.term for term in made.terms] == ["fur", "cat"]
    assert made.terms[0] == ("fur", 6.0, 6.0, 0.0)
    assert [example.row for example in made.examples] == [1, 2, 0]
    values = json.loads(json.dumps(made.to_dict()))
    assert values["terms"][1] == {"term": "cat", "value": 3, "weight": 4, "elsewhere": 1}
    assert values["examples"][0]["text"] == "cat fur"
    assert len(explain_class(model, "a", n=1).terms) == 1
    assert "fur" in printed(made)
    assert "fur" in Reader(made._repr_html_()).text
    with pytest.raises(ValueError, match="no class 'z'"):
        explain_class(model, "z")


def test_a_class_without_terms_of_its_own():
    made = explain_class(model_of({"aa": (1, 1)}), "a")
    assert made.terms == ()
    Reader(made.to_html())
    printed(made)
