"""A page and an HTTP service over a model or a count file."""

from typing import TYPE_CHECKING

from termfold._lazy import lazily

if TYPE_CHECKING:
    from termfold.serve.app import create_app as create_app
    from termfold.serve.limits import Limits as Limits
    from termfold.serve.run import serve as serve

_HOMES = {
    "create_app": "termfold.serve.app",
    "Limits": "termfold.serve.limits",
    "serve": "termfold.serve.run",
}

__all__ = ["Limits", "create_app", "serve"]

__getattr__ = lazily(__name__, _HOMES)
