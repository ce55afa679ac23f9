"""The page and its files, which are read once: no path of a request ever reaches the disk."""

from __future__ import annotations

import hashlib
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

_MEDIA = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class Asset(NamedTuple):
    """A file of the page."""

    content: bytes
    media: str
    etag: str


def assets() -> dict[str, Asset]:
    """The page's files by the paths at which they are served."""
    found = {}
    for file in resources.files("termfold.serve").joinpath("assets").iterdir():
        content = file.read_bytes()
        media = _MEDIA.get(file.name.rpartition(".")[2])
        if media is None:
            continue
        path = "/" if file.name == "index.html" else f"/assets/{file.name}"
        found[path] = Asset(content, media, f'"{hashlib.sha256(content).hexdigest()[:32]}"')
    return found


def add_page(app: FastAPI, files: dict[str, Asset]) -> None:
    """Add a route for each file."""
    for path, asset in files.items():
        app.add_route(path, _shows(asset), methods=["GET"], include_in_schema=False)


def _shows(asset: Asset) -> Callable[[Request], Awaitable[Response]]:
    from starlette.responses import Response

    headers = {"etag": asset.etag, "cache-control": "no-cache"}

    async def show(request: Request) -> Response:
        if request.headers.get("if-none-match") == asset.etag:
            return Response(status_code=304, headers=headers)
        return Response(asset.content, media_type=asset.media, headers=headers)

    return show
