"""What the campaigns share: a seed for every round, a budget, and a line of results.

A campaign is a function of a random generator that tries one round of inputs and returns how many
these were; it raises where a promise is broken. Round r of seed s can be repeated by itself:

    python fuzz/fuzz_kernels.py --seed s --first r --rounds 1
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "fuzz" / "results"
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "fuzz")]

Round = Callable[[np.random.Generator], Counter]


def generator(seed: int, number: int) -> np.random.Generator:
    return np.random.default_rng([seed, number])


def repeat(one_round: Round, seed: int, first: int, rounds: int, seconds: float) -> Counter:
    """Run rounds until there are enough or the time is over; what each tried is added up."""
    total: Counter = Counter()
    began = time.monotonic()
    for number in range(first, first + rounds):
        try:
            total += one_round(generator(seed, number))
        except BaseException:
            print(f"failed in round {number} of seed {seed}", file=sys.stderr)
            raise
        total["rounds"] += 1
        if time.monotonic() - began > seconds:
            break
    return total


def main(one_round: Round, description: str) -> None:
    """Run a campaign from the command line, and add a line to its results."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=1 << 40)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--keep", action=argparse.BooleanOptionalAction, default=True)
    given = parser.parse_args()
    began = time.monotonic()
    total = repeat(one_round, given.seed, given.first, given.rounds, given.seconds)
    line = described(given.seed, total, time.monotonic() - began)
    print(line)
    if given.keep:
        RESULTS.mkdir(exist_ok=True)
        with (RESULTS / f"{Path(sys.argv[0]).stem}.jsonl").open("a") as file:
            file.write(line + "\n")


def described(seed: int, total: Counter, seconds: float) -> str:
    """What was tried, and with what, as a line of JSON."""
    import numba
    import pyarrow

    import termfold

    line = {
        "seed": seed,
        "seconds": round(seconds, 1),
        **dict(sorted(total.items())),
        "python": platform.python_version(),
        "termfold": termfold.__version__,
        "numba": numba.__version__,
        "pyarrow": pyarrow.__version__,
    }
    return json.dumps(line)
