"""Random texts of all of Unicode through ``TermCounter`` and scikit-learn's ``CountVectorizer``.

An input is one text; tokens are counted, too. The vocabularies and matrices have to be the same,
and the sums by class those of a dictionary and of ``TermStats.from_matrix``.
"""

from __future__ import annotations

from collections import Counter

import common
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from termfold import Analyzer, TermCounter, TermStats, collect

TEXTS = 2000
# Scripts with and without case, digits, marks, punctuation; one to four bytes a character.
RANGES = [
    (0x20, 0x7F), (0xA0, 0x250), (0x370, 0x400), (0x400, 0x530), (0x5D0, 0x5EB), (0x620, 0x66A),
    (0x900, 0x980), (0x1E00, 0x2000), (0x2000, 0x2070), (0x3040, 0x3100), (0x4E00, 0x5000),
    (0xAC00, 0xAD00), (0xFF00, 0xFFF0), (0x10400, 0x10450), (0x1D400, 0x1D800), (0x1F600, 0x1F650),
]  # fmt: skip


def texts(rng: np.random.Generator) -> list[str]:
    """Words of a few scripts, drawn unevenly from a vocabulary of the round's own."""
    chosen = [RANGES[i] for i in rng.integers(0, len(RANGES), rng.integers(1, 5))]
    points = np.concatenate([np.arange(lo, hi) for lo, hi in chosen])
    words = []
    for size in rng.geometric(0.2, 3000).tolist():
        words.append("".join(map(chr, rng.choice(points, size).tolist())))
    words += [
        "the",
        "The",
        "THE",
        "don't",
        "ΟΔΟΣ",
        "İstanbul",
        "straße",
        "ﬁn",
        "e\u0301",
        "42",
        "_",
    ]
    sizes = np.minimum(rng.geometric(0.03, TEXTS) - 1, 300)
    ids = (len(words) * rng.random(int(sizes.sum())) ** 3).astype(int).tolist()
    ends = np.cumsum(sizes).tolist()
    gaps = [" ", ", ", "\n", "-", "\u3000", ""]
    gap = gaps[rng.integers(len(gaps))] or " "
    return [
        gap.join([words[i] for i in ids[end - size : end]])
        for end, size in zip(ends, sizes.tolist(), strict=True)
    ]


def one_round(rng: np.random.Generator) -> Counter:
    unit = str(rng.choice(["word", "word", "word", "char", "char_wb"]))
    low = int(rng.integers(1, 3))
    ngrams = (low, low + int(rng.integers(0, 2))) if rng.random() < 0.4 else (1, 1)
    lowercase = bool(rng.random() < 0.8)
    binary = bool(rng.random() < 0.2)
    documents = texts(rng)
    analyzer = Analyzer(unit=unit, ngram_range=ngrams, lowercase=lowercase, cjk="word")
    theirs = CountVectorizer(analyzer=unit, ngram_range=ngrams, lowercase=lowercase, binary=binary)
    expected = theirs.fit_transform(documents)
    ours = TermCounter(
        unit=unit, ngram_range=ngrams, lowercase=lowercase, cjk="word", binary=binary, n_jobs=2
    )
    found = ours.fit_transform(documents)
    assert list(ours.get_feature_names_out()) == list(theirs.get_feature_names_out()), analyzer
    assert found.shape == expected.shape
    assert (found != expected).nnz == 0, analyzer
    again = ours.transform(documents[::-1])
    assert (again != expected[::-1]).nnz == 0, analyzer

    labels = [f"class {k}" for k in rng.integers(0, 5, len(documents)).tolist()]
    stats = collect(documents, labels=labels, analyzer=analyzer, batch_bytes=5000, n_jobs=2)
    names = theirs.get_feature_names_out().tolist()
    counts = theirs.set_params(binary=False).transform(documents)
    summed = TermStats.from_matrix(counts, labels, terms=names)
    for table in ("indptr", "class_of", "df", "tf", "term_df", "term_tf", "class_docs"):
        assert np.array_equal(getattr(stats, table), getattr(summed, table)), (table, analyzer)
    sums: Counter = Counter()
    matrix = counts.tocoo()
    for row, column, count in zip(*matrix.coords, matrix.data.tolist(), strict=True):
        sums[labels[row], names[column]] += count
    tf = stats.sparse("tf").tocoo()
    ids = zip(*tf.coords, tf.data.tolist(), strict=True)
    assert {(stats.classes[k], names[t]): n for k, t, n in ids} == sums
    return Counter(texts=len(documents), tokens=int(counts.sum()))


if __name__ == "__main__":
    common.main(one_round, __doc__)
