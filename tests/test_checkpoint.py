"""A pass that was broken off and resumed gives what an unbroken one gives, to the last bit."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time

import pytest

from cli_tools import call, files
from termfold import Checkpoint, TermStats, TextClassifier, collect
from termfold.classify import model_file
from termfold.errors import CheckpointError

SMALL = {"batch_bytes": 20_000}  # some twenty batches


class BrokenOffError(Exception):
    pass


def breaking_off(after: int):
    """Progress that ends the pass after some batches."""
    seen = []

    def tell(*_):
        seen.append(1)
        if len(seen) > after:
            raise BrokenOffError

    return tell


@pytest.fixture(scope="module")
def whole():
    return collect(files().train, **SMALL)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_counting_is_resumed(whole, tmp_path, n_jobs):
    told = []
    checkpoint = Checkpoint(tmp_path / "parts", seconds=0, on_resume=told.append)
    for after in (3, 4, 5):
        with pytest.raises(BrokenOffError):
            collect(
                files().train,
                n_jobs=n_jobs,
                checkpoint=checkpoint,
                progress=breaking_off(after),
                **SMALL,
            )
    stats = collect(files().train, n_jobs=n_jobs, checkpoint=checkpoint, **SMALL)
    assert stats == whole
    assert stats.content_hash() == whole.content_hash()
    assert 0 < told[0] < told[1] < told[2] < whole.n_docs
    assert collect(files().train, checkpoint=checkpoint, **SMALL) == whole  # from the parts alone
    checkpoint.clear()
    assert not (tmp_path / "parts").exists()


@pytest.mark.parametrize("source", ["train", "tagged"])
@pytest.mark.parametrize("parameters", [{}, {"min_df": 3, "effort": "head"}], ids=["plain", "head"])
def test_learning_is_resumed(tmp_path, source, parameters):
    path = getattr(files(), source)
    unbroken = TextClassifier(**parameters).fit(path, **SMALL)
    checkpoint = Checkpoint(tmp_path / "parts", seconds=0)
    for after in (2, 4):
        with pytest.raises(BrokenOffError):
            TextClassifier(**parameters).fit(
                path, checkpoint=checkpoint, progress=breaking_off(after), **SMALL
            )
    resumed = TextClassifier(**parameters).fit(path, checkpoint=checkpoint, **SMALL)
    assert model_file.content_hash(resumed.model_) == model_file.content_hash(unbroken.model_)


def test_rows_left_out_are_told_again(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("text,label\n" + "one two,x\nthree\nfour five,y\n" * 300)
    options = {"on_error": "skip", "batch_bytes": 500}
    checkpoint = Checkpoint(tmp_path / "parts", seconds=0)
    with pytest.raises(BrokenOffError):
        collect(path, checkpoint=checkpoint, progress=breaking_off(3), **options)
    seen = {}
    stats = collect(
        path,
        checkpoint=checkpoint,
        progress=lambda corpus, _: seen.update(corpus=corpus),
        **options,
    )
    assert stats.n_docs == 600
    assert seen["corpus"].skipped.count == 300


def test_other_runs_are_refused(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("text,label\none two,x\nthree four,y\n")
    checkpoint = Checkpoint(tmp_path / "parts")
    collect(path, checkpoint=checkpoint)
    with pytest.raises(CheckpointError, match="of another run: its settings was"):
        TextClassifier().fit(path, checkpoint=checkpoint)
    with pytest.raises(CheckpointError, match="of another run: its corpus was"):
        collect(path, checkpoint=checkpoint, on_error="skip")
    path.write_text("text,label\none two,x\nthree fine,y\n")
    with pytest.raises(CheckpointError, match="Name another folder, or remove this one"):
        collect(path, checkpoint=checkpoint)
    (tmp_path / "parts" / "state.json").write_text("[" * 10_000)
    with pytest.raises(CheckpointError, match="is damaged"):
        collect(path, checkpoint=checkpoint)


def test_what_no_checkpoint_can_hold(tmp_path):
    checkpoint = Checkpoint(tmp_path / "parts")
    with pytest.raises(CheckpointError, match="needs a corpus of files"):
        collect(["a text"], labels=["x"], checkpoint=checkpoint)
    with pytest.raises(ValueError, match="not with y"):
        TextClassifier().fit(["a text"], ["x"], checkpoint=checkpoint)
    with pytest.raises(CheckpointError, match="is not read in parts"):
        TextClassifier(max_text_bytes=1000).fit(files().train, checkpoint=checkpoint)


@pytest.mark.parametrize("command", ["stats", "fit"])
def test_a_killed_command_is_resumed(tmp_path, command):
    start = ("stats", "count") if command == "stats" else ("fit",)
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    rows = files().train.read_bytes()
    for number in range(12):
        (corpus / f"{number:02}.csv").write_bytes(rows)
    args = [*start, corpus, "--checkpoint", tmp_path / "parts", "--checkpoint-seconds", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "termfold", *map(str, args), "-o", str(tmp_path / "out")],
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 60
    while not list((tmp_path / "parts").glob("part-0000[3-9]")) and time.monotonic() < until:
        assert process.poll() is None, "it was done before it could be killed"
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    result = call(*args, "-o", tmp_path / "out")
    assert result.code == 0, result.err
    done = re.search(r"([\d,]+) documents are done", result.err)
    assert done is not None
    assert int(done[1].replace(",", "")) >= 900
    assert not (tmp_path / "parts").exists()
    assert call(*start, corpus, "-o", tmp_path / "unbroken").code == 0
    if command == "stats":
        hashes = [TermStats.load(tmp_path / name).content_hash() for name in ("out", "unbroken")]
        assert hashes[0] == hashes[1]
    assert (tmp_path / "out").read_bytes() == (tmp_path / "unbroken").read_bytes()
