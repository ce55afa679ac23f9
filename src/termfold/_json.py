"""Reading JSON that strangers wrote."""

from __future__ import annotations

import json
from typing import Any


def parse_json(content: str | bytes) -> Any:
    """Parse JSON; whatever is wrong with it is a ValueError.

    Examples
    --------
    >>> parse_json('{"a": 1}')
    {'a': 1}
    >>> parse_json("[" * 1_000_000)
    Traceback (most recent call last):
        ...
    ValueError: brackets are nested too deeply
    """
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None
