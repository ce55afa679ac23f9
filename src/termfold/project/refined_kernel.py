"""Kernels of ``RefinedProjection``: weights of terms, their order, a pass of coordinate descent."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from termfold._arrays import Array, Ints
from termfold._kernel import kernel
from termfold.project.lanes import any_of, get, larger, put


class DocTables(NamedTuple):
    """What ``descend`` reads of some documents, in its order; all but the terms float32.

    The matrix is of terms of two documents or more. ``squares`` are Σ x² of all terms of a
    document; ``own_sums`` and ``own_squares`` are Σ x and Σ x² of those no other document has.
    ``doc_costs`` is what C is multiplied by.
    """

    indptr: Ints
    terms: Ints
    values: Array
    squares: Array
    own_sums: Array
    own_squares: Array
    doc_costs: Array


@kernel
def weigh_rows(
    indptr: Ints, indices: Ints, values: Array, factors: Array, log_counts: bool, unit_length: bool
) -> Any:
    """Weights of the counts in a CSR matrix: 1 + ln c, times a factor per term, to length 1.

    A value below 1 is no count; it stays as it is, where the logarithm would turn its sign.
    """
    weights = np.empty(len(values), np.float32)
    small = 1 + np.log(np.arange(1.0, 65.0))  # most counts are, and a logarithm takes its time
    for d in range(len(indptr) - 1):
        squares = 0.0
        for entry in range(indptr[d], indptr[d + 1]):
            weight = np.float64(values[entry])
            if log_counts and weight > 1:
                whole = np.int64(min(weight, np.float64(len(small))))
                weight = small[whole - 1] if whole == weight else 1 + np.log(weight)
            weight *= factors[indices[entry]]
            squares += weight * weight
            weights[entry] = weight
        if unit_length and squares > 0:
            scale = np.float32(1 / np.sqrt(squares))
            for entry in range(indptr[d], indptr[d + 1]):
                weights[entry] *= scale
    return weights


@kernel
def by_rank(
    indptr: Ints, indices: Ints, weights: Array, rank: Ints, n_shared: int, n_kept: int
) -> Any:
    """Number the terms of a CSR matrix anew, in their order; terms of rank −1 are left out.

    Parameters
    ----------
    indptr, indices, weights : ndarray
    rank : ndarray of int
        The new number of each term, below ``n_kept``.
    n_shared, n_kept : int
        Terms ranked from ``n_shared`` on are of one row each, and do not stay in the matrix.

    Returns
    -------
    indptr, terms, values : ndarray
    squares : ndarray
        ‖x‖² of each row.
    own_rows, own_values : ndarray
        The row and the value of each term that is of one row; −1 if it is of none.
    """
    n_rows = len(indptr) - 1
    out_indptr = np.zeros(n_rows + 1, np.int32)
    own_rows = np.full(n_kept - n_shared, -1)
    own_values = np.zeros(n_kept - n_shared, np.float32)
    squares = np.zeros(n_rows, np.float32)
    terms = np.empty(len(indices), np.int32)
    values = np.empty(len(indices), np.float32)
    place = 0
    for row in range(n_rows):
        total = np.float32(0)
        for entry in range(indptr[row], indptr[row + 1]):
            r, weight = rank[indices[entry]], weights[entry]
            if r >= n_shared:
                own_rows[r - n_shared], own_values[r - n_shared] = row, weight
            elif r >= 0:
                terms[place], values[place] = r, weight
                total += weight * weight
                place += 1
        squares[row] = total
        out_indptr[row + 1] = place
    terms, values = terms[:place], values[:place]
    return out_indptr, terms, values, squares, own_rows, own_values


@kernel
def descend(
    order: Ints,
    documents: DocTables,
    per_class: Array,
    signs: Array,
    alphas: Array,
    weights: Array,
    state: Array,
) -> None:
    """One pass of dual coordinate descent over the documents, for all classes of a block.

    In the letters of ``RefinedProjection``: ``values`` x, ``squares`` ‖x‖², ``signs`` y,
    ``alphas`` α, ``weights`` w. Terms that no other document has are not in the matrix: their
    weights are always the prior's plus α y x, so their part of the margin is known without them.

    Rows of ``per_class``: 1 where a class still moves, else 0; the mean of 1 / 2C inside and
    outside the class, and half their difference; the same of the prior's weights of a term that
    one document has. Rows of ``state``: the bias, and what was added to the dual objective.
    """
    indptr, terms, values, squares, own_sums, own_squares, doc_costs = documents
    one, half, zero = np.float32(1), np.float32(0.5), np.float32(0)
    moving = get(per_class, 0)
    mean_damping, sign_damping = get(per_class, 1), get(per_class, 2)
    mean_own, sign_own = get(per_class, 3), get(per_class, 4)
    bias, gain = get(state, 0), get(state, 1)
    for d in order:
        start, stop = indptr[d], indptr[d + 1]
        y, alpha = get(signs, d), get(alphas, d)
        margin = bias + own_sums[d] * (mean_own + y * sign_own)
        for entry in range(start, stop):
            margin = margin + values[entry] * get(weights, terms[entry])

        damping = (mean_damping + y * sign_damping) / doc_costs[d]
        gradient = y * margin - one + alpha * (damping + own_squares[d])
        curvature = squares[d] + one + damping  # the bias is the weight of a term always there
        step = moving * (larger(alpha - gradient / curvature, zero) - alpha)
        if any_of(step):
            gain = gain - step * (gradient + half * curvature * step)
            put(alphas, d, alpha + step)
            change = y * step
            bias = bias + change
            for entry in range(start, stop):
                term = terms[entry]
                put(weights, term, get(weights, term) + values[entry] * change)
    put(state, 0, bias)
    put(state, 1, gain)
