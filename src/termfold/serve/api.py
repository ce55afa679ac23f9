"""The routes of the API: each reads a request, asks the service, and answers in bytes.

FastAPI reads a route's annotations when it is defined, here, where FastAPI itself is imported; so
this file does without postponed annotations.
"""

from typing import TYPE_CHECKING, Any

from termfold.serve import looking
from termfold.serve.bodies import many_texts, one_text
from termfold.serve.classifying import classify_many, classify_one, explain_text
from termfold.serve.openapi import DESCRIPTIONS, described
from termfold.serve.ranking import DEPTH
from termfold.serve.reply import RefusalError, Reply, as_json
from termfold.serve.service import Service

if TYPE_CHECKING:
    from fastapi import FastAPI

# A text so short is scored in less time than a thread needs to take it over.
_AT_ONCE = 16_384
_LONGEST_WORDS = 200


def add_api(app: "FastAPI", service: Service) -> None:
    """Add the routes of the API to the application."""
    from fastapi import Query, Request
    from fastapi.exceptions import RequestValidationError
    from starlette.requests import ClientDisconnect
    from starlette.responses import Response

    top = Query(3, ge=1, le=1000, description="So many classes.")
    top_terms = Query(20, ge=1, le=1000, description="So many terms.")
    class_name = Query(None, alias="class", max_length=10_000, description="Name of a class.")
    score = Query(None, max_length=20, description="A score; see `/api/about`.")
    features = Query(None, ge=1, le=2**31, description="Only the best so many terms of all.")
    min_df = Query(1, ge=1, le=2**31, description="Only terms in so many documents.")
    many = Query(20, ge=1, le=DEPTH, description="So many terms of each class.")
    words = Query("", max_length=_LONGEST_WORDS, description="What the terms hold.")

    def answer(reply: Reply) -> Response:
        return Response(reply.body, reply.status, media_type=reply.media)

    async def body_of(request: Request) -> tuple[bytes, str]:
        try:
            return await request.body(), request.headers.get("content-type", "")
        except ClientDisconnect:
            raise RefusalError(400, "the connection ended before the body did") from None

    @app.exception_handler(RefusalError)
    async def refuse(request: Request, refusal: RefusalError) -> Response:
        response = answer(refusal.reply())
        response.headers.update(refusal.headers)
        return response

    @app.exception_handler(RequestValidationError)
    async def refuse_parameters(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return answer(RefusalError(422, f"{place}: {first['msg']}").reply())

    @app.post("/api/classify", **described("classify"))
    async def classify(request: Request, top: int = top) -> Response:
        body, media = await body_of(request)
        model = service.subject.classifier
        text = one_text(body, media)
        service.count_texts(1, len(body))
        if len(body) <= _AT_ONCE:
            return answer(as_json(classify_one(model, text, top)))
        return answer(as_json(await service.in_thread(classify_one, model, text, top)))

    @app.post("/api/classify/many", **described("classify_many"))
    async def classify_texts(
        request: Request,
        probabilities: bool = Query(False, description="Also those of all classes."),
    ) -> Response:
        body, media = await body_of(request)
        model = service.subject.classifier

        def work() -> tuple[int, Reply]:
            texts = many_texts(body, media, service.limits)
            return len(texts), as_json(classify_many(model, texts, probabilities))

        count, reply = await service.in_thread(work)
        service.count_texts(count, len(body))
        return answer(reply)

    @app.post("/api/explain", **described("explain"))
    async def explain(
        request: Request, class_name: str | None = class_name, top: int = top_terms
    ) -> Response:
        body, media = await body_of(request)
        model = service.subject.classifier
        text = one_text(body, media)
        return answer(as_json(await service.in_thread(explain_text, model, text, class_name, top)))

    @app.get("/api/about", **described("about"))
    async def about() -> Response:
        return answer(as_json(await service.in_thread(looking.about, service.subject)))

    @app.get("/api/classes", **described("classes"))
    async def classes() -> Response:
        found = await service.in_thread(looking.list_classes, service.subject)
        return answer(as_json({"classes": found}))

    @app.get("/api/terms", **described("terms"))
    async def terms(
        score: str | None = score,
        class_name: str | None = class_name,
        n: int = many,
        features: int | None = features,
        min_df: int = min_df,
    ) -> Response:
        found = await service.in_thread(
            looking.list_terms, service.subject, score, class_name, n, features, min_df
        )
        return answer(as_json(found))

    @app.get("/api/search", **described("search"))
    async def search(q: str = words, n: int = many) -> Response:
        found = await service.in_thread(looking.search_terms, service.subject, q, n)
        return answer(as_json({"terms": found}))

    @app.get("/api/term", **described("term"))
    async def term(
        term: str = Query(max_length=10_000, description="The term, as it is counted."),
    ) -> Response:
        return answer(as_json(await service.in_thread(looking.show_term, service.subject, term)))

    @app.get("/api/compare", **described("compare"))
    async def compare(
        x: str = Query(max_length=10_000, description="A class."),
        y: str = Query(max_length=10_000, description="Another class."),
        score: str | None = score,
        n: int = Query(100, ge=1, le=DEPTH, description="So many terms of each class."),
        features: int | None = features,
        min_df: int = min_df,
    ) -> Response:
        found = await service.in_thread(
            looking.compare_classes, service.subject, x, y, score, n, features, min_df
        )
        return answer(as_json(found))

    @app.get("/api/curve", **described("curve"))
    async def curve(score: str | None = score) -> Response:
        return answer(as_json(looking.curve_of(service.subject, score)))

    @app.get("/health", **described("health"))
    async def health() -> Response:
        return answer(as_json(service.health()))

    @app.get("/metrics", **described("metrics"))
    async def metrics() -> Response:
        return answer(service.prometheus())

    add_descriptions(app)


def add_descriptions(app: "FastAPI") -> None:
    """Put the shapes of the answers into the OpenAPI document."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        document = make()
        document.setdefault("components", {}).setdefault("schemas", {}).update(DESCRIPTIONS)
        return document

    app.openapi = openapi  # type: ignore[method-assign]
