"""A map of all classes: each a disc of its documents, those alike side by side."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from termfold._arrays import Array, Floats, Ints

# In units of the distance between two documents of a disc.
_GAP, _SMALLEST = 2.5, 1.5
_STEPS, _STEPS_OF_ALL = 400, 40_000


class Discs(NamedTuple):
    """Where classes and documents lie.

    Parameters
    ----------
    centres : ndarray of shape (K, 2)
    radii : ndarray of shape (K,)
    points : ndarray of shape (n, 2)
    """

    centres: Floats
    radii: Floats
    points: Floats


def discs(probabilities: Array, likeness: Array) -> Discs:
    """Put each document into the disc of its most probable class.

    The surer a document, the nearer it is to the centre; and it lies on the side of the class that
    comes second, as far as there is room. Neighbouring documents are one unit apart.

    Parameters
    ----------
    probabilities : ndarray of shape (n, K)
    likeness : ndarray of shape (K, K)
        Between 0 and 1, symmetric.
    """
    best = probabilities.argmax(axis=1)
    sizes = np.bincount(best, minlength=probabilities.shape[1])
    radii = np.array([max(_SMALLEST, len(_rings(int(size))) - 0.5) for size in sizes])
    centres = _pack(_scaled(likeness), radii + _GAP / 2)
    points = np.zeros((len(best), 2))
    for k in np.flatnonzero(sizes):
        rows = np.flatnonzero(best == k)
        points[rows] = centres[k] + _in_disc(probabilities[rows], int(k), centres)
    return Discs(centres, radii, points)


def _rings(n: int) -> list[int]:
    """How many documents lie on each ring: 1, 6, 12, 18, …

    Examples
    --------
    >>> _rings(10)
    [1, 6, 3]
    """
    sizes: list[int] = []
    while n > 0:
        sizes.append(min(n, max(1, 6 * len(sizes))))
        n -= sizes[-1]
    return sizes


def _in_disc(probabilities: Array, k: int, centres: Floats) -> Floats:
    """Places of a class's documents around its centre."""
    order = np.argsort(-probabilities[:, k], kind="stable")
    pull = probabilities.copy()
    pull[:, k] = 0
    towards = pull @ (centres - centres[k])
    angle = np.arctan2(towards[:, 1], towards[:, 0])
    places = np.zeros((len(order), 2))
    ends = np.cumsum([0, *_rings(len(order))])
    for radius, (lo, hi) in enumerate(itertools.pairwise(ends.tolist())):
        ring = order[lo:hi]
        ring = ring[np.argsort(angle[ring], kind="stable")]
        turned = _spread(angle[ring], max(1, 6 * radius))
        places[ring] = radius * np.column_stack([np.cos(turned), np.sin(turned)])
    return places


def _spread(angles: Floats, room: int) -> Floats:
    """Move ascending angles as little as needed, until they are a share 1 / room apart.

    Examples
    --------
    >>> (_spread(np.array([0.0, 0.0, 3.0]), 6) * 180 / np.pi).round()
    array([-30.,  30., 172.])
    """
    n, step = len(angles), 2 * np.pi / room
    # The circle is cut where it is emptiest, so that nothing has to be moved across the cut.
    gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
    first = (int(gaps.argmax()) + 1) % n
    turns = np.concatenate([angles[first:], angles[:first] + 2 * np.pi]) / step
    place = np.arange(n)
    # Pushed on by those before, and back by those behind: the mean keeps the distance as well.
    on = np.maximum.accumulate(turns - place)
    back = np.minimum.accumulate((turns - place)[::-1])[::-1]
    free = (on + back) / 2
    least = free.mean() - (room - n) / 2
    moved = np.empty(n)
    moved[(place + first) % n] = np.clip(free, least, least + room - n) + place
    return moved * step


def _scaled(likeness: Array) -> Floats:
    """Classical scaling: points whose distances are small where classes are alike."""
    n = len(likeness)
    off = likeness[~np.eye(n, dtype=bool)]
    # Only the order counts: a few pairs are often much more alike than all others.
    ranks = np.searchsorted(np.sort(off), likeness, side="left") / max(1, n * n)
    distance = 1.2 - (ranks + ranks.T) / 2
    np.fill_diagonal(distance, 0)
    centring = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(-0.5 * centring @ distance**2 @ centring)
    axes = vectors[:, ::-1][:, :2] * np.sqrt(np.maximum(values[::-1][:2], 1e-9))
    axes *= np.where(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])] < 0, -1, 1)
    return np.pad(axes, ((0, 0), (0, 2 - axes.shape[1])))


def _pack(places: Floats, radii: Floats) -> Floats:
    """Move discs until none overlap, and as close together as that allows."""
    n = len(radii)
    # A little wider than high, as screens are; never two in one place.
    spread = np.sqrt((radii**2).sum()) * np.array([1.5, 1.0])
    nudge = np.column_stack([np.cos(np.arange(n) * 2.4), np.sin(np.arange(n) * 2.4)]) * 1e-3
    at = (places / max(float(np.abs(places).max(initial=0)), 1e-9) + nudge) * spread
    touch = radii[:, None] + radii[None, :]
    apart: Ints = ~np.eye(n, dtype=bool)
    steps = min(_STEPS, _STEPS_OF_ALL // max(1, n))
    for step in range(2 * steps):
        if step < steps:  # then only let go of one another
            at *= np.array([0.985, 0.975])
        for _ in range(4):
            difference = at[:, None] - at[None, :]
            distance = np.sqrt((difference**2).sum(axis=2)) + 1e-9
            overlap = np.maximum(touch - distance, 0) * apart
            if not overlap.any():
                break
            at = at + (difference / distance[:, :, None] * overlap[:, :, None] * 0.45).sum(axis=1)
    centred: Floats = at - (at.min(axis=0) + at.max(axis=0)) / 2
    return centred
