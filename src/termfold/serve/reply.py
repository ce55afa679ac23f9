"""What goes back to a client: an answer, or the reason why there is none."""

from __future__ import annotations

from typing import Any, NamedTuple

JSON = "application/json"


class Reply(NamedTuple):
    """An answer as bytes."""

    body: bytes
    media: str = JSON
    status: int = 200


class RefusalError(Exception):
    """A request that cannot be served, with the status and a sentence that say why."""

    def __init__(self, status: int, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def reply(self) -> Reply:
        """The sentence, in the form that all errors of the service have."""
        return as_json({"detail": self.detail}, self.status)


def as_json(value: Any, status: int = 200) -> Reply:
    """Plain values, and NumPy arrays, as JSON."""
    import orjson

    return Reply(orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY), JSON, status)
