"""The steps of best terms for one class, over documents that were laid out once for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from termfold._arrays import Array, Bools, Floats, Ints
from termfold.scores import Contingency, Score
from termfold.scores.contingency import CELLS_PER_BLOCK
from termfold.scores.scoring import score_block
from termfold.select.best_terms_kernel import (
    best_of_each,
    holders,
    narrowed_columns,
    narrowed_rows,
    take_in_turn,
    terms_against,
)
from termfold.stats import Labels, TermStats

# What is cheaper, by measurement; the results do not depend on any of these.
READ_TWICE = 2  # postings are read twice where rows are read once, to count what rows will hold
FEW_TOKENS = 1 << 14  # so many are read before the best terms would have been sorted
WALKED = 64  # best terms whose postings are walked first; four times as many next


@dataclass(frozen=True, eq=False)
class ClassTerms:
    """What best terms keeps for a class.

    Parameters
    ----------
    positive, negative : ndarray of int64
        F⁺ and F⁻, columns in ascending order.
    kept : ndarray of bool, shape (n_docs,)
        D_F, the documents that hold a term of F⁺.
    """

    positive: Ints
    negative: Ints
    kept: Bools


@dataclass(frozen=True, eq=False)
class Search:
    """Documents and their statistics, laid out so that each class finds its terms quickly.

    Parameters
    ----------
    labels : Labels
    score : Score
        What ranks the terms; it is given the table of one class against all else (K = 1).
    min_precision : float
        Least P(k|t) of a positive term.
    by_doc : csr_array of shape (n_docs, M)
        The documents, in canonical form and without stored zeros.
    by_term : csc_array of shape (n_docs, M)
        The same.
    members : csc_array of shape (n_docs, K)
        The documents of each class.
    stats : TermStats
        The sums; classes without documents are not among theirs.
    df, joint : csr_array
        By class of ``stats``: the documents that hold each term; and, in the same places, what
        the score counts, documents or occurrences.
    whole : Contingency
        The sums that are the same for all terms, as the score counts.
    """

    labels: Labels
    score: Score
    min_precision: float
    by_doc: sp.csr_array
    by_term: sp.csc_array
    members: sp.csc_array
    stats: TermStats
    df: sp.csr_array
    joint: sp.csr_array
    whole: Contingency

    @classmethod
    def over(cls, X: sp.csr_array, labels: Labels, score: Score, min_precision: float) -> Search:
        """Lay out documents, in time linear in their tokens."""
        by_term = X.tocsc()
        stats = TermStats.from_matrix(by_term, labels)
        return cls._laid_out(X, by_term, labels, stats, score, min_precision)

    @classmethod
    def of_part(
        cls,
        X: sp.csr_array,
        labels: Labels,
        stats: TermStats,
        score: Score,
        min_precision: float,
    ) -> Search:
        """Lay out some documents of those that were counted; the labels name all classes."""
        return cls._laid_out(X, X.tocsc(), labels, stats, score, min_precision)

    @classmethod
    def _laid_out(
        cls,
        X: sp.csr_array,
        by_term: sp.csc_array,
        labels: Labels,
        stats: TermStats,
        score: Score,
        min_precision: float,
    ) -> Search:
        df = stats.sparse("df").tocsr()
        return cls(
            labels=labels,
            score=score,
            min_precision=min_precision,
            by_doc=X,
            by_term=by_term,
            members=labels.indicator(bool).tocsc(),
            stats=stats,
            df=df,
            joint=df if score.unit == "documents" else stats.sparse("tf").tocsr(),
            whole=Contingency.from_stats(stats, 0, 0, score.unit),
        )

    @property
    def n_classes(self) -> int:
        """K, classes without documents included."""
        return len(self.labels.classes)

    def rows_of(self, k: int) -> Ints:
        """The documents of the class at position k of the labels."""
        rows: Ints = self.members.indices[self.members.indptr[k] : self.members.indptr[k + 1]]
        return rows

    def of_class(self, k: int) -> ClassTerms:
        """Find F⁺, D_F and F⁻ of the class at position k of the labels."""
        return self.against(k, self.positive_of(k))

    def positive_of(self, k: int) -> Ints:
        """F⁺: the best positive term of every document of the class."""
        rows = self.rows_of(k)
        if len(rows) == 0:
            return np.zeros(0, np.int64)
        k = self._place(k)
        terms, df, joint = self._entries(k)
        scores = self._positive_scores(k, terms, df, joint)
        positive: Ints = terms[self._best(rows, self._places_of(terms), scores)].astype(np.int64)
        return positive

    def against(self, k: int, positive: Ints) -> ClassTerms:
        """D_F and F⁻, with F⁺ known."""
        rows = self.rows_of(k)
        kept = holding(self.by_term, positive)
        outside = kept.copy()
        outside[rows] = False
        others = np.flatnonzero(outside)
        if len(others) == 0:
            return ClassTerms(positive, positive[:0], kept)
        k = self._place(k)
        terms, df, joint = self._entries(k)
        place = self._places_of(terms)
        tokens = self._tokens(others)
        if tokens < self.stats.n_terms:
            against, place_against = terms_against(
                self.by_doc.indptr, self.by_doc.indices, others, place, df,
                self.stats.term_df, int(self.stats.class_docs[k]), int(self.stats.n_docs),
            )  # fmt: skip
        else:
            against, place_against = self._all_against(k, terms, df)
        in_class = np.append(joint, 0)[place[against] - 1]  # absent is place 0: the last, a 0
        scores = self._scores(k, against, in_class, inside=False)
        chosen = np.zeros(len(scores), np.bool_)
        width = WALKED
        while tokens > FEW_TOKENS and width < len(scores):
            if not self._take_top(against, scores, width, outside, chosen):
                break
            others = np.flatnonzero(outside)
            tokens = self._tokens(others)
            width *= 4
        chosen |= self._best(others, place_against, scores)
        return ClassTerms(positive, np.sort(against[chosen]), kept)

    def _place(self, k: int) -> int:
        """Where the class is among those of the statistics, which all have documents."""
        return int(np.searchsorted(self.stats.classes, self.labels.classes[k]))

    def _entries(self, k: int) -> tuple[Ints, Ints, Array]:
        """The terms of a class of the statistics, their documents, and what the score counts."""
        entries = slice(self.df.indptr[k], self.df.indptr[k + 1])
        return self.df.indices[entries], self.df.data[entries], self.joint.data[entries]

    def _places_of(self, terms: Ints) -> Ints:
        """One more than the position of each term there, zero for others."""
        place = np.zeros(self.stats.n_terms, np.int32)
        place[terms] = np.arange(1, len(terms) + 1)
        return place

    def _tokens(self, rows: Ints) -> int:
        return int(np.sum(self.by_doc.indptr[rows + 1] - self.by_doc.indptr[rows]))

    def _all_against(self, k: int, terms: Ints, df: Ints) -> tuple[Ints, Ints]:
        """All negative terms and their places, as ``terms_against`` lists those of documents.

        For classes whose documents have more tokens than there are terms.
        """
        excess = self.stats.term_df * self.stats.class_docs[k]
        excess[terms] -= df * self.stats.n_docs
        against = np.flatnonzero(excess > 0)
        place = np.zeros(self.stats.n_terms, np.int32)
        place[against] = np.arange(1, len(against) + 1)
        return against, place

    def _take_top(
        self, against: Ints, scores: Floats, width: int, still_open: Bools, chosen: Bools
    ) -> bool:
        """Let the highest scores take the documents that hold them; tell if they took any.

        Most documents hold one of a few, whose postings are read faster than the documents are.
        """
        # Only what is above the threshold, for of equals the first column must come first.
        top = np.flatnonzero(scores > np.partition(scores, -width)[-width])
        order = top[np.lexsort((against[top], -scores[top]))]
        n_open = np.count_nonzero(still_open)
        take_in_turn(self.by_term.indptr, self.by_term.indices, against, order, still_open, chosen)
        return bool(np.count_nonzero(still_open) < n_open)

    def _positive_scores(self, k: int, terms: Ints, df: Ints, joint: Array) -> Floats:
        """Scores of a class's terms; −∞ for those that may not be taken."""
        term_df = self.stats.term_df[terms]
        usable = df * self.stats.n_docs > term_df * self.stats.class_docs[k]
        # A quotient, not a product: 7 of 10 documents are 0.7 also when 0.7 · 10 is more than 7.
        usable &= df / term_df >= self.min_precision
        scores = np.full(len(terms), -np.inf)
        scores[usable] = self._scores(k, terms[usable], joint[usable], inside=True)
        return scores

    def _scores(self, k: int, terms: Ints, joint: Array, *, inside: bool) -> Floats:
        """Scores of some terms for class k, or for its complement."""
        in_documents = self.score.unit == "documents"
        term_total = (self.stats.term_df if in_documents else self.stats.term_tf)[terms]
        class_total = self.whole.class_total[k : k + 1]
        if not inside:
            joint = term_total - joint
            class_total = self.whole.total - class_total
        scores = np.empty(len(terms))
        for start in range(0, len(terms), CELLS_PER_BLOCK):
            block = slice(start, start + CELLS_PER_BLOCK)
            table = Contingency(
                joint=joint[None, block].astype(np.float64),
                term_total=term_total[None, block].astype(np.float64),
                class_total=class_total,
                total=self.whole.total,
            )
            scores[block] = score_block(self.score, table)[0]
        return scores

    def _best(self, rows: Ints, place: Ints, scores: Floats) -> Bools:
        chosen = np.zeros(len(scores), np.bool_)
        best_of_each(self.by_doc.indptr, self.by_doc.indices, rows, place, scores, chosen)
        return chosen


def presence(X: sp.csr_array) -> sp.csr_array:
    """Bring a matrix into canonical form without stored zeros; the one given is not changed."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if not np.all(X.data):
        X = X.copy()
        X.eliminate_zeros()
    return X


def holding(by_term: sp.csc_array, terms: Ints) -> Bools:
    """Mark the documents that hold at least one of some terms."""
    held: Bools = holders(by_term.indptr, by_term.indices, terms, by_term.shape[0])
    return held


def narrow(
    by_doc: sp.csr_array, by_term: sp.csc_array, features: Ints, kept: Bools
) -> sp.csr_matrix:
    """Restrict documents to the rows marked and some columns, ascending; terms present are 1.

    Either the rows or the columns are read, whichever are shorter.
    """
    rows = np.flatnonzero(kept)
    tokens = np.sum(by_doc.indptr[rows + 1] - by_doc.indptr[rows])
    postings = np.sum(by_term.indptr[features + 1] - by_term.indptr[features])
    if tokens < READ_TWICE * postings:
        place = np.zeros(by_doc.shape[1], np.int32)
        place[features] = np.arange(1, len(features) + 1)
        indptr, indices = narrowed_rows(by_doc.indptr, by_doc.indices, rows, place)
    else:
        indptr, indices = narrowed_columns(by_term.indptr, by_term.indices, features, kept)
    return sp.csr_matrix((np.ones(len(indices)), indices, indptr), (len(rows), len(features)))
