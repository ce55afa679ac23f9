"""Inputs that atheris makes, led by what of termfold's code they reach.

    pip install -e '.[test,fuzz]'
    python fuzz/guided.py kernels -max_total_time=600
    python fuzz/guided.py corpora -max_total_time=600

The kernels run as plain Python, where their branches are seen and an index outside of an array is
an error; each text is compared with the oracle. Corpora begin with those that the other campaign
alters. What was found is kept in a temporary folder; libFuzzer tells where.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import common  # noqa: F401  (puts the tests' modules on the path)

TARGET = sys.argv[1] if len(sys.argv) > 1 else ""
# Code that is watched cannot be compiled by Numba.
os.environ["NUMBA_DISABLE_JIT"] = "1"

import atheris  # noqa: E402

with atheris.instrument_imports(include=["termfold"]):
    import termfold.corpus.sources
    import termfold.terms.encoder  # noqa: F401

SCRATCH = Path(tempfile.mkdtemp(prefix="termfold-guided-"))


def kernels() -> tuple[Callable[[bytes], None], list[bytes]]:
    import numpy as np
    from fuzz_kernels import BAD, CHARACTERS

    import kernels_in_python
    from term_oracle import encoded, oracle, raw_array
    from termfold.terms.analyzer import Analyzer

    np.seterr(over="ignore")
    kernels_in_python.use_python()
    analyzers = [
        Analyzer(),
        Analyzer(cjk="word", ngram_range=(1, 2), min_length=1),
        Analyzer(unit="char", ngram_range=(2, 3)),
        Analyzer(unit="char_wb", ngram_range=(1, 2), lowercase=False),
        Analyzer(numbers="drop", stop_words=["a", "一"]),
    ]

    def one(content: bytes) -> None:
        if not content:
            return
        how, text = analyzers[content[0] % len(analyzers)], content[1:300]
        found = encoded(raw_array([text]), how)[0]
        assert Counter(found) == Counter(oracle(text.decode("utf-8", "one-by-one"), how))

    return one, [bytes([i]) + piece for i in range(5) for piece in (*CHARACTERS, *BAD)]


def corpora() -> tuple[Callable[[bytes], None], list[bytes]]:
    import numpy as np
    from fuzz_corpora import ORIGINALS, read

    plain = [content for name, content in ORIGINALS.items() if name.endswith(("csv", "jsonl"))]

    def one(content: bytes) -> None:
        path = SCRATCH / ("altered.jsonl" if content[:1] == b"{" else "altered.csv")
        path.write_bytes(content)
        read(path, np.random.default_rng(len(content)), None)

    return one, plain


def main() -> None:
    targets = {"kernels": kernels, "corpora": corpora}
    if TARGET not in targets:
        sys.exit(f"name what to try: one of {', '.join(targets)}")
    one, seeds = targets[TARGET]()
    corpus = SCRATCH / "seeds"
    corpus.mkdir()
    for number, content in enumerate(seeds):
        (corpus / f"{number:04}").write_bytes(content)
    options = [f"-artifact_prefix={SCRATCH}/", "-max_len=20000", *sys.argv[2:]]
    atheris.Setup([sys.argv[0], str(corpus), *options], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
