"""Refine the weights of all classes, in blocks of classes that threads own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Floats, Ints
from termfold._threads import map_threads
from termfold.project.lanes import WIDTHS, lane_table
from termfold.project.refined_data import Documents
from termfold.project.refined_kernel import descend
from termfold.project.refined_prior import Prior


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Documents that are taken out again after training, to see margins of unseen documents.

    Parameters
    ----------
    rows : ndarray of int
    lengths : ndarray of shape (n_held,) or (1,)
        What their weights are divided by to be those of unseen documents.
    prior : Prior
        What the other documents say of the shared terms.
    """

    rows: Ints
    lengths: Array
    prior: Prior


@dataclass(frozen=True, eq=False)
class Problem:
    """What ``solve`` minimises; see ``RefinedProjection``.

    Parameters
    ----------
    docs : Documents
    members : sparse matrix of shape (n_docs, K)
        Non-zero where a document belongs to a class.
    prior : Prior
        Of the shared terms.
    costs : ndarray of shape (2, K)
        C of the documents outside and inside each class.
    doc_costs : ndarray of shape (n_docs,)
        What C is multiplied by, more than 0.
    tol, max_epochs, seed
        As ``RefinedProjection`` has them.
    """

    docs: Documents
    members: sp.csc_array
    prior: Prior
    costs: Floats
    doc_costs: Array
    tol: float
    max_epochs: int
    seed: int


@dataclass(frozen=True, eq=False)
class Solution:
    """Weights (M, K), bias (K,), passes made per class, margins of the documents held out."""

    weights: Array
    bias: Array
    epochs: Ints
    held_margins: Array


def solve(problem: Problem, held: HeldOut, n_threads: int) -> Solution:
    """Minimise the objective of every class.

    Notes
    -----
    A class's arithmetic is the same in any block, so the blocks may follow the number of threads.
    """
    n_docs, n_classes = problem.members.shape

    # random, but the same for all classes; blocks that run side by side share it
    @lru_cache(maxsize=2)
    def order(epoch: int) -> Ints:
        return np.random.default_rng([problem.seed, epoch]).permutation(n_docs)

    docs = problem.docs
    own_squares = docs.own_squares
    doc_tables = _DocTables(
        indptr=docs.x.indptr,
        terms=docs.x.indices,
        values=docs.x.data,
        squares=docs.shared_squares + own_squares,
        own_sums=docs.own_sums,
        own_squares=own_squares,
        doc_costs=problem.doc_costs.astype(np.float32),
    )
    parts = map_threads(
        lambda classes: _Block(problem, classes, order, doc_tables).solve(held),
        class_blocks(n_classes, n_threads),
        n_threads,
    )
    return Solution(
        np.concatenate([part.weights for part in parts], axis=1),
        np.concatenate([part.bias for part in parts]),
        np.concatenate([part.epochs for part in parts]),
        np.concatenate([part.held_margins for part in parts], axis=1),
    )


def class_blocks(n_classes: int, n_threads: int) -> list[slice]:
    """Divide the classes evenly: work for each thread, but no block of less than four classes.

    A block of few classes takes hardly less time than one of many: most of it goes into fetching
    the rows of the weights.

    Examples
    --------
    >>> class_blocks(20, 2)
    [slice(0, 10, None), slice(10, 20, None)]
    """
    fewest = -(-n_classes // WIDTHS[-1])
    shared_out = -(-fewest // n_threads) * n_threads
    n_blocks = max(fewest, min(shared_out, n_classes // 4))
    bounds = np.linspace(0, n_classes, n_blocks + 1).round().astype(int).tolist()
    return [slice(*pair) for pair in pairwise(bounds)]


class _DocTables(NamedTuple):
    """What ``descend`` reads of the documents, in its order: the same for all blocks."""

    indptr: Ints
    terms: Ints
    values: Array
    squares: Array
    own_sums: Array
    own_squares: Array
    doc_costs: Array


class _Block:
    """Tables of some classes, side by side; their rows are those that ``descend`` names."""

    def __init__(
        self,
        problem: Problem,
        classes: slice,
        order: Callable[[int], Ints],
        doc_tables: _DocTables,
    ) -> None:
        self.problem, self.classes, self.order = problem, classes, order
        self.doc_tables = doc_tables
        self.size = classes.stop - classes.start
        self.width = next(width for width in WIDTHS if width >= self.size)
        n_docs, n_shared = problem.docs.x.shape

        self.start = problem.prior.of_terms(classes)
        self.weights = lane_table(n_shared, self.width)
        self._lanes(self.weights)[:] = self.start
        self.state = lane_table(2, self.width)
        self.alphas = lane_table(n_docs, self.width)
        self.signs = lane_table(n_docs, self.width)
        self.signs["lanes"][:] = -1
        members = problem.members[:, classes].tocoo()
        self.signs["lanes"][members.coords] = 1

        self.per_class = lane_table(5, self.width)
        self.per_class["lanes"][1] = 1  # the divisor, in lanes without a class too
        self._lanes(self.per_class)[1:3] = _by_sign(0.5 / problem.costs[:, classes])
        self._lanes(self.per_class)[3:5] = _by_sign(problem.prior.of_own_terms(classes))

    def _lanes(self, table: Array) -> Array:
        lanes: Array = table["lanes"][:, : self.size]
        return lanes

    def solve(self, held: HeldOut) -> Solution:
        live = np.ones(self.size, np.bool_)
        epochs = np.zeros(self.size, np.int64)
        total = np.zeros(self.size)
        for epoch in range(self.problem.max_epochs):
            gain = self._pass(self.order(epoch), live)
            total += gain
            epochs += live
            live &= gain > self.problem.tol * total
            if not live.any():
                break
        weights = np.concatenate([self._lanes(self.weights), self._own_weights()])
        bias = self._lanes(self.state)[0].copy()
        return Solution(weights, bias, epochs, self._margins_without(held))

    def _pass(self, rows: Ints, live: Array) -> Array:
        """Go over documents once; return what each class's dual objective gained."""
        self._lanes(self.per_class)[0] = live
        self.state["lanes"][1] = 0
        descend(
            rows,
            *self.doc_tables,
            self.per_class,
            self.signs,
            self.alphas,
            self.weights,
            self.state,
        )
        gains: Array = self._lanes(self.state)[1]
        return gains

    def _own_weights(self) -> Array:
        """Weights of the terms that one document has: the prior's plus α y x."""
        docs = self.problem.docs
        signs, alphas = (self._lanes(table)[docs.own_docs] for table in (self.signs, self.alphas))
        mean, by_sign = self._lanes(self.per_class)[3:5]
        weights: Array = mean + signs * (by_sign + docs.own_x[:, np.newaxis] * alphas)
        return weights

    def _margins_without(self, held: HeldOut) -> Array:
        """Take documents out of the solution, and compute their margins.

        What the solution has of a document is α y x, and its part of the prior's counts. One
        pass over the others then closes the gap: one more changes the margins no further.
        """
        if not len(held.rows):
            return np.zeros((0, self.size), np.float32)
        x = self.problem.docs.x[held.rows]
        parts = self._lanes(self.alphas)[held.rows] * self._lanes(self.signs)[held.rows]
        weights, bias = self._lanes(self.weights), self._lanes(self.state)[0]
        weights -= x.T @ parts
        weights += held.prior.of_terms(self.classes) - self.start
        bias -= parts.sum(axis=0)
        self._lanes(self.alphas)[held.rows] = 0
        rows = self.order(self.problem.max_epochs)
        self._pass(rows[~np.isin(rows, held.rows)], np.ones(self.size, np.bool_))
        margins: Array = x @ np.ascontiguousarray(weights) / held.lengths[:, np.newaxis] + bias
        return margins


def _by_sign(outside_inside: Array) -> Array:
    """Two rows a, b for which a − b is the first row given, and a + b the second."""
    outside, inside = outside_inside
    return np.stack([(inside + outside) / 2, (inside - outside) / 2])
