"""The kernels where memory is at stake: indices stay inside, and no hash is trusted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from term_oracle import encoded, oracle, raw_array
from termfold.terms.analyzer import Analyzer

ANALYZERS = [
    Analyzer(),
    Analyzer(min_length=1, ngram_range=(1, 3), cjk="word"),
    Analyzer(stop_words=["to", "be", "verylongstopword"], numbers="drop"),
    Analyzer(unit="char", ngram_range=(8, 9)),
    Analyzer(unit="char_wb", ngram_range=(2, 3)),
]
CHECKED = ANALYZERS[0], ANALYZERS[-1]  # by Numba: each splitter takes seconds to compile
EDGES = [
    *(
        text.encode()
        for text in (
            "",
            " ",
            "a",
            "to be or not to be 12 verylongstopword verylongstopwords",
            " ".join(["x" * 7, "x" * 8, "x" * 9, "x" * 17 + "y", "x" * 17 + "z"]),
            " ".join(["w" * 62, "v" * 63, "u" * 64, "t" * 65]),
            "ä" * 64,
            "a" * 63 + "ä",
            "ΑΣ",
            "中文a文",
            "İ" * 9,
            "Ⱥ" * 30,
            "\0\0\0",
            "a\0b a\0",
            " ".join(f"term{i}" for i in range(40)),
        )
    ),
    b"\xff" * 30,
    b"\xff " * 30,
    b"ab\xe4",
    b"\xb8\xad",
    b"\xf0\x9f\x98",
    b"a\xce\xa3\xce",
]


def in_python(batches: list[list[bytes]], *options: str) -> list[list[list[list[str]]]]:
    job = {
        "batches": [[text.hex() for text in texts] for texts in batches],
        "analyzers": [analyzer.to_dict() for analyzer in ANALYZERS],
    }
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("kernels_in_python.py"), *options],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_nothing_outside_an_array_is_read_or_written():
    batches = [EDGES, *([text] for text in EDGES[-8:])]  # alone, a text ends where memory does
    assert in_python(batches) == [
        [encoded(raw_array(texts), analyzer) for texts in batches] for analyzer in ANALYZERS
    ]


def test_terms_of_equal_hash_are_told_apart():
    """One slot for all terms, the same tag: sizes and bytes must decide, also for stop words."""
    texts = EDGES[3:5] + EDGES[11:15]
    for analyzer, found in zip(ANALYZERS, in_python([texts], "--collide"), strict=True):
        for text, terms in zip(texts, found[0], strict=True):
            assert Counter(terms) == Counter(oracle(text.decode(), analyzer))


@pytest.mark.slow  # all kernels are compiled once more
def test_numba_checks_the_bounds(tmp_path):
    script = """if True:
        import json, sys
        import numpy as np
        from test_term_table import CHECKED, EDGES
        from term_oracle import encoded, raw_array
        from termfold import TermStats, TextClassifier, collect
        found = [encoded(raw_array(EDGES), a) for a in CHECKED]
        texts = ["a goal in the match", "größer 中文", "", "x" * 200, "goal " * 300] * 3
        labels = ["s", "t", "s", "t", "u"] * 3
        stats = collect(texts, labels=labels, n_jobs=2, batch_bytes=50)
        assert (stats + stats) - stats == stats
        stats.save("counts")
        assert TermStats.load("counts") == stats
        classifier = TextClassifier().fit(texts, labels)
        assert np.isfinite(classifier.transform([*texts, "unheard-of"])).all()
        json.dump(found, sys.stdout)
    """
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={
            **os.environ,
            "NUMBA_BOUNDSCHECK": "1",
            "NUMBA_CACHE_DIR": str(tmp_path),
            "NUMBA_OPT": "0",  # to compile takes longer than to run
            "PYTHONPATH": str(Path(__file__).parent),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [encoded(raw_array(EDGES), a) for a in CHECKED]
