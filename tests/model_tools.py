"""Models made by hand: random weights, so that nothing depends on how weights are found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from termfold.classify.model import TermModel
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder
from termfold.terms.vocabulary import Vocabulary


def random_model(
    texts,
    *,
    analyzer=None,
    classes=("a", "b", "c"),
    multilabel=False,
    tf="sublinear",
    norm="l2",
    int8=False,
    share=1.0,
    seed=0,
) -> TermModel:
    """A model of a share of the terms of some texts."""
    rng = np.random.default_rng(seed)
    analyzer = analyzer or Analyzer()
    encoder = Encoder(analyzer)
    encoder.encode(texts)
    terms = encoder.vocabulary()[0]
    terms = terms.take(np.flatnonzero(rng.random(len(terms)) < share))
    shape = (len(terms), len(classes))
    weights = rng.normal(size=shape).astype(np.float32)
    if int8:
        weights = rng.integers(-127, 128, shape).astype(np.int8)
    return TermModel(
        classes=list(classes),
        multilabel=multilabel,
        analyzer=analyzer,
        terms=terms,
        weights=weights,
        bias=rng.normal(size=shape[1]).astype(np.float32),
        idf=(1 + rng.random(shape[0])).astype(np.float32),
        scale=rng.random(shape[0]).astype(np.float32) if int8 else np.ones(shape[0], np.float32),
        tf=tf,
        norm=norm,
        slopes=np.ones(shape[1], np.float32),
        intercepts=np.zeros(shape[1], np.float32),
        thresholds=rng.normal(size=shape[1]).astype(np.float32),
    )


def model_of(weights, *, classes=("a", "b"), **parts) -> TermModel:
    """A model of a few words: a dict of these and their weights; they are counted and summed."""
    names = sorted(weights)
    n_classes = len(classes)
    model = TermModel(
        classes=list(classes),
        multilabel=False,
        analyzer=Analyzer(),
        terms=Vocabulary.from_terms(names),
        weights=np.array([weights[name] for name in names], np.float32).reshape(-1, n_classes),
        bias=np.zeros(n_classes, np.float32),
        idf=np.ones(len(names), np.float32),
        scale=np.ones(len(names), np.float32),
        tf="count",
        norm="none",
        slopes=np.ones(n_classes, np.float32),
        intercepts=np.zeros(n_classes, np.float32),
        thresholds=np.zeros(n_classes, np.float32),
    )
    return replace(model, **parts)
