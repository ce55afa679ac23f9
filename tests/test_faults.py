"""What happens around the program: kills, full disks, little memory, files that change."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cli_tools import call, files, run
from termfold import TermStats, TextClassifier, collect, open_corpus
from termfold.atomic import locked, replacing
from termfold.errors import CorpusError

ROOT = Path(__file__).parents[1]
NEEDS_POSIX = pytest.mark.skipif(os.name != "posix", reason="locks and limits are POSIX's")
ROWS = "text,label\n" + "".join(f"word{i} other{i % 7},{'xy'[i % 2]}\n" for i in range(20_000))


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(ROWS)
    return path


# -- writing ----------------------------------------------------------------------------------


@NEEDS_POSIX
def test_commands_that_are_killed_leave_the_old_file_or_the_new_one():
    """The campaign of fuzz/fuzz_kills.py in little; see docs/reliability.md."""
    done = subprocess.run(
        [sys.executable, ROOT / "fuzz" / "fuzz_kills.py", "--seed", "0", "--rounds", "1",
         "--no-keep"], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert '"kills": ' in done.stdout


@NEEDS_POSIX
def test_what_killed_writers_left_is_swept_away(tmp_path):
    target = tmp_path / "a [1].counts"
    left = [tmp_path / f".{target.name}.{number:08x}.tmp" for number in range(5)]
    for path in left:
        path.write_bytes(b"half")
    others = [tmp_path / ".a [1].counts.tmp", tmp_path / ".b.counts.00000000.tmp"]
    for path in others:
        path.write_bytes(b"of somebody else")
    with replacing(target) as file:
        file.write(b"one")
        with replacing(target) as another:  # that of a writer at work stays
            another.write(b"two")
        assert target.read_bytes() == b"two"
    assert target.read_bytes() == b"one"
    assert sorted(tmp_path.iterdir()) == sorted([target, *others])


@NEEDS_POSIX
def test_links_permissions_and_pipes_stay_what_they_are(tmp_path):
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.write_bytes(b"old")
    target.chmod(0o600)
    link.symlink_to("target")
    with replacing(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o600
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with replacing(pipe) as file:
        file.write(b"through the pipe")
    reader.join()
    assert read == [b"through the pipe"]
    assert pipe.is_fifo()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "pipe", "target"]


@NEEDS_POSIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_device(rows):
    for args in (
        ("fit", rows, "-o", "/dev/full"),
        ("stats", "count", rows, "-o", "/dev/full"),
        ("predict", files().model, rows, "-o", "/dev/full", "--as", "csv"),
    ):
        result = call(*args)
        assert result.code == 1
        assert "No space left on device: '/dev/full'" in result.err
        assert "Traceback" not in result.err
    assert Path("/dev/full").is_char_device()


@pytest.fixture
def small_disk(tmp_path):
    """A tmpfs of some kilobytes, where that is allowed."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [mount, "-t", "tmpfs", "-o", "size=40k", "tmpfs", folder]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a tmpfs cannot be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (("fit", "ROWS", "--max-bytes", "none"), "m.termfold"),
        (("stats", "count", "ROWS"), "m.counts"),
        (("predict", "MODEL", "ROWS"), "out.csv"),
        (("predict", "MODEL", "ROWS"), "out.jsonl"),
        (("predict", "MODEL", "ROWS", "--with-text"), "out.csv.gz"),
        (("predict", "MODEL", "ROWS", "--with-text"), "out.parquet"),
    ],
)
def test_a_full_disk_keeps_the_old_file(small_disk, rows, args, name):
    target = small_disk / name
    target.write_bytes(b"what was there before")
    named = {"ROWS": rows, "MODEL": files().model}
    result = call(*(named.get(arg, arg) for arg in args), "-o", target)
    assert result.code == 1, result.err
    assert f"No space left on device: '{target}'" in result.err
    assert "Traceback" not in result.err
    assert target.read_bytes() == b"what was there before"
    assert [path.name for path in small_disk.iterdir()] == [name]


# -- memory -----------------------------------------------------------------------------------


@NEEDS_POSIX
@pytest.mark.parametrize("command", ["stats", "fit"])
def test_too_little_memory_is_an_error(rows, tmp_path, command):
    """All is loaded and compiled, then 20 MB are left, and a text of some 50 MB comes."""
    big = tmp_path / "big.csv"
    with big.open("w") as file:
        file.write("text,label\n")
        for i in range(25):
            words = " ".join(f"w{i}x{j}" for j in range(200_000))
            file.write(f"{words},{'xy'[i % 2]}\n")
    start = ["stats", "count"] if command == "stats" else ["fit"]
    script = f"""if True:
        import resource, sys
        from termfold.cli import main
        def command(*args):
            sys.argv = ["termfold", {", ".join(map(repr, start))}, *args, "--jobs", "1"]
            main()
        command({str(rows)!r}, "-o", {str(tmp_path / "small")!r})
        pages = int(open("/proc/self/statm").read().split()[0])
        room = pages * resource.getpagesize() + 20_000_000
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
        command({str(big)!r}, "-o", {str(tmp_path / "out")!r})
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 1, (done.returncode, done.stderr[-2000:])
    assert "error: out of memory" in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["big.csv", "rows.csv", "small"]


# -- reading ----------------------------------------------------------------------------------


def test_a_link_that_leads_nowhere_amid_a_glob(tmp_path, rows):
    shutil.copy(rows, tmp_path / "a.csv")
    (tmp_path / "b.csv").symlink_to(tmp_path / "gone.csv")
    result = call("stats", "count", f"{tmp_path}/*.csv", "-o", tmp_path / "out")
    assert result.code == 1
    assert "b.csv: neither a file nor a folder" in result.err
    assert not (tmp_path / "out").exists()


def test_a_link_that_leads_nowhere_among_documents(tmp_path):
    for name in ("x", "y"):
        (tmp_path / "news" / name).mkdir(parents=True)
        (tmp_path / "news" / name / "1.txt").write_text(f"text of {name}")
    (tmp_path / "news" / "x" / "2.txt").symlink_to("gone")
    with pytest.raises(CorpusError, match=r"2\.txt: cannot be read \(No such file"):
        collect(tmp_path / "news")
    corpus = open_corpus(tmp_path / "news", on_error="skip")
    assert collect(corpus).n_docs == 2
    assert corpus.skipped.count == 1


@NEEDS_POSIX
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may read anything")
def test_a_file_without_permission_amid_a_glob(tmp_path, rows):
    shutil.copy(rows, tmp_path / "b.csv")
    (tmp_path / "b.csv").chmod(0)
    with pytest.raises(CorpusError, match=r"b\.csv: the file cannot be read"):
        collect(f"{tmp_path}/*.csv")


def test_links_round_in_a_circle(tmp_path):
    (tmp_path / "news" / "x").mkdir(parents=True)
    (tmp_path / "news" / "x" / "1.txt").write_text("good film")
    for name in ("one", "two"):
        (tmp_path / "news" / "x" / name).symlink_to("..")
    assert collect(tmp_path / "news").n_docs == 1


@NEEDS_POSIX
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "p.csv")
    with pytest.raises(CorpusError, match="a pipe must be written to a file first"):
        collect(tmp_path / "p.csv")


@pytest.mark.parametrize("change", ["cut", "longer", "another", "gone"])
@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_a_file_that_changes_while_it_is_read(tmp_path, change, format):
    path = tmp_path / f"rows.{format}"
    rows = ROWS if format == "csv" else '{"text": "one two", "label": "x"}\n' * 20_000
    path.write_text(rows)
    batches = iter(open_corpus(path, batch_bytes=10_000))
    next(batches)
    if change == "cut":
        os.truncate(path, len(rows) // 2)
    elif change == "longer":
        with path.open("a") as file:
            file.write("a")
    else:
        path.unlink()
        if change == "another":
            path.write_text(rows[: len(rows) // 2])
    with pytest.raises(CorpusError, match=rf"rows\.{format}"):
        list(batches)


def test_a_model_that_is_replaced_while_it_is_read(tmp_path):
    """A reader has the old file or the new one, however often it is replaced."""
    contents = [files().model.read_bytes(), files().tags_model.read_bytes()]
    path = tmp_path / "m.termfold"
    path.write_bytes(contents[0])
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            with replacing(path) as file:
                file.write(contents[number % 2])

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        sizes = {len(TextClassifier.load(path).classes_) for _ in range(60)}
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert sizes <= {12, 13}
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


# -- two at once ------------------------------------------------------------------------------


@NEEDS_POSIX
def test_two_updates_of_one_model_are_both_learnt(tmp_path):
    model = tmp_path / "m.termfold"
    shutil.copy(files().updatable, model)
    before = TextClassifier.load(model).stats_.n_docs
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(run("update", model, files().test)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.code for result in results] == [0, 0], results
    after = TextClassifier.load(model).stats_.n_docs
    assert after == before + 2 * TermStats.load(files().counts).n_docs // 3


@NEEDS_POSIX
def test_a_lock_follows_the_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"0")
    waited = []

    def add() -> None:
        with locked(path, lambda: waited.append(1)):
            number = int(path.read_bytes())
            with replacing(path) as file:
                file.write(str(number + 1).encode())

    threads = [threading.Thread(target=add) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() == b"20"
