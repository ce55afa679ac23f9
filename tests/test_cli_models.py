"""fit, update, forget, inspect, explain, terms, audit and stats: options and output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from cli_tools import N_TEST, N_TRAIN, call, files
from termfold.classify import TextClassifier
from termfold.classify.weigh import EFFORTS, METHODS
from termfold.cli import demo, learning
from termfold.evaluate.compare import COUNTED
from termfold.terms.analyzer import Unit


def test_choices_are_those_of_the_library() -> None:
    assert learning.METHODS == METHODS
    assert learning.EFFORTS == EFFORTS
    assert learning.COUNTED == COUNTED
    help_text = call("fit", "--help").out
    assert f"[{'|'.join(get_args(Unit))}]" in help_text


def test_options_reach_the_classifier(tmp_path: Path) -> None:
    path = tmp_path / "m.termfold"
    result = call(
        "fit", files().train, "-o", path, "--method", "ocfs", "--effort", "head", "--n-terms",
        "300", "-C", "2", "--min-df", "2", "--precision", "float32", "--ngrams", "1-2", "--json",
    )  # fmt: skip
    summary = result.json()
    assert summary["terms"] == 300
    assert summary["bytes"] == path.stat().st_size
    model = TextClassifier.load(path).model_
    assert model.analyzer.ngram_range == (1, 2)
    assert model.weights.dtype == "float32"
    assert model.about["method"] == "ocfs"


def test_the_size_of_a_model(tmp_path: Path) -> None:
    path = tmp_path / "m.termfold"
    result = call("fit", files().train, "-o", path, "--max-bytes", "30k")
    assert result.code == 0
    assert path.stat().st_size <= 30_000
    assert "terms for --max-bytes" in result.err


def test_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    """As people see it, with less of it; a test of the program runs all."""
    monkeypatch.setattr(demo, "METHODS", ("ocfs", "chi2", "df"))
    monkeypatch.setattr(demo, "DIMENSIONS", (10, 100))
    result = call("demo")
    assert result.code == 0, result.err
    lines = result.out.splitlines()
    assert "micro-F1 of a linear SVM, test split" in lines[0]
    f1 = {words[1]: words[3::2] for line in lines if len(words := line.split()) > 8}
    assert float(f1["chi2"][0]) > float(f1["df"][0])
    assert float(f1["chi2"][1]) > float(f1["chi2"][0])
    [sound] = [line for line in lines if "│ sound " in line]
    assert "audio" in sound
    assert result.err.endswith("Now your own: termfold fit --help\n")


def test_method_auto(tmp_path: Path) -> None:
    path = tmp_path / "m.termfold"
    result = call("fit", files().train, "-o", path, "--method", "auto", "--seconds", "0.01")
    assert result.code == 0, result.err
    assert TextClassifier.load(path).model_.about["tried"]


@pytest.mark.parametrize(
    ("given", "size"), [("500000", 500_000), ("500k", 500_000), ("2M", 2_000_000), ("none", None)]
)
def test_sizes(given: str, size: int | None) -> None:
    context, option = None, None
    assert learning.size_of(context, option, given) == size  # type: ignore[arg-type]


def test_update_can_write_elsewhere(tmp_path: Path) -> None:
    before = files().updatable.read_bytes()
    path = tmp_path / "more.termfold"
    result = call("update", files().updatable, files().test, "-o", path)
    assert result.code == 0, result.err
    assert f"{N_TRAIN + N_TEST:,} in 12 classes" in result.err
    assert files().updatable.read_bytes() == before


@pytest.mark.parametrize("command", ["update", "forget"])
def test_a_model_that_keeps_no_texts(command: str) -> None:
    result = call(command, files().model, files().test)
    assert result.code == 1
    assert "termfold fit --updatable" in result.err


def test_what_was_never_learnt_cannot_be_forgotten() -> None:
    result = call("forget", files().updatable, files().test)
    assert result.code == 1
    assert "was never learnt with '" in result.err


def test_inspect() -> None:
    model = call("inspect", files().model, "--json").json()
    assert model["documents"] == N_TRAIN
    assert model["n_classes"] == 12
    assert sum(one["documents"] for one in model["classes"]) == N_TRAIN
    assert model["updatable"] is False
    assert call("inspect", files().updatable, "--json").json()["updatable"] is True
    counts = call("inspect", files().counts, "--json").json()
    assert counts["kind"] == "counts"
    assert counts["documents"] == N_TRAIN
    assert counts["content_hash"] == call("stats", "show", files().counts, "--json").json()[
        "content_hash"
    ]  # fmt: skip
    assert "min_length 2" in call("inspect", files().model).out


def test_explain() -> None:
    told = call("explain", files().model, "-", "--json", stdin=b"a font viewer").json()
    assert told["predicted"] == ["fonts"]
    assert told == call("explain", files().model, "a font viewer", "--json").json()
    assert "terms for and against sound" in call(
        "explain", files().model, "a font viewer", "--class", "sound"
    ).out  # fmt: skip
    assert "what makes sound" in call("explain", files().model, "--class", "sound").out
    of_class = call("explain", files().model, "--class", "sound", "--top", "3", "--json").json()
    assert of_class["class"] == "sound"
    assert len(of_class["terms"]) == 3
    assert "[/red]" in call("explain", files().model, "a [/red] font").out


def test_terms_of_a_model() -> None:
    rows = call("terms", files().model, "--class", "fonts", "--top", "2", "--json").json()
    assert [row["class"] for row in rows] == ["fonts"] * 2
    assert rows[0]["term"] == "font"
    assert rows[0]["lead"] == pytest.approx(rows[0]["weight"] - rows[0]["elsewhere"])


def test_terms_of_a_corpus_are_those_of_its_counts() -> None:
    args = ("--score", "log_rr", "--min-df", "5", "--json")
    of_corpus = call("terms", files().train, *args).json()
    assert of_corpus == call("terms", files().counts, *args).json()


def test_audit() -> None:
    rows = call("audit", files().train, "--top", "2", "--json").json()
    texts = files().train.read_text()
    for row in rows:
        assert row["source"] == str(files().train)
        assert row["text"].splitlines()[0] in texts
        assert row["label"] != row["suggested"]
    everything = call("audit", files().train, "--all", "--as", "csv").rows()
    assert len(everything) > 20
    assert call("audit", files().tagged, "--top", "2", "--json").code == 0


def test_stats_say_what_they_wrote(tmp_path: Path) -> None:
    path = tmp_path / "c.counts"
    summary = call("stats", "count", files().test, "-o", path, "--json").json()
    assert summary["documents"] == N_TEST
    assert summary == call("stats", "show", path, "--json").json()
    # On one line, also where that is wider than the table.
    assert call("stats", "show", path).out.startswith(f"{path}: TermStats({N_TEST} documents, ")
    both = call("stats", "merge", path, files().counts, "-o", path, "--json").json()
    assert both["documents"] == N_TRAIN + N_TEST


def test_brackets_in_names_are_no_markup(tmp_path: Path) -> None:
    path = tmp_path / "b.csv"
    path.write_text("text,label\none two,[red]\nthree four,[/red]\n" * 5)
    counts = tmp_path / "[bold].counts"
    result = call("stats", "count", path, "-o", counts)
    assert "[bold].counts" in result.err
    assert "[/red]" in call("terms", counts).out


def test_several_labels_in_a_field(tmp_path: Path) -> None:
    path = tmp_path / "tags.csv"
    path.write_text("text,label\none two,a|b\nthree four,b\nfive six,\n" * 5)
    args = ("fit", path, "--label-separator", "|", "-o", tmp_path / "m", "--json")
    assert call(*args).json()["multilabel"] is True
    rows = [json.dumps({"text": text, "label": "x"}) for text in ("one", "two")]
    lists = tmp_path / "late.jsonl"
    lists.write_text("\n".join([*rows, '{"text": "three", "label": ["x", "y"]}\n']))
    result = call("fit", lists, "-o", tmp_path / "m")
    assert result.code == 1
    assert "Say --multilabel if" in result.err
    assert call("fit", lists, "-o", tmp_path / "m", "--multilabel").code == 0
