"""Which lines the tests reach, kernels too: ``make coverage``.

    python tools/measure_coverage.py [TESTS...]

Compiled code leaves no trace. So the tests run as they are, processes they start included, and
those of small collections once more with kernels as plain Python; a line counts if either reaches
it. What makes instructions for the compiler (``@intrinsic``) is left out.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Tests that reach the kernels with little data, and need nothing only a compiler understands.
SMALL = (
    "baselines", "best_terms", "best_terms_classifier", "collect", "corpus", "counter", "fedip",
    "policies", "rule", "select", "stats", "term_projection", "vocabulary",
)  # fmt: skip


def main(tests: list[str]) -> int:
    run = [sys.executable, "-m", "coverage", "run", "-m", "pytest"]
    pytest = [*run, "-q", "-n", "auto", "-p", "no:cacheprovider"]
    small = [f"tests/test_{name}.py" for name in SMALL]
    checks = "not scikit_learn and not sklearn"  # hundreds, on data too large for Python
    uncompiled = ["-p", "uncompiled", "-m", "not slow", "-k", checks, "-W", "ignore", *small]
    paths = os.pathsep.join([str(ROOT / "tools"), os.environ.get("PYTHONPATH", "")])
    failed = subprocess.run([*pytest, *tests], cwd=ROOT).returncode
    if not tests:
        environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"}
        failed |= subprocess.run([*pytest, *uncompiled], cwd=ROOT, env=environment).returncode
    for step in ("combine", "-q"), ("report", "--skip-covered", "--show-missing"):
        subprocess.run([sys.executable, "-m", "coverage", *step], cwd=ROOT, check=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
