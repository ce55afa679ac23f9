"""What is written of a summary: JSON, Markdown, and the page as a text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from report_tools import (
    HOSTILE,
    Page,
    corpus,
    debian_report,
    hostile_corpus,
    scripts_of_the_world,
    source_of,
    table_widths,
)
from termfold import collect
from termfold.datasets import load_debian
from termfold.report import Report, make_report
from termfold.report.terms import without_rare

TRAIN = load_debian("train")


@pytest.fixture(scope="module")
def summary():
    return debian_report().summary


def test_json_is_the_summary(summary):
    assert json.loads(debian_report().to_json()) == summary


def test_the_page_may_run_its_own_script_only():
    page = Page(debian_report().to_html())
    policy = page.policy()
    assert policy["default-src"] == "'none'"
    data, script = page.blocks["script"]
    assert policy["script-src"] == source_of(script)
    assert policy["style-src"] == source_of(page.blocks["style"][0])
    assert policy["base-uri"] == policy["form-action"] == "'none'"
    assert json.loads(data)["title"] == "Debian packages"
    for _, attributes in page.tags:
        assert not {name for name in attributes if name.startswith("on") or name == "style"}
        assert not {"src", "href"} & set(attributes)


def test_hostile_names_and_texts_are_data_only():
    report = make_report(*hostile_corpus(), title=HOSTILE[0])
    page = Page(report.to_html())
    assert [tag for tag, _ in page.tags if tag in ("script", "img", "iframe", "svg")] == [
        "script",
        "script",
    ]
    names = [of_class["name"] for of_class in page.data()["classes"]]
    assert set(names) == set(HOSTILE)
    for character in "<>&":
        assert character not in page.blocks["script"][0]
    markdown = report.to_markdown()
    assert "<" not in markdown
    assert all(len(widths) == 1 for widths in table_widths(markdown))


def test_half_a_surrogate_pair_is_replaced():
    summary = collect(["a tea", "a war"], labels=["x", "y"]).report(title="\ud800").summary
    assert "?" in Page(Report(summary).to_html()).data()["title"]


@pytest.mark.parametrize("n_classes", [2, 60])
def test_any_number_of_classes(n_classes):
    report = make_report(*corpus(n_classes, 8))
    assert len(report.summary["classes"]) == n_classes
    assert len(report.to_html()) < 2_000_000
    assert all(len(widths) == 1 for widths in table_widths(report.to_markdown()))


def test_of_hundreds_of_classes_some_are_compared():
    texts, labels = corpus(230, 4)
    report = make_report(texts, labels)
    between = report.summary["between"]
    assert len(between["classes"]) == len(between["counts"]) == len(between["order"]) == 100
    assert len(report.summary["map"]["documents"]) <= 240_000 // 230 + 230 * 8
    assert len(report.to_html()) < 3_000_000
    found = make_report(*corpus(4, 30, words=10)).summary["between"]
    counts = np.array(found["counts"])
    assert found["totals"] == counts.sum(axis=1).tolist()
    assert found["classes"] == [0, 1, 2, 3]


def test_tables_of_many_classes_leave_out_the_rarest_terms(monkeypatch):
    stats = collect(TRAIN)
    assert without_rare(stats)[1] == 3
    monkeypatch.setattr("termfold.report.terms._CELLS", 12 * 1000)
    shown, min_df = without_rare(stats)
    assert shown.n_terms <= 1000
    assert shown.n_terms == np.count_nonzero(stats.term_df >= min_df)


def test_any_script():
    report = make_report(*scripts_of_the_world())
    page = Page(report.to_html()).data()
    assert {of_class["name"] for of_class in page["classes"]} == set(scripts_of_the_world()[1])
    assert "足球" in report.to_markdown()


def test_twenty_classes_with_long_chinese_texts_are_less_than_two_megabytes():
    texts, labels = corpus(20, 110)
    texts = [f"{text} {'冠军联赛足球比赛新闻' * 30}" for text in texts]
    assert len(make_report(texts, labels).to_html().encode()) < 2_000_000


@pytest.mark.parametrize("suffix", [".html", ".md", ".json"])
def test_saving(tmp_path, suffix):
    report = collect(["a tea", "a war"], labels=["x", "y"]).report()
    path = tmp_path / f"report{suffix}"
    report.save(path)
    forms = {".html": report.to_html, ".md": report.to_markdown, ".json": report.to_json}
    assert path.read_text(encoding="utf-8") == forms[suffix]()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_an_unknown_form_is_told(tmp_path):
    report = collect(["a tea", "a war"], labels=["x", "y"]).report()
    with pytest.raises(ValueError, match=r"\.html, \.md or \.json"):
        report.save(tmp_path / "report.pdf")


def test_a_notebook_shows_the_page_in_a_frame_that_is_shut_off():
    report = make_report(*hostile_corpus())
    [(tag, attributes)] = Page(report._repr_html_()).tags
    assert tag == "iframe"
    assert attributes["sandbox"] == "allow-scripts"
    assert attributes["srcdoc"] == report.to_html()


def test_the_page_of_the_documentation_runs(tmp_path, monkeypatch):
    """The examples of docs/report.md, as they stand there."""
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[1] / "docs" / "report.md").read_text(encoding="utf-8")
    scope: dict[str, object] = {}
    for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(example, "docs/report.md", "exec"), scope)
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {"packages.html", "counts.html", "two-classes.png"}
