"""The application: FastAPI's routes over the service, for any ASGI server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from termfold._version import __version__
from termfold.errors import TermfoldError
from termfold.serve.documents import LabelledDocuments
from termfold.serve.guard import Guard
from termfold.serve.holder import Holder
from termfold.serve.limits import Limits
from termfold.serve.service import Service

if TYPE_CHECKING:
    from fastapi import FastAPI

    from termfold.terms.analyzer import Analyzer

#: Names of this machine for itself.
LOCAL = ("127.0.0.1", "localhost", "[::1]")


def create_app(
    source: Any,
    *,
    name: str = "in memory",
    corpus: Any = None,
    limits: Limits | None = None,
    token: str | None = None,
    hosts: Collection[str] | None = LOCAL,
    reload_seconds: float | None = 1.0,
    n_jobs: int | None = -1,
    **reading: Any,
) -> FastAPI:
    """Make the web application that serves a model or counts; see ``docs/serve.md``.

    Parameters
    ----------
    source : path, TextClassifier, TermModel or TermStats
        A file is watched, and exchanged when it is replaced.
    name : str
        What the page calls a source that has no file.
    corpus : anything ``open_corpus`` reads, optional
        Labelled documents, kept in memory: examples of terms, and the accuracy to expect.
    limits : Limits, optional
    token : str, optional
        Asked of every request to the API.
    hosts : collection of str, optional
        Names by which the service may be asked for, None for any.
    reload_seconds : float, optional
        How often the file is looked at; None for never.
    n_jobs : int or None, default=-1
        Threads.
    **reading
        Passed on to ``open_corpus`` with the corpus.

    Examples
    --------
    >>> from fastapi.testclient import TestClient
    >>> from termfold import collect
    >>> counts = collect(["cheap pills", "lunch at ten"], labels=["spam", "ham"])
    >>> client = TestClient(create_app(counts, hosts=None))
    >>> client.post("/api/classify", json={"text": "cheap lunch, cheap pills"}).json()["predicted"]
    ['spam']
    """
    needed()
    from fastapi import FastAPI
    from fastapi.middleware import Middleware

    from termfold.serve.api import add_api
    from termfold.serve.page import add_page, assets

    def read(analyzer: Analyzer) -> LabelledDocuments:
        return LabelledDocuments.read(corpus, analyzer, **reading)

    limits = limits or Limits()
    service = Service(Holder.open(source, name, None if corpus is None else read), limits, n_jobs)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(_watch(service, reload_seconds))
        yield
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        service.close()

    files = assets()
    guard = Middleware(
        Guard,
        limits=limits,
        metrics=service.metrics,
        token=token,
        open_paths=["/health", "/openapi.json", *files],
        hosts=hosts,
    )
    app = FastAPI(
        title="termfold",
        version=__version__,
        summary="Classify texts, and look at the terms that decide.",
        # Its pages of documentation load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        middleware=[guard],
    )
    app.state.service = service
    add_api(app, service)
    add_page(app, files)
    return app


def needed() -> None:
    """Say which extra to install where the packages of the service are missing."""
    try:
        import fastapi  # noqa: F401
        import orjson  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise TermfoldError(
            f"the service needs the package {error.name}: pip install 'termfold[serve]'"
        ) from error


async def _watch(service: Service, every: float | None) -> None:
    if every is not None:
        await service.holder.watch(
            every, lambda result: service.metrics.count("reloads_total", result=result)
        )
