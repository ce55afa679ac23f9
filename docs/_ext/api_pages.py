"""Writes the pages of the API reference: one for each public module, from its own names.

Nothing is listed by hand, so a name that is made public is documented, and one that is taken away
is gone.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

import termfold

# The command line has a page of its own; the module of the program has no names.
NOT_FOR_IMPORT = {"cli"}

INDEX = """\
# API

All that is needed daily can be imported from `termfold` itself:

{names}

```{{toctree}}
:maxdepth: 1

{modules}
```
"""

MODULE = """\
{title}
{line}

.. module:: {module}
   :no-index:

{about}

.. currentmodule:: {module}

.. autosummary::
   :toctree: names
   :nosignatures:

{names}
{values}"""

VALUES = """
Names of values
---------------

{rows}
"""


def public_modules() -> list[ModuleType]:
    """The modules right below ``termfold`` that have public names."""
    found = [
        importlib.import_module(f"termfold.{entry.name}")
        for entry in pkgutil.iter_modules(termfold.__path__)
        if not entry.name.startswith("_") and entry.name not in NOT_FOR_IMPORT
    ]
    return [module for module in found if public_names(module)]


def public_names(module: ModuleType) -> list[str]:
    """What a module offers: ``__all__``, or the functions and classes that are its own."""
    names = getattr(module, "__all__", None)
    if names is None:
        names = [name for name, thing in vars(module).items() if _is_own(thing, module)]
    return sorted((name for name in names if not name.startswith("_")), key=str.lower)


class Missing(str):
    """In the place of what needs an optional package that is not there: what it says of that."""


def thing_of(module: ModuleType, name: str) -> Any:
    """What a name stands for."""
    try:
        return getattr(module, name)
    except ImportError as error:
        return Missing(error)


def _is_own(thing: Any, module: ModuleType) -> bool:
    ours = getattr(thing, "__module__", None) == module.__name__
    return ours and (inspect.isclass(thing) or inspect.isfunction(thing))


def home_of(name: str) -> str:
    """Where a name of ``termfold`` itself is documented."""
    return termfold._HOMES[name]


def pages() -> Iterator[tuple[str, str]]:
    """Names of files and what goes into them."""
    modules = public_modules()
    top = sorted((name for name in termfold._HOMES), key=str.lower)
    rows = "\n".join(f"- {{py:obj}}`~{home_of(name)}.{name}`: {_summary(name)}" for name in top)
    names = "\n".join(module.__name__ for module in modules)
    yield "index.md", INDEX.format(names=rows, modules=names)
    for module in modules:
        title = module.__name__
        names = public_names(module)
        found = {name: thing_of(module, name) for name in names}
        things = [name for name, thing in found.items() if _is_described(thing)]
        values = [_value(name, thing) for name, thing in found.items() if name not in things]
        yield (
            f"{title}.rst",
            MODULE.format(
                title=title,
                line="=" * len(title),
                module=title,
                about=inspect.getdoc(module) or "",
                names="\n".join(f"   {name}" for name in things),
                values=VALUES.format(rows="\n".join(values)) if values else "",
            ),
        )


def _is_described(thing: Any) -> bool:
    return inspect.isclass(thing) or inspect.isroutine(thing)


def _value(name: str, thing: Any) -> str:
    """A constant or the name of a type: what it stands for, if that can be read."""
    if isinstance(thing, Missing):
        return f".. py:data:: {name}\n\n   {thing}\n"
    text = re.sub(r"typing\.|termfold\.\w+\.(\w+\.)*|collections\.abc\.", "", repr(thing))
    text = f"one for each of {', '.join(thing)}" if isinstance(thing, Mapping) else text
    return f".. py:data:: {name}\n" + (f"\n   ``{text}``\n" if len(text) < 400 else "")


def _summary(name: str) -> str:
    documentation = inspect.getdoc(getattr(termfold, name)) or ""
    return documentation.splitlines()[0].removesuffix(".")


def write(app: Sphinx, config: Config) -> None:
    folder = Path(app.srcdir) / "api"
    folder.mkdir(exist_ok=True)
    # Named one by one: by itself autosummary knows the pages of the last build only.
    config.autosummary_generate = []
    for name, text in pages():
        if name.endswith(".rst"):
            config.autosummary_generate.append(f"api/{name}")
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def only_ours(
    app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: object
) -> bool | None:
    """Leave out what classes inherit from others: scikit-learn documents its own."""
    thing = thing.fget if isinstance(thing, property) else thing
    home = getattr(inspect.unwrap(thing) if callable(thing) else thing, "__module__", None)
    if what == "class" and home is not None and not home.startswith("termfold"):
        return True
    return None


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("config-inited", write)
    app.connect("autodoc-skip-member", only_ours)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
