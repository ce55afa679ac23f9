"""What the tests of the command line share: files to work on, and ways to run a command."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
from click.testing import CliRunner

from termfold.cli import main
from termfold.datasets import load_debian

N_TRAIN, N_TEST = 900, 300


class Result(NamedTuple):
    code: int
    out: str
    err: str

    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)

    def rows(self) -> list[str]:
        assert self.code == 0, self.err
        return self.out.splitlines()


def call(*args: Any, stdin: bytes = b"") -> Result:
    """Run a command in this process, with all that ``main`` does about errors."""
    with CliRunner().isolation(input=stdin) as streams:
        with patch.object(sys, "argv", ["termfold", *map(str, args)]):
            try:
                main()
                code = 0
            except SystemExit as stop:
                code = int(stop.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
        return Result(code, *(stream.getvalue().decode() for stream in streams[:2]))


def run(*args: Any, stdin: bytes = b"") -> Result:
    """Run a command as the installed program does."""
    done = subprocess.run(
        [sys.executable, "-m", "termfold", *map(str, args)], input=stdin, capture_output=True
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


class Files(NamedTuple):
    """Made once, and only read by tests."""

    folder: Path
    train: Path
    test: Path
    jsonl: Path
    parquet: Path
    tagged: Path
    lines: Path
    model: Path
    tags_model: Path
    updatable: Path
    counts: Path


@cache
def files() -> Files:
    folder = Path(tempfile.mkdtemp(prefix="termfold-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = Files(
        folder,
        *(
            folder / name
            for name in (
                "train.csv",
                "test.csv",
                "test.jsonl",
                "test.parquet",
                "tagged.jsonl",
                "test.txt",
                "m.termfold",
                "tags.termfold",
                "u.termfold",
                "train.counts",
            )
        ),
    )
    train = pa.table(load_debian("train")).slice(0, N_TRAIN)
    test = pa.table(load_debian("test")).slice(0, N_TEST)
    pyarrow.csv.write_csv(train, made.train)
    pyarrow.csv.write_csv(test, made.test)
    pq.write_table(test, made.parquet)
    write_json_lines(made.jsonl, test.to_pylist())
    tagged = [
        {"text": row["text"], "label": [row["label"], "long"][: 1 + (len(row["text"]) > 400)]}
        for row in train.to_pylist()
    ]
    write_json_lines(made.tagged, tagged)
    made.lines.write_text("".join(" ".join(t.split()) + "\n" for t in test["text"].to_pylist()))
    for source, options, model in (
        (made.train, (), made.model),
        (made.tagged, (), made.tags_model),
        (made.train, ("--updatable",), made.updatable),
    ):
        result = call("fit", source, *options, "-o", model)
        assert result.code == 0, result.err
    assert call("stats", "count", made.train, "-o", made.counts).code == 0
    return made


def write_json_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
