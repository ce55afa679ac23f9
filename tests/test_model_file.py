"""The model file: what is read is what was written, or an error."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from safetensors.numpy import save_file

from termfold import TextClassifier
from termfold.classify import model_file
from termfold.errors import FileFormatError
from termfold.stats import TermStats

TEXTS = ["a goal in the match", "the bank cut its rate", "the match was lost", "shares of the bank"]
LABELS = ["sport", "trade", "sport", "trade"]


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier(updatable=True).fit(TEXTS, LABELS)


@pytest.fixture
def path(classifier, tmp_path):
    classifier.save(tmp_path / "m.termfold")
    return tmp_path / "m.termfold"


def test_loaded_is_saved(classifier, path, tmp_path):
    loaded = TextClassifier.load(path)
    assert model_file.content_hash(loaded.model_) == model_file.content_hash(classifier.model_)
    assert np.array_equal(loaded.transform(TEXTS), classifier.transform(TEXTS))
    assert loaded.model_.about == classifier.model_.about
    assert loaded.stats_ == classifier.stats_
    assert loaded.memory_ == classifier.memory_
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_equal_models_are_equal_bytes(path, tmp_path):
    TextClassifier(updatable=True).fit(TEXTS[::-1], LABELS[::-1]).save(tmp_path / "other")
    assert (tmp_path / "other").read_bytes() == path.read_bytes()


def test_every_cut_is_an_error(path):
    whole = path.read_bytes()
    for size in [*range(0, len(whole), 97), len(whole) - 1]:
        path.write_bytes(whole[:size])
        with pytest.raises(FileFormatError, match=r"m\.termfold"):
            TextClassifier.load(path)


def test_every_altered_byte_is_an_error(path):
    """Or changes nothing: safetensors pads its header with blanks."""
    whole = path.read_bytes()
    header_end = 8 + struct.unpack("<Q", whole[:8])[0]
    content = model_file.content_hash(model_file.load(path))
    places = [*range(0, header_end, 7), *range(header_end, len(whole), 13)]
    for place in places:
        altered = bytearray(whole)
        altered[place] ^= 0x11
        path.write_bytes(altered)
        try:
            model = model_file.load(path)
        except FileFormatError:
            continue
        assert model_file.content_hash(model) == content


def test_bytes_behind_the_end_are_an_error(path):
    path.write_bytes(path.read_bytes() + b"more")
    with pytest.raises(FileFormatError):
        TextClassifier.load(path)


def test_a_count_file_is_no_model_and_the_message_says_what_it_is(tmp_path):
    TermStats.from_matrix([[1]], ["a"], terms=["t"]).save(tmp_path / "f")
    with pytest.raises(FileFormatError, match="a termfold-stats file of version 1"):
        TextClassifier.load(tmp_path / "f")


def test_a_later_version_is_refused(path):
    whole = path.read_bytes()
    path.write_bytes(whole.replace(rb"\"version\": 1", rb"\"version\": 9"))
    with pytest.raises(FileFormatError, match="version 9; this is for"):
        TextClassifier.load(path)


def test_files_of_others(tmp_path):
    (tmp_path / "text").write_text("not a model")
    save_file({"a": np.zeros(3)}, tmp_path / "tensors")
    for name in ("text", "tensors"):
        with pytest.raises(FileFormatError, match="not a termfold-model file"):
            TextClassifier.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        TextClassifier.load(tmp_path / "absent")


def test_a_header_that_lies_about_sizes(path):
    whole = path.read_bytes()
    size = struct.unpack("<Q", whole[:8])[0]
    header = json.loads(whole[8 : 8 + size])
    for name in list(header):
        if name == "__metadata__":
            continue
        lie = json.loads(json.dumps(header))
        lie[name]["shape"] = [10**15]
        text = json.dumps(lie).encode()
        path.write_bytes(struct.pack("<Q", len(text)) + text + whole[8 + size :])
        with pytest.raises(FileFormatError):
            TextClassifier.load(path)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(classifier, path, monkeypatch):
    before = path.read_bytes()

    def fail(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr("termfold.atomic.os.fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        classifier.save(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
