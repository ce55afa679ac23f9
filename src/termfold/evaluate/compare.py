"""Compare ways to classify on the same documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from termfold.classify import TextClassifier
from termfold.evaluate.baseline import Baseline
from termfold.evaluate.documents import Documents
from termfold.evaluate.measure import Classifier, try_out

_HELD_OUT = 3
# The methods that are told how many terms to keep.
COUNTED = ("projection", "ocfs")


@dataclass(frozen=True)
class Way:
    """A way to classify.

    Parameters
    ----------
    method, effort : str
        As in ``TextClassifier``; the method ``"tf-idf + svm"`` is scikit-learn's.
    n_terms : int or None
        How many terms the method is told to keep.
    parameters : dict
        Others of ``TextClassifier``.
    """

    method: str
    effort: str | None = None
    n_terms: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = (self.method, self.effort, self.n_terms and f"{self.n_terms:,} terms")
        return ", ".join(part for part in parts if part)

    def make(self) -> Classifier:
        """Make a new classifier."""
        if self.effort is None:
            return Baseline()
        classifier: Classifier = TextClassifier(
            **{
                **self.parameters,
                "method": self.method,
                "effort": self.effort,
                "n_terms": self.n_terms,
            }
        )
        return classifier


BASELINE = Way("tf-idf + svm")


def ways(
    methods: Sequence[str],
    efforts: Sequence[str],
    n_terms: Sequence[int | None] = (None,),
    **parameters: Any,
) -> list[Way]:
    """Each method by each effort; numbers of terms for those methods that are told one.

    Examples
    --------
    >>> [str(way) for way in ways(["fedip", "ocfs"], ["rule"], [100, 1000])]
    ['fedip, rule', 'ocfs, rule, 100 terms', 'ocfs, rule, 1,000 terms']
    """
    return [
        Way(method, effort, count, parameters)
        for method in methods
        for effort in efforts
        for count in (n_terms if method in COUNTED else [None])
    ]


def compare(
    candidates: Sequence[Way],
    documents: Documents,
    *,
    test: Documents | None = None,
    folds: int | None = None,
    seed: int = 0,
    done: Callable[[str], None] = lambda what: None,
) -> list[dict[str, Any]]:
    """Try ways to classify on the same documents.

    Parameters
    ----------
    candidates : sequence of Way
    documents : Documents
    test : Documents, optional
        Test on these. Otherwise a third of the documents is held out, or by
    folds : int, optional
        cross-validation each document is tested once.
    seed : int
        Of the division.
    done : callable
        Called with the name of each way that has been tried.

    Returns
    -------
    list of dict
        Of each way ``method``, ``effort``, ``n_terms``, and what ``try_out`` found. One that
        cannot be done on these documents has only an ``error``.
    """
    results = []
    for way in candidates:
        splits: Iterable[tuple[Documents, Documents]]
        if test is not None:
            splits = [(documents, test)]
        elif folds is not None:
            splits = documents.splits(folds, seed)
        else:
            splits = [next(documents.splits(_HELD_OUT, seed))]
        found: dict[str, Any]
        try:
            found = try_out(way.make, splits)
        except ValueError as error:
            # Such as no room for any term; the others are worth their time nevertheless.
            found = {"error": str(error)}
        results.append(
            {"method": way.method, "effort": way.effort, "n_terms": way.n_terms, **found}
        )
        done(str(way))
    return results
