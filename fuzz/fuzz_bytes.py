"""Short documents of random bytes through the kernels, by the hundred thousand.

An input is one document. All are encoded at once; in the opposite order, with another seed of the
hash table; and with the vocabulary that was found, by two threads at a time: each document has to
have the same terms in the same order each time. One in a hundred is compared with the oracle.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import common
import numpy as np
import pyarrow as pa
from fuzz_kernels import BAD, CHARACTERS, analyzer

from term_oracle import oracle
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder

DOCUMENTS = 200_000


def documents(rng: np.random.Generator) -> pa.LargeStringArray:
    """Bytes drawn evenly, or pieces that are mostly UTF-8."""
    sizes = np.minimum(rng.geometric(1 / rng.integers(2, 30), DOCUMENTS) - 1, 200)
    kind = rng.integers(3)
    if kind == 0:
        content = rng.bytes(int(sizes.sum()))
    elif kind == 1:
        letters = rng.integers(0, 256, 12, np.uint8)
        content = letters[rng.integers(0, 12, int(sizes.sum()))].tobytes()
    else:
        pool = [CHARACTERS[i] for i in rng.integers(0, len(CHARACTERS), 30)]
        pool += [BAD[i] for i in rng.integers(0, len(BAD), 3)] + [b" ", b"a", b"e"]
        chosen = rng.integers(0, len(pool), int(sizes.sum()))
        lengths = np.array([len(piece) for piece in pool])[chosen]
        content = b"".join([pool[i] for i in chosen.tolist()])
        ends = np.concatenate([[0], np.cumsum(lengths)])[np.concatenate([[0], np.cumsum(sizes)])]
        sizes = np.diff(ends)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(content)]
    return pa.Array.from_buffers(pa.large_string(), DOCUMENTS, buffers)


def ranked(how: Analyzer, texts: pa.Array) -> tuple[Encoder, np.ndarray, np.ndarray]:
    """The terms of texts by their places in the sorted vocabulary."""
    encoder = Encoder(how)
    ids, indptr = encoder.encode(texts)
    ranks = encoder.vocabulary()[1]
    return encoder, (ranks[ids] if len(ids) else ids), indptr


def one_round(rng: np.random.Generator) -> Counter:
    how = analyzer(rng)
    texts = documents(rng)
    encoder, found, indptr = ranked(how, texts)
    assert indptr[0] == 0
    assert indptr[-1] == len(found)
    assert np.all(np.diff(indptr) >= 0)

    backwards = texts.take(pa.array(np.arange(len(texts))[::-1]))
    other, again, other_indptr = ranked(how, backwards)
    sizes = np.diff(other_indptr)[::-1]
    assert np.array_equal(sizes, np.diff(indptr)), how
    starts = np.repeat(other_indptr[:-1][::-1] - indptr[:-1], sizes)
    assert np.array_equal(again[starts + np.arange(len(again))], found), how
    vocabulary = encoder.vocabulary()[0]
    assert vocabulary == other.vocabulary()[0]

    known = Encoder(how, vocabulary)
    half = len(texts) // 2
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(known.encode, (texts[:half], texts[half:])))
    assert np.array_equal(np.concatenate([ids for ids, _ in parts]), found), how

    names = list(vocabulary)
    raw = texts.view(pa.large_binary())
    for i in rng.integers(0, len(texts), len(texts) // 100).tolist():
        expected = oracle(raw[i].as_py().decode("utf-8", "one-by-one"), how)
        terms = [names[t] for t in found[indptr[i] : indptr[i + 1]]]
        assert Counter(terms) == Counter(expected), (raw[i], how)
    return Counter(documents=len(texts), bytes=raw.nbytes, tokens=len(found))


if __name__ == "__main__":
    common.main(one_round, __doc__)
