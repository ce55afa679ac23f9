"""What a user can do wrong: one line that says what, where and what to do, and the exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli_tools import call, files
from termfold.cli.main import BAD_CALL, BAD_DATA
from termfold.cli.wording import in_options
from termfold.peek import MODEL
from termfold.store import write_store

M, U, T, C = "MODEL", "UPDATABLE", "TRAIN", "COUNTS"

CASES: list[tuple[list[Any], int, str]] = [
    # Something about the call.
    (["nonsense"], BAD_CALL, "No such command 'nonsense'"),
    ([C], BAD_CALL, "is not a command but a file. Try: termfold terms "),
    (["stats", C], BAD_CALL, "Try: termfold stats show "),
    (["stats", M], BAD_CALL, "Try: termfold inspect "),
    (["stats", "OUT"], BAD_CALL, "Try: termfold stats count OUT -o OUTPUT"),
    (["stats", "nonsense"], BAD_CALL, "No such command 'nonsense'"),
    (["fit"], BAD_CALL, "Missing argument 'CORPUS...'"),
    (["fit", T], BAD_CALL, "Missing option '-o'"),
    (["fit", T, "-o", "OUT/no/m"], BAD_CALL, "there is no folder"),
    (["fit", T, "-o", "OUT"], BAD_CALL, "is a directory"),
    (["fit", T, "-o", "OUT/m", "--method", "magic"], BAD_CALL, "'magic' is not one of"),
    (["fit", T, "-o", "OUT/m", "-C", "0"], BAD_CALL, "0.0 is not in the range x>0"),
    (["fit", T, "-o", "OUT/m", "-C", "much"], BAD_CALL, "'much' is not a valid float"),
    (["fit", T, "-o", "OUT/m", "--min-df", "0"], BAD_CALL, "0 is not in the range x>=1"),
    (["fit", T, "-o", "OUT/m", "--n-terms", "9"], BAD_CALL, "--method projection or ocfs"),
    (["fit", T, "-o", "OUT/m", "--max-bytes", "big"], BAD_CALL, "500k, 2M or none"),
    (["fit", T, "-o", "OUT/m", "--ngrams", "two"], BAD_CALL, "'two' is not N or M-N"),
    (["fit", T, "-o", "OUT/m", "--on-error", "hide"], BAD_CALL, "'fail', 'skip'"),
    (["predict", "OUT/none"], BAD_CALL, "File 'OUT/none' does not exist"),
    (["predict", M, T, "-o", "OUT/x.doc"], BAD_CALL, ".jsonl"),
    (["predict", M, T, "-o", "OUT/no/x.csv"], BAD_CALL, "there is no folder"),
    (["predict", M, "-", T], BAD_CALL, "one of several inputs"),
    (["predict", M, T, "--abstain-below", "2"], BAD_CALL, "2.0 is not in the range 0<=x<=1"),
    (["predict", M, T, "--top", "0"], BAD_CALL, "0 is not in the range x>=1"),
    (["evaluate", M], BAD_CALL, "a model and a corpus are needed"),
    (["evaluate", "OUT/none", T], BAD_CALL, "there is no file 'OUT/none'"),
    (["evaluate", M, T, "--effort", "rule"], BAD_CALL, "--effort says how to learn"),
    (["evaluate", "--cv", "1", T], BAD_CALL, "1 is not in the range x>=2"),
    (["compare", T, "--methods", "fedip,magic"], BAD_CALL, "'magic' is none of fedip"),
    (["compare", T, "--n-terms", "many"], BAD_CALL, "1000,10000"),
    (["compare", T, "--cv", "3", "--test", T], BAD_CALL, "exclude one another"),
    (["terms", M, "--score", "chi2"], BAD_CALL, "a model's terms have weights"),
    (["inspect", "OUT"], BAD_CALL, "is a directory"),
    (["completion", "tcsh"], BAD_CALL, "'tcsh' is not one of"),
    # Something about the data.
    (["fit", "OUT/none.csv", "-o", "OUT/m"], BAD_DATA, "there is no such file"),
    (["fit", "OUT/*.csv", "-o", "OUT/m"], BAD_DATA, "no file matches this pattern"),
    (["fit", T, "--label", "lable", "-o", "OUT/m"], BAD_DATA, "Did you mean --label label?"),
    (["fit", T, "--text", "body", "-o", "OUT/m"], BAD_DATA, "its columns are 'text', 'label'"),
    (["fit", T, "--format", "xml", "-o", "OUT/m"], BAD_DATA, "--format xml is unknown"),
    (["fit", T, "--encoding", "utf-9", "-o", "OUT/m"], BAD_DATA, "--encoding utf-9 is unknown"),
    (["fit", T, "--stop-words", "latin", "-o", "OUT/m"], BAD_DATA, "--stop-words latin; there"),
    (["fit", T, "--jobs", "0", "-o", "OUT/m"], BAD_DATA, "--jobs 0; it must be"),
    (["fit", T, "--ngrams", "3-2", "-o", "OUT/m"], BAD_DATA, "--ngrams (3, 2)"),
    (["fit", T, "--max-bytes", "10", "-o", "OUT/m"], BAD_DATA, "no room for any term"),
    (["fit", T, "--min-df", "9999", "-o", "OUT/m"], BAD_DATA, "error: "),
    (["predict", T, T], BAD_DATA, "not a termfold-model file"),
    (["predict", C, T], BAD_DATA, "a termfold-stats file"),
    (["predict", M, "OUT/none.csv"], BAD_DATA, "there is no such file"),
    (["predict", M, "OUT/none", "--format", "lines"], BAD_DATA, "there is no such file"),
    (["predict", M], BAD_DATA, "The corpus has no documents"),
    (["predict", M, T, "--text", "txt"], BAD_DATA, "Did you mean --text text?"),
    (["predict", M, T, "--as", "parquet", "-o", "OUT/x.gz"], BAD_DATA, "leave out the .gz"),
    (["evaluate", C, T], BAD_DATA, "a termfold-stats file"),
    (["evaluate", M, T, "--label", "section"], BAD_DATA, "there is no column 'section'"),
    (["evaluate", "--cv", "99999", T], BAD_DATA, "cannot be divided into 99999 parts"),
    (["compare", T, "--methods", "fedip", "--efforts", "rule", "--max-bytes", "10"], BAD_DATA,
     "no room for any term"),
    (["explain", M, "x", "--class", "nope"], BAD_DATA, "no class 'nope'; there are ['database'"),
    (["terms", M, "--class", "nope"], BAD_DATA, "no class 'nope'"),
    (["terms", C, "--class", "nope"], BAD_DATA, "nope"),
    (["terms", C, "--score", "magic"], BAD_DATA, "magic"),
    (["terms", "OUT/none"], BAD_DATA, "there is no such file"),
    (["inspect", T], BAD_DATA, "neither a model nor a count file"),
    (["update", U, T, "--label", "x"], BAD_DATA, "there is no column 'x'"),
    (["stats", "show", M], BAD_DATA, "a termfold-model file"),
    (["stats", "merge", M, C, "-o", "OUT/x"], BAD_DATA, "a termfold-model file"),
    (["audit", "OUT/none.csv"], BAD_DATA, "there is no such file"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("args", "code", "message"), CASES, ids=[" ".join(map(str, case[0])) for case in CASES]
)
def test_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "OUT").mkdir()
    made = files()
    names = {M: made.model, U: made.updatable, T: made.train, C: made.counts}
    result = call(*(names.get(part, part) for part in args))
    assert message in " ".join(result.err.split()), result.err
    assert result.code == code
    assert "Traceback" not in result.err
    assert not [path for path in (tmp_path / "OUT").iterdir() if path.suffix == ".tmp"]
    if code == BAD_DATA:
        assert result.out == ""
        assert len(result.err.splitlines()) == 1


def test_a_text_that_is_not_utf_8() -> None:
    result = call("explain", files().model, "-", stdin=b"\xff")
    assert result.code == BAD_DATA
    assert "error: standard input: not UTF-8" in result.err


def test_a_header_that_makes_no_sense(tmp_path: Path) -> None:
    write_store(tmp_path / "m", MODEL, 1, {"classes": 5}, {})
    result = call("inspect", tmp_path / "m")
    assert result.code == BAD_DATA
    assert "its header makes no sense" in result.err


@pytest.mark.parametrize(
    ("command", "message"), [("audit", "all texts are of one class"), ("report", "'x' only")]
)
def test_nothing_can_be_told_of_one_class(tmp_path: Path, command: str, message: str) -> None:
    path = tmp_path / "one.csv"
    path.write_text("text,label\none two,x\nthree four,x\n")
    result = call(command, path, *(("-o", tmp_path / "r.html") if command == "report" else ()))
    assert result.code == BAD_DATA
    assert message in result.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "The corpus has no documents"),
        ("text,label\n", "The corpus has no documents"),
        ("text,label\na,x\nb,x\n", "one class"),
        ("text,label\n,x\n,y\n", "no terms in 2 texts"),
        ("text,label\na b,x\nc d\n", "1 fields instead of 2"),
        ("text,label\none,x\ntwo,\n", "no label (null or empty)"),
    ],
)
def test_corpora_that_teach_nothing(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "c.csv"
    path.write_text(content)
    result = call("fit", path, "-o", tmp_path / "m")
    assert result.code == BAD_DATA
    assert message in result.err
    assert "label=" not in result.err
    assert not (tmp_path / "m").exists()


def test_rows_without_a_label_are_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("text,label\n" + "one two,x\nthree four,y\nnone,\n" * 20)
    result = call("fit", path, "-o", tmp_path / "m", "--on-error", "skip")
    assert result.code == 0
    assert "left out 20 rows" in result.err
    assert result.err.count("no label") == 10


@pytest.mark.parametrize("cut", [0, 5, 100, -1])
def test_a_model_that_was_cut(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "cut.termfold"
    path.write_bytes(files().model.read_bytes()[:cut])
    for args in (("predict", path, files().test), ("explain", path, "text")):
        result = call(*args)
        assert result.code == BAD_DATA
        assert "cut short" in result.err


def test_a_model_that_was_altered(tmp_path: Path) -> None:
    path = tmp_path / "altered.termfold"
    content = bytearray(files().model.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    result = call("predict", path, files().test)
    assert result.code == BAD_DATA
    assert "altered" in result.err


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Name it with label= (or label=None to read it).", "Name it with --label."),
        ("name it with label=", "name it with --label"),
        ("or skip such rows (on_error='skip').", "or skip such rows (--on-error skip)."),
        ("/data/text=1/x.csv: text='body'", "/data/text=1/x.csv: --text body"),
        ("n_jobs=0; it must be", "--jobs 0; it must be"),
        ("label='a b'", "--label 'a b'"),
    ],
)  # fmt: skip
def test_messages_name_options(message: str, said: str) -> None:
    assert in_options(message) == said
