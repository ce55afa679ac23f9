"""Random bytes through the analyzer's kernels, against patterns of ``re`` in plain Python.

An input is one document. Every document's terms are compared with the oracle's; its counts, summed
by class, with a dictionary's; and the whole is done again with a vocabulary of half of the terms.
"""

from __future__ import annotations

from collections import Counter

import common
import numpy as np
import pyarrow as pa

from term_oracle import oracle, raw_array
from termfold.collecting import Accumulator
from termfold.corpus import Batch
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder

DOCUMENTS = 1000
# Case that changes the size or depends on the place, marks, blanks, digits, scripts of one to four
# bytes, characters at limits; then bytes that are not UTF-8.
CHARACTERS = [
    c.encode()
    for c in "aZz09_ \t\n.,'’­\0\x1c\x85\u00a0\u2028\u3000ßẞıİI\u212a\u212bǅﬁªΣσςΑΆ\u0301\u0307"
    "\u0345\u0308éñèДжі№אבّحहिन्दी一二中文々〇〆ぁアー한국ᄀㄅ㆐ｱﾞ𠀀𪚥𛀀²½Ⅷ٣५𝟘𝐀𐐀𐐨😀👩\u200d🦰\U000e0041\ufffd\uffff"
    "\u07ff\u0800\U00010000\U0010ffff\U00033479"
]
BAD = [
    *(b"\x80", b"\xbf\xbf", b"\xc3", b"\xc0\xaf", b"\xe4\xb8", b"\xe0\x80\xaf", b"\xed\xa0\x80"),
    *(b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80", b"\xfe", b"\xff"),
]
WORDS = [b"to ", b"be", b" or not ", b"the ", b"x" * 7, b"y" * 8, b"Z" * 9, b"w" * 63, b"v" * 64]


def documents(rng: np.random.Generator, number: int) -> list[bytes]:
    """Documents of a few pieces from a pool that each round draws anew."""
    pool = [
        CHARACTERS[i] for i in rng.integers(0, len(CHARACTERS), rng.integers(1, len(CHARACTERS)))
    ]
    pool += [WORDS[i] for i in rng.integers(0, len(WORDS), rng.integers(0, 30))]
    if rng.random() < 0.4:
        pool += [BAD[i] for i in rng.integers(0, len(BAD), rng.integers(1, 20))]
    if rng.random() < 0.3:
        points = rng.integers(0x20, 0x33500, 40)
        pool += [chr(p).encode() for p in points if not 0xD800 <= p < 0xE000]
    if rng.random() < 0.2:
        pool += [rng.bytes(int(n)) for n in rng.integers(1, 12, 20)]
    pieces = np.minimum(rng.geometric(1 / rng.integers(2, 25), number) - 1, 400)
    chosen = rng.integers(0, len(pool), int(pieces.sum())).tolist()
    ends = np.cumsum(pieces).tolist()
    return [
        b"".join([pool[i] for i in chosen[end - size : end]])
        for end, size in zip(ends, pieces.tolist(), strict=True)
    ]


def analyzer(rng: np.random.Generator) -> Analyzer:
    low = int(rng.integers(1, 4))
    return Analyzer(
        unit=rng.choice(["word", "word", "char", "char_wb"]),
        ngram_range=(1, 1) if rng.random() < 0.5 else (low, low + int(rng.integers(0, 3))),
        lowercase=bool(rng.random() < 0.8),
        cjk=rng.choice(["bigram", "word"]),
        min_length=int(rng.integers(1, 4)),
        numbers=rng.choice(["keep", "drop"]),
        stop_words=[None, ["a", "一", "09", "σς", "to", "be"], "english"][rng.integers(0, 3)],
    )


def one_round(rng: np.random.Generator) -> Counter:
    how = analyzer(rng)
    raw = documents(rng, DOCUMENTS)
    expected = [Counter(oracle(text.decode("utf-8", "one-by-one"), how)) for text in raw]
    array = raw_array([b"before", *raw, b"after"])[1:-1]  # in the middle of a buffer

    encoder = Encoder(how)
    ids, indptr = encoder.encode(array)
    names = encoder.terms_in_order()
    for text, terms, lo, hi in zip(raw, expected, indptr, indptr[1:], strict=False):
        found = Counter([names[i] for i in ids[lo:hi]])
        assert found == terms, (text, how, found, terms)

    vocabulary = encoder.vocabulary()[0]
    half = vocabulary.take(np.flatnonzero(rng.random(len(vocabulary)) < 0.5))
    known = set(half)
    place = np.array([half.position(name) if name in known else -1 for name in names], np.int64)
    wanted = place[ids] if len(ids) else ids
    some, some_indptr = Encoder(how, half).encode(array)
    assert np.array_equal(some, wanted[wanted >= 0]), how
    assert np.array_equal(
        some_indptr, np.concatenate([[0], np.cumsum(wanted >= 0)])[indptr] if len(ids) else indptr
    )

    if rng.random() < 0.3:
        check_sums(rng, how, array, expected)
    return Counter(documents=len(raw), bytes=sum(map(len, raw)), tokens=len(ids))


def check_sums(rng: np.random.Generator, how: Analyzer, array: pa.Array, terms: list) -> None:
    """Nothing is lost on the way to the statistics, whatever the batches."""
    labels = [[str(k) for k in rng.choice(4, rng.integers(0, 3), replace=False)] for _ in terms]
    accumulator = Accumulator(how)
    lo = 0
    while lo < len(terms):
        hi = lo + int(rng.integers(1, len(terms)))
        column = pa.array(labels[lo:hi], pa.list_(pa.string()))
        accumulator.add(Batch(array[lo:hi], column, "fuzz", lo))
        lo = hi
    stats = accumulator.stats()
    total, df, per_class = Counter(), Counter(), Counter()
    for counts, names in zip(terms, labels, strict=True):
        total.update(counts)
        df.update(counts.keys())
        for name in names:
            for term, count in counts.items():
                per_class[name, term] += count
    listed = list(stats.terms)
    assert stats.n_docs == len(terms)
    assert dict(zip(listed, stats.term_tf.tolist(), strict=True)) == total
    assert dict(zip(listed, stats.term_df.tolist(), strict=True)) == df
    tf = stats.sparse("tf").tocoo()
    classes = stats.classes.tolist()
    found = {
        (classes[k], listed[t]): int(n)
        for k, t, n in zip(tf.coords[0], tf.coords[1], tf.data, strict=True)
    }
    assert found == per_class


if __name__ == "__main__":
    common.main(one_round, __doc__)
