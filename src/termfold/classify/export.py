"""A model for other tools: as a scikit-learn pipeline, as a table, as SQL."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias, get_args

import numpy as np
import pyarrow as pa
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import LabelBinarizer
from sklearn.svm import LinearSVC

from termfold._arrays import Array
from termfold.classify.export_sql import SqlModel, to_sql
from termfold.classify.model import TermModel
from termfold.terms.analyzer import Analyzer
from termfold.terms.counter import TermCounter

__all__ = ["SqlModel", "to_frame", "to_sklearn", "to_sql"]

CounterChoice: TypeAlias = Literal["auto", "scikit-learn", "termfold"]


def to_sklearn(model: TermModel, counter: CounterChoice = "auto") -> Pipeline:
    r"""Turn a model into a fitted scikit-learn pipeline.

    Parameters
    ----------
    model : TermModel
    counter : {"auto", "scikit-learn", "termfold"}, default="auto"
        What counts terms. ``"scikit-learn"`` is ``CountVectorizer``, an error where it cannot
        count as the model's analyzer does; ``"termfold"`` is ``TermCounter``; ``"auto"`` is the
        first where it can.

    Returns
    -------
    Pipeline
        Steps ``terms``, ``weights`` (``TfidfTransformer``) and ``classifier``: ``LinearSVC``, or
        for several labels ``OneVsRestClassifier`` of such, whose classes are the model's names.

    Notes
    -----
    Decision values and predictions are the model's, up to the rounding of its 32-bit numbers. Of
    two classes the decision value is, as scikit-learn has it, the difference of their scores. For
    several labels it is the score less the class's threshold, since ``OneVsRestClassifier``
    compares with zero. Probabilities are not carried over.

    ``CountVectorizer`` cannot split Chinese, Japanese and Korean into bigrams among words
    (``cjk="bigram"``, which also parts 文 from python in "python文"), nor leave out words without
    a letter (``numbers="drop"``): ``re`` has no class for letters.

    Examples
    --------
    >>> from termfold.classify.text_classifier import TextClassifier
    >>> texts = ["cheap pills", "meeting at ten", "cheap watches", "lunch at ten"]
    >>> y = ["spam", "ham", "spam", "ham"]
    >>> model = TextClassifier(effort="rule", analyzer=Analyzer(cjk="word")).fit(texts, y).model_
    >>> pipeline = to_sklearn(model)
    >>> pipeline.predict(["cheap lunch, cheap pills"]).tolist()
    ['spam']
    >>> pipeline["terms"]
    CountVectorizer(token_pattern='(?u)\\b\\w{2,}\\b', ...)
    """
    if counter not in get_args(CounterChoice):
        raise ValueError(f"counter={counter!r}; it must be one of {list(get_args(CounterChoice))}")
    if len(model.terms) == 0:
        raise ValueError("the model has no terms; scikit-learn needs at least one")
    obstacle = _obstacle(model.analyzer)
    if counter == "scikit-learn" and obstacle:
        raise ValueError(f"CountVectorizer cannot express {obstacle}; counter='termfold' can")
    counts = _term_counter if counter == "termfold" or obstacle else _count_vectorizer
    return Pipeline(
        [
            ("terms", counts(model)),
            ("weights", _weighting(model)),
            ("classifier", _one_vs_rest(model) if model.multilabel else _single(model)),
        ]
    )


def _obstacle(analyzer: Analyzer) -> str | None:
    """What of an analyzer ``CountVectorizer`` has no words for."""
    if analyzer.unit == "word" and analyzer.cjk == "bigram":
        return "cjk='bigram'"
    if analyzer.unit == "word" and analyzer.numbers == "drop":
        return "numbers='drop'"
    return None


def _count_vectorizer(model: TermModel) -> CountVectorizer:
    analyzer = model.analyzer
    shared = {
        "vocabulary": {term: column for column, term in enumerate(model.terms)},
        "ngram_range": analyzer.ngram_range,
        "lowercase": analyzer.lowercase,
        "binary": model.tf == "binary",
    }
    if analyzer.unit != "word":
        return CountVectorizer(analyzer=analyzer.unit, **shared)
    word = rf"\w{{{analyzer.min_length},}}"
    # Only words that can occur; scikit-learn warns of others.
    stop_words = [
        stop
        for stop in sorted(analyzer.stop_list)
        if re.fullmatch(word, stop) and not (analyzer.lowercase and stop != stop.lower())
    ]
    return CountVectorizer(
        token_pattern=rf"(?u)\b{word}\b", stop_words=stop_words or None, **shared
    )


def _term_counter(model: TermModel) -> TermCounter:
    parameters = model.analyzer.to_dict() | {"ngram_range": model.analyzer.ngram_range}
    counter = TermCounter(**parameters, binary=model.tf == "binary")
    # What a fit leaves behind, and as little as a pickled counter keeps of it.
    counter.__setstate__(
        counter.__getstate__() | {"analyzer_": model.analyzer, "terms_": model.terms}
    )
    return counter


def _weighting(model: TermModel) -> TfidfTransformer:
    weighting = TfidfTransformer(
        norm=None if model.norm == "none" else model.norm, sublinear_tf=model.tf == "sublinear"
    )
    weighting.idf_ = model.idf.astype(np.float64)
    weighting.n_features_in_ = len(model.terms)
    return weighting


def _single(model: TermModel) -> LinearSVC:
    weights, bias = _weights(model).T, model.bias.astype(np.float64)
    if model.n_classes == 2:
        weights, bias = weights[1:] - weights[:1], bias[1:] - bias[:1]
    return _linear(weights, bias, np.asarray(model.classes))


def _one_vs_rest(model: TermModel) -> OneVsRestClassifier:
    # A score equal to its threshold is enough for the label; scikit-learn wants more than zero.
    thresholds = np.nextafter(model.thresholds, np.float32(-np.inf)).astype(np.float64)
    bias = model.bias - thresholds
    classifier = OneVsRestClassifier(LinearSVC())
    classifier.estimators_ = [
        _linear(row[None], bias[k : k + 1], np.arange(2)) for k, row in enumerate(_weights(model).T)
    ]
    binarizer = LabelBinarizer().fit(np.eye(max(2, model.n_classes), dtype=np.int64))
    binarizer.classes_ = np.asarray(model.classes)
    binarizer.y_type_ = "multilabel-indicator"
    classifier.label_binarizer_ = binarizer
    classifier.n_features_in_ = len(model.terms)
    return classifier


def _linear(coef: Array, intercept: Array, classes: Array) -> LinearSVC:
    classifier = LinearSVC()
    classifier.coef_, classifier.intercept_, classifier.classes_ = coef, intercept, classes
    classifier.n_features_in_ = coef.shape[1]
    return classifier


def _weights(model: TermModel) -> Array:
    """Weights in units of the score, idf not among them."""
    return np.asarray(model.weights * model.scale.astype(np.float64)[:, None])


def to_frame(model: TermModel, *, wide: bool = False) -> pa.Table:
    """Turn a model's weights into a table, for pandas, Polars, DuckDB or a spreadsheet.

    Parameters
    ----------
    model : TermModel
    wide : bool, default=False
        One row a term and one column a class, instead of one row for each weight that is not
        zero.

    Returns
    -------
    pyarrow.Table
        Columns ``class``, ``term`` and ``weight``, sorted by the first two; or ``term`` and the
        classes. A weight is what an occurrence of a term adds to the score before it is divided
        by the text's length: idf is in it, the classes' bias is not.

    Examples
    --------
    >>> from termfold.classify.text_classifier import TextClassifier
    >>> texts = ["cheap pills", "meeting at ten", "cheap watches", "lunch at ten"]
    >>> y = ["spam", "ham", "spam", "ham"]
    >>> model = TextClassifier(effort="rule").fit(texts, y).model_
    >>> to_frame(model).slice(0, 2)["term"].to_pylist()
    ['at', 'lunch']
    >>> to_frame(model, wide=True).column_names
    ['term', 'ham', 'spam']
    """
    weights = (_weights(model) * model.idf[:, None]).astype(np.float32)
    terms = model.terms.to_arrow()
    if wide:
        if "term" in model.classes:
            raise ValueError("a class is named 'term', as is the column of terms; use wide=False")
        columns = [terms, *(pa.array(column) for column in weights.T)]
        return pa.Table.from_arrays(columns, names=["term", *model.classes])
    classes, rows = np.nonzero(weights.T)
    return pa.table(
        {
            "class": pa.array(model.classes, pa.large_string()).take(pa.array(classes)),
            "term": terms.take(pa.array(rows)),
            "weight": pa.array(weights[rows, classes]),
        }
    )
