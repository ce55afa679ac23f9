"""The studies: pages follow from the results, quick runs work, only public names are used."""

from __future__ import annotations

import ast
import importlib
import json
import re
import sys
from pathlib import Path

import pytest

import termfold_studies
from cli_tools import call
from termfold_studies.common.index import index
from termfold_studies.common.rows import Rows, pack, read_rows, unpack
from termfold_studies.common.study import NAMES, report

ROOT = Path(__file__).parents[1]
RESULTS, PAGES = ROOT / "studies" / "results", ROOT / "docs" / "studies"
PUBLISHED = [name for name in NAMES if (RESULTS / f"{name}.jsonl").exists()]
MAX_RESULTS, MAX_FIGURE = 1_500_000, 300_000


# -- pages ------------------------------------------------------------------------------------


def test_all_studies_have_results():
    assert list(NAMES) == PUBLISHED
    assert max(path.stat().st_size for path in RESULTS.glob("*.jsonl")) < MAX_RESULTS


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_page_and_its_tables_follow_from_the_results(name):
    made = report(name, RESULTS / f"{name}.jsonl")
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert page == made.text, f"run: termfold study {name} --no-run"
    assert made.claims
    for claim in made.claims:
        assert claim.said in page
        assert claim.found in page


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_figures_of_a_page_are_there_and_small(name):
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    shown = re.findall(r"\]\((figures/[^)]+)\)", page)
    assert shown
    for figure in shown:
        assert 1000 < (PAGES / figure).stat().st_size < MAX_FIGURE


def test_the_index_follows_from_the_results():
    page = (PAGES / "index.md").read_text(encoding="utf-8")
    assert page == index(RESULTS), "run: termfold study ocfs --no-run"


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_row_says_what_it_is_of_and_what_it_ran_on(name):
    for line in (RESULTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        assert {"what", "collection"} <= row["key"].keys() or name == "projection"
        assert {"when", "wall", "cpu", "versions"} <= row["run"].keys()


# -- runs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_quick_run_measures_once_and_writes_a_page(name, tmp_path):
    folders = ("--results", tmp_path / "results", "--pages", tmp_path / "pages")
    done = call("study", name, "--quick", *folders)
    assert done.code == 0, done.err
    assert "confirmed" in done.out
    results = tmp_path / "results" / f"{name}-quick.jsonl"
    first = results.read_text(encoding="utf-8")
    page = tmp_path / "pages" / "quick" / f"{name}.md"
    assert "## What holds" in page.read_text() or name == "beyond"
    figures = {path: path.read_bytes() for path in page.parent.glob("figures/*.svg")}
    assert figures

    again = call("study", name, "--quick", *folders)
    assert again.code == 0, again.err
    assert results.read_text(encoding="utf-8") == first, "nothing is measured twice"
    assert {path: path.read_bytes() for path in figures} == figures, "figures are the same bytes"


def test_a_page_without_results_is_an_error(tmp_path):
    done = call("study", "ocfs", "--no-run", "--results", tmp_path, "--pages", tmp_path)
    assert done.code == 1
    assert "no results of the study ocfs" in done.err


def test_a_full_run_without_the_collections_says_where_they_are_looked_for(tmp_path, monkeypatch):
    monkeypatch.delenv("TERMFOLD_DATA", raising=False)
    done = call("study", "fedip", "--results", tmp_path, "--pages", tmp_path)
    assert done.code == 1
    assert "TERMFOLD_DATA" in done.err


def test_without_matplotlib_nothing_is_measured(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = call("study", "ocfs", "--quick", "--results", tmp_path, "--pages", tmp_path)
    assert done.code == 1
    assert "pip install 'termfold[study]'" in done.err
    assert not list(tmp_path.iterdir())


# -- rows -------------------------------------------------------------------------------------


def test_a_measurement_is_made_once(tmp_path):
    path = tmp_path / "new" / "rows.jsonl"
    key = {"what": "f1", "seed": 0}
    Rows(path).measure(key, lambda: {"f1": 0.5})
    Rows(path).measure(key, lambda: pytest.fail("measured again"))
    Rows(path).measure({"seed": 1, "what": "f1"}, lambda: {"f1": 0.25})
    assert [row["f1"] for row in read_rows(path)] == [0.5, 0.25]
    assert not Rows(path).lacks(seed=0, what="f1")


def test_a_cut_line_is_named(tmp_path):
    path = tmp_path / "rows.jsonl"
    Rows(path).measure({"what": "f1"}, lambda: {"f1": 0.5})
    path.write_text(path.read_text() + '{"key": {"wh')
    with pytest.raises(ValueError, match=r"rows\.jsonl, line 2: .* delete the line"):
        Rows(path)


@pytest.mark.parametrize("numbers", [[], [True, False, True], [0, 3, 255], [False] * 9])
def test_packed_numbers_come_back(numbers):
    assert unpack(pack(numbers)).tolist() == [int(n) for n in numbers]


# -- the house --------------------------------------------------------------------------------


def _imports():
    for path in sorted(Path(next(iter(termfold_studies.__path__))).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield path, node.module, [alias.name for alias in node.names]
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    yield path, alias.name, []


def test_the_studies_use_public_names_only():
    checked = 0
    for path, module, names in _imports():
        if module.split(".")[0] != "termfold":
            continue
        public = importlib.import_module(module)
        assert module == "termfold" or module.count(".") == 1, f"{path.name}: {module}"
        for name in names:
            assert not name.startswith("_")
            listed = getattr(public, "__all__", None)
            assert name in (listed if listed is not None else vars(public)), f"{path.name}: {name}"
            checked += 1
    assert checked > 30
