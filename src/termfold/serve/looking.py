"""Classes, terms and comparisons of a subject, as plain values for JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from termfold._arrays import Array, Ints
from termfold.scores import SCORES, Contingency
from termfold.serve.classifying import checked_position
from termfold.serve.reply import RefusalError
from termfold.serve.subject import Subject
from termfold.stats import TermStats


def about(subject: Subject) -> dict[str, Any]:
    """What is served, and what can be asked of it."""
    stats, model, documents = subject.stats, subject.model, subject.documents
    return {
        "name": subject.name,
        "kind": subject.kind,
        "digest": subject.digest,
        "documents": _documents(subject),
        "terms": len(subject.terms),
        "classes": subject.classes,
        "multilabel": model is not None and model.multilabel,
        "scores": list(subject.scores),
        "can": {
            "classify": model is not None,
            "probabilities": model is not None and subject.calibrated,
            "counts": stats is not None,
            "examples": documents is not None,
            "curve": documents is not None,
        },
        "samples": [
            {"text": text, "class": name}
            for text, name in (documents.typical(6) if documents is not None else [])
        ],
    }


def _documents(subject: Subject) -> int | float | None:
    if subject.stats is not None:
        return subject.stats.n_docs
    found = subject.model.about.get("documents") if subject.model is not None else None
    return found if isinstance(found, int) else None


def list_classes(subject: Subject) -> list[dict[str, Any]]:
    """The classes with their sizes, where these are known."""
    stats = subject.stats
    if stats is not None:
        sizes = stats.class_docs.tolist()
        tokens = subject.tokens[0][:, 0].astype(stats.tf.dtype).tolist()
        return [
            {"name": name, "documents": size, "occurrences": count}
            for name, size, count in zip(subject.classes, sizes, tokens, strict=True)
        ]
    known = subject.model.about.get("documents_of_class", []) if subject.model is not None else []
    return [
        {"name": name, "documents": known[k] if k < len(known) else None, "occurrences": None}
        for k, name in enumerate(subject.classes)
    ]


def list_terms(
    subject: Subject,
    score: str | None,
    class_name: str | None,
    n: int,
    features: int | None,
    min_df: int,
) -> dict[str, Any]:
    """The best terms of each class, or of one."""
    ranking = subject.ranking(score, min_df)
    chosen = list(range(len(subject.classes)))
    if class_name is not None:
        chosen = [checked_position(subject.classes, class_name)]
    best = [ranking.best(k, n, features) for k in chosen]
    ids = np.unique(np.concatenate([ids for ids, _ in best])) if best else np.zeros(0, np.int64)
    counts = None if subject.stats is None else counts_of(subject.stats, ids)
    totals = None if subject.stats is None else subject.stats.term_df[ids]
    classes = []
    for k, (own, values) in zip(chosen, best, strict=True):
        terms = [
            {"term": subject.terms[t], "score": value}
            for t, value in zip(own.tolist(), values.tolist(), strict=True)
        ]
        if counts is not None and totals is not None:
            places = np.searchsorted(ids, own)
            columns = counts[k, places].tolist(), totals[places].tolist()
            for term, inside, everywhere in zip(terms, *columns, strict=True):
                term |= {"class_documents": inside, "documents": everywhere}
        classes.append({"name": subject.classes[k], "terms": terms})
    return {
        "score": score or subject.scores[0],
        "features": min(features or len(subject.terms), len(subject.terms)),
        "classes": classes,
    }


def search_terms(subject: Subject, words: str, n: int) -> list[dict[str, Any]]:
    """Terms that hold some words, with their numbers of documents."""
    stats = subject.stats
    return [
        {"term": term, "documents": None if stats is None else stats.term_df[t].item()}
        for t, term in subject.search(words, n)
    ]


def show_term(subject: Subject, term: str) -> dict[str, Any]:
    """All that is known of a term: its counts and scores in every class, and examples."""
    t = subject.terms.position(term)
    if t is None:
        raise RefusalError(404, f"there is no term {term!r} among {len(subject.terms):,}")
    rows: list[dict[str, Any]] = [{"name": name} for name in subject.classes]
    found: dict[str, Any] = {"term": term, "classes": rows}
    if subject.stats is not None:
        found |= _counts(subject, t, rows)
    _add_weights(subject, term, rows)
    if subject.documents is not None:
        found["examples"] = [example._asdict() for example in subject.documents.examples(term, n=4)]
    return found


def _counts(subject: Subject, t: int, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Counts of a term, entered in the rows of the classes; those of all documents returned."""
    stats = subject.stats
    if stats is None:
        return {}
    df, tf = (stats.dense(table, t, t + 1)[:, 0] for table in ("df", "tf"))
    tables = {
        "documents": Contingency.from_stats(stats, t, t + 1),
        "occurrences": Contingency(
            tf[:, None].astype(np.float64),
            stats.term_tf[None, t : t + 1].astype(np.float64),
            *subject.tokens,
        ),
    }
    scores = {
        name: np.asarray(score.function(tables[score.unit]))[:, 0].tolist()
        for name, score in SCORES.items()
    }
    rates = tables["documents"].tpr[:, 0].tolist()
    shares = tables["documents"].precision[:, 0].tolist()
    for k, row in enumerate(rows):
        row |= {
            "documents": df[k].item(),
            "occurrences": tf[k].item(),
            "rate": rates[k],
            "share": shares[k],
            "scores": {name: values[k] for name, values in scores.items()},
        }
    return {"documents": stats.term_df[t].item(), "occurrences": stats.term_tf[t].item()}


def _add_weights(subject: Subject, term: str, rows: list[dict[str, Any]]) -> None:
    """Enter what the model has a term weigh; it may have fewer terms and classes than counts."""
    model = subject.model
    t = None if model is None else model.terms.position(term)
    if model is None or t is None or subject.kind == "counts":
        return
    place = np.array([t])
    weights, lead = model.added(place)[0].tolist(), model.leads(place)[0].tolist()
    column = {name: k for k, name in enumerate(model.classes)}
    for row in rows:
        k = column.get(row["name"])
        if k is not None:
            row |= {"weight": weights[k], "lead": lead[k]}


def compare_classes(
    subject: Subject, x: str, y: str, score: str | None, n: int, features: int | None, min_df: int
) -> dict[str, Any]:
    """The terms of two classes as points.

    Their coordinates are the shares of each class's documents that hold the term; or, of a model
    without counts, what the term weighs for each.
    """
    columns = [checked_position(subject.classes, name) for name in (x, y)]
    ranking = subject.ranking(score, min_df)
    best = [ranking.best(k, n, features) for k in columns]
    ids = np.unique(np.concatenate([ids for ids, _ in best]))
    place = [dict(zip(*map(np.ndarray.tolist, pair), strict=True)) for pair in best]
    if subject.stats is not None:
        counts = counts_of(subject.stats, ids)[columns]
        values = counts / np.maximum(1, subject.stats.class_docs[columns][:, None])
        axis = "rate"
    else:
        values = subject.classifier.added(ids)[:, columns].T
        axis = "weight"
    return {
        "x": x,
        "y": y,
        "axis": axis,
        "documents": [list_classes(subject)[k]["documents"] for k in columns],
        "points": [
            {
                "term": subject.terms[t],
                "x": values[0, i].item(),
                "y": values[1, i].item(),
                "scores": [place[0].get(t), place[1].get(t)],
            }
            for i, t in enumerate(ids.tolist())
        ],
    }


def counts_of(stats: TermStats, ids: Ints) -> Array:
    """The documents of each class with each of some terms, whose ids ascend: classes × terms."""
    return stats.take(ids).dense("df")


def curve_of(subject: Subject, score: str | None) -> dict[str, Any]:
    """The accuracy to expect from the best terms by a score."""
    if subject.documents is None:
        return {
            "status": "unavailable",
            "reason": "documents are needed to measure it: start with --corpus",
        }
    return subject.documents.curve(score or subject.scores[0])
