"""What counts alone say of a term and a class: the point from which weights are refined."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold.stats import TermStats


def log_relative_risk(
    joint: Array, term_docs: Array, class_docs: Array, n_docs: int | float
) -> Array:
    """Logarithm of P(t|k) / P(t|¬k), with half a document added to each cell.

    Parameters
    ----------
    joint : ndarray of shape (M, K)
        Documents of each class with each term.
    term_docs : ndarray of shape (M,)
    class_docs : ndarray of shape (K,)
    n_docs : int or float

    Notes
    -----
    ``log((A + ½) / (n + 1)) − log((B + ½) / (N − n + 1))``, A documents of the n of class k and
    B of the other N − n holding the term.

    Examples
    --------
    >>> log_relative_risk(np.array([[3.0]]), np.array([3.0]), np.array([3.0]), 6).round(3)
    array([[1.946]])
    """
    outside = term_docs[:, np.newaxis] - joint
    sizes = np.log((n_docs - class_docs + 1) / (class_docs + 1))
    risk: Array = np.log(joint + 0.5) - np.log(outside + 0.5) + sizes.astype(joint.dtype)
    return risk


@dataclass(frozen=True, eq=False)
class DocCounts:
    """Documents by class and term, as far as the prior needs them; they subtract.

    Parameters
    ----------
    table : sparse matrix of shape (K, M)
    term_docs : ndarray of shape (M,)
    class_docs : ndarray of shape (K,)
    n_docs : int or float
    """

    table: sp.csr_array
    term_docs: Array
    class_docs: Array
    n_docs: int | float

    @classmethod
    def of(cls, stats: TermStats, classes: Array, terms: Ints) -> DocCounts:
        """Take these classes and these terms; a class without documents has a row of zeros."""
        places = np.searchsorted(classes, stats.classes)
        known = classes[np.minimum(places, len(classes) - 1)] == stats.classes
        class_docs = np.zeros(len(classes), stats.class_docs.dtype)
        class_docs[places[known]] = stats.class_docs[known]
        choose = sp.csr_array(
            (np.ones(known.sum(), np.float32), (places[known], np.flatnonzero(known))),
            (len(classes), stats.n_classes),
        )
        table = sp.csr_array(choose @ stats.sparse("df").astype(np.float32)[:, terms])
        return cls(table, stats.term_df[terms].astype(np.float32), class_docs, stats.n_docs)

    def __sub__(self, other: DocCounts) -> DocCounts:
        return DocCounts(
            self.table - other.table,
            self.term_docs - other.term_docs,
            self.class_docs - other.class_docs,
            self.n_docs - other.n_docs,
        )


@dataclass(frozen=True, eq=False)
class Prior:
    """γ_k · w⁰, float32, for any terms and classes of which documents were counted.

    Parameters
    ----------
    docs : DocCounts
    strength : float
        γ.
    support : float
        s; what few documents say is hardly believed.

    Notes
    -----
    γ_k = γ n / (n + s), n the smaller of the numbers of documents inside and outside the class.
    """

    docs: DocCounts
    strength: float
    support: float

    def of_terms(self, classes: slice) -> Array:
        """Of all terms: shape (M, number of classes)."""
        joint = np.ascontiguousarray(self.docs.table[classes].toarray().T)
        return self._weigh(joint, self.docs.term_docs, classes)

    def of_own_terms(self, classes: slice) -> Array:
        """Of a term that one document has, outside and inside each class: two rows."""
        joint = np.zeros((2, len(self.docs.class_docs[classes])), np.float32)
        joint[1] = 1
        return self._weigh(joint, np.ones(2, np.float32), classes)

    def _weigh(self, joint: Array, term_docs: Array, classes: slice) -> Array:
        class_docs = self.docs.class_docs[classes].astype(np.float64)
        risk = log_relative_risk(joint, term_docs, class_docs, self.docs.n_docs)
        smaller = np.minimum(class_docs, self.docs.n_docs - class_docs)
        # a class may have no documents, and the support may be 0 as well
        share = np.divide(
            smaller, smaller + self.support, out=np.zeros_like(smaller), where=smaller > 0
        )
        return risk * (self.strength * share).astype(np.float32)
