"""The application on a socket: uvicorn, and a graceful stop."""

from __future__ import annotations

import gc
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from termfold.errors import TermfoldError

if TYPE_CHECKING:
    from fastapi import FastAPI

# Connections that may wait for the event loop to take them.
_BACKLOG = 2048
_IDLE_SECONDS = 75
# Beyond so many connections new ones are answered 503: each may hold a body in memory.
_CONNECTIONS = 1000


def serve(
    app: FastAPI,
    host: str = "127.0.0.1",
    port: int = 8765,
    *,
    grace_seconds: float = 10.0,
    ready: Callable[[str], None] = lambda url: None,
) -> None:
    """Serve an application until SIGINT or SIGTERM, and then answer what has been asked.

    Parameters
    ----------
    app : FastAPI
        Of ``create_app``.
    host : str
        Address to bind to. Others than this machine can reach any but a loopback address.
    port : int
        0 for any that is free.
    grace_seconds : float
        Requests that take longer to end are broken off.
    ready : callable
        Called with the address, once requests can be made.
    """
    import uvicorn

    with _bound(host, port) as listening:
        config = uvicorn.Config(
            app,
            backlog=_BACKLOG,
            limit_concurrency=_CONNECTIONS,
            timeout_keep_alive=_IDLE_SECONDS,
            timeout_graceful_shutdown=int(grace_seconds),
            # Who asks is told by the socket alone: a header can say anything.
            proxy_headers=False,
            server_header=False,
            access_log=False,
            log_config=None,
        )
        logging.getLogger("uvicorn").setLevel(logging.WARNING)
        # What is there now stays: the garbage collector need not walk through it while somebody
        # waits for an answer.
        gc.collect()
        gc.freeze()
        ready(_url(listening))
        with _signals_end_here():
            uvicorn.Server(config).run(sockets=[listening])


@contextmanager
def _bound(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise TermfoldError(
            f"cannot listen on {host}, port {port}: {error.strerror}; "
            "another --port is free for sure with 0"
        ) from error
    with listening:
        yield listening


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


@contextmanager
def _signals_end_here() -> Iterator[None]:
    """Uvicorn raises a signal again when it has stopped; by then it has done what it should."""
    before = {
        number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
