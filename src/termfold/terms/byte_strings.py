"""Kernels over byte strings kept as one buffer and its offsets: compare, sort, search, merge."""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Bytes, Ints
from termfold._kernel import internal, kernel


@internal
def compare(a: Bytes, a_lo: int, a_hi: int, b: Bytes, b_lo: int, b_hi: int) -> Any:
    """Negative, zero or positive as a slice of a sorts before, with or after one of b."""
    a_size, b_size = a_hi - a_lo, b_hi - b_lo
    for i in range(min(a_size, b_size)):
        difference = np.int64(a[a_lo + i]) - np.int64(b[b_lo + i])
        if difference != 0:
            return difference
    return a_size - b_size


@kernel
def big_endian_prefixes(data: Bytes, offsets: Ints) -> Any:
    """The first eight bytes of each string as a number that sorts as the bytes do."""
    n = len(offsets) - 1
    prefixes = np.zeros(n, np.uint64)
    for i in range(n):
        prefix = np.uint64(0)
        lo, hi = offsets[i], offsets[i + 1]
        for j in range(8):
            byte = data[lo + j] if lo + j < hi else np.uint8(0)
            prefix = (prefix << np.uint64(8)) | np.uint64(byte)
        prefixes[i] = prefix
    return prefixes


@internal
def _merge_sort(data: Bytes, offsets: Ints, order: Ints, spare: Ints, lo: int, hi: int) -> None:
    """Sort ``order[lo:hi]`` by the bytes; bottom-up merge sort, no recursion."""
    width = 1
    while width < hi - lo:
        start = lo
        while start < hi:
            middle, end = min(start + width, hi), min(start + 2 * width, hi)
            i, j = start, middle
            for k in range(start, end):
                take_left = j >= end
                if not take_left and i < middle:
                    a, b = order[i], order[j]
                    take_left = (
                        compare(data, offsets[a], offsets[a + 1], data, offsets[b], offsets[b + 1])
                        <= 0
                    )
                if take_left:
                    spare[k] = order[i]
                    i += 1
                else:
                    spare[k] = order[j]
                    j += 1
            start = end
        for k in range(lo, hi):
            order[k] = spare[k]
        width *= 2


@kernel
def _sort_ties(data: Bytes, offsets: Ints, order: Ints, prefixes: Ints) -> None:
    """Finish an order by prefixes: sort each run of equal prefixes by the whole strings."""
    n = len(order)
    spare = np.empty_like(order)
    lo = 0
    while lo < n:
        hi = lo + 1
        while hi < n and prefixes[order[hi]] == prefixes[order[lo]]:
            hi += 1
        if hi - lo > 1:
            _merge_sort(data, offsets, order, spare, lo, hi)
        lo = hi


def sorted_order(data: Bytes, offsets: Ints) -> Ints:
    """Tell the order that sorts strings by their bytes.

    NumPy sorts eight-byte prefixes as integers, with SIMD where the machine has it; only strings
    that share a prefix are compared byte by byte.
    """
    prefixes = big_endian_prefixes(data, offsets)
    order = np.argsort(prefixes)
    _sort_ties(data, offsets, order, prefixes)
    return order


@kernel
def hash_slices(data: Bytes, offsets: Ints) -> Any:
    """FNV-1a of each string, its bits mixed once more: the same on every machine, at any time."""
    hashes = np.empty(len(offsets) - 1, np.uint64)
    for d in range(len(hashes)):
        state = np.uint64(0xCBF29CE484222325)
        text = data[offsets[d] : offsets[d + 1]]
        for i in range(len(text)):
            state = (state ^ np.uint64(text[i])) * np.uint64(0x100000001B3)
        state = (state ^ (state >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
        hashes[d] = state ^ (state >> np.uint64(29))
    return hashes


@kernel
def take_slices(data: Bytes, offsets: Ints, ids: Ints) -> Any:
    """Copy the strings with the given ids, one after the other."""
    new_offsets = np.zeros(len(ids) + 1, np.int64)
    for i in range(len(ids)):
        new_offsets[i + 1] = new_offsets[i] + offsets[ids[i] + 1] - offsets[ids[i]]
    taken = np.empty(new_offsets[-1], np.uint8)
    for i in range(len(ids)):
        lo, source = new_offsets[i], offsets[ids[i]]
        for j in range(new_offsets[i + 1] - lo):
            taken[lo + j] = data[source + j]
    return taken, new_offsets


@kernel
def first_unsorted(data: Bytes, offsets: Ints) -> Any:
    """The first string that does not sort after the one before it; −1 where there is none."""
    for i in range(1, len(offsets) - 1):
        before, lo, hi = offsets[i - 1], offsets[i], offsets[i + 1]
        if compare(data, before, lo, data, lo, hi) >= 0:
            return i
    return -1


@kernel
def find(data: Bytes, offsets: Ints, wanted: Bytes) -> Any:
    """Binary search among sorted strings; −1 where there is none."""
    lo, hi = 0, len(offsets) - 1
    while lo < hi:
        middle = (lo + hi) // 2
        order = compare(data, offsets[middle], offsets[middle + 1], wanted, 0, len(wanted))
        if order == 0:
            return middle
        if order < 0:
            lo = middle + 1
        else:
            hi = middle
    return -1


@kernel
def union_order(a_data: Bytes, a_offsets: Ints, b_data: Bytes, b_offsets: Ints) -> Any:
    """Merge two sorted lists of distinct strings; see ``Vocabulary.union``."""
    n_a, n_b = len(a_offsets) - 1, len(b_offsets) - 1
    data = np.empty(len(a_data) + len(b_data), np.uint8)
    offsets = np.zeros(n_a + n_b + 1, np.int64)
    from_a = np.full(n_a + n_b, -1, np.int64)
    from_b = np.full(n_a + n_b, -1, np.int64)
    i, j, n, size = 0, 0, 0, 0
    while i < n_a or j < n_b:
        if i == n_a:
            order = 1
        elif j == n_b:
            order = -1
        else:
            order = compare(
                a_data, a_offsets[i], a_offsets[i + 1], b_data, b_offsets[j], b_offsets[j + 1]
            )
        if order <= 0:
            for at in range(a_offsets[i], a_offsets[i + 1]):
                data[size] = a_data[at]
                size += 1
            from_a[n] = i
            i += 1
        else:
            for at in range(b_offsets[j], b_offsets[j + 1]):
                data[size] = b_data[at]
                size += 1
        if order >= 0:
            from_b[n] = j
            j += 1
        n += 1
        offsets[n] = size
    return data[:size].copy(), offsets[: n + 1].copy(), from_a[:n].copy(), from_b[:n].copy()
