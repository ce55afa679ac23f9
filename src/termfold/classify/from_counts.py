"""A model from counts alone: what a count file has to say of a text."""

from __future__ import annotations

import numpy as np

from termfold.classify.compress import quantised
from termfold.classify.decide import Decision
from termfold.classify.model import TermModel
from termfold.errors import StatsError
from termfold.project.fedip import FEDIP
from termfold.stats import TermStats

# Some fifty bytes each while the weights are found, one afterwards.
MAX_WEIGHTS = 20_000_000


def model_of_counts(stats: TermStats, max_weights: int = MAX_WEIGHTS) -> TermModel:
    """Make a model of a count file: the mean log relative risk of a text's terms, by class.

    Of the forms of FEDIP the one whose largest feature is best taken as it stands, since counts
    alone hold no documents on which to calibrate. For that reason its probabilities are only a
    softmax of the scores, and no estimate of how often it is right.

    Parameters
    ----------
    stats : TermStats
        With an analyzer, names of terms, and two classes or more.
    max_weights : int
        Of more weights (terms × classes) those of the terms in most documents are kept.

    Returns
    -------
    TermModel

    Examples
    --------
    >>> from termfold import collect
    >>> texts = ["cheap pills", "meeting at ten", "cheap watches", "lunch at ten"]
    >>> model = model_of_counts(collect(texts, labels=["spam", "ham", "spam", "ham"]))
    >>> scores = model.scores(["cheap lunch, cheap pills"])
    >>> model.classes[scores.argmax()]
    'spam'
    """
    analyzer = stats.analyzer
    if analyzer is None or stats.terms is None:
        raise StatsError("these counts are of a matrix: they do not say how a text has terms")
    if stats.n_classes < 2 or stats.n_terms == 0:
        raise StatsError(f"{stats}: texts can be told apart by two classes with terms, not by less")
    terms, most = stats.terms, max(1, max_weights // stats.n_classes)
    if stats.n_terms > most:
        frequent = np.sort(np.argsort(-stats.term_df, kind="stable")[:most])
        stats, terms = stats.take(frequent), terms.take(frequent)
    pools = FEDIP("multinomial", "log_rr", smoothing=0.1, smooth="count", signed=True)
    weights = pools.fit_stats(stats).weights_.astype(np.float32).toarray()
    n_terms, n_classes = weights.shape
    ones = np.ones(n_terms, np.float32)
    decision = Decision.by_temperature(1.0, n_classes)
    return quantised(
        TermModel(
            classes=[str(name) for name in stats.classes.tolist()],
            multilabel=False,
            analyzer=analyzer,
            terms=terms,
            weights=weights,
            bias=np.zeros(n_classes, np.float32),
            idf=ones,
            scale=ones,
            tf="sublinear",
            norm="l1",
            slopes=decision.slopes,
            intercepts=decision.intercepts,
            thresholds=decision.thresholds,
            about={"method": "fedip", "effort": "counts", "documents": int(stats.n_docs)},
        )
    )
