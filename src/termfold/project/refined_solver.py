"""Refine the weights of all classes, in blocks of classes that threads own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Floats, Ints
from termfold._threads import map_threads
from termfold.project.lanes import WIDTHS, lane_table
from termfold.project.refined_kernel import descend

Prior = Callable[[slice], Array]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Documents that are taken out again after training, to see margins of unseen documents.

    Parameters
    ----------
    rows : ndarray of int
    prior : function of a slice of classes
        The prior that the other documents give.
    """

    rows: Ints
    prior: Prior


@dataclass(frozen=True, eq=False)
class Problem:
    """What ``solve`` minimises; see ``RefinedProjection``.

    Parameters
    ----------
    x : sparse matrix of shape (n_docs, M), float32
    squares : ndarray of shape (n_docs,), float32
        ‖x‖² of each document.
    members : sparse matrix of shape (n_docs, K)
        Non-zero where a document belongs to a class.
    prior : function of a slice of classes
        γ · w⁰ of these classes, of shape (M, number of classes).
    costs : ndarray of shape (2, K)
        C of the documents outside and inside each class.
    doc_costs : ndarray of shape (n_docs,)
        What C is multiplied by; documents with 0 are left out.
    tol, max_epochs, seed
        As ``RefinedProjection`` has them.
    """

    x: sp.csr_array
    squares: Array
    members: sp.csc_array
    prior: Prior
    costs: Floats
    doc_costs: Array
    tol: float
    max_epochs: int
    seed: int

    @cached_property
    def order(self) -> Callable[[int], Ints]:
        """The documents in the order of an epoch: random, but the same for all classes."""

        @lru_cache(maxsize=2)
        def order(epoch: int) -> Ints:
            docs = np.random.default_rng([self.seed, epoch]).permutation(self.x.shape[0])
            return docs[self.doc_costs[docs] > 0]

        return order


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
    parts = map_threads(
        lambda block: _Block(problem, block).solve(held),
        class_blocks(problem.members.shape[1], n_threads),
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
    return [slice(*pair) for pair in zip(bounds, bounds[1:], strict=False)]


class _Block:
    """Tables of some classes, side by side."""

    def __init__(self, problem: Problem, classes: slice) -> None:
        self.problem = problem
        self.classes = classes
        self.size = classes.stop - classes.start
        self.width = next(width for width in WIDTHS if width >= self.size)
        n_docs, n_terms = problem.x.shape

        self.weights = self._table(n_terms)
        self.start = problem.prior(classes)
        self._lanes(self.weights)[:] = self.start
        self.bias = self._table(1)
        self.alphas = self._table(n_docs)
        self.signs = self._table(n_docs)
        self.signs["lanes"][:] = -1
        members = problem.members[:, classes].tocoo()
        self.signs["lanes"][members.coords] = 1

        # 1 / 2C = mean + sign · difference
        self.inverse_costs = self._table(2)
        outside, inside = 0.5 / problem.costs[:, classes]
        self.inverse_costs["lanes"][0] = 1  # also in lanes without a class
        self._lanes(self.inverse_costs)[0] = (inside + outside) / 2
        self._lanes(self.inverse_costs)[1] = (inside - outside) / 2

    def _table(self, rows: int) -> Array:
        return lane_table(rows, self.width)

    def _lanes(self, table: Array) -> Array:
        lanes: Array = table["lanes"][:, : self.size]
        return lanes

    def solve(self, held: HeldOut) -> Solution:
        live = np.ones(self.size, np.bool_)
        epochs = np.zeros(self.size, np.int64)
        total = np.zeros(self.size)
        for epoch in range(self.problem.max_epochs):
            gain = self._pass(self.problem.order(epoch), live)
            total += gain
            epochs += live
            live &= gain > self.problem.tol * total
            if not live.any():
                break
        weights, bias = self._lanes(self.weights).copy(), self._lanes(self.bias)[0].copy()
        return Solution(weights, bias, epochs, self._margins_without(held))

    def _pass(self, docs: Ints, live: Array) -> Array:
        """Go over the documents once; return what each class's dual objective gained."""
        moving, gains = self._table(1), self._table(1)
        self._lanes(moving)[0] = live
        problem = self.problem
        descend(
            docs, problem.x.indptr, problem.x.indices, problem.x.data, problem.squares,
            self.signs, self.inverse_costs, problem.doc_costs, moving,
            self.weights, self.bias, self.alphas, gains,
        )  # fmt: skip
        return self._lanes(gains)[0]

    def _margins_without(self, held: HeldOut) -> Array:
        """Take documents out of the solution, and compute their margins.

        What the solution has of a document is α y x, and its part of the prior's counts. One
        pass over the others then closes the gap: one more changes the margins no further.
        """
        if not len(held.rows):
            return np.zeros((0, self.size), np.float32)
        x = self.problem.x[held.rows]
        parts = self._lanes(self.alphas)[held.rows] * self._lanes(self.signs)[held.rows]
        weights, bias = self._lanes(self.weights), self._lanes(self.bias)
        weights -= x.T @ parts
        weights += held.prior(self.classes) - self.start
        bias -= parts.sum(axis=0)
        self._lanes(self.alphas)[held.rows] = 0
        docs = self.problem.order(self.problem.max_epochs)
        self._pass(docs[~np.isin(docs, held.rows)], np.ones(self.size, np.bool_))
        margins: Array = x @ np.ascontiguousarray(weights) + bias
        return margins
