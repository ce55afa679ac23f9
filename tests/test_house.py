"""The package as a whole: what it exports, what it imports, and what it says of itself."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import termfold
from docs_tools import run_page

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


@pytest.mark.parametrize("name", [name for name in termfold.__all__ if name != "__version__"])
def test_every_public_name_is_there_and_documented(name):
    thing = getattr(termfold, name)
    assert inspect.getdoc(thing)
    assert name in dir(termfold)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = termfold.nothing


def _public_classes():
    found = [getattr(termfold, name) for name in termfold.__all__ if name != "__version__"]
    return [thing for thing in found if inspect.isclass(thing)]


@pytest.mark.parametrize("cls", _public_classes(), ids=lambda cls: cls.__name__)
def test_every_parameter_is_documented(cls):
    text = inspect.getdoc(cls) or ""
    section = text.partition("Parameters\n----------")[2].partition("\n\n    ")[0]
    for name in inspect.signature(cls).parameters:
        assert re.search(rf"\b{name}\b", section or text), f"{name} of {cls.__name__}"


OPTIONAL = [
    *("pandas", "polars", "duckdb", "datasets", "matplotlib", "pyspark"),
    *("fastapi", "starlette", "uvicorn", "orjson"),
]


def test_importing_loads_no_optional_package_and_little_else():
    code = (
        "import sys, termfold; "
        f"print([m for m in {[*OPTIONAL, 'sklearn', 'numba', 'pyarrow']} if m in sys.modules])"
    )
    assert _run(code) == "[]"


def test_every_module_imports_without_optional_packages():
    code = (
        "import sys, importlib, pkgutil\n"
        f"for name in {OPTIONAL}: sys.modules[name] = None\n"
        "import termfold\n"
        "for module in pkgutil.walk_packages(termfold.__path__, 'termfold.'):\n"
        "    if module.name == 'termfold.__main__': continue\n"
        "    try: importlib.import_module(module.name)\n"
        "    except ImportError as error:  # a class cannot be made without its base\n"
        "        assert 'pip install \\'termfold[' in str(error), module.name\n"
        "print('ok')"
    )
    assert _run(code) == "ok"


def _run(code: str) -> str:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_readme_s_examples_run(tmp_path, monkeypatch):
    """As they stand there, one after the other, on small files with the names they use."""
    monkeypatch.chdir(tmp_path)
    rows = [
        f'"invoice {i} was charged twice",billing\n"login {i} fails",access\n' for i in range(9)
    ]
    Path("tickets.csv").write_text("body,queue\n" + "".join(rows))
    Path("new.csv").write_text("body,customer\nmy login is gone,7\n")
    assert run_page(README) >= 12
    assert Path("routed.csv").read_text().startswith("customer,prediction,probability\n7,access,")


def test_links_between_pages_lead_somewhere():
    written = [page for page in (ROOT / "docs").rglob("*.md") if "api" not in page.parts]
    for page in [README, ROOT / "CONTRIBUTING.md", *sorted(written)]:
        for target in re.findall(r"\]\(([^)#:\s]+)[^):]*\)", page.read_text()):
            if target.startswith(("api/", "gallery/", "../gallery/")):
                continue  # made when the site is built, which checks such links itself
            assert (page.parent / target).exists(), f"{page.name}: {target}"
