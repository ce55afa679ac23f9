"""The count file: what is saved is loaded, and what was altered is refused."""

from __future__ import annotations

import os
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from safetensors.numpy import save_file

from stats_tools import DOCUMENTS, stats_of
from termfold.atomic import replacing
from termfold.collecting import collect
from termfold.errors import FileFormatError
from termfold.stats import TermStats
from termfold.store import read_store, write_store
from termfold.terms.analyzer import Analyzer

TEXTS = ["good film", "größer 中文 film", "a dull one", "dull dull", ""]
LABELS = [["pos"], ["pos", "ü"], ["neg"], ["neg"], []]
ANALYZER = Analyzer(stop_words=["one", "größer"], ngram_range=(1, 2), numbers="drop")
COUNTS = np.array([[1, 0, 300], [0, 70_000, 2], [5_000_000_000, 0, 0]])

KINDS = {
    "collected": lambda: collect(TEXTS, labels=LABELS),
    "analyzer": lambda: collect(TEXTS, labels=LABELS, analyzer=ANALYZER),
    "pruned": lambda: collect(TEXTS, labels=LABELS).prune(2),
    "empty": TermStats.empty,
    "empty, with an analyzer": lambda: TermStats.empty(ANALYZER),
    "no terms": lambda: collect(["", "?"], labels=["x", "y"]),
    "no labels": lambda: collect(["aa bb"], labels=[[]], multilabel=True),
    "columns": lambda: TermStats.from_matrix(COUNTS, ["x", "y", "x"]),
    "named columns": lambda: TermStats.from_matrix(COUNTS, ["x", "y", "x"], terms=["a", "b", "ä"]),
    "numbers for classes": lambda: TermStats.from_matrix(COUNTS, [3, 1, 2]),
    "real classes": lambda: TermStats.from_matrix(COUNTS, [0.1, 1.5, 0.1]),
    "real weights": lambda: TermStats.from_matrix(COUNTS / 7, ["x", "y", "x"]),
    "weighted": lambda: TermStats.from_matrix(
        COUNTS, ["x", "y", "x"], sample_weight=np.array([0.1, 0.2, 0.3])
    ),
    "below zero": lambda: TermStats.from_matrix(-COUNTS, ["x", "y", "x"]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_saved_is_loaded(kind, tmp_path):
    stats = KINDS[kind]()
    stats.save(tmp_path / "one")
    loaded = TermStats.load(str(tmp_path / "one"))
    assert loaded == stats
    assert loaded.content_hash() == stats.content_hash()
    assert loaded.analyzer == stats.analyzer
    assert type(loaded.n_docs) is type(stats.n_docs)
    for name in ("classes", "class_docs", "indptr", "class_of", "df", "tf", "term_df", "term_tf"):
        assert getattr(loaded, name).dtype.kind == getattr(stats, name).dtype.kind
    loaded.save(tmp_path / "other")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DOCUMENTS, DOCUMENTS)
def test_equal_content_gives_equal_bytes(tmp_path, one, two):
    """However it came together."""
    stats_of(one + two).save(tmp_path / "whole")
    (stats_of(two) + stats_of(one)).save(tmp_path / "parts")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "parts").read_bytes()
    loaded = TermStats.load(tmp_path / "whole")
    assert loaded + stats_of(one) == stats_of(one + two + one)
    assert loaded - stats_of(one) == stats_of(two)


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    path = tmp_path_factory.mktemp("stats") / "counts.stats"
    KINDS["analyzer"]().save(path)
    return path.read_bytes()


def assert_refused(path, altered: bytes) -> None:
    path.write_bytes(altered)
    with pytest.raises(FileFormatError, match=re.escape(str(path))):
        TermStats.load(path)


@pytest.mark.parametrize("bit", range(8))
def test_every_altered_bit_is_noticed(content, tmp_path, bit):
    for at in range(bit % 4, len(content), 4):
        altered = bytearray(content)
        altered[at] ^= 1 << bit
        assert_refused(tmp_path / "altered", bytes(altered))


def test_bytes_of_the_header_replaced_by_any_other(content, tmp_path):
    """Names of types, numbers and brackets may become others that are read without complaint."""
    rng = np.random.default_rng(0)
    original = KINDS["analyzer"]()
    end = 8 + int.from_bytes(content[:8], "little")
    for at in rng.integers(8, end, 700):
        altered = bytearray(content)
        altered[at] = rng.choice(np.frombuffer(b'0123456789eE.-+IUFB"{}[], \n\x00\xff', np.uint8))
        (tmp_path / "altered").write_bytes(altered)
        try:
            loaded = TermStats.load(tmp_path / "altered")
        except FileFormatError:
            continue
        assert loaded == original  # a blank at the header's end became a line feed, or the like
        assert loaded.terms.data.dtype == np.uint8


def test_every_cut_is_noticed(content, tmp_path):
    for size in range(len(content)):
        assert_refused(tmp_path / "cut", content[:size])
    assert_refused(tmp_path / "longer", content + b"\0")


def test_the_types_of_tables_are_checked(tmp_path):
    """Signed bytes would have the same hash, but another order."""
    path = tmp_path / "counts.stats"
    KINDS["collected"]().save(path)
    content = path.read_bytes()
    at = content.index(b'"term_bytes":{"dtype":"U8"') + len(b'"term_bytes":{"dtype":"')
    assert_refused(path, content[:at] + b"I" + content[at + 1 :])


def test_files_of_another_kind(tmp_path):
    path = tmp_path / "file"
    table = {"a": np.arange(3)}
    assert_refused(path, b"")
    assert_refused(path, b"PAR1 and so on, longer than eight bytes")
    assert_refused(path, b'{"json": 1}')
    for metadata in (None, {"format": "np"}, {"termfold": "no JSON"}, {"termfold": "[1]"}):
        save_file(table, path, metadata)
        assert_refused(path, path.read_bytes())
    write_store(path, "termfold-model", 1, {}, table)
    with pytest.raises(FileFormatError, match="a termfold-model file of version 1; this is for"):
        TermStats.load(path)
    write_store(path, "termfold-stats", 99, {}, table)
    with pytest.raises(FileFormatError, match="a termfold-stats file of version 99; this is for"):
        TermStats.load(path)
    write_store(path, "termfold-stats", 1, {}, table)
    with pytest.raises(FileFormatError, match="the tables do not fit together"):
        TermStats.load(path)
    with pytest.raises(FileNotFoundError):
        TermStats.load(tmp_path / "absent")


def test_a_file_that_contradicts_itself(tmp_path):
    """Tables that do not belong together are refused before anything is computed from them."""
    path = tmp_path / "counts.stats"
    stats = KINDS["collected"]()
    for wrong in (
        replace(stats, class_of=stats.class_of + 7),
        replace(stats, class_docs=stats.class_docs[1:]),
        replace(stats, df=stats.df[1:]),
        replace(stats, term_tf=stats.term_tf[:, None]),
        replace(stats, indptr=stats.indptr[1:]),
    ):
        wrong.save(path)
        with pytest.raises(FileFormatError, match="the tables do not fit together"):
            TermStats.load(path)


# -- writing in one step ----------------------------------------------------------------------


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "counts.stats"
    path.write_bytes(b"what was there before")
    return path


def assert_untouched(old) -> None:
    assert old.read_bytes() == b"what was there before"
    assert [path.name for path in old.parent.iterdir()] == [old.name]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_when_writing_fails_nothing_has_happened(old, monkeypatch, step):
    def fail(*args):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, step, fail)
    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(OSError, match="no space left"):
        KINDS["collected"]().save(old)
    monkeypatch.undo()
    assert_untouched(old)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_when_the_writer_fails_nothing_has_happened(old, error):
    def write():
        with replacing(old) as file:
            file.write(b"half of")
            raise error

    with pytest.raises(error):
        write()
    assert_untouched(old)


def test_the_new_file_takes_the_old_ones_place(old):
    with replacing(old) as file:
        file.write(b"new")
        assert old.read_bytes() == b"what was there before"
    assert old.read_bytes() == b"new"
    assert len(list(old.parent.iterdir())) == 1


def test_places_where_no_file_can_be(tmp_path):
    stats = KINDS["collected"]()
    with pytest.raises(FileNotFoundError):
        stats.save(tmp_path / "absent" / "counts.stats")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        stats.save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_store_is_for_any_tables(tmp_path):
    tables = {"b": np.arange(3.0), "a": np.zeros((0, 2), np.int32), "c": np.array([[True]])}
    write_store(tmp_path / "x", "thing", 3, {"note": "größer 中文"}, tables)
    header, read = read_store(tmp_path / "x", "thing", 3)
    assert header == {"kind": "thing", "version": 3, "note": "größer 中文"}
    assert read.keys() == tables.keys()
    for name, table in tables.items():
        np.testing.assert_array_equal(read[name], table)
        assert read[name].dtype == table.dtype
