"""TermProjection: every term goes to the class that it speaks for most."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Floats, Ints
from termfold._estimator import check_choice, check_count, check_number
from termfold.project import cluster_kernels, risk_kernels
from termfold.project.fedip import Smooth
from termfold.project.pairs import Pairs
from termfold.project.pooling import Denominator, InputWeight, PoolingProjection, rows_of
from termfold.scores import rank
from termfold.stats import Labels

Ratio: TypeAlias = Literal["rr", "log_rr"]
Discriminability: TypeAlias = Literal["cluster", "max"]


class TermProjection(PoolingProjection):
    r"""Project terms on the classes by χ² of occurrences: one feature a class, named like it.

    Parameters
    ----------
    n_terms : int, optional
        T: how many of the best terms by χ² to look at; all by default.
    noise_share : float
        ε, in [0, 1]: a term is kept if the χ² of its class is at least this share of the sum of
        its χ² of all classes.
    weight : {"log_rr", "rr"}
        A term's discriminability: the relative risk of documents with it, or its logarithm. Terms
        whose logarithm would be negative have no weight.
    smoothing : float
    smooth : {"rate", "count"}
        As in ``FEDIP``. A term never seen outside its class is smoothed, never dropped.
    discriminability : {"cluster", "max"}
        Whether the relative risk is that of the term's class, or the largest of all classes.
    positive : bool
        Whether the class of a term is the one with the highest χ² among those where it occurs
        more often than elsewhere. Otherwise, as published, among all: χ² is high, too, where a
        term is absent, and with two classes it is the same for both.
    input_weight : {"binary", "count", "sublinear", "tfidf", "sublinear_tfidf"}
    denominator : {"document", "norm", "pool", "none"}
        As in ``FEDIP``.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The classes, sorted; for an indicator matrix the numbers of its columns.
    stats_ : TermStats
        The sums everything is computed from.
    clusters_ : ndarray of shape (M,)
        The class of each term, a position in ``classes_``; −1 if it was not kept.
    chi2_ : ndarray of shape (M,)
        χ² of each term for its class.
    discriminability_ : ndarray of shape (M,)
        Weight of each term, zero if it was not kept.
    idf_ : ndarray of shape (M,)
    n_features_in_ : int
    feature_names_in_ : ndarray
        Names of the columns, where X had such.

    See Also
    --------
    FEDIP : a term may speak for several classes.

    Notes
    -----
    With χ² on occurrences (``chi2_tf`` of ``termfold.scores``), the class of a term is
    :math:`k(t) = \arg\max_k \chi^2(t, k)`; terms with
    :math:`\chi^2(t, k(t)) \ge \varepsilon \sum_k \chi^2(t, k)` are kept, and

    .. math:: y_{ik} = \sum_{t : k(t) = k} tf_{it} \cdot idf_t \cdot PR(t)
              \qquad PR(t) = \frac{P(t|k)}{P(t|\bar k)}

    The paper's form is ``TermProjection(T, weight="rr", smoothing=0, discriminability="max",
    positive=False, input_weight="tfidf", denominator="none")``. Its displayed formulas are lost
    from the copy at hand: the feature is reconstructed from the words around it ("similar to
    TF*IDF, with discriminability taken into consideration"), and PR is the ratio of rates.

    *Leave one out.* The features that ``fit_transform`` returns are those that each document
    would get from a fit of all others: χ², so the class of a term and whether it is noise, idf and
    discriminability are recomputed. One thing stays as fitted: with ``n_terms``, the least χ² of
    the terms looked at.

    References
    ----------
    Zheng, Y., Liu, Z., Teng, S. and Sun, M. (2009). Efficient text classification using term
    projection. AIRS.

    Examples
    --------
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 3]]
    >>> projection = TermProjection().fit(X, ["tea", "tea", "war", "war"])
    >>> projection.clusters_
    array([ 0, -1,  1], dtype=int32)
    >>> projection.transform([[1, 1, 0]]).round(2)
    array([[0.17, 0.  ]])
    """

    def __init__(
        self,
        n_terms: int | None = None,
        *,
        noise_share: float = 0.5,
        weight: Ratio = "log_rr",
        smoothing: float = 10.0,
        smooth: Smooth = "rate",
        discriminability: Discriminability = "cluster",
        positive: bool = True,
        input_weight: InputWeight = "sublinear",
        denominator: Denominator = "document",
    ) -> None:
        self.n_terms = n_terms
        self.noise_share = noise_share
        self.weight = weight
        self.smoothing = smoothing
        self.smooth = smooth
        self.discriminability = discriminability
        self.positive = positive
        self.input_weight = input_weight
        self.denominator = denominator

    def _check_parameters(self) -> None:
        check_count("n_terms", self.n_terms)
        check_number("noise_share", self.noise_share, least=0, most=1)
        check_choice("weight", self.weight, get_args(Ratio))
        check_number("smoothing", self.smoothing, least=0)
        check_choice("smooth", self.smooth, get_args(Smooth))
        check_choice("discriminability", self.discriminability, get_args(Discriminability))
        check_choice("input_weight", self.input_weight, get_args(InputWeight))
        check_choice("denominator", self.denominator, get_args(Denominator))

    def _tables(self) -> tuple[Any, ...]:
        """What the kernels are told: the tables and the formula."""
        places, n_classes = self._places(), len(self.classes_)
        by_docs = Pairs.of(self.stats_, places, n_classes, "df", every=False)
        by_tokens = Pairs.of(self.stats_, places, n_classes, "tf", every=False)
        return (
            by_docs.indptr,
            by_docs.class_of,
            by_docs.joint,
            by_tokens.joint,
            by_docs.term_total,
            by_tokens.term_total,
            by_docs.class_total,
            by_docs.total,
            by_tokens.class_total,
            by_tokens.total,
            float(self.smoothing),
            2.0 if self.smooth == "count" else 0.0,
            float(self.noise_share),
            bool(self.positive),
            self.discriminability == "max",
            risk_kernels.RR if self.weight == "rr" else risk_kernels.LOG_RR,
        )

    def _weigh(self) -> None:
        clusters, self.chi2_, weights = cluster_kernels.judge_terms(*self._tables())
        self._cutoff = 0.0
        if self.n_terms is not None and self.n_terms < len(weights):
            ranking = rank(self.chi2_)
            self._cutoff = float(self.chi2_[ranking[self.n_terms - 1]])
            weights[ranking[self.n_terms :]] = 0
        kept = weights > 0
        self.clusters_ = np.where(kept, clusters, -1).astype(np.int32)
        self.discriminability_ = weights

    @property
    def pools_(self) -> dict[Any, Ints]:
        """The columns of the terms of each class, the most discriminating first."""
        self._ready()
        pools: dict[Any, Ints] = {}
        for k, label in enumerate(self.classes_.tolist()):
            columns = np.flatnonzero(self.clusters_ == k)
            pools[label] = columns[rank(self.discriminability_[columns])]
        return pools

    def _project(self, X: sp.csr_array) -> Floats:
        kept = self.clusters_ >= 0
        entries = self.discriminability_[kept], self.clusters_[kept]
        indptr = np.concatenate([[0], np.cumsum(kept)]).astype(np.int32)
        return self._pool(X, sp.csr_array((*entries, indptr), (len(kept), len(self.classes_))))

    def _project_without_self(self, X: sp.csr_array, labels: Labels) -> Floats:
        features: Floats = cluster_kernels.cluster_without_self(
            *rows_of(X),
            *self._codes(),
            labels.indptr,
            labels.ids,
            self._cutoff,
            *self._tables(),
        )
        return features
