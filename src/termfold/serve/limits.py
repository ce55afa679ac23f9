"""What one client may ask of the service."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Limits:
    """Bounds on size, rate and time; each has an answer of its own when it is reached.

    Parameters
    ----------
    body_bytes : int
        Largest body of a request; answer 413.
    texts : int
        Most texts in one request; answer 413.
    seconds : float
        To send the body (408), and to be answered (503).
    rate : float, optional
        Requests a second from one address, with as many saved up as for five seconds; answer
        429. None is no limit.
    waiting : int
        Requests that wait for a thread or have one; answer 503. Single short texts are answered
        at once and do not wait.
    """

    body_bytes: int = 16 << 20
    texts: int = 100_000
    seconds: float = 30.0
    rate: float | None = None
    waiting: int = 64

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and value <= 0:
                raise ValueError(f"{field.name}={value}; a limit is greater than zero")
