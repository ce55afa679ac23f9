"""The rule by which one class decides: its best terms, and the head they were trained with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Bools, Floats, Ints
from termfold.classify.best_terms_head import margins, new_head
from termfold.select.best_terms_steps import Search, holding, narrow


@dataclass(frozen=True, eq=False)
class ClassRule:
    """How one class decides.

    Parameters
    ----------
    positive, negative : ndarray of int64
        F⁺ and F⁻, columns in ascending order.
    head : object or None
        The fitted binary classifier; None where D_F had no document outside the class.
    certain : float
        Without a head: the margin of all that is accepted.
    everywhere : bool
        Were all training documents in the class? Then it accepts every document.
    """

    positive: Ints
    negative: Ints
    head: Any
    certain: float
    everywhere: bool = False

    @cached_property
    def features(self) -> Ints:
        """F⁺ ∪ F⁻ in ascending order."""
        return np.sort(np.concatenate([self.positive, self.negative]))

    def accepts(self, by_term: sp.csc_array) -> Bools:
        """Mark the documents that are not rejected at once."""
        if self.everywhere:
            return np.ones(by_term.shape[0], np.bool_)
        return holding(by_term, self.positive)

    def margins(self, by_doc: sp.csr_array, by_term: sp.csc_array, accepted: Bools) -> Floats:
        """Margins of the documents accepted."""
        if self.head is None:
            return np.full(np.count_nonzero(accepted), self.certain)
        return margins(self.head, narrow(by_doc, by_term, self.features, accepted))


def learn_rule(search: Search, k: int, head: Any) -> tuple[ClassRule, Bools, float]:
    """Find the best terms of a class and train its head.

    Parameters
    ----------
    search : Search
    k : int
        Position of the class.
    head : str or classifier
        As ``new_head`` takes it.

    Returns
    -------
    ClassRule
    ndarray of bool, shape (n_docs,)
        The documents that the class accepts.
    float
        The least margin of these.
    """
    terms = search.of_class(k)
    inside = np.zeros(len(terms.kept), np.int64)
    inside[search.rows_of(k)] = 1
    everywhere = bool(inside.all())
    kept = terms.kept | everywhere
    target = inside[kept]
    rule = ClassRule(
        positive=terms.positive,
        negative=terms.negative,
        head=None if target.all() else new_head(head),
        certain=float(np.log(len(target) + 1)),
        everywhere=everywhere,
    )
    if rule.head is None:
        return rule, kept, rule.certain
    documents = narrow(search.by_doc, search.by_term, rule.features, kept)
    rule.head.fit(documents, target)
    return rule, kept, float(margins(rule.head, documents).min())
