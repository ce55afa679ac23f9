"""What stands before every request: who may ask, how much, how often and how long.

An ASGI middleware of its own, since Starlette's for functions costs as much as an answer.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any, TypeAlias

from termfold.serve.limits import Limits
from termfold.serve.metrics import Metrics
from termfold.serve.reply import RefusalError, Reply

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]

#: A page of ours loads nothing from elsewhere and runs no script but ours; no text becomes markup.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
# Requests that one address may save up, in seconds of its rate.
_BURST = 5.0
_ADDRESSES_KEPT = 10_000


class Guard:
    """Checks requests, counts answers, and adds the headers that a browser heeds.

    Parameters
    ----------
    app : ASGI application
    limits : Limits
    metrics : Metrics
    token : str, optional
        Asked of all requests but those for the page, its files and the health.
    open_paths : collection of str
        Those that need no token.
    hosts : collection of str, optional
        Names by which the service may be asked for. Without this check a page from elsewhere
        could reach a service on this machine by having its own name resolve to it.
    """

    def __init__(
        self,
        app: App,
        *,
        limits: Limits,
        metrics: Metrics,
        token: str | None,
        open_paths: Collection[str],
        hosts: Collection[str] | None,
    ) -> None:
        self._app = app
        self._limits = limits
        self._metrics = metrics
        self._token = None if token is None else token.encode()
        self._open_paths = frozenset(open_paths)
        self._hosts = None if hosts is None else frozenset(hosts)
        self._rates = None if limits.rate is None else Rates(limits.rate)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Let a request through, or answer why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        self._metrics.in_flight += 1
        try:
            self._check(scope)
            await self._app(scope, _Bounded(receive, self._limits).receive, answer)
        except RefusalError as refusal:
            await _send(refusal.reply(), refusal.headers, answer)
        finally:
            self._metrics.in_flight -= 1
            route = getattr(scope.get("route"), "path", "other")
            seconds = time.perf_counter() - began
            self._metrics.answered(route, scope["method"], status, seconds)

    def _check(self, scope: Message) -> None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if self._hosts is not None and _without_port(host) not in self._hosts:
            raise RefusalError(
                421, f"this service is not called {_without_port(host)!r}; see --allow-host"
            )
        if self._rates is not None:
            client = scope.get("client") or ("", 0)
            wait = self._rates.wait(client[0], time.monotonic())
            if wait > 0:
                raise RefusalError(429, "too many requests", Retry_After=str(1 + int(wait)))
        if self._token is not None and scope["path"] not in self._open_paths:
            given = headers.get(b"authorization", b"")
            if not hmac.compare_digest(given, b"Bearer " + self._token):
                raise RefusalError(
                    401,
                    "a token is needed: Authorization: Bearer TOKEN",
                    WWW_Authenticate='Bearer realm="termfold"',
                )
        size = headers.get(b"content-length", b"0")
        if size.isdigit() and int(size) > self._limits.body_bytes:
            raise _too_large(self._limits)


class Rates:
    """How often each address has asked: a bucket for each, refilled at a steady rate.

    Examples
    --------
    >>> rates = Rates(per_second=1)
    >>> [rates.wait("::1", now=0.0) for _ in range(6)]
    [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    >>> rates.wait("::1", now=1.0)
    0.0
    """

    def __init__(self, per_second: float) -> None:
        self._rate = per_second
        self._full = max(1.0, _BURST * per_second)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str, now: float) -> float:
        """Seconds until the address may ask again; 0 if it may now, which is then counted."""
        left, last = self._buckets.pop(address, (self._full, now))
        left = min(self._full, left + (now - last) * self._rate)
        allowed = left >= 1
        self._buckets[address] = (left - 1 if allowed else left, now)
        while len(self._buckets) > _ADDRESSES_KEPT:  # the one that has not asked for longest
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._rate


class _Bounded:
    """The body of a request, which may be neither too large nor too long on its way."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        self._receive = receive
        self._limits = limits
        self._size = 0
        self._until: float | None = None
        self._complete = False

    async def receive(self) -> Message:
        if self._complete:  # what comes now is the end of the connection, at any time
            return await self._receive()
        if self._until is None:
            self._until = asyncio.get_running_loop().time() + self._limits.seconds
        try:
            async with asyncio.timeout_at(self._until):  # unlike wait_for, without a task
                message = await self._receive()
        except TimeoutError:
            raise RefusalError(
                408,
                f"the body was not here in {self._limits.seconds:g} seconds",
                Connection="close",
            ) from None
        self._size += len(message.get("body", b""))
        if self._size > self._limits.body_bytes:
            raise _too_large(self._limits)
        self._complete = not message.get("more_body", False)
        return message


def _too_large(limits: Limits) -> RefusalError:
    return RefusalError(
        413, f"a body has up to {limits.body_bytes:,} bytes: send it in parts", Connection="close"
    )


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


async def _send(reply: Reply, headers: MutableMapping[str, str], send: Send) -> None:
    pairs = [
        (b"content-type", reply.media.encode()),
        (b"content-length", str(len(reply.body)).encode()),
        *((name.lower().encode(), value.encode()) for name, value in headers.items()),
    ]
    await send({"type": "http.response.start", "status": reply.status, "headers": pairs})
    await send({"type": "http.response.body", "body": reply.body})
