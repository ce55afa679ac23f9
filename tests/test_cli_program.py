"""Each command as the installed program; start-up, interruption and broken pipes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli_tools import N_TEST, N_TRAIN, files, run

PROGRAM = Path(sys.executable).with_name("termfold")


def test_the_program_is_installed_and_starts_without_the_library() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", str(PROGRAM), "--help"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "Commands:" in done.stdout
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "click" in imported
    assert imported.isdisjoint({"numpy", "pyarrow", "numba", "sklearn", "rich"})


def test_fit(tmp_path: Path) -> None:
    model = tmp_path / "m.termfold"
    result = run("fit", files().train, "-o", model)
    assert result.code == 0, result.err
    assert result.out == ""
    for told in (f"{N_TRAIN:,} in 12 classes", "terms", "MB/s", f"{model.stat().st_size:,} bytes"):
        assert told in result.err
    assert model.read_bytes() == files().model.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["m.termfold"]


def test_predict_from_standard_input() -> None:
    result = run("predict", files().model, stdin=b"a font for programmers\nplays mp3 and midi\n")
    head, first, second = result.rows()
    assert head == "prediction,probability"
    assert first.startswith("fonts,0.")
    assert second.startswith("sound,0.")
    assert result.err == ""


def test_evaluate() -> None:
    summary = run("evaluate", files().model, files().test, "--json").json()
    assert summary["documents"] == N_TEST
    assert summary["accuracy"] == summary["micro"]["f1"] > 0.6


def test_compare() -> None:
    result = run("compare", files().train, "--efforts", "rule", "--methods", "fedip", "--json")
    assert result.json()[0]["method"] == "fedip"


def test_explain() -> None:
    result = run("explain", files().model, "a font viewer")
    assert result.code == 0, result.err
    assert "predicted: fonts" in result.out


def test_terms() -> None:
    result = run("terms", files().counts, "--class", "fonts", "--top", "2", "--as", "csv")
    assert [row.split(",")[2] for row in result.rows()[:2]] == ["term", "font"]


def test_audit() -> None:
    assert len(run("audit", files().train, "--top", "3", "--json").json()) == 3


def test_inspect() -> None:
    assert run("inspect", files().model, "--json").json()["kind"] == "model"


def test_update_and_forget(tmp_path: Path) -> None:
    model = tmp_path / "u.termfold"
    shutil.copy(files().updatable, model)
    assert run("update", model, files().test, "--json").json()["documents"] == N_TRAIN + N_TEST
    assert model.read_bytes() != files().updatable.read_bytes()
    assert run("forget", model, files().test, "--json").json()["documents"] == N_TRAIN
    assert model.read_bytes() == files().updatable.read_bytes()


def test_stats(tmp_path: Path) -> None:
    test, both, again = (tmp_path / name for name in ("test", "both", "again"))
    assert run("stats", "count", files().test, "-o", test).code == 0
    assert run("stats", "merge", files().counts, test, "-o", both).code == 0
    assert run("stats", "subtract", both, test, "-o", again).code == 0
    assert again.read_bytes() == files().counts.read_bytes()
    assert run("stats", "show", both, "--json").json()["documents"] == N_TRAIN + N_TEST


def test_completion() -> None:
    result = run("completion", "fish")
    assert result.code == 0
    assert "_TERMFOLD_COMPLETE=fish_complete" in result.out
    asked = {
        "_TERMFOLD_COMPLETE": "bash_complete",
        "COMP_WORDS": "termfold fit --eff",
        "COMP_CWORD": "2",
    }
    done = subprocess.run([PROGRAM], env=os.environ | asked, capture_output=True, text=True)
    assert done.stdout.split() == ["plain,--effort"]


def test_demo() -> None:
    began = time.perf_counter()
    result = run("demo", "--json")
    assert time.perf_counter() - began < 60
    assert 0.8 < result.json()["f1_of_all_terms"] < 0.9
    assert "built-in data" in result.err


def test_a_reader_that_stops_is_no_error() -> None:
    command = (
        f"{PROGRAM} terms {files().counts} --top 300 --as csv | head -1; echo ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stdout.splitlines()[1] == "0"
    assert done.stderr == ""


# The program, halted when the new file is written but not yet in its place.
HALTED = """
import time
from termfold import atomic
from termfold.cli import main
def fsync(number):
    print("halted", flush=True)
    time.sleep(60)
atomic.os.fsync = fsync
main()
"""


@contextmanager
def halted_while_writing(*args: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HALTED, *map(str, args)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "halted\n"
            yield process
        finally:
            process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("command", ["fit", "predict"])
@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGKILL, -signal.SIGKILL, "")],
)
def test_what_is_interrupted_leaves_the_old_file(
    tmp_path: Path, command: str, number: signal.Signals, code: int, said: str
) -> None:
    old = tmp_path / ("old.termfold" if command == "fit" else "old.csv")
    old.write_text("old")
    args = {
        "fit": ("fit", files().test, "-o", old),
        "predict": ("predict", files().model, files().lines, "-o", old),
    }[command]
    with halted_while_writing(*args) as process:
        assert len(list(tmp_path.iterdir())) == 2, "the new file lies beside the old one"
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == code
    assert said in err
    assert "Traceback" not in err
    assert old.read_text() == "old"
    if number == signal.SIGINT:
        assert list(tmp_path.iterdir()) == [old]


def test_a_text_is_answered_before_the_next_is_given() -> None:
    command = [sys.executable, "-m", "termfold", "predict", str(files().model), "--as", "jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for text, label in (("a font", "fonts"), ("an mp3 player", "sound")):
            process.stdin.write(f"{text}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["prediction"] == label
        process.stdin.close()
