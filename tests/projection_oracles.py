"""What the projections compute, written straight from the formulas with plain loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def risk(
    inside: float,
    outside: float,
    inside_total: float,
    outside_total: float,
    total: float,
    smoothing: float,
    smooth: str,
    cells: int,
) -> tuple[float, float]:
    """P(t|k) and P(t|¬k)."""
    if smoothing and smooth == "rate":
        extra = smoothing / total
        return inside / inside_total + extra, outside / outside_total + extra
    if smoothing:
        return (
            (inside + smoothing) / (inside_total + cells * smoothing),
            (outside + smoothing) / (outside_total + cells * smoothing),
        )
    return inside / inside_total, outside / outside_total


def fedip_weight(p: float, q: float, inside: float, total: float, f: Any) -> float:
    """w(t, k), zero outside the pool."""
    if inside == 0 and not f.signed:
        return 0.0
    above = p if p > 0 else 0.5 / total
    below = q if q > 0 else 0.5 / total
    ratio = above / below
    if any(math.isclose(ratio, t, rel_tol=1e-12) for t in (f.threshold, 1 / f.threshold)):
        return 0.0
    if not (ratio > f.threshold or (f.signed and ratio < 1 / f.threshold)):
        return 0.0
    return {"rr": ratio, "log_rr": math.log(ratio), "kl": p * math.log(ratio)}[f.weight]


def fedip_weights(X: np.ndarray, Y: np.ndarray, f: Any) -> np.ndarray:
    """M × K weights from a dense matrix of counts and an indicator matrix."""
    counts = (X > 0).astype(float) if f.variant == "bernoulli" else X.astype(float)
    M, K = X.shape[1], Y.shape[1]
    cells = 2 if f.variant == "bernoulli" else M
    joint = Y.T @ counts
    if f.variant == "bernoulli":
        class_total, total = Y.sum(axis=0).astype(float), float(len(X))
    else:
        class_total, total = joint.sum(axis=1), float(counts.sum())
    term_total = counts.sum(axis=0)
    power = {"size": 1.0, "sqrt": 0.5, "uniform": 0.0}[f.class_weight]
    factor = np.ones(K)
    if power != 1:
        norm = sum(c**power for c in class_total if c > 0)
        factor = np.array([c ** (power - 1) * total / norm if c > 0 else 0 for c in class_total])
    weights = np.zeros((M, K))
    for k in range(K):
        inside_total = class_total[k] * factor[k]
        outside_total = total - inside_total
        if inside_total <= 0 or outside_total <= 1e-9 * total:
            continue
        for t in range(M):
            inside = joint[k, t] * factor[k]
            outside = term_total[t] - inside
            if power != 1:
                outside = sum(joint[j, t] * factor[j] for j in range(K) if j != k)
            p, q = risk(
                inside, outside, inside_total, outside_total, total, f.smoothing, f.smooth, cells
            )
            weights[t, k] = fedip_weight(p, q, inside, total, f)
    return weights


def input_weights(row: np.ndarray, kind: str, idf: np.ndarray) -> np.ndarray:
    """x(i, t) of one document."""
    x = np.zeros(len(row))
    for t, c in enumerate(row):
        if c == 0:
            continue
        sublinear = 1 + math.log(c) if c > 1 else c
        x[t] = {
            "binary": 1.0, "count": c, "sublinear": sublinear,
            "tfidf": c * idf[t], "sublinear_tfidf": sublinear * idf[t],
        }[kind]  # fmt: skip
    return x


def idf_of(X: np.ndarray) -> np.ndarray:
    return np.log((1 + len(X)) / (1 + (X > 0).sum(axis=0))) + 1


def pooled(row: np.ndarray, weights: np.ndarray, idf: np.ndarray, f: Any) -> np.ndarray:
    """Features of one document."""
    x = input_weights(row, f.input_weight, idf)
    features = np.zeros(weights.shape[1])
    for k in range(weights.shape[1]):
        value = sum(x[t] * weights[t, k] for t in range(len(x)))
        divisor = {
            "document": x.sum(),
            "norm": math.sqrt((x**2).sum()),
            "pool": x[weights[:, k] != 0].sum(),
            "none": 1.0,
        }[f.denominator]
        features[k] = value / divisor if divisor > 0 else 0.0
    return features


def chi2_tf(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """K × M χ² of occurrences, signed by the direction of the association."""
    joint = Y.T @ X.astype(float)
    tokens, total = joint.sum(axis=1), float(X.sum())
    chi = np.zeros(joint.shape)
    for k in range(Y.shape[1]):
        for t in range(X.shape[1]):
            a = joint[k, t]
            b = X[:, t].sum() - a
            c = tokens[k] - a
            d = total - a - b - c
            product = (a + c) * (b + d) * (a + b) * (c + d)
            if product > 0:
                chi[k, t] = total * (a * d - c * b) ** 2 / product * (1 if a * d > c * b else -1)
    return chi


def term_projection(X: np.ndarray, Y: np.ndarray, p: Any, cutoff: float) -> np.ndarray:
    """M × K weights: each term has one at most."""
    signed = chi2_tf(X, Y)
    chi = np.abs(signed)
    df, n = Y.T @ (X > 0).astype(float), Y.sum(axis=0)
    M, K, N = X.shape[1], Y.shape[1], len(X)
    weights = np.zeros((M, K))
    for t in range(M):
        candidates = [k for k in range(K) if chi[k, t] > 0 and (signed[k, t] > 0 or not p.positive)]
        if not candidates:
            continue
        best = max(candidates, key=lambda k: chi[k, t])
        if chi[best, t] < cutoff or chi[best, t] < p.noise_share * chi[:, t].sum() * (1 - 1e-9):
            continue
        ratios = np.zeros(K)
        for k in range(K):
            if n[k] == 0 or n[k] == N or df[k, t] == 0:
                continue
            above, below = risk(
                df[k, t], (X[:, t] > 0).sum() - df[k, t], n[k], N - n[k], N,
                p.smoothing, p.smooth, 2,
            )  # fmt: skip
            ratio = above / (below if below > 0 else 0.5 / N)
            ratios[k] = ratio
            if p.weight == "log_rr":
                ratios[k] = math.log(ratio) if ratio > 1 + 1e-12 else 0.0
        weights[t, best] = ratios.max() if p.discriminability == "max" else ratios[best]
    return weights
