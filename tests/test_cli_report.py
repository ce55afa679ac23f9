"""``termfold report`` as a user runs it."""

from __future__ import annotations

import json

import pytest

from cli_tools import call, files
from report_tools import Page
from termfold import TextClassifier
from termfold.evaluate import read_documents


def _json(tmp_path, *arguments):
    path = tmp_path / "report.json"
    result = call("report", *arguments, "-o", path)
    assert result.code == 0, result.err
    return json.loads(path.read_text()), result


def test_a_corpus(tmp_path):
    path = tmp_path / "report.html"
    result = call("report", files().train, "-o", path, "--max-shown", "100", "--title", "Packages")
    assert result.code == 0, result.err
    assert result.out == ""
    assert f"{path}:" in result.err
    summary = Page(path.read_text()).data()
    assert summary["title"] == "Packages"
    assert summary["corpus"]["documents"] == 900
    assert 90 <= len(summary["map"]["documents"]) <= 200
    assert set(summary) >= {"metrics", "between", "curve", "audit"}


def test_a_model_labels_the_texts(tmp_path):
    summary, _ = _json(tmp_path, files().test, "--model", files().model)
    documents = read_documents(files().test)
    expected = TextClassifier.load(files().model).score(documents.texts, documents.labels)
    assert summary["metrics"]["accuracy"] == pytest.approx(expected)
    assert summary["title"] == "test.csv"
    assert summary["scores"][0]["name"] == "weight"


def test_other_texts_are_labelled(tmp_path):
    summary, _ = _json(tmp_path, files().train, "--test", files().test, "--effort", "rule")
    assert summary["metrics"]["documents"] == 300
    assert summary["corpus"]["documents"] == 900
    assert "rule" in summary["metrics"]["how"]


def test_a_count_file(tmp_path):
    summary, _ = _json(tmp_path, files().counts, "--top", "3")
    assert "metrics" not in summary
    assert all(len(best) <= 3 for c in summary["classes"] for best in c["best"].values())


def test_several_labels(tmp_path):
    path = tmp_path / "tagged.md"
    result = call("report", files().tagged, "-o", path)
    assert result.code == 0, result.err
    assert "Micro F1 against the number of terms" in path.read_text()


def test_rows_left_out_are_told(tmp_path):
    corpus = tmp_path / "c.csv"
    rows = "".join(f"goal match {i},sport\nbank rate {i},trade\n" for i in range(6))
    corpus.write_text(f"text,label\n{rows}no label,\n")
    summary, result = _json(tmp_path, corpus, "--on-error", "skip")
    assert "left out 1 row" in result.err
    assert summary["corpus"]["documents"] == 12


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (lambda f: (f.train, "-o", f.folder / "r.pdf"), 2, ".html, .md or .json"),
        (lambda f: (f.model, "-o", f.folder / "r.html"), 2, "--model"),
        (lambda f: (f.counts, "--model", f.model, "-o", f.folder / "r.md"), 2, "no texts to label"),
        (lambda f: (f.folder / "absent.csv", "-o", f.folder / "r.md"), 1, "absent.csv"),
        (lambda f: (f.train, "--label", "section", "-o", f.folder / "r.md"), 1, "section"),
        (lambda f: (f.train, "-o", f.folder / "none" / "r.md"), 2, "make it first"),
    ],
)
def test_errors_are_one_line_with_a_remedy(arguments, code, message):
    result = call("report", *arguments(files()))
    assert result.code == code
    assert message in result.err
    assert "Traceback" not in result.err
    assert not [file for file in files().folder.iterdir() if file.name.startswith((".r.", "r."))]
