"""Everything a report shows, as one plain dictionary."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from termfold._version import __version__
from termfold.classify.learn import learn
from termfold.classify.model import TermModel
from termfold.classify.order import in_content_order
from termfold.classify.training import TrainingSet, read_training_set
from termfold.corpus import open_corpus
from termfold.report.confusion import confusion_of, counts_of, likeness_by, likeness_of
from termfold.report.documents import map_of
from termfold.report.judged import audit_of, curve_of, inside_of, metrics_of
from termfold.report.predictions import cross_validate, predict_by
from termfold.report.reading import Sample, read
from termfold.report.terms import SCORES_SAID, rounded, terms_of_classes, without_rare
from termfold.stats import Labels, TermStats

if TYPE_CHECKING:
    from termfold.classify.text_classifier import TextClassifier
    from termfold.classify.weigh import Settings

_TERMS_OF_PAIR = 6


def summarize_stats(
    stats: TermStats,
    *,
    title: str,
    n_terms: int = 15,
    model: TermModel | None = None,
    others: list[str] | None = None,
) -> dict[str, Any]:
    """Summarize statistics: the collection, the terms of each class, what classes share.

    Parameters
    ----------
    stats : TermStats
    title : str
    n_terms : int
        So many terms of each class, by each score.
    model : TermModel, optional
        Its weights are one more score.
    others : list of str, optional
        Classes that the statistics do not have.

    Returns
    -------
    dict
        Of JSON types: ``title``, ``termfold`` (the version), ``corpus``, ``scores``, ``classes``
        and ``between``.
    """
    _check(stats)
    shown, min_df = without_rare(stats)
    names, terms = terms_of_classes(shown, n_terms, model)
    tokens = stats.class_tokens.tolist()
    classes = [
        {"name": str(name), "documents": docs, "occurrences": occurrences, **of_class}
        for name, docs, occurrences, of_class in zip(
            stats.classes.tolist(), stats.class_docs.tolist(), tokens, terms, strict=True
        )
    ]
    nothing = {"documents": 0, "occurrences": 0, "terms": [], "best": {name: [] for name in names}}
    return {
        "title": title,
        "termfold": __version__,
        "corpus": {
            "documents": stats.n_docs,
            "classes": stats.n_classes,
            "terms": stats.n_terms,
            "occurrences": stats.term_tf.sum().item(),
            "distinct_terms_per_document": rounded(stats.term_df.sum() / stats.n_docs),
            "labels_per_document": rounded(stats.class_docs.sum() / stats.n_docs),
            "min_df_shown": min_df,
        },
        "scores": [{"name": name, "said": SCORES_SAID[name]} for name in names],
        "classes": classes + [{"name": name, **nothing} for name in others or []],
        "between": likeness_of(shown, _TERMS_OF_PAIR),
    }


def _check(stats: TermStats) -> None:
    if not stats.exact:
        raise ValueError(
            "a report counts documents and occurrences; these statistics hold weighted sums"
        )
    if stats.n_classes < 2:
        names = stats.classes.tolist()
        raise ValueError(
            f"a report compares classes, and there is {names[0]!r} only"
            if names
            else "a report compares classes, and no document has a label"
        )


class Plan(NamedTuple):
    """What a report of documents is to be made of; see ``make_report``."""

    title: str
    n_terms: int
    max_documents: int
    max_shown: int
    folds: int
    seed: int
    n_jobs: int | None


def summarize_corpus(
    source: Any,
    classifier: TextClassifier,
    plan: Plan,
    *,
    test: Any = None,
    done: Callable[[str], None] = lambda what: None,
    reading: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Summarize labelled documents, and what a classifier says of them.

    Parameters
    ----------
    source : anything that ``open_corpus`` reads
    classifier : TextClassifier
        Where it is fitted, it labels the documents; otherwise each is labelled by a new one that
        has learnt from others.
    plan : Plan
    test : anything that ``open_corpus`` reads, or a pair of texts and labels, optional
        These documents are labelled instead, by what was learnt from the source.
    done : callable
        Called after each step, with its name.
    reading : dict, optional
        Passed on to ``open_corpus``.

    Returns
    -------
    dict
        As by ``summarize_stats``, and ``metrics`` (as by ``evaluate.summarize``, with ``how`` they
        were found), ``map``, ``curve`` and ``audit``; each of the last two None where there are too
        few documents.
    """
    reading = reading or {}
    model: TermModel | None = getattr(classifier, "model_", None)
    settings = classifier._settings()._replace(n_jobs=plan.n_jobs)
    if model is not None:
        settings = settings._replace(analyzer=model.analyzer)
    stats, sample = _read(source, settings, plan, reading)
    done("counting")
    tested = sample if test is None else _read(*_apart(test, settings, plan, reading))[1]
    if model is not None and model.multilabel:
        tested = tested._replace(multilabel=True)
    others = {name for names in tested.labels for name in names} | {
        *(model.classes if model else ())
    }
    others -= {str(name) for name in stats.classes.tolist()}
    summary = summarize_stats(
        stats, title=plan.title, n_terms=plan.n_terms, model=model, others=sorted(others)
    )
    summary["corpus"] |= {"text_bytes": sample.text_bytes, "sampled": len(sample)}
    done("scoring")

    classes = [of_class["name"] for of_class in summary["classes"]]
    training = _training_set(sample, settings)
    if model is None and test is None:
        predictions = cross_validate(
            training,
            sample.texts,
            classes,
            sample.multilabel,
            settings,
            plan.folds,
            plan.seed,
            done,
        )
    else:
        by = model or learn(in_content_order(training), sample.multilabel, settings)
        predictions = predict_by(by, tested.texts, classes)
    inside = inside_of(tested, classes)
    confused = counts_of(predictions, inside)
    summary["metrics"] = metrics_of(tested, predictions)
    summary["metrics"]["how"] = _how(classifier, sample, tested, test is not None, plan.folds)
    summary["between"] = confusion_of(confused, predictions, inside, tested.texts, _TERMS_OF_PAIR)
    done("comparing classes")

    counts = training if test is None else _training_set(tested, settings)
    likeness = likeness_by(confused)
    summary["map"] = map_of(predictions, likeness, counts, tested, plan.max_shown, plan.seed)
    done("drawing the map")
    summary["curve"] = curve_of(training, settings, plan.max_documents, plan.seed, done)
    summary["audit"] = audit_of(training, sample)
    done("judging labels")
    return summary


def _read(
    source: Any, settings: Settings, plan: Plan, reading: dict[str, Any]
) -> tuple[TermStats, Sample]:
    return read(
        source,
        settings.analyzer,
        max_documents=plan.max_documents,
        seed=plan.seed,
        n_jobs=plan.n_jobs,
        **reading,
    )


def _apart(
    test: Any, settings: Settings, plan: Plan, reading: dict[str, Any]
) -> tuple[Any, Settings, Plan, dict[str, Any]]:
    """How to read test texts: as the corpus, but with labels of their own."""
    rest = {name: value for name, value in reading.items() if name != "labels"}
    if isinstance(test, tuple) and len(test) == 2:
        return test[0], settings, plan, rest | {"labels": test[1]}
    return test, settings, plan, rest


def _training_set(sample: Sample, settings: Settings) -> TrainingSet:
    corpus = open_corpus(sample.texts, label=None)
    labels = Labels.of(sample.y() if len(sample) else [])
    return read_training_set(corpus, settings.analyzer, labels=labels, n_jobs=settings.n_jobs)


def _how(
    classifier: TextClassifier, sample: Sample, tested: Sample, apart: bool, folds: int
) -> str:
    method = f"{classifier.method}, {classifier.effort}"
    some = f"a random sample of {len(tested):,} texts" if len(tested) < tested.read else "all texts"
    if hasattr(classifier, "model_"):
        return f"{some} of the {'test ' if apart else ''}corpus, labelled by the model ({method})"
    if apart:
        return (
            f"{some} of the test corpus, labelled by a model ({method}) of {len(sample):,} texts "
            "of the corpus"
        )
    return f"{some}, each labelled by a model ({method}) of the other {folds - 1} of {folds} parts"
