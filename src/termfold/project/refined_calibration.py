"""From margins to probabilities, fitted on documents that the margins did not see."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit

from termfold._arrays import Array, Floats, Ints

_LOG_RANGE = (-5.0, 5.0)
_NEWTON_STEPS = 25


def fit_temperature(margins: Array, truth: Ints, weights: Array) -> float:
    """Find the factor T for which softmax(T · margins) fits best.

    Parameters
    ----------
    margins : ndarray of shape (n_docs, K)
    truth : ndarray of shape (n_docs,)
        The column of the right class.
    weights : ndarray of shape (n_docs,)

    Notes
    -----
    Minimises the cross-entropy with targets 1 − ε for the right class and ε / (K − 1) for the
    others, ε = 1 / (n_docs + 2) as Platt smooths them: margins that are never wrong would ask
    for an infinite T.

    References
    ----------
    C. Guo, G. Pleiss, Y. Sun, K. Weinberger: On calibration of modern neural networks. ICML 2017.

    Examples
    --------
    >>> margins = np.array([[1.0, -1.0]] * 3 + [[-1.0, 1.0]])
    >>> round(fit_temperature(margins, np.array([0, 0, 0, 0]), np.ones(4)), 2)
    0.35
    """
    n_docs, n_classes = margins.shape
    epsilon = 1 / (n_docs + 2)
    targets = np.full(margins.shape, epsilon / (n_classes - 1))
    targets[np.arange(n_docs), truth] = 1 - epsilon
    targets *= weights[:, np.newaxis]

    totals = targets.sum(axis=1)
    below_best = margins - margins.max(axis=1, keepdims=True)

    def loss(log_factor: float) -> float:
        scaled = np.exp(log_factor) * below_best
        normalizer = np.log(np.exp(scaled).sum(axis=1))
        return float((totals * normalizer).sum() - (targets * scaled).sum())

    found = minimize_scalar(loss, bounds=_LOG_RANGE, method="bounded", options={"xatol": 1e-3})
    return float(np.exp(found.x))


def fit_sigmoids(margins: Array, truth: Array, weights: Array) -> tuple[Floats, Floats]:
    """Find slope a and offset b per class for which the sigmoid of a · margin + b fits best.

    Parameters
    ----------
    margins, truth : ndarray of shape (n_docs, K)
    weights : ndarray of shape (n_docs,)

    Returns
    -------
    slopes, offsets : ndarray of shape (K,)

    Notes
    -----
    A rare class has few positive documents in a sample, or none. So one pair (a, b) is fitted to
    all classes together first, and each class's own pair is then drawn to it by the penalty
    ``½ (a_k − a)² + ½ (b_k − b)²``.

    References
    ----------
    J. Platt: Probabilistic outputs for support vector machines. 1999.
    """
    every = np.repeat(weights, margins.shape[1])[:, np.newaxis]
    shared = _newton(margins.reshape(-1, 1), truth.reshape(-1, 1), every, np.array([[1.0, 0.0]]))
    own = _newton(margins, truth, weights[:, np.newaxis], np.tile(shared, (margins.shape[1], 1)))
    return own[:, 0], own[:, 1]


def _newton(margins: Array, truth: Array, weights: Array, center: Floats) -> Floats:
    """Fit a penalised logistic regression on one variable to each column."""
    design = np.stack([margins.astype(np.float64), np.ones(margins.shape)])
    pairs = center.copy()
    for _ in range(_NEWTON_STEPS):
        probability = expit(np.einsum("vnk,kv->nk", design, pairs))
        gradient = np.einsum("vnk,nk->kv", design, weights * (probability - truth))
        spread = weights * probability * (1 - probability)
        hessian = np.einsum("vnk,unk,nk->kvu", design, design, spread) + np.eye(2)
        step = np.linalg.solve(hessian, (gradient + pairs - center)[:, :, np.newaxis])[:, :, 0]
        # a long step out of the flat ends of the sigmoid would overshoot
        pairs -= step / np.maximum(1, np.abs(step).max(axis=1, keepdims=True))
        if np.abs(step).max() < 1e-6:
            break
    return pairs
