"""Scores of texts in an executor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from termfold._arrays import Array
from termfold.classify import model_file
from termfold.classify.model import TermModel

# A Python worker serves many tasks, of a few models.
_MODELS_HELD = 4


@lru_cache(_MODELS_HELD)
def model_of(content: bytes) -> TermModel:
    """The model in a file's content, made once in each Python worker."""
    return model_file.loads(content)


def schema_of(model: TermModel) -> str:
    """The type of the column that ``scorer`` makes, as Spark writes it."""
    prediction = "array<string>" if model.multilabel else "string"
    return f"features array<float>, probability array<double>, prediction {prediction}"


def scorer(
    content: bytes, *, keep_nulls: bool, abstain_below: float | None
) -> Callable[[Iterator[pa.Array]], Iterator[pa.Array]]:
    """Make the function that Spark calls with the texts of each partition."""

    def score(parts: Iterator[pa.Array]) -> Iterator[pa.Array]:
        model = model_of(content)
        for texts in parts:
            yield _scored(model, texts, keep_nulls, abstain_below)

    # Spark goes by the types, and the names in this module are not known where it looks.
    score.__annotations__ = {"parts": Iterator[pa.Array], "return": Iterator[pa.Array]}
    return score


def _scored(
    model: TermModel, texts: pa.Array, keep_nulls: bool, abstain_below: float | None
) -> pa.StructArray:
    absent = pc.is_null(texts)
    if texts.null_count and not keep_nulls:
        raise ValueError("a text is null: drop such rows, or set handleInvalid to 'skip' or 'keep'")
    scores = model.scores(pc.fill_null(texts, ""), n_jobs=1)
    proba = model.probabilities(scores)
    told = _several if model.multilabel else _one
    columns = {
        "features": _rows_of(scores),
        "probability": _rows_of(proba),
        "prediction": told(model, scores, proba, abstain_below or 0.0),
    }
    return pa.StructArray.from_arrays(
        list(columns.values()), names=list(columns), mask=absent if texts.null_count else None
    )


def _rows_of(values: Array) -> pa.ListArray:
    n, width = values.shape
    offsets = pa.array(np.arange(n + 1) * width, pa.int32())
    return pa.ListArray.from_arrays(offsets, pa.array(values.ravel()))


def _one(model: TermModel, scores: Array, proba: Array, abstain_below: float) -> pa.Array:
    best = scores.argmax(axis=1)
    unsure = proba.max(axis=1, initial=0) < abstain_below
    return pa.array(model.classes, pa.string()).take(pa.array(best, mask=unsure))


def _several(model: TermModel, scores: Array, proba: Array, abstain_below: float) -> pa.Array:
    chosen = (scores >= model.thresholds) & (proba >= abstain_below)
    _, ids = np.nonzero(chosen)
    offsets: Any = np.concatenate([[0], np.cumsum(chosen.sum(axis=1))])
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.array(model.classes, pa.string()).take(pa.array(ids))
    )
