"""evaluate and compare on the command line."""

from __future__ import annotations

import pytest

from cli_tools import N_TEST, N_TRAIN, call, files


def test_tables_are_for_people() -> None:
    result = call("evaluate", files().model, files().test)
    assert result.code == 0
    for told in ("macro average", "taken for", "fonts"):
        assert told in result.out
    assert f"{N_TEST} texts, accuracy 0." in result.err
    assert "texts/s" in result.err


def test_the_whole_confusion_is_for_programs() -> None:
    summary = call("evaluate", files().model, files().test, "--json").json()
    matrix = summary["confusion"]
    assert sum(map(sum, matrix)) == N_TEST
    assert len(matrix) == len(summary["classes"])
    assert [sum(row) for row in matrix] == [one["documents"] for one in summary["classes"]]


def test_abstaining_costs_recall() -> None:
    args = ("evaluate", files().model, files().test, "--json")
    bold, shy = call(*args).json(), call(*args, "--abstain-below", "0.7").json()
    assert shy["coverage"] < bold["coverage"] == 1
    assert shy["micro"]["precision"] > bold["micro"]["precision"]
    assert shy["micro"]["recall"] < bold["micro"]["recall"]
    assert "without any label" in call(*args[:-1], "--abstain-below", "0.7").err


def test_several_labels() -> None:
    summary = call("evaluate", files().tags_model, files().tagged, "--json").json()
    assert summary["multilabel"] is True
    assert summary["confusion"] is None
    assert summary["micro"]["f1"] > 0.9
    result = call("evaluate", files().model, files().tagged)
    assert result.code == 1
    assert "the model gives each text one" in result.err


def test_cross_validation() -> None:
    args = ("evaluate", "--cv", "3", files().train, "--effort", "rule")
    summary = call(*args, "--json").json()
    assert summary["documents"] == N_TRAIN
    assert summary["folds"]["count"] == 3
    assert summary["folds"]["micro_f1"]["mean"] == pytest.approx(summary["micro"]["f1"], abs=0.01)
    assert "3 folds: micro F1 0." in call(*args).err


def test_compare() -> None:
    result = call("compare", files().train, "--test", files().test, "--methods", "fedip,ocfs",
                  "--efforts", "rule,head", "--n-terms", "50,500", "--yardstick")  # fmt: skip
    assert result.code == 0, result.err
    assert [result.out.count(name) for name in ("fedip", "ocfs", "tf-idf")] == [2, 4, 1]


def test_compare_goes_on_where_a_way_fails() -> None:
    result = call("compare", files().train, "--test", files().test, "--methods", "fedip",
                  "--efforts", "rule", "--max-bytes", "10", "--yardstick")  # fmt: skip
    assert result.code == 0
    assert "tf-idf" in result.out
    assert "fedip, rule: --max-bytes 10 leaves no room" in result.err


def test_compare_by_folds() -> None:
    results = call("compare", files().tagged, "--methods", "best-terms", "--efforts", "rule",
                   "--cv", "2", "--yardstick", "--json").json()  # fmt: skip
    assert [result["documents"] for result in results] == [N_TRAIN] * 2
    assert results[0]["terms"] > 0
    assert results[1]["terms"] is None
