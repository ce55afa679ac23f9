"""Time projections on K features: FEDIP and term projection beside LDA/QR and LSI.

    TERMFOLD_DATA=<folder of the collections> python benchmarks/bench_projection_speed.py

Each time is of fitting and of projecting the same documents, given a sparse matrix of counts; runs
of the contenders alternate. ``LDAQR`` is ours, which never subtracts a mean from a sparse matrix;
"LDA/QR, dense" takes the steps as they are published, so it has documents less their centroids in
a dense matrix, and is left out where that would be larger than 4 GB. LSI is scikit-learn's
``TruncatedSVD`` with K components, by both of its algorithms. Everything runs on one thread, the
linear algebra too. Growth is timed on 1/16 to 16/16 of the training documents of 20 Newsgroups,
with the same columns; OCFS there selects 1,000.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import scipy.sparse as sp
from _common import in_turn, record
from sklearn.decomposition import TruncatedSVD
from threadpoolctl import threadpool_limits

from termfold.datasets import load_cluto
from termfold.project import FEDIP, LDAQR, OrthogonalCentroid, TermProjection
from termfold.select import OCFS
from termfold.terms.counter import TermCounter

REPEATS = 7
LARGEST = 4e9  # bytes of a dense matrix
DENSE = "LDA/QR, dense"
SHARES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)


def newsgroups() -> tuple[sp.csr_matrix, np.ndarray]:
    path = Path(os.environ["TERMFOLD_DATA"]) / "20newsgroups_bydate.parquet"
    table = pq.read_table(path, filters=[("split", "=", "train")]).to_pydict()
    return TermCounter().fit_transform(table["text"]), np.array(table["label"])


def fit_and_transform(make: Callable[[], Any], X: Any, y: Any) -> Callable[[], Any]:
    return lambda: make().fit(X, y).transform(X)


def published_lda_qr(X: sp.csr_matrix, y: np.ndarray) -> np.ndarray:
    """LDA/QR step by step (Ye and Li, 2005): K − 1 features of each document.

    QR of the centroids, the scatter within and between the classes in that space, and the
    eigenvectors of the quotient of the two.
    """
    classes, ids = np.unique(y, return_inverse=True)
    sizes = np.bincount(ids)
    membership = sp.csr_array((np.ones(len(ids)), ids, np.arange(len(ids) + 1)))
    centroids = (membership.T @ X).toarray() / sizes[:, None]
    basis, _ = np.linalg.qr(centroids.T)
    within = X.toarray()
    for document, k in zip(within, ids, strict=True):
        document -= centroids[k]
    within = within @ basis
    between = (centroids - sizes @ centroids / sizes.sum()) @ basis * np.sqrt(sizes)[:, None]
    quotient = np.linalg.pinv(within.T @ within) @ (between.T @ between)
    values, vectors = np.linalg.eig(quotient)
    best = np.argsort(-values.real)[: len(classes) - 1]
    return X @ (basis @ vectors.real[:, best])


def contenders(X: sp.csr_matrix, y: np.ndarray) -> dict[str, Callable[[], Any]]:
    n_classes = len(np.unique(y))
    reals = X.astype(np.float64)  # so that those who compute with reals need not convert
    runs = {
        "FEDIP": fit_and_transform(FEDIP, X, y),
        "FEDIP, leave-one-out": lambda: FEDIP().fit_transform(X, y),
        "FEDIP, log": fit_and_transform(lambda: FEDIP(weight="log_rr", smoothing=2), X, y),
        "TermProjection": fit_and_transform(TermProjection, X, y),
        "TermProjection, leave-one-out": lambda: TermProjection().fit_transform(X, y),
        "OrthogonalCentroid": fit_and_transform(OrthogonalCentroid, reals, y),
        "LDAQR": fit_and_transform(LDAQR, reals, y),
        "LSI, randomized": fit_and_transform(
            lambda: TruncatedSVD(n_classes, random_state=0), reals, y
        ),
        "LSI, arpack": fit_and_transform(
            lambda: TruncatedSVD(n_classes, algorithm="arpack", random_state=0), reals, y
        ),
    }
    if 8 * X.shape[0] * X.shape[1] <= LARGEST:
        runs[DENSE] = lambda: published_lda_qr(reals, y)
    return runs


def main() -> None:
    collections = {"20newsgroups": newsgroups()}
    for name in ("k1a", "la1", "hitech"):
        matrix = load_cluto(name)
        collections[name] = (matrix.data, matrix.target)

    results = {}
    for name, (X, y) in collections.items():
        runs = contenders(X, y)
        in_turn(runs, 1)  # compiles the kernels
        times = in_turn(runs, REPEATS)
        medians = {run: time["wall"]["median"] for run, time in times.items()}
        results[name] = {
            "documents": X.shape[0],
            "terms": X.shape[1],
            "counts": X.nnz,
            "classes": len(np.unique(y)),
            "wall": {run: round(median, 4) for run, median in medians.items()},
            "cpu": {run: round(time["cpu"]["median"], 4) for run, time in times.items()},
            "times FEDIP": {
                run: round(median / medians["FEDIP"], 1) for run, median in medians.items()
            },
            "times FEDIP, cpu": {
                run: round(time["cpu"]["median"] / times["FEDIP"]["cpu"]["median"], 1)
                for run, time in times.items()
            },
        }

    X, y = collections["20newsgroups"]
    order = np.random.default_rng(0).permutation(X.shape[0])
    growth = {}
    for share in SHARES:
        rows = np.sort(order[: round(share * len(order))])
        part = X[rows]
        runs = contenders(part, y[rows]) | {
            "OCFS": lambda part=part, rows=rows: OCFS(1000).fit(part, y[rows]).transform(part)
        }
        runs.pop(DENSE, None)  # the whole would not fit
        times = in_turn(runs, REPEATS)
        growth[len(rows)] = {
            "counts": int(part.nnz),
            "cpu": {run: round(time["cpu"]["median"], 4) for run, time in times.items()},
        }
    record("projection_speed", repeats=REPEATS, collections=results, growth=growth)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
