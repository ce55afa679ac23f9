"""The API described: what each route is for, takes and gives, as OpenAPI has it.

Plain values instead of classes of pydantic, which would be made anew for every answer.
"""

from __future__ import annotations

from typing import Any

from termfold.serve.bodies import LINES, PLAIN
from termfold.serve.metrics import MEDIA as METRICS
from termfold.serve.reply import JSON

Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
YES: Schema = {"type": "boolean"}
COUNT_OR_NOT: Schema = {"type": ["number", "null"], "minimum": 0}


def listed(items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": items}


def record(required: dict[str, Schema], **more: Schema) -> Schema:
    """An object with members that are always there, and others."""
    return {
        "type": "object",
        "properties": {**required, **more},
        "required": list(required),
    }


def _of(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_CHANCE = record({"name": STRING, "score": NUMBER, "probability": NUMBER})
_TERM = record({"term": STRING, "score": NUMBER}, class_documents=NUMBER, documents=NUMBER)
_CLASS_OF_TERM = record(
    {"name": STRING},
    documents=NUMBER,
    occurrences=NUMBER,
    rate=NUMBER,
    share=NUMBER,
    scores={"type": "object", "additionalProperties": NUMBER},
    weight=NUMBER,
    lead=NUMBER,
)
_PIECE: Schema = {
    "type": "array",
    "items": {"type": ["string", "number", "boolean", "null"]},
    "minItems": 2,
    "maxItems": 2,
    "description": "Some text, and what the terms in it add to the score; or if it is the term.",
}
_POINT = record({"terms": COUNT, "accuracy": NUMBER, "low": NUMBER, "high": NUMBER})

#: The shapes of the answers by name.
DESCRIPTIONS: dict[str, Schema] = {
    "Problem": record({"detail": STRING}),
    "Label": record({"predicted": listed(STRING), "classes": listed(_CHANCE)}),
    "Labels": record(
        {"texts": COUNT, "predicted": {"type": "array"}},
        probability=listed(NUMBER),
        classes=listed(STRING),
        probabilities=listed(listed(NUMBER)),
    ),
    "Explanation": record(
        {
            "predicted": listed(STRING),
            "class": STRING,
            "classes": listed(_CHANCE),
            "bias": NUMBER,
            "terms": listed(record({"term": STRING, "value": NUMBER, "count": COUNT})),
            "rest": record({"terms": COUNT, "value": NUMBER}),
            "n_known": COUNT,
            "n_unknown": COUNT,
            "whole": YES,
            "passages": listed(listed(_PIECE)),
        }
    ),
    "About": record(
        {
            "name": STRING,
            "kind": {"enum": ["model", "counts"]},
            "digest": STRING,
            "documents": COUNT_OR_NOT,
            "terms": COUNT,
            "classes": listed(STRING),
            "multilabel": YES,
            "scores": listed(STRING),
            "can": {"type": "object", "additionalProperties": YES},
            "samples": listed(record({"text": STRING, "class": STRING})),
        }
    ),
    "Classes": record(
        {
            "classes": listed(
                record({"name": STRING, "documents": COUNT_OR_NOT, "occurrences": COUNT_OR_NOT})
            )
        }
    ),
    "Terms": record(
        {
            "score": STRING,
            "features": COUNT,
            "classes": listed(record({"name": STRING, "terms": listed(_TERM)})),
        }
    ),
    "Found": record({"terms": listed(record({"term": STRING, "documents": COUNT_OR_NOT}))}),
    "Term": record(
        {"term": STRING, "classes": listed(_CLASS_OF_TERM)},
        documents=NUMBER,
        occurrences=NUMBER,
        examples=listed(
            record(
                {
                    "row": COUNT,
                    "labels": listed(STRING),
                    "passages": listed(listed(_PIECE)),
                }
            )
        ),
    ),
    "Comparison": record(
        {
            "x": STRING,
            "y": STRING,
            "axis": {"enum": ["rate", "weight"]},
            "documents": listed(COUNT_OR_NOT),
            "points": listed(
                record(
                    {
                        "term": STRING,
                        "x": NUMBER,
                        "y": NUMBER,
                        "scores": listed({"type": ["number", "null"]}),
                    }
                )
            ),
        }
    ),
    "Curve": record(
        {"status": {"enum": ["ready", "measuring", "unavailable"]}},
        reason=STRING,
        done=NUMBER,
        tested=COUNT,
        methods=listed(record({"name": STRING, "points": listed(_POINT)})),
        all_terms=_POINT,
    ),
    "Health": record(
        {
            "status": {"const": "ok"},
            "version": STRING,
            "name": STRING,
            "kind": {"enum": ["model", "counts"]},
            "digest": STRING,
            "loaded": NUMBER,
            "uptime": NUMBER,
        }
    ),
}

_PROBLEMS = {
    400: "The request is no HTTP, or ended before its body.",
    401: "A token is needed, and is not there or another one.",
    404: "There is no such class, term or score, or the file served does not hold what is asked.",
    408: "The body did not come in time.",
    413: "The body is too large, or holds too many texts.",
    415: "The body is of a kind that is not read.",
    421: "The service is not called so.",
    422: "The body or a parameter is not as described.",
    429: "Too many requests from this address; `Retry-After` says when to come again.",
    503: "Too much to do, or not done in time.",
}

_ONE_TEXT = {
    JSON: {"schema": record({"text": STRING}), "example": {"text": "a text"}},
    PLAIN: {"schema": STRING, "example": "a text"},
}
_MANY_TEXTS = {
    JSON: {"schema": record({"texts": listed(STRING)}), "example": {"texts": ["one", "two"]}},
    PLAIN: {"schema": STRING, "example": "one text on each line\nanother"},
    LINES: {"schema": STRING, "example": '{"text": "one"}\n"two"\n'},
}

# Of each route: what it is for, the shape of its answer, its body, and its tag.
_ROUTES: dict[str, tuple[str, str, str | None, dict[str, Any] | None]] = {
    "classify": ("texts", "Label a text.", "Label", _ONE_TEXT),
    "classify_many": (
        "texts",
        "Label many texts. The answer has a list for each column, in the order of the texts.",
        "Labels",
        _MANY_TEXTS,
    ),
    "explain": (
        "texts",
        "Take the score of a text for a class apart: by default for the best class.",
        "Explanation",
        _ONE_TEXT,
    ),
    "about": ("terms", "What is served, and what can be asked of it.", "About", None),
    "classes": ("terms", "The classes and their sizes.", "Classes", None),
    "terms": ("terms", "The terms that make each class, by any score.", "Terms", None),
    "search": ("terms", "Terms that hold some words.", "Found", None),
    "term": (
        "terms",
        "A term's counts and scores in every class, and documents that hold it.",
        "Term",
        None,
    ),
    "compare": ("terms", "The terms of two classes as points in a plane.", "Comparison", None),
    "curve": ("terms", "The accuracy to expect from the best 10, 20, 50, … terms.", "Curve", None),
    "health": ("service", "Whether all is well, and with what.", "Health", None),
    "metrics": ("service", "Counters for Prometheus.", None, None),
}


def described(name: str) -> dict[str, Any]:
    """What FastAPI is told of a route."""
    tag, summary, shape, body = _ROUTES[name]
    content = {JSON: {"schema": _of(shape)}} if shape else {METRICS: {"schema": STRING}}
    problem = {JSON: {"schema": _of("Problem")}}
    return {
        "operation_id": name,
        "summary": summary,
        "tags": [tag],
        "response_description": "The answer.",
        "responses": {
            200: {"content": content},
            **{
                status: {"description": text, "content": problem}
                for status, text in _PROBLEMS.items()
            },
        },
        "openapi_extra": ({"requestBody": {"required": True, "content": body}} if body else {}),
    }
