"""Labels and explanations of texts, as plain values for JSON."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from termfold.classify.explain import explain, position_of
from termfold.classify.model import TermModel
from termfold.classify.passages import SHOWN_WHOLE, passages, segments
from termfold.serve.reply import RefusalError

# A page shows a text in full up to so many characters, and passages of a longer one.
SHOWN_IN_EDITOR = 20_000


def classify_one(model: TermModel, text: str, top: int) -> dict[str, Any]:
    """The label of a text, and its most probable classes."""
    scores = model.scores([text], n_jobs=1)
    row, probabilities = scores[0], model.probabilities(scores)[0]
    order = np.argsort(-row, kind="stable")[:top].tolist()
    names = model.classes
    return {
        "predicted": [names[k] for k in np.flatnonzero(model.chosen(scores)).tolist()],
        "classes": [
            {"name": names[k], "score": row[k].item(), "probability": probabilities[k].item()}
            for k in order
        ],
    }


def classify_many(
    model: TermModel, texts: pa.LargeStringArray, probabilities: bool
) -> dict[str, Any]:
    """The labels of texts by columns: a list for each, which is much smaller than objects."""
    scores = model.scores(texts)
    chances = model.probabilities(scores).astype(np.float32)
    names = model.classes
    found: dict[str, Any] = {"texts": len(texts)}
    if model.multilabel:
        found["predicted"] = [
            [names[k] for k in np.flatnonzero(row).tolist()] for row in model.chosen(scores)
        ]
    else:
        best = scores.argmax(axis=1)
        found["predicted"] = [names[k] for k in best.tolist()]
        found["probability"] = chances[np.arange(len(best)), best]
    if probabilities:
        found["classes"] = names
        found["probabilities"] = np.ascontiguousarray(chances)
    return found


def explain_text(model: TermModel, text: str, class_name: str | None, top: int) -> dict[str, Any]:
    """Why a text is labelled as it is: classes, terms, and the text cut at the terms.

    The pieces of the text hold what the terms there add to the score of the class, so that a
    client need not count characters in the encoding that its language happens to use.
    """
    found = explain(model, text)
    if class_name is None:
        class_name = found.best
    k = checked_position(model.classes, class_name)
    marks = found.marks(class_name)
    contributions = found.contributions(class_name)
    order = np.argsort(-found.scores, kind="stable").tolist()
    size = SHOWN_IN_EDITOR if len(text) <= SHOWN_IN_EDITOR else SHOWN_WHOLE
    return {
        "predicted": list(found.predicted),
        "class": class_name,
        "classes": [
            {
                "name": found.classes[c],
                "score": float(found.scores[c]),
                "probability": float(found.probabilities[c]),
            }
            for c in order
        ],
        "bias": float(found.bias[k]),
        "terms": [
            {"term": part.term, "value": part.value, "count": part.occurrences}
            for part in contributions[:top]
        ],
        "rest": {
            "terms": max(0, len(contributions) - top),
            "value": float(sum(part.value for part in contributions[top:])),
        },
        "n_known": int(found.counts.sum()),
        "n_unknown": found.n_unknown,
        "whole": len(text) <= SHOWN_IN_EDITOR,
        "passages": [
            [[part.text, part.value] for part in segments(text, marks, lo, hi)]
            for lo, hi in passages(text, marks, size)
        ],
    }


def checked_position(classes: Any, name: str) -> int:
    """The position of a class; one that there is not is the client's mistake."""
    try:
        return position_of(classes, name)
    except ValueError:
        raise RefusalError(404, f"there is no class {name!r}") from None
