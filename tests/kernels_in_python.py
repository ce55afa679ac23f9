"""Runs the kernels as plain Python, where an index outside an array is an error.

With ``NUMBA_DISABLE_JIT=1`` NumPy checks every index, and the eight-byte loads, which Numba would
not check, are replaced by slices that must be whole. With ``--collide`` all hashes are the same.
Prints the terms of each text of each batch for each analyzer, as JSON.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

from term_oracle import encoded, raw_array
from termfold.terms import look_up, split, split_ascii, table
from termfold.terms.analyzer import Analyzer


def load_word(array: Any, index: int) -> np.uint64:
    eight = array[index : index + 8]
    assert index >= 0
    assert len(eight) == 8, "read past the end"
    return np.frombuffer(eight.tobytes(), "<u8")[0]


def trailing_zeros(word: Any) -> np.int64:
    return np.int64((int(word) & -int(word)).bit_length() - 1)


def constant_hash(data: Any, lo: int, hi: int, seed: Any) -> np.uint64:
    return np.uint64(12345)


def use_python() -> None:
    """Put plain functions in the place of those that are made of processor instructions."""
    table.load_word = split_ascii.load_word = load_word
    split_ascii.trailing_zeros = trailing_zeros
    look_up.prefetch = lambda table, row: None


def main() -> None:
    np.seterr(over="ignore")  # hashing wraps around
    use_python()
    if "--collide" in sys.argv:
        look_up.hash_bytes = split.hash_bytes = table.hash_bytes = constant_hash
    job = json.load(sys.stdin)
    batches = [raw_array([bytes.fromhex(text) for text in texts]) for texts in job["batches"]]
    analyzers = [Analyzer.from_dict(values) for values in job["analyzers"]]
    json.dump([[encoded(b, analyzer) for b in batches] for analyzer in analyzers], sys.stdout)


if __name__ == "__main__":
    main()
