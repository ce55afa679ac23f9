"""What a term is: the kernels against patterns of ``re``, character for character."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings
from sklearn.feature_extraction.text import CountVectorizer

from term_oracle import encoded, is_cjk, oracle, raw_array
from termfold.terms.analyzer import Analyzer
from termfold.terms.spans import spans
from termfold.terms.stop_words import STOP_WORDS
from termfold.terms.unicode import CJK, unicode_tables

PLAIN = Analyzer(cjk="word")

# Characters that have gone wrong somewhere before: case that changes the size or depends on the
# place, marks, blanks, digits, scripts of one to four bytes, and those that stand at limits.
ODD = (
    "aZz09_ \t\n.,'’­\0\x1c\x85\u00a0\u2028\u3000"
    "ßẞıİI\u212a\u212bǅﬁªΣσςΑΆ\u0301\u0307\u0345\u0308éñèДжі№אבّحहिन्दी"
    "一二中文々〇〆ぁアー한국ᄀㄅ㆐ｱﾞ𠀀𪚥𛀀"
    "²½Ⅷ٣५𝟘𝐀𐐀𐐨😀👩\u200d🦰\U000e0041\ufffd\uffff\u07ff\u0800\U00010000\U0010ffff\U00033479"
)
ODD_TEXT = st.text(st.sampled_from(ODD), max_size=60)
TEXT = st.one_of(ODD_TEXT, st.text(max_size=60), st.text(st.sampled_from("ab Σ'中"), max_size=200))
ANALYZERS = st.builds(
    Analyzer,
    unit=st.sampled_from(["word", "char", "char_wb"]),
    ngram_range=st.tuples(st.integers(1, 4), st.integers(0, 4)).map(lambda r: (r[0], sum(r))),
    lowercase=st.booleans(),
    cjk=st.sampled_from(["bigram", "word"]),
    min_length=st.integers(1, 4),
    numbers=st.sampled_from(["keep", "drop"]),
    stop_words=st.sampled_from([None, ["a", "一", "09", "σς", "aa"], "english"]),
)


def same(texts: list[str], analyzer: Analyzer) -> None:
    """The kernels find the oracle's terms; in the oracle's order where that is the text's."""
    in_order = analyzer.unit == "word" and analyzer.ngram_range == (1, 1) and analyzer.cjk == "word"
    order = list if in_order else Counter
    for text, found in zip(texts, encoded(texts, analyzer), strict=True):
        assert order(found) == order(oracle(text, analyzer)), (text, analyzer)


@settings(max_examples=300, deadline=None)
@given(st.lists(TEXT, max_size=4), ANALYZERS)
@example(["", "a", ""], Analyzer(unit="char_wb"))
@example(["İ" * 20], Analyzer(unit="char", ngram_range=(8, 8)))
def test_kernels_find_what_the_oracle_finds(texts, analyzer):
    same(texts, analyzer)


@settings(max_examples=100, deadline=None)
@given(TEXT, ANALYZERS)
def test_spans_find_what_the_oracle_finds(text, analyzer):
    found = spans(analyzer, text)
    assert Counter(span.term for span in found) == Counter(oracle(text, analyzer))
    assert all(0 <= span.start < span.end <= len(text) for span in found if analyzer.unit == "word")


CODE_POINTS = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]
ASSIGNED = [c for c in CODE_POINTS if unicodedata.category(c) not in ("Cn", "Co")]


def each(characters: list[str], *contexts: str) -> str:
    """Every character at the place of the question mark, a line for each."""
    lines = []
    for context in contexts:
        before, after = context.split("?")
        lines.append(before + f"{after}\n{before}".join(characters) + after)
    return "\n".join(lines)


@pytest.mark.parametrize("lowercase", [True, False])
def test_every_code_point_in_a_word(lowercase):
    text = each(CODE_POINTS, *(["?", "a?b", "A? B"] if lowercase else ["a?b"]))
    found = encoded([text], Analyzer(cjk="word", min_length=1, lowercase=lowercase))[0]
    assert found == re.findall(r"\w+", text.lower() if lowercase else text)


def test_every_code_point_beside_a_sigma():
    text = each(ASSIGNED, "AΣ?", "AΣ?A", "A?Σ")
    assert encoded([text], Analyzer(cjk="word"))[0] == re.findall(r"\w\w+", text.lower())


@pytest.mark.parametrize("lowercase", [True, False])
def test_every_code_point_as_a_character(lowercase):
    text = each(CODE_POINTS, "?")
    found = encoded([text], Analyzer(unit="char", lowercase=lowercase))[0]
    assert found == list(re.sub(r"\s\s+", " ", text.lower() if lowercase else text))


def test_every_letter_beside_cjk():
    same([each([c for c in ASSIGNED if c.isalnum()], "?", "ab?", "?一")], Analyzer())


def test_cjk_is_what_unicode_calls_so():
    table = unicode_tables().as_is
    flagged = np.flatnonzero(table & CJK).tolist()
    named = [p for p in range(len(table)) if not 0xD800 <= p < 0xE000 and is_cjk(chr(p))]
    assert flagged == named


LENGTHS = [1, 2, 3, 5, 61, 62, 63, 64, 65, 66, 127, 128, 129, 200]
OFFSETS = [*range(0, 4), *range(60, 68), *range(125, 131)]


@pytest.mark.parametrize("odd", ["", "ä", "Σ", "İ", "中", "𐐀", "\u0301", "\u3000", "\u212a"])
def test_words_at_the_edges_of_blocks(odd):
    """The fast splitter reads 64 bytes a step: words and odd characters at each edge of these."""
    texts = []
    for offset in OFFSETS:
        for length in LENGTHS:
            for at in {0, 1, length // 2, length - 1, length}:
                word = "X" * at + odd + "y" * (length - at)
                texts += [" " * offset + word, "w" * offset + " " + word + " z1", word * 2]
    same(texts, PLAIN)
    same(texts, Analyzer(min_length=1))
    # The general splitter makes the n-grams; their single words are those of the fast one.
    for text, found in zip(texts, encoded(texts, Analyzer(ngram_range=(1, 2))), strict=True):
        assert [t for t in found if " " not in t] == encoded([text], Analyzer())[0]


@pytest.mark.parametrize(
    "text",
    [
        "ab " * 3000,
        "ab " * 1024,
        "äb " * 1023 + "cd",
        "ab äb " * 1500,
        "a1中文b2 " * 1500,
        "中" * 3000,
        "中" * 1024 + "ab" + "文" * 1025,
        "中a" * 2000,
        "x" * 100_000,
        "ä" * 5000 + " " + "b" * 63 + "中" * 1023,
        "İ" * 4000,
        "AΣ" * 2000 + "'" * 3000 + "Σ",
        "\0" * 1000 + "ab" + "\0" * 1000,
    ],
    ids=lambda text: f"{text[:4]!r}*{len(text)}",
)
@pytest.mark.parametrize(
    "analyzer",
    [
        PLAIN,
        Analyzer(),
        Analyzer(min_length=1, ngram_range=(1, 3)),
        Analyzer(ngram_range=(16, 16)),
        Analyzer(unit="char", ngram_range=(1, 16)),
        Analyzer(unit="char_wb", ngram_range=(2, 5)),
    ],
    ids=["plain", "cjk", "ngrams", "16", "char", "char_wb"],
)
def test_more_terms_than_the_buffers_hold(text, analyzer):
    same([text, "", text[:700]], analyzer)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("ΟΔΟΣ ΟΔΟΣ' Ο'ΔΟΣ'Α ΣΑ Σ ΑΣ́ ΑΣ́Α", ["οδος", "οδος", "δοσ", "σα", "ας", "ασ"]),
        ("Straße STRASSE ẞẞ", ["straße", "strasse", "ßß"]),
        ("İstanbul ISPARTA Iğdır", ["stanbul", "isparta", "iğdır"]),
        ("cafe\u0301 café", ["cafe", "café"]),
        ("5 \u212aelvin, 12 \u212aK", ["kelvin", "12", "kk"]),
        ("Привет, МИР! שלום", ["привет", "мир", "שלום"]),
        ("हिन्दी", ["ह", "न", "द"]),
        ("ab\0cd ab\ufffdcd ab👩‍🦰cd", ["ab", "cd"] * 3),
        ("𐐀𐐁 १२३ ٣٤", ["𐐨𐐩", "१२३", "٣٤"]),
        ("用Python3做 한국어 カタカナ。文",
         ["用", "python3", "做", "한국", "국어", "カタ", "タカ", "カナ", "文"]),
        ("中 文 中文", ["中", "文", "中文"]),
    ],
)  # fmt: skip
def test_terms_worked_by_hand(text, terms):
    least = 1 if text.startswith("ह") else 2
    assert Analyzer(min_length=least).terms(text) == terms


def test_ngrams_do_not_cross_a_cjk_run():
    found = Analyzer(ngram_range=(1, 2)).terms("one two 中文 three four")
    assert found == ["one", "two", "one two", "中文", "three", "four", "three four"]


def test_stop_words_go_before_ngrams_are_made():
    text = "The art of the state"
    assert Analyzer(stop_words="english", ngram_range=(2, 2)).terms(text) == ["art state"]
    assert Analyzer(stop_words=["art"]).terms(text) == ["the", "of", "the", "state"]
    assert Analyzer(stop_words=["ART"], lowercase=False).terms("ART art") == ["art"]
    assert Analyzer(stop_words=[]) == Analyzer()
    assert Analyzer(stop_words=["größe"]).terms("Größe 中größe") == ["中"]


def test_numbers():
    text = "1 12 a1 _ __ _1 ½½ Ⅷ八 ²³ ٣٤ x"
    assert Analyzer(numbers="drop", cjk="word", min_length=1).terms(text) == ["a1", "ⅷ八", "x"]


@pytest.mark.parametrize("name", sorted(STOP_WORDS))
def test_stop_lists_are_words_as_the_analyzer_splits_them(name):
    for word in STOP_WORDS[name]:
        assert Analyzer().terms(word) == [word]
        assert Analyzer(stop_words=name).terms(word.title()) == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"unit": "line"}, "unit='line'; it must be one of"),
        ({"cjk": "trigram"}, "cjk='trigram'"),
        ({"numbers": "only"}, "numbers='only'"),
        ({"ngram_range": (2, 1)}, "1 ≤ low ≤ high ≤ 16"),
        ({"ngram_range": (0, 1)}, "1 ≤ low ≤ high ≤ 16"),
        ({"ngram_range": (1, 17)}, "1 ≤ low ≤ high ≤ 16"),
        ({"min_length": 0}, "at least one character"),
        ({"stop_words": "latin"}, "there are lists for"),
    ],
)
def test_values_that_are_none(values, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Analyzer(**values)


@given(ANALYZERS)
def test_an_analyzer_survives_json(analyzer):
    assert Analyzer.from_dict(analyzer.to_dict()) == analyzer
    assert hash(Analyzer.from_dict(analyzer.to_dict())) == hash(analyzer)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(ODD_TEXT, min_size=1, max_size=3),
    st.sampled_from(["word", "char", "char_wb"]),
    st.tuples(st.integers(1, 5), st.integers(0, 3)).map(lambda r: (r[0], sum(r))),
    st.booleans(),
)
def test_units_are_those_of_count_vectorizer(texts, unit, ngram_range, lowercase):
    vectorizer = CountVectorizer(analyzer=unit, ngram_range=ngram_range, lowercase=lowercase)
    analyze = vectorizer.build_analyzer()
    ours = Analyzer(unit=unit, ngram_range=ngram_range, lowercase=lowercase, cjk="word")
    for text, found in zip(texts, encoded(texts, ours), strict=True):
        assert Counter(found) == Counter(analyze(text))


# Bytes that are not UTF-8: cut, too long, surrogates, beyond the last code point.
BAD = [b"\x80", b"\xbf\xbf", b"\xc3", b"\xc0\xaf", b"\xe4\xb8", b"\xe0\x80\xaf", b"\xed\xa0\x80",
       b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80", b"\xfe", b"\xff"]  # fmt: skip
GOOD = [c.encode() for c in "ab Σ'Ä中İ𐐀文\n"]
BYTES = st.lists(st.sampled_from(BAD + GOOD + GOOD), max_size=60).map(b"".join)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(BYTES, st.binary(max_size=80)), min_size=1, max_size=4), ANALYZERS)
@example([b"\xff" * 200], Analyzer(unit="char"))
@example([b"\xff " * 200], Analyzer(unit="char_wb", ngram_range=(1, 2)))
@example([b"a\x80\xce\xa3 a\xce\xa3\x80a"], Analyzer(min_length=1))
@example([b"ab\xe4", b"\xb8\xad"], Analyzer())
def test_bytes_that_are_not_utf8_separate_words(texts, analyzer):
    """Each counts as U+FFFD; what follows the document in memory is not read as a part of it."""
    for text, found in zip(texts, encoded(raw_array(texts), analyzer), strict=True):
        expected = oracle(text.decode("utf-8", "one-by-one"), analyzer)
        assert Counter(found) == Counter(expected)
