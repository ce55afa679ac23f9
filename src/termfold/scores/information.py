"""Scores from information theory and from the purity of a term's classes.

The conventions at the corners are those of ``termfold.scores.association``; 0 · log 0 = 0.
"""

from __future__ import annotations

import numpy as np

from termfold._arrays import Floats
from termfold.scores.contingency import Contingency
from termfold.scores.kernels import sum_over_classes

# In the place of zero in a quotient; where an expectation is zero, so is the observation.
TINY = 1e-300


def mutual_information(table: Contingency, *, smoothing: float = 0.5) -> Floats:
    r"""Pointwise mutual information of term and class.

    P(k|t) is ``smoothing`` / N where it is zero: such terms come last.

    Notes
    -----
    .. math:: \log \frac{P(k|t)}{P(k)}

    It favours rare terms: all that occur in one class only tie for the first place.

    References
    ----------
    Church, K. W. and Hanks, P. (1990). Word association norms, mutual information, and
    lexicography. Computational Linguistics 16(1).
    """
    if not smoothing > 0:
        raise ValueError(f"smoothing must be positive, not {smoothing!r}")
    floor = smoothing / table.total
    precision, p_class = table.precision, table.p_class
    ratio = np.where(precision == 0, floor, precision)
    ratio /= np.where(p_class == 0, floor, p_class)
    return np.log(ratio, out=ratio)


def information_gain(table: Contingency) -> Floats:
    r"""Mutual information of two events: the term is present, the class is k. In nats.

    Notes
    -----
    .. math::

        \sum_{t' \in \{t, \bar t\}} \sum_{k' \in \{k, \bar k\}}
        P(t', k') \log \frac{P(t', k')}{P(t') P(k')}

    References
    ----------
    Yang, Y. and Pedersen, J. O. (1997). A comparative study on feature selection in text
    categorization. ICML.

    Examples
    --------
    >>> from termfold.stats import TermStats
    >>> stats = TermStats.from_matrix([[1, 1], [1, 0], [0, 1], [0, 0]], ["x", "x", "y", "y"])
    >>> information_gain(Contingency.from_stats(stats)).round(3)
    array([[0.693, 0.   ],
           [0.693, 0.   ]])
    """
    p_class, p_others = table.p_class, table.other_classes / table.total
    gain = _divergence(table, table.joint, table.class_only, p_class)
    gain += _divergence(table, table.term_only, table.neither, p_others)
    return np.maximum(gain, 0, out=gain)


def joint_information_gain(table: Contingency) -> Floats:
    r"""Mutual information of the term's presence and the class, all classes at once: one a term.

    The baseline of the OCFS paper. In nats.

    Notes
    -----
    .. math::

        - \sum_k P(k) \log P(k)
        + P(t) \sum_k P(k|t) \log P(k|t)
        + P(\bar t) \sum_k P(k|\bar t) \log P(k|\bar t)

    which is :math:`\sum_k P(k) D(t|k \,\|\, t)`, the mean divergence of the term's distribution
    in a class from its distribution in the collection; so it is never negative, with documents of
    several labels neither.

    References
    ----------
    Yang, Y. and Pedersen, J. O. (1997). A comparative study on feature selection in text
    categorization. ICML.
    """
    divergence = _divergence(table, table.joint, table.class_only, table.p_class)
    gain: Floats = sum_over_classes(divergence, np.ones(len(divergence)))
    return np.maximum(gain, 0, out=gain)


def gini(table: Contingency) -> Floats:
    r"""Improved Gini index; its sum over classes is the score of a term.

    Notes
    -----
    .. math:: P(t|k)^2 P(k|t)^2

    References
    ----------
    Shang, W., Huang, H., Zhu, H., Lin, Y., Qu, Y. and Wang, Z. (2007). A novel feature selection
    algorithm for text categorization. Expert Systems with Applications 33(1).
    """
    return np.square(table.tpr * table.precision)


def distinguishing_feature_selector(table: Contingency) -> Floats:
    r"""DFS; its sum over classes, from ½ to 1 for single labels, is the score of a term.

    Notes
    -----
    .. math:: \frac{P(k|t)}{P(\bar t|k) + P(t|\bar k) + 1}

    References
    ----------
    Uysal, A. K. and Gunal, S. (2012). A novel probabilistic feature selection method for text
    classification. Knowledge-Based Systems 36.
    """
    return table.precision / (2 - table.tpr + table.fpr)


def _divergence(table: Contingency, present: Floats, absent: Floats, p_group: Floats) -> Floats:
    """Σ over {t, ¬t} of P(·, g) log(P(·, g) / (P(·) P(g))) for a group g of documents."""
    divergence = _surprise(present, table.term_total * p_group)
    divergence += _surprise(absent, table.other_terms * p_group)
    divergence /= table.total
    return divergence


def _surprise(observed: Floats, expected: Floats) -> Floats:
    """Compute observed · log(observed / expected), 0 where nothing was observed.

    As SciPy's ``rel_entr``, which takes three times as long.
    """
    ratio = np.maximum(observed, TINY)
    ratio /= np.maximum(expected, TINY)
    np.log(ratio, out=ratio)
    ratio *= observed
    return ratio
