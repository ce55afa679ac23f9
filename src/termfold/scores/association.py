"""Scores of how a term and a class go together, each a formula of the 2×2 table.

Every function takes a ``Contingency`` and returns a K × m array. All are defined everywhere:
no NaN, no infinity, no warning. The conventions are those of the table's rates (see
``Contingency``) and one more: a probability of zero that a formula divides by, or takes the
logarithm of, is taken as ``smoothing`` documents in N, by default half a document, which is less
than any that was seen. Nothing else is smoothed, but the odds ratio.

References
----------
Sebastiani, F. (2002). Machine learning in automated text categorization. ACM Computing Surveys
34(1), table 1. Forman, G. (2003). An extensive empirical study of feature selection metrics for
text classification. Journal of Machine Learning Research 3.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import ndtri, rel_entr

from termfold._arrays import Floats
from termfold.scores.contingency import Contingency


def document_frequency(table: Contingency) -> Floats:
    """Count the documents of the class that have the term."""
    return table.joint


def association_factor(table: Contingency) -> Floats:
    r"""DIA association factor: the share of a term's documents that is in the class.

    Notes
    -----
    .. math:: P(k|t)

    For one class it ranks terms as ``mutual_information`` does.

    References
    ----------
    Fuhr, N., Hartmann, S., Knorz, G., Lustig, G., Schwantner, M., Tzeras, K. (1991). AIR/X – a
    rule-based multistage indexing system for large subject fields. RIAO.
    """
    return table.precision


def chi2(table: Contingency) -> Floats:
    r"""χ² statistic of the 2×2 table: how far term and class are from independence.

    0 where a sum of the table is zero.

    Notes
    -----
    .. math::

        N \frac{(P(t, k) P(\bar t, \bar k) - P(t, \bar k) P(\bar t, k))^2}
               {P(t) P(\bar t) P(k) P(\bar k)}

    Not scikit-learn's ``chi2``: that compares the sums of a feature's values in the classes with
    their expectation and leaves out the documents without the term, so it is another number,
    and has no upper bound N.

    On occurrences instead of documents this is ``chi2_tf``, the modified χ² of term projection.

    References
    ----------
    Yang, Y. and Pedersen, J. O. (1997). A comparative study on feature selection in text
    categorization. ICML.

    Examples
    --------
    >>> from termfold.stats import TermStats
    >>> stats = TermStats.from_matrix([[1, 1], [1, 0], [0, 1], [0, 0]], ["x", "x", "y", "y"])
    >>> chi2(Contingency.from_stats(stats))
    array([[4., 0.],
           [4., 0.]])
    """
    statistic = table.determinant
    statistic *= statistic
    statistic /= _product_of_sums(table) / table.total
    return statistic


def ngl(table: Contingency) -> Floats:
    r"""NGL correlation coefficient: the signed root of χ².

    Positive where the term speaks for the class, negative where it speaks against it, 0 where a
    sum of the table is zero.

    Notes
    -----
    .. math::

        \sqrt N \frac{P(t, k) P(\bar t, \bar k) - P(t, \bar k) P(\bar t, k)}
                     {\sqrt{P(t) P(\bar t) P(k) P(\bar k)}}

    References
    ----------
    Ng, H. T., Goh, W. B. and Low, K. L. (1997). Feature selection, perceptron learning, and a
    usability case study for text categorization. SIGIR.
    """
    statistic = table.determinant
    statistic /= np.sqrt(_product_of_sums(table) / table.total)
    return statistic


def gss(table: Contingency) -> Floats:
    r"""GSS coefficient: χ² without what favours rare terms and rare classes; signed.

    Notes
    -----
    .. math:: P(t, k) P(\bar t, \bar k) - P(t, \bar k) P(\bar t, k)

    References
    ----------
    Galavotti, L., Sebastiani, F. and Simi, M. (2000). Experiments on the use of feature selection
    and negative evidence in automated text categorization. ECDL.
    """
    statistic = table.determinant
    statistic /= table.total**2
    return statistic


def odds_ratio(table: Contingency, *, smoothing: float = 0.5) -> Floats:
    r"""Odds of the term in the class, over its odds outside.

    Every cell is increased by ``smoothing``, always: a perfect term, whose odds would be
    infinite, comes first. 1 where a sum of the table is zero, for such a term says nothing.

    Notes
    -----
    .. math:: \frac{P(t|k) (1 - P(t|\bar k))}{(1 - P(t|k)) P(t|\bar k)}

    References
    ----------
    Mladenić, D. and Grobelnik, M. (1999). Feature selection for unbalanced class distribution and
    naive Bayes. ICML.

    Examples
    --------
    >>> from termfold.stats import TermStats
    >>> stats = TermStats.from_matrix([[1, 1, 1], [1, 0, 1], [0, 1, 1]], ["x", "x", "y"])
    >>> odds_ratio(Contingency.from_stats(stats))[0].round(3).tolist()
    [15.0, 0.333, 1.0]
    """
    _check_positive(smoothing=smoothing)
    odds = (table.joint + smoothing) * (table.neither + smoothing)
    odds /= (table.term_only + smoothing) * (table.class_only + smoothing)
    return np.where(table.degenerate, 1.0, odds)


def relative_risk(table: Contingency, *, smoothing: float = 0.5) -> Floats:
    r"""How many times likelier the term is in the class than outside.

    A term never seen outside the class has P(t|¬k) = ``smoothing`` / N; one never seen at all
    scores 0.

    Notes
    -----
    .. math:: P(t|k) / P(t|\bar k)

    References
    ----------
    Junejo, K. N. and Karim, A. (2008). A robust discriminative term weighting based linear
    discriminant method for text classification. ICDM.
    """
    return table.tpr / _seen(table.fpr, table, smoothing)


def log_relative_risk(table: Contingency, *, smoothing: float = 0.5) -> Floats:
    r"""Logarithm of the relative risk: symmetric, negative for terms that speak against the class.

    Both probabilities are ``smoothing`` / N where they are zero, so a term never seen scores 0.

    Notes
    -----
    .. math:: \log \frac{P(t|k)}{P(t|\bar k)}
    """
    return np.log(_seen(table.tpr, table, smoothing) / _seen(table.fpr, table, smoothing))


def kl(table: Contingency, *, smoothing: float = 0.5) -> Floats:
    r"""Term's part of the Kullback–Leibler divergence between the class and what is outside.

    P(t|¬k) is ``smoothing`` / N where it is zero; 0 for a term not in the class.

    Notes
    -----
    .. math:: P(t|k) \log \frac{P(t|k)}{P(t|\bar k)}

    References
    ----------
    Schneider, K.-M. (2004). A new feature selection score for multinomial naive Bayes text
    classification based on KL-divergence. ACL.
    """
    part: Floats = rel_entr(table.tpr, _seen(table.fpr, table, smoothing))
    return part


def relevancy(
    table: Contingency,
    *,
    damping: float = 1 / 6,
    variant: Literal["sebastiani", "wiener"] = "sebastiani",
) -> Floats:
    r"""Relevancy score: a damped log ratio.

    Notes
    -----
    In Sebastiani's survey, whose form explains that it ranks terms much as the document frequency
    does, and in the original (variant ``"wiener"``):

    .. math::

        \log \frac{P(t|k) + d}{P(\bar t|\bar k) + d}
        \qquad
        \log \frac{P(t|k) + d}{P(t|\bar k) + d}

    The damping d must be positive; 1/6 is that of the original.

    References
    ----------
    Wiener, E., Pedersen, J. O. and Weigend, A. S. (1995). A neural network approach to topic
    spotting. SDAIR.
    """
    _check_positive(damping=damping)
    if variant not in ("sebastiani", "wiener"):
        raise ValueError(f"variant is 'sebastiani' or 'wiener', not {variant!r}")
    below = table.fpr if variant == "wiener" else 1 - table.fpr
    return np.log((table.tpr + damping) / (below + damping))


def accuracy_balance(table: Contingency) -> Floats:
    r"""Balanced accuracy (``acc2``): by how much the rates inside and outside differ.

    Notes
    -----
    .. math:: | P(t|k) - P(t|\bar k) |

    References
    ----------
    Forman, G. (2003). An extensive empirical study of feature selection metrics for text
    classification. Journal of Machine Learning Research 3.
    """
    return np.abs(table.tpr - table.fpr)


def bns(table: Contingency, *, clip: float = 0.0005) -> Floats:
    r"""Bi-normal separation: the difference of the rates as quantiles of a normal distribution.

    Rates are clipped to [``clip``, 1 − ``clip``], as their quantiles may be infinite.

    Notes
    -----
    .. math:: | F^{-1}(P(t|k)) - F^{-1}(P(t|\bar k)) |

    with F the distribution function of the standard normal distribution.

    References
    ----------
    Forman, G. (2003). An extensive empirical study of feature selection metrics for text
    classification. Journal of Machine Learning Research 3.
    """
    if not 0 < clip < 0.5:
        raise ValueError(f"clip must be between 0 and 0.5, not {clip!r}")
    inside: Floats = ndtri(np.clip(table.tpr, clip, 1 - clip))
    outside: Floats = ndtri(np.clip(table.fpr, clip, 1 - clip))
    return np.abs(inside - outside)


def relevance_frequency(table: Contingency) -> Floats:
    r"""Relevance frequency, the factor that tf·rf weighting has in the place of idf (``tfrf``).

    Notes
    -----
    .. math:: \log_2 \left( 2 + \frac{N(t, k)}{\max(1, N(t, \bar k))} \right)

    with the numbers of documents that have the term in the class and outside.

    References
    ----------
    Lan, M., Tan, C. L., Su, J. and Lu, Y. (2009). Supervised and traditional term weighting
    methods for automatic text categorization. IEEE TPAMI 31(4).
    """
    return np.log2(2 + table.joint / np.maximum(1, table.term_only))


def _product_of_sums(table: Contingency) -> Floats:
    """Multiply the sums of the table; 1 where a sum, and so the determinant, is zero."""
    product = (table.class_total * table.other_classes) * (table.term_total * table.other_terms)
    product[product == 0] = 1
    return product


def _seen(probability: Floats, table: Contingency, smoothing: float) -> Floats:
    """Put the probability of ``smoothing`` documents in N in the place of zero."""
    _check_positive(smoothing=smoothing)
    return np.where(probability == 0, smoothing / table.total, probability)


def _check_positive(**parameter: float) -> None:
    for name, value in parameter.items():
        if not value > 0:
            raise ValueError(f"{name} must be positive, not {value!r}")
