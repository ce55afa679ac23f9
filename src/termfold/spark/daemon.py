"""Spark's Python daemon with termfold loaded, for workers that can begin at once.

    spark.python.daemon.module=termfold.spark.daemon

Spark's own daemon divides into one worker for each core, and then each worker by itself loads
NumPy, Arrow, Numba and the kernels, which takes longer than many a pass. Here they are loaded
once, before, and workers share their memory. Each executor needs termfold in its Python.

A process may only divide while it has one thread, so what is loaded here must start none.
"""

from __future__ import annotations

import gc
import sys

import numpy as np
import pyarrow as pa

from termfold.classify import model_file
from termfold.classify.model import TermModel
from termfold.corpus.shape import Kind
from termfold.spark import collect, gather
from termfold.spark._extra import missing
from termfold.spark.parcels import Parcel
from termfold.spark.reading import Documents, Reading
from termfold.spark.scoring import scorer
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import Vocabulary

try:
    import pyspark.worker  # noqa: F401  (what a worker loads first of all)
    from pyspark.daemon import manager
except ImportError as error:
    raise missing(error) from error

_TEXTS = ["one two", "two Äpfel 中文"]
_ROWS = pa.record_batch({"text": _TEXTS, "label": ["a", "b"]})


def load() -> None:
    """Do once, with two short texts, what workers are for: kernels come from their cache."""
    analyzer = Analyzer()
    counted = [parcel.row() for parcel in collect._count(_documents(), analyzer, n_shards=1)]
    parcels = [*collect._merge(iter(counted * 2), min_df=2)]
    parcels += [Parcel.row(parcel) for parcel in gather._encode(_documents(), analyzer, 64)]
    score = scorer(model_file.dumps(_model(analyzer)), keep_nulls=True, abstain_below=None)
    list(score(iter([_ROWS["text"]])))


def _documents() -> Documents:
    return Documents(iter([_ROWS]), Reading(), Kind(labelled=True, multilabel=False))


def _model(analyzer: Analyzer) -> TermModel:
    """A model of the shape that learning gives by default."""
    terms = Vocabulary.from_terms(["one", "two"])
    weights = np.ones((2, 2), np.int8)
    ones = np.ones(2, np.float32)
    return TermModel(
        classes=["a", "b"],
        multilabel=False,
        analyzer=analyzer,
        terms=terms,
        weights=weights,
        bias=ones,
        idf=ones,
        scale=ones,
        tf="sublinear",
        norm="l2",
        slopes=ones,
        intercepts=ones,
        thresholds=ones,
    )


if __name__ == "__main__":
    try:
        load()
    except Exception as error:  # workers will load it themselves, and say what is wrong
        print(f"termfold was not loaded before the workers: {error}", file=sys.stderr)
    gc.collect()
    gc.freeze()  # a collection in a worker would copy the pages that it looks at
    manager()
