"""Refine the weights of all classes, in blocks of classes that threads own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Floats, Ints
from termfold._threads import map_threads
from termfold.project.lanes import WIDTHS, lane_table
from termfold.project.refined_data import Documents
from termfold.project.refined_kernel import descend
from termfold.project.refined_prior import Prior
from termfold.project.refined_shelf import Alphas

NO_ROWS = np.zeros(0, np.int64)


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
    documents : sequence of Documents
        In blocks that follow each other.
    n_shared : int
        Terms of more than one document.
    members : sparse matrix of shape (n_docs, K)
        Non-zero where a document belongs to a class.
    prior : Prior
        Of the shared terms.
    costs : ndarray of shape (2, K)
        C of the documents outside and inside each class.
    tol, max_epochs, seed
        As ``RefinedProjection`` has them.
    scratch : Path, optional
        A folder for what is kept of each document, which is in memory otherwise.
    """

    documents: Sequence[Documents]
    n_shared: int
    members: sp.csr_array
    prior: Prior
    costs: Floats
    tol: float
    max_epochs: int
    seed: int
    scratch: Path | None = None

    def order(self, epoch: int, block: int) -> Ints:
        """Of the documents of a block in a pass: random, but the same for all classes."""
        return np.random.default_rng([self.seed, epoch, block]).permutation(self.sizes[block])

    def order_of_blocks(self, epoch: int) -> Ints:
        """Likewise."""
        return np.random.default_rng([self.seed, epoch]).permutation(len(self.sizes))

    @cached_property
    def sizes(self) -> list[int]:
        """Documents of each block."""
        return [len(block) for block in self.documents]

    def rows_of(self, block: int) -> slice:
        """The documents of a block among all."""
        first = sum(self.sizes[:block])
        return slice(first, first + self.sizes[block])


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
    n_classes = problem.members.shape[1]
    n_own = sum(len(docs.own_terms) for docs in problem.documents)
    weights = np.empty((problem.n_shared + n_own, n_classes), np.float32)
    parts = map_threads(
        lambda classes: _Classes(problem, classes).solve(held, weights[:, classes]),
        class_blocks(n_classes, n_threads),
        n_threads,
    )
    return Solution(
        weights,
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


class _Classes:
    """Tables of some classes, side by side; their rows are those that ``descend`` names."""

    def __init__(self, problem: Problem, classes: slice) -> None:
        self.problem, self.classes = problem, classes
        self.size = classes.stop - classes.start
        self.width = next(width for width in WIDTHS if width >= self.size)
        self.weights = lane_table(problem.n_shared, self.width)
        self._lanes(self.weights)[:] = problem.prior.of_terms(classes)
        self.state = lane_table(2, self.width)
        self.alphas = Alphas(problem.sizes, self.width, classes.start, problem.scratch)
        self.per_class = lane_table(5, self.width)
        self.per_class["lanes"][1] = 1  # the divisor, in lanes without a class too
        self._lanes(self.per_class)[1:3] = _by_sign(0.5 / problem.costs[:, classes])
        self._lanes(self.per_class)[3:5] = _by_sign(problem.prior.of_own_terms(classes))
        self._signs: tuple[int, Array] = -1, np.zeros(0)

    def _lanes(self, table: Array) -> Array:
        lanes: Array = table["lanes"][:, : self.size]
        return lanes

    def signs(self, block: int) -> Array:
        """The signs y of the documents of a block; those of the last one asked for are at hand."""
        if self._signs[0] != block:
            signs = lane_table(self.problem.sizes[block], self.width)
            signs["lanes"][:] = -1
            rows = self.problem.rows_of(block)
            signs["lanes"][self.problem.members[rows, self.classes].tocoo().coords] = 1
            self._signs = block, signs
        return self._signs[1]

    def solve(self, held: HeldOut, found: Array) -> Solution:
        """Refine the weights, and write them to ``found``."""
        live = np.ones(self.size, np.bool_)
        epochs = np.zeros(self.size, np.int64)
        total = np.zeros(self.size)
        for epoch in range(self.problem.max_epochs):
            gain = self._pass(epoch, live)
            total += gain
            epochs += live
            live &= gain > self.problem.tol * total
            if not live.any():
                break
        found[: self.problem.n_shared] = self._lanes(self.weights)
        self._put_own_weights(found[self.problem.n_shared :])
        bias = self._lanes(self.state)[0].copy()
        return Solution(found, bias, epochs, self._margins_without(held))

    def _pass(self, epoch: int, live: Array, without: Ints = NO_ROWS) -> Array:
        """Go over documents once; return what each class's dual objective gained."""
        self._lanes(self.per_class)[0] = live
        self.state["lanes"][1] = 0
        for block in self.problem.order_of_blocks(epoch):
            rows = self.problem.order(epoch, block)
            if len(without):
                rows = rows[~np.isin(rows + self.problem.rows_of(block).start, without)]
            with self.alphas.of(block) as alphas:
                descend(
                    rows,
                    self.problem.documents[block].tables,
                    self.per_class,
                    self.signs(block),
                    alphas,
                    self.weights,
                    self.state,
                )
        gains: Array = self._lanes(self.state)[1]
        return gains

    def _put_own_weights(self, weights: Array) -> None:
        """Write weights of the terms that one document has: the prior's plus α y x."""
        mean, by_sign = self._lanes(self.per_class)[3:5]
        for block, docs in enumerate(self.problem.documents):
            with self.alphas.of(block) as alphas:
                y, alpha = (self._lanes(t)[docs.own_docs] for t in (self.signs(block), alphas))
            weights[docs.own_terms] = mean + y * (by_sign + docs.own_x[:, np.newaxis] * alpha)

    def _margins_without(self, held: HeldOut) -> Array:
        """Take documents out of the solution, and compute their margins.

        What the solution has of a document is α y x, and its part of the prior's counts. One
        pass over the others then closes the gap: one more changes the margins no further.
        """
        if not len(held.rows):
            return np.zeros((0, self.size), np.float32)
        weights, bias = self._lanes(self.weights), self._lanes(self.state)[0]
        taken = []
        for block, docs in enumerate(self.problem.documents):
            place = self.problem.rows_of(block)
            here = held.rows[(held.rows >= place.start) & (held.rows < place.stop)] - place.start
            taken.append(docs.rows(here, self.problem.n_shared))
            with self.alphas.of(block) as alphas:
                parts = self._lanes(alphas)[here] * self._lanes(self.signs(block))[here]
                self._lanes(alphas)[here] = 0
            weights -= taken[-1].T @ parts
            bias -= parts.sum(axis=0)
        weights += held.prior.of_terms(self.classes)
        weights -= self.problem.prior.of_terms(self.classes)
        self._pass(self.problem.max_epochs, np.ones(self.size, np.bool_), held.rows)
        x = sp.vstack(taken, format="csr")
        margins: Array = x @ np.ascontiguousarray(weights) / held.lengths[:, np.newaxis] + bias
        return margins


def _by_sign(outside_inside: Array) -> Array:
    """Two rows a, b for which a − b is the first row given, and a + b the second."""
    outside, inside = outside_inside
    return np.stack([(inside + outside) / 2, (inside - outside) / 2])
