"""The analyzer: what a term is."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from termfold.terms.stop_words import STOP_WORDS

Unit: TypeAlias = Literal["word", "char", "char_wb"]
Cjk: TypeAlias = Literal["bigram", "word"]
Numbers: TypeAlias = Literal["keep", "drop"]

_LONGEST = 2**31


@dataclass(frozen=True)
class Analyzer:
    r"""Says which terms a text consists of.

    Parameters
    ----------
    unit : {"word", "char", "char_wb"}, default="word"
        Words; sequences of characters; or sequences of characters within words padded by one
        blank on both sides.
    ngram_range : tuple of int, default=(1, 1)
        Shortest and longest sequence of units that makes a term. Words are joined by one blank.
    lowercase : bool, default=True
        Lower-case the text first, as ``str.lower`` does.
    cjk : {"bigram", "word"}, default="bigram"
        Chinese, Japanese and Korean write words without blanks between them, so a run of Han,
        Kana or Hangul gives each pair of neighbouring characters as a term (a run of one
        character gives that character); words of other scripts are unaffected, and word n-grams
        do not cross such a run. ``"word"`` takes a run as a part of a word, as scikit-learn does.
    min_length : int, default=2
        Shortest word in characters; does not apply to CJK bigrams.
    numbers : {"keep", "drop"}, default="keep"
        Keep or drop the words that contain no letter.
    stop_words : str or iterable of str, optional
        ``"english"``, ``"german"``, ``"french"`` or ``"spanish"`` for a short list of ours, or the
        words themselves, as they look after lower-casing. They are taken out before n-grams are
        made.

    Notes
    -----
    Words are those of scikit-learn's pattern ``(?u)\b\w\w+\b`` after ``str.lower``, character for
    character: maximal runs of what Python calls alphanumeric, and the underscore. The tables come
    from the running Python, so both follow the same version of Unicode. What scikit-learn does to
    decomposed accents, to Indic vowel signs and to the Turkish İ (it splits a word at a combining
    mark) is done here too. With ``cjk="word"`` there is no known difference.

    Examples
    --------
    >>> Analyzer().terms("Straße 42: Ünïted, a_b!")
    ['straße', '42', 'ünïted', 'a_b']
    >>> Analyzer(numbers="drop", ngram_range=(1, 2)).terms("fold 100,000 terms")
    ['fold', 'terms', 'fold terms']
    >>> Analyzer().terms("用 Python3 做文本分类")
    ['用', 'python3', '做文', '文本', '本分', '分类']
    >>> Analyzer(unit="char", ngram_range=(3, 3)).terms("text")
    ['tex', 'ext']
    """

    unit: Unit = "word"
    ngram_range: tuple[int, int] = (1, 1)
    lowercase: bool = True
    cjk: Cjk = "bigram"
    min_length: int = 2
    numbers: Numbers = "keep"
    stop_words: str | frozenset[str] | None = None

    def __post_init__(self) -> None:
        for name, allowed in (("unit", Unit), ("cjk", Cjk), ("numbers", Numbers)):
            if getattr(self, name) not in get_args(allowed):
                raise ValueError(
                    f"{name}={getattr(self, name)!r}; it must be one of {list(get_args(allowed))}"
                )
        low, high = map(operator.index, self.ngram_range)
        if not 1 <= low <= high <= 16:
            raise ValueError(f"ngram_range={self.ngram_range}; it must be 1 ≤ low ≤ high ≤ 16")
        if not 1 <= operator.index(self.min_length) <= _LONGEST:
            raise ValueError(
                f"min_length={self.min_length}; a word has at least one character, "
                f"and no more than {_LONGEST:,}"
            )
        object.__setattr__(self, "ngram_range", (low, high))
        if isinstance(self.stop_words, str):
            if self.stop_words not in STOP_WORDS:
                raise ValueError(
                    f"stop_words={self.stop_words!r}; there are lists for {sorted(STOP_WORDS)}, "
                    "any other words are given as a list"
                )
        elif self.stop_words is not None:
            words = frozenset(self.stop_words)
            if not all(isinstance(word, str) for word in words):
                raise ValueError(f"stop_words={sorted(words, key=str)[:3]}…; they must be strings")
            object.__setattr__(self, "stop_words", words or None)

    @property
    def stop_list(self) -> frozenset[str]:
        """The stop words themselves."""
        if self.stop_words is None:
            return frozenset()
        return STOP_WORDS[self.stop_words] if isinstance(self.stop_words, str) else self.stop_words

    def terms(self, text: str) -> list[str]:
        """The terms of one text, in order of their ends; for words, n-grams follow one another."""
        from termfold.terms.encoder import Encoder

        encoder = Encoder(self)
        ids, _ = encoder.encode([text])
        names = encoder.terms_in_order()
        return [names[i] for i in ids]

    def to_dict(self) -> dict[str, Any]:
        """Plain values that ``Analyzer(**values)`` takes, for JSON."""
        stop = self.stop_words
        return {
            "unit": self.unit,
            "ngram_range": list(self.ngram_range),
            "lowercase": self.lowercase,
            "cjk": self.cjk,
            "min_length": self.min_length,
            "numbers": self.numbers,
            "stop_words": sorted(stop) if isinstance(stop, frozenset) else stop,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Analyzer:
        """The inverse of ``to_dict``."""
        stop: str | Iterable[str] | None = values["stop_words"]
        words = frozenset(stop) if isinstance(stop, list) else stop
        return cls(**{**values, "ngram_range": tuple(values["ngram_range"]), "stop_words": words})
