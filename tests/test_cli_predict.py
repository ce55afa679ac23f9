"""``termfold predict``: inputs, outputs, and what it adds."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cli_tools import N_TEST, call, files, write_json_lines
from termfold.classify import TextClassifier
from termfold.datasets import load_debian

TEXTS = load_debian("test").data[:N_TEST]


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if "jsonl" in path.name:
        return [json.loads(line) for line in content.splitlines()]
    delimiter = "\t" if "tsv" in path.name else ","
    return list(csv.DictReader(io.StringIO(content.decode()), delimiter=delimiter))


@pytest.mark.parametrize("source", ["test", "jsonl", "parquet"])
@pytest.mark.parametrize("name", ["p.csv", "p.tsv", "p.csv.gz", "p.jsonl", "p.parquet"])
def test_formats(tmp_path: Path, source: str, name: str) -> None:
    output = tmp_path / name
    result = call("predict", files().model, getattr(files(), source), "-o", output)
    assert result.code == 0, result.err
    assert f"{N_TEST:,} texts" in result.err
    rows = read(output)
    assert list(rows[0]) == ["label", "id", "prediction", "probability"]
    expected = TextClassifier.load(files().model)
    assert [row["prediction"] for row in rows] == expected.predict(TEXTS).tolist()
    proba = expected.predict_proba(TEXTS).max(axis=1)
    assert [float(row["probability"]) for row in rows] == pytest.approx(proba, abs=1e-6)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_data_from_standard_input(form: str) -> None:
    source = files().test if form == "csv" else files().jsonl
    piped = call("predict", files().model, "--format", form, stdin=source.read_bytes())
    named = call("predict", files().model, source)
    assert piped.rows() == named.rows()


def test_lines() -> None:
    result = call("predict", files().model, files().lines, "--as", "jsonl", "--with-text")
    rows = [json.loads(line) for line in result.rows()]
    assert [row["text"] for row in rows] == files().lines.read_text().splitlines()
    assert list(rows[0]) == ["text", "prediction", "probability"]
    piped = call("predict", files().model, "-", "--as", "jsonl", "--with-text",
                 stdin=files().lines.read_bytes())  # fmt: skip
    assert piped.out == result.out


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (b"one\ntwo", ["one", "two"]),
        (b"one\r\n\r\ntwo\r\n", ["one", "", "two"]),
        (b"\xef\xbb\xbfone\n", ["one"]),
        ("größer\n".encode(), ["größer"]),
        (b'"quoted, text"\n', ['"quoted, text"']),
    ],
)
def test_a_line_is_a_text(content: bytes, texts: list[str]) -> None:
    result = call("predict", files().model, "--with-text", "--as", "jsonl", stdin=content)
    assert [json.loads(line)["text"] for line in result.rows()] == texts


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_encodings_of_lines(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("größer\nkleiner\n", encoding=encoding)
    args = ("predict", files().model, "--encoding", encoding, "--with-text")
    by_name, piped = call(*args, path), call(*args, stdin=path.read_bytes())
    assert by_name.out == piped.out
    assert [row.split(",")[0] for row in piped.rows()] == ["text", "größer", "kleiner"]
    result = call("predict", files().model, "--encoding", "utf-8-sig", stdin=b"one")
    assert result.rows()[0] == "prediction,probability"
    result = call("predict", files().model, "--encoding", "utf-16", stdin=b"one")
    assert result.code == 1
    assert "error: standard input: not utf-16" in result.err


def test_a_folder_of_texts(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, text in (("b.txt", "a font viewer"), ("a.txt", "an mp3 player")):
        (tmp_path / "in" / name).write_text(text)
    rows = list(csv.DictReader(call("predict", files().model, tmp_path / "in").rows()))
    assert [(row["file"], row["prediction"]) for row in rows] == [
        ("a.txt", "sound"),
        ("b.txt", "fonts"),
    ]


def test_a_text_in_a_folder_that_is_of_another_encoding(tmp_path: Path) -> None:
    for name, content in (("a.txt", b"a font"), ("b.txt", b"\xff\xfe")):
        (tmp_path / name).write_bytes(content)
    result = call("predict", files().model, tmp_path)
    assert result.code == 1
    assert "b.txt: the file is not utf-8" in result.err
    assert "--encoding latin-1" in result.err
    result = call("predict", files().model, tmp_path, "--on-error", "skip")
    assert [row.split(",")[0] for row in result.rows()] == ["file", "a.txt"]
    assert "left out 1 rows" in result.err


def test_a_glob_and_several_files(tmp_path: Path) -> None:
    for name in ("1.csv", "2.csv"):
        (tmp_path / name).write_bytes(files().test.read_bytes())
    globbed = call("predict", files().model, tmp_path / "*.csv")
    named = call("predict", files().model, tmp_path / "1.csv", tmp_path / "2.csv")
    assert globbed.out == named.out
    assert len(named.rows()) == 1 + 2 * N_TEST


def test_more_columns() -> None:
    result = call("predict", files().model, files().jsonl, "--no-columns", "--top", "2",
                  "--probabilities", "--prefix", "new_", "--as", "jsonl")  # fmt: skip
    row = json.loads(result.rows()[0])
    names = ["prediction", "probability", "top_1", "top_1_probability", "top_2",
             "top_2_probability"]  # fmt: skip
    assert list(row)[:6] == [f"new_{name}" for name in names]
    assert row["new_top_1"] == row["new_prediction"]
    of_classes = [value for name, value in row.items() if name.startswith("new_probability_")]
    assert len(of_classes) == 12
    assert sum(of_classes) == pytest.approx(1, abs=1e-5)


def test_abstaining() -> None:
    lines = call("predict", files().model, "--abstain-below", "0.5", "--as", "jsonl",
                 stdin=b"zzzz\na font viewer\n").rows()  # fmt: skip
    assert [json.loads(line)["prediction"] for line in lines] == [None, "fonts"]
    text = call("predict", files().model, "--abstain-below", "0.5", stdin=b"zzzz\n")
    assert text.rows()[1].startswith(",0.")


def test_several_labels(tmp_path: Path) -> None:
    texts = TextClassifier.load(files().tags_model).predict(TEXTS)
    rows = [json.loads(line) for line in
            call("predict", files().tags_model, files().test, "--as", "jsonl").rows()]  # fmt: skip
    assert [row["prediction"] for row in rows] == texts
    assert all(len(row["prediction"]) == len(row["probability"]) for row in rows)
    text = call("predict", files().tags_model, files().test)
    fields = [row["prediction"] for row in csv.DictReader(io.StringIO(text.out))]
    assert fields == ["|".join(labels) for labels in texts]
    output = tmp_path / "p.parquet"
    call("predict", files().tags_model, files().test, "-o", output)
    assert [row["prediction"] for row in read(output)] == texts


def test_broken_rows_stop_or_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text('{"text": "a font"}\nnot json\n{"text": "a song"}\n')
    output = tmp_path / "out.csv"
    result = call("predict", files().model, path, "-o", output)
    assert result.code == 1
    assert "line 2" in result.err
    assert "--on-error skip" in result.err
    assert not output.exists()
    result = call("predict", files().model, path, "-o", output, "--on-error", "skip")
    assert result.code == 0
    assert "left out 1 rows" in result.err
    assert len(read(output)) == 2


def test_fields_that_come_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON Lines may bring new fields in a later block, when the header is written."""
    path = tmp_path / "late.jsonl"
    filler = "x" * (5 << 20)
    rows: list[dict[str, Any]] = [{"text": filler, "a": 1, "b": None}, {"text": filler, "a": 2}]
    write_json_lines(path, [*rows, {"text": "end", "c": 1}])
    result = call("predict", files().model, path)
    assert result.code == 1
    assert "'c' comes only after" in result.err
    assert call("predict", files().model, path, "--no-columns").code == 0
    last = json.loads(call("predict", files().model, path, "--as", "jsonl").rows()[2])
    assert last["c"] == 1


@pytest.mark.parametrize("name", ["p.csv", "p.parquet"])
def test_columns_are_those_of_the_first_file(tmp_path: Path, name: str) -> None:
    """What another file lacks is empty; a column without a value so far takes any."""
    rows: list[dict[str, Any]] = [{"n": 1, "later": None}, {"later": "x"}, {"n": "3", "later": 5}]
    paths = [tmp_path / f"{i}.jsonl" for i in range(len(rows))]
    for path, row in zip(paths, rows, strict=True):
        write_json_lines(path, [{"text": "a font", **row}])
    output = tmp_path / name
    result = call("predict", files().model, *paths, "-o", output)
    assert result.code == 0, result.err
    found = [[str(row[column] or "") for column in ("n", "later")] for row in read(output)]
    assert found == [["1", ""], ["", "x"], ["3", "5"]]


@pytest.mark.parametrize("name", ["p.csv", "p.parquet"])
def test_a_field_of_several_types_goes_into_no_column(tmp_path: Path, name: str) -> None:
    paths = [tmp_path / f"{i}.jsonl" for i in range(2)]
    for path, value in zip(paths, (5, "many"), strict=True):
        write_json_lines(path, [{"text": "a font", "amount": value}])
    result = call("predict", files().model, *paths, "-o", tmp_path / name)
    assert result.code == 1
    assert "error: the field 'amount' has values of several types" in result.err
    assert len(result.err.splitlines()) == 1
    assert not (tmp_path / name).exists()
    lines = call("predict", files().model, *paths, "--as", "jsonl").rows()
    assert [json.loads(line)["amount"] for line in lines] == [5, "many"]


def test_lists_and_objects_in_fields(tmp_path: Path) -> None:
    path = tmp_path / "nested.jsonl"
    nested = {"tags": ["a", "b"], "size": {"x": 1}, "pairs": [[1], [2]]}
    write_json_lines(path, [{"text": "a font", **nested}, {"text": "a song"}])
    rows = list(csv.DictReader(call("predict", files().model, path).rows()))
    assert [rows[0][name] for name in nested] == ["a|b", '{"x": 1}', "[[1], [2]]"]
    assert [rows[1][name] for name in nested] == ["", "", ""]
    output = tmp_path / "p.parquet"
    call("predict", files().model, path, "-o", output)
    assert {name: read(output)[0][name] for name in nested} == nested


def test_a_column_of_the_same_name_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "again.csv"
    path.write_text("text,prediction\na font,mine\n")
    result = call("predict", files().model, path)
    assert result.code == 2
    assert "--prefix new_" in result.err
    assert call("predict", files().model, path, "--prefix", "new_").rows()[0] == (
        "prediction,new_prediction,new_probability"
    )


def test_the_output_may_be_the_input(tmp_path: Path) -> None:
    path = tmp_path / "same.csv"
    path.write_bytes(files().test.read_bytes())
    assert call("predict", files().model, path, "-o", path).code == 0
    assert list(read(path)[0]) == ["label", "id", "prediction", "probability"]
