"""What counts alone say of a term and a class: the point from which weights are refined."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Ints
from termfold.stats import TermStats


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

    w⁰ is the logarithm of P(t|k) / P(t|¬k), with half a document added to each cell:
    ``log((A + ½) / (n + 1)) − log((B + ½) / (N − n + 1))``, A documents of the n of class k and
    B of the other N − n holding the term.

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
        cells = self.docs.table[classes].tocoo()
        k, terms = cells.coords
        docs, sizes, strengths = self.docs.term_docs, self._sizes(classes), self._strengths(classes)
        # most cells are empty, and alike for a term but for the sizes of the classes
        none = np.zeros(1, np.float32)
        weights: Array = _risk(none, docs)[:, np.newaxis] + sizes
        weights *= strengths
        weights[terms, k] = (_risk(cells.data, docs[terms]) + sizes[k]) * strengths[k]
        return weights

    def of_own_terms(self, classes: slice) -> Array:
        """Of a term that one document has, outside and inside each class: two rows."""
        joint = np.array([[0], [1]], np.float32)
        risk = _risk(joint, np.ones(1, np.float32)) + self._sizes(classes)
        weights: Array = risk * self._strengths(classes)
        return weights

    def _sizes(self, classes: slice) -> Array:
        """What the sizes of classes add to the logarithm of a relative risk."""
        inside = self.docs.class_docs[classes].astype(np.float64)
        sizes: Array = np.log((self.docs.n_docs - inside + 1) / (inside + 1))
        return sizes.astype(np.float32)

    def _strengths(self, classes: slice) -> Array:
        """γ_k of classes."""
        inside = self.docs.class_docs[classes].astype(np.float64)
        smaller = np.minimum(inside, self.docs.n_docs - inside)
        # a class may have no documents, and the support may be 0 as well
        share = np.divide(
            smaller, smaller + self.support, out=np.zeros_like(smaller), where=smaller > 0
        )
        strengths: Array = (self.strength * share).astype(np.float32)
        return strengths


def _risk(joint: Array, term_docs: Array) -> Array:
    """The logarithm of a relative risk but for the sizes of the classes."""
    risk: Array = np.log(joint + np.float32(0.5)) - np.log(term_docs - joint + np.float32(0.5))
    return risk
