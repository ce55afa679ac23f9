"""Training documents in files: the same model, byte for byte, whatever is spilled."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp

from termfold import TextClassifier
from termfold.classify import training
from termfold.classify.model_file import save
from termfold.classify.spill import Scratch, SpilledSet, read_spilling
from termfold.corpus import open_corpus
from termfold.datasets import load_debian
from termfold.project import RefinedProjection
from termfold.stats import Labels
from termfold.terms.analyzer import Analyzer

TEXTS, LABELS = (part[:600] for part in load_debian("train").pair())
SEVERAL = [
    [label, "short"] if len(text) < 300 else [label]
    for text, label in zip(TEXTS, LABELS, strict=True)
]


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "BLOCK_COUNTS", 5000)


@pytest.fixture(autouse=True)
def temporary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder where temporary files go; it must be left empty."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def bytes_of(classifier: TextClassifier, folder: Path) -> bytes:
    save(classifier.model_, folder / "model")
    return (folder / "model").read_bytes()


@pytest.mark.parametrize("labels", [LABELS, SEVERAL], ids=["one label", "several labels"])
@pytest.mark.parametrize("parameters", [{}, {"min_df": 2}, {"C": 2.0, "random_state": 3}])
def test_the_model_is_the_same(
    labels: list[object], parameters: dict[str, object], temporary: Path, tmp_path: Path
) -> None:
    def fitted(spill: int | None, n_jobs: int, batch_bytes: int) -> bytes:
        model = TextClassifier(spill_bytes=spill, n_jobs=n_jobs, **parameters)  # type: ignore[arg-type]
        return bytes_of(model.fit(TEXTS, labels, batch_bytes=batch_bytes), tmp_path)

    expected = fitted(None, 1, 1 << 20)
    for spill, n_jobs, batch_bytes in ((100_000, 1, 20_000), (30_000, 2, 10_000), (1, 2, 50_000)):
        assert fitted(spill, n_jobs, batch_bytes) == expected
    assert not list(temporary.iterdir())


def test_a_column_without_documents(tmp_path: Path) -> None:
    """Of an indicator matrix: the class has none, in memory and in files."""
    y = np.eye(15, dtype=int)[np.unique(LABELS, return_inverse=True)[1]]
    models = [
        TextClassifier(spill_bytes=spill).fit(TEXTS, y, batch_bytes=10_000)
        for spill in (None, 40_000)
    ]
    assert bytes_of(models[0], tmp_path) == bytes_of(models[1], tmp_path)
    assert models[1].predict(TEXTS[:50]).shape == (50, 15)
    assert not models[1].predict(TEXTS)[:, 14].any()


def test_the_order_of_documents_makes_no_difference(tmp_path: Path) -> None:
    forwards = TextClassifier(spill_bytes=50_000).fit(TEXTS, LABELS, batch_bytes=10_000)
    by_class = np.argsort(LABELS, kind="stable")
    sorted_texts, sorted_labels = ([part[i] for i in by_class] for part in (TEXTS, LABELS))
    backwards = TextClassifier(spill_bytes=70_000).fit(
        sorted_texts, sorted_labels, batch_bytes=10_000
    )
    assert bytes_of(forwards, tmp_path) == bytes_of(backwards, tmp_path)


def test_from_files_with_labels(tmp_path: Path) -> None:
    path = tmp_path / "corpus.parquet"
    pq.write_table(pa.table({"text": TEXTS, "label": LABELS}), path)
    seen = []
    spilled = TextClassifier(spill_bytes=30_000).fit(
        path, batch_bytes=10_000, progress=lambda _, batch: seen.append(len(batch))
    )
    assert sum(seen) == len(TEXTS)
    assert bytes_of(spilled, tmp_path) == bytes_of(TextClassifier().fit(TEXTS, LABELS), tmp_path)


def test_counts_in_files_are_those_in_memory() -> None:
    def read(spill: int, scratch: Scratch) -> training.TrainingSet | SpilledSet:
        corpus = open_corpus(TEXTS, labels=LABELS, batch_bytes=10_000)
        return read_spilling(corpus, Analyzer(), scratch, spill, min_df=2)

    with Scratch() as scratch:
        whole, parts = read(10**9, scratch), read(40_000, scratch)
        assert isinstance(whole, training.TrainingSet)
        assert isinstance(parts, SpilledSet)
        assert list(whole.terms) == list(parts.terms)
        assert len(parts.blocks) > 3
        together = sp.vstack(list(parts.blocks))
        assert sorted(map(tuple, together.toarray())) == sorted(map(tuple, whole.counts.toarray()))
        some = np.array([0, 7, 300, len(TEXTS) - 1])
        assert (parts.counts_of(some) != together.tocsr()[some]).nnz == 0
        with pytest.raises(IndexError):
            parts.blocks[len(parts.blocks)]


def test_what_fits_into_memory_makes_no_files(temporary: Path) -> None:
    with Scratch() as scratch:
        corpus = open_corpus(TEXTS, labels=LABELS)
        found = read_spilling(corpus, Analyzer(), scratch, 10**9)
        assert isinstance(found, training.TrainingSet)
        assert not list(temporary.iterdir())


def test_files_are_gone_after_an_error(temporary: Path) -> None:
    with pytest.raises(ValueError, match="600 texts, but 599 labels"):
        TextClassifier(spill_bytes=50_000).fit(TEXTS, LABELS[:-1], batch_bytes=10_000)
    assert not list(temporary.iterdir())


def test_a_full_disk_is_an_error(monkeypatch: pytest.MonkeyPatch, temporary: Path) -> None:
    def full(*_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space left"):
        TextClassifier(spill_bytes=50_000).fit(TEXTS, LABELS, batch_bytes=10_000)
    assert not list(temporary.iterdir())


def test_no_terms_at_all() -> None:
    with pytest.raises(ValueError, match="no terms in 400 texts"):
        TextClassifier(spill_bytes=100).fit(["- ? !"] * 400, ["a", "b"] * 200, batch_bytes=100)


def test_other_methods_take_all_documents_at_once(temporary: Path, tmp_path: Path) -> None:
    for parameters in ({"effort": "rule"}, {"method": "ocfs"}):
        little = TextClassifier(spill_bytes=1000, **parameters).fit(TEXTS, LABELS)  # type: ignore[arg-type]
        much = TextClassifier(spill_bytes=None, **parameters).fit(TEXTS, LABELS)  # type: ignore[arg-type]
        assert bytes_of(little, tmp_path) == bytes_of(much, tmp_path)


def test_a_projection_refines_in_blocks(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = sp.csr_array(rng.poisson(0.3, (300, 80)).astype(np.float32))
    y = Labels.of(rng.integers(0, 3, 300))
    blocks = [X[:100], X[100:250], X[250:]]
    in_memory = RefinedProjection(tol=1e-6).fit_blocks(blocks, y, multilabel=False)
    in_files = RefinedProjection(tol=1e-6).fit_blocks(blocks, y, multilabel=False, scratch=tmp_path)
    assert np.array_equal(in_memory.weights_, in_files.weights_)
    assert in_memory.temperature_ == in_files.temperature_
    assert in_memory.stats_ == in_files.stats_
    # blocks are another order of the documents: the way differs, the minimum does not
    whole = RefinedProjection(tol=1e-6).fit(X, y.ids)
    assert np.abs(whole.weights_ - in_memory.weights_).max() < 0.02
    assert whole.stats_ == in_memory.stats_
    one = RefinedProjection().fit_blocks([X], y, multilabel=False)
    assert np.array_equal(one.weights_, RefinedProjection().fit(X, y.ids).weights_)
