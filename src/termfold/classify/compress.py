"""Make a model small: weights in eight bits, terms that matter least left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from termfold._arrays import Array, Ints
from termfold._kernel import kernel
from termfold.classify.model import TermModel
from termfold.classify.model_file import size_in_bytes, weights_kept

# Of the file: names, shapes and places of the tables, and what is noted about the pruning.
_HEADER = 4096
# So many at a time stay in the cache.
_ROWS = 1024


def with_precision(model: TermModel, precision: str) -> TermModel:
    """Round the weights to what ``float32``, ``float16`` or ``int8`` can hold."""
    if precision == "float32":
        return model
    if precision == "float16":
        return replace(model, weights=_half(model.weights), idf=_half(model.idf))
    return quantised(model)


def quantised(model: TermModel) -> TermModel:
    """Round each term's weights to 255 steps between ± the largest of them.

    Steps and idf are rounded to half precision first, so that the model in memory is the one in
    the file.
    """
    if model.weights.dtype == np.int8:
        return model
    largest = largest_of_rows(model.weights)
    scale = _half(largest / 127)
    scale = np.where(
        scale * 127 < largest, _half(np.nextafter(scale, np.inf, dtype=np.float16)), scale
    )
    # No step is beyond ±127, for the scale was rounded up; where it is zero, all weights are.
    units = np.where(scale > 0, scale, 1)[:, None]
    weights = np.empty(model.weights.shape, np.int8)
    for start in range(0, len(weights), _ROWS):
        rows = slice(start, start + _ROWS)
        steps = model.weights[rows] / units[rows]
        weights[rows] = np.rint(steps, out=steps)
    return replace(model, weights=weights, scale=scale, idf=_half(model.idf))


@kernel
def largest_of_rows(weights: Array) -> Any:
    """The largest absolute value of each row; NumPy takes ten times as long for short rows."""
    largest = np.zeros(len(weights), np.float32)
    for t in range(len(weights)):
        for k in range(weights.shape[1]):
            largest[t] = max(largest[t], abs(weights[t, k]))
    return largest


def _half(values: Array) -> Array:
    return values.astype(np.float16).astype(np.float32)


def importance(model: TermModel, df: Array) -> Array:
    """How much each term moves the scores: its weights' spread times how often it is met."""
    spread = spread_of_rows(model.weights)
    moved: Array = spread * model.scale * model.idf * np.sqrt(df, dtype=np.float32)
    return moved


@kernel
def spread_of_rows(weights: Array) -> Any:
    """The standard deviation of each row."""
    n_classes = weights.shape[1]
    spread = np.zeros(len(weights), np.float32)
    for t in range(len(weights)):
        total, squares = 0.0, 0.0
        for k in range(n_classes):
            total += weights[t, k]
            squares += np.float64(weights[t, k]) * weights[t, k]
        mean = total / n_classes if n_classes > 1 else 0.0
        spread[t] = np.sqrt(max(squares / n_classes - mean * mean, 0.0))
    return spread


def largest_first(values: Array) -> Ints:
    """The order of float32 numbers, none negative, from the largest; ties stay as they are.

    Each is put into one integer with its position, since NumPy sorts such in a quarter of the time
    that it takes to sort positions by what they point at.

    Examples
    --------
    >>> largest_first(np.array([0.5, 2, 0, 2], np.float32)).tolist()
    [1, 3, 0, 2]
    """
    falling = ~np.ascontiguousarray(values, np.float32).view(np.uint32)  # bits grow as they do
    keys = falling.astype(np.uint64) << np.uint64(32) | np.arange(len(values), dtype=np.uint64)
    keys.sort()
    return (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def keep_terms(model: TermModel, ids: Ints) -> TermModel:
    """The model with some of its terms, given in ascending order."""
    return replace(
        model,
        terms=model.terms.take(ids),
        weights=np.ascontiguousarray(model.weights[ids]),
        idf=model.idf[ids],
        scale=model.scale[ids],
    )


def pruned(model: TermModel, df: Array, max_bytes: int) -> tuple[TermModel, Ints]:
    """The model with the terms that matter most, as many as fit into ``max_bytes``; and which."""
    if size_in_bytes(model) + _HEADER <= max_bytes:
        return model, np.arange(len(model.terms))
    order = largest_first(importance(model, df))
    per_term = weights_kept(model.weights).itemsize * model.n_classes + 1 + 2 + 2
    cost = np.cumsum(np.diff(model.terms.offsets)[order] + per_term)
    fixed = size_in_bytes(keep_terms(model, np.zeros(0, np.int64)))
    room = max_bytes - fixed - _HEADER
    n_kept = int(np.searchsorted(cost, room, side="right"))
    if n_kept == 0:
        raise ValueError(
            f"max_bytes={max_bytes:,} leaves no room for any term; {fixed + _HEADER:,} bytes are "
            f"taken by the classes' names and the header"
        )
    kept = np.sort(order[:n_kept])
    return keep_terms(model, kept), kept
