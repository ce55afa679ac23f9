"""What the tests of the service share: small files, an application, and a process that serves."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cli_tools import files
from termfold import TermStats, TextClassifier
from termfold.classify import TermModel, model_file
from termfold.datasets import load_debian

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from fastapi.testclient import TestClient

from termfold.serve import create_app


@cache
def model() -> TermModel:
    return model_file.load(files().model)


@cache
def counts() -> TermStats:
    return TermStats.load(files().counts)


@cache
def documents() -> Any:
    from termfold.evaluate.documents import read_documents

    return read_documents(files().train)


def client_of(source: Any, **options: Any) -> TestClient:
    """A client in this process; nothing is asked of a network."""
    options.setdefault("hosts", None)
    return TestClient(create_app(source, **options), raise_server_exceptions=False)


@cache
def client() -> TestClient:
    """Of a model file with its documents."""
    return client_of(files().model, corpus=documents())


@cache
def client_of_counts() -> TestClient:
    return client_of(files().counts)


def texts(n: int = 50) -> list[str]:
    return [str(text) for text in load_debian("test").text[:n].to_pylist()]


def train(folder: Path, name: str, labels: dict[str, str]) -> Path:
    """A tiny model, saved: each label for the texts with its word."""
    words, y = zip(*labels.items(), strict=True)
    path = folder / name
    TextClassifier(effort="rule").fit([f"{word} {word}" for word in words] * 3, list(y) * 3).save(
        path
    )
    return path


@contextmanager
def serving(*arguments: Any) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run ``termfold serve`` as a user does; gives its address and the process."""
    command = [sys.executable, "-m", "termfold", "serve", *map(str, arguments), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = []
            for line in process.stderr:
                said.append(line)
                found = re.match(r"(http://\S+/)", line)
                if found:
                    yield found[1], process
                    break
            else:
                pytest.fail("".join(said))
        finally:
            if process.poll() is None:
                process.kill()
