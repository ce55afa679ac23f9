"""The service as a process of its own: reloads, stops, and what the command line says."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from typing import Any

import click
import pytest

from cli_tools import call, files
from serve_tools import serving, train
from termfold.cli.serve import _hosts, _token
from termfold.serve.holder import Holder

PLAIN = {"content-type": "text/plain"}


def ask(url: str, body: bytes | None = None, **headers: str) -> Any:
    request = urllib.request.Request(url, body, {**PLAIN, **headers})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def ask_until(url: str, wanted: str, body: bytes) -> None:
    until = time.monotonic() + 20
    while ask(url, body)["predicted"] != [wanted]:
        assert time.monotonic() < until, f"{wanted!r} was not to be seen in time"
        time.sleep(0.05)


def test_a_replaced_file_is_served_without_a_failed_request(tmp_path):
    one = train(tmp_path, "one", {"goal": "sport", "bank": "trade"})
    two = train(tmp_path, "two", {"goal": "football", "bank": "money"})
    broken = tmp_path / "broken"
    broken.write_bytes(one.read_bytes()[:-10])
    target = tmp_path / "served"
    shutil.copy(one, target)
    failures: list[BaseException] = []
    labels: set[str] = set()
    done = threading.Event()

    def keep_asking(url: str) -> None:
        while not done.is_set():
            try:
                labels.update(ask(f"{url}api/classify", b"a goal")["predicted"])
            except OSError as error:
                failures.append(error)

    with serving(target) as (url, process):
        threads = [threading.Thread(target=keep_asking, args=(url,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for source, label in ((two, "football"), (one, "sport"), (two, "football")):
            copy = tmp_path / "next"
            shutil.copy(source, copy)
            copy.replace(target)
            ask_until(f"{url}api/classify", label, b"a goal")
        # One that is cut, even written over the other, is told of and not used.
        shutil.copy(broken, target)
        assert process.stderr is not None
        said = next(line for line in process.stderr if "was replaced" not in line)
        assert "the new file is not used" in said
        assert ask(f"{url}api/classify", b"a goal")["predicted"] == ["football"]
        done.set()
        for thread in threads:
            thread.join()
        with urllib.request.urlopen(f"{url}metrics") as answer:
            metrics = answer.read().decode()
    assert failures == []
    assert labels == {"sport", "football"}
    assert 'termfold_reloads_total{result="done"} 3' in metrics
    assert 'termfold_reloads_total{result="failed"} 1' in metrics


def test_documents_are_read_anew_for_another_analyzer(tmp_path):
    from termfold import Analyzer, collect
    from termfold.evaluate.documents import read_documents
    from termfold.serve.documents import LabelledDocuments

    texts, labels = ["a goal kick", "a bank rate"], ["sport", "trade"]
    path = tmp_path / "counts"
    collect(texts, labels=labels).save(path)
    documents = read_documents(texts, labels=labels)
    holder = Holder.open(path, "", lambda analyzer: LabelledDocuments(documents, analyzer))
    first = holder.subject.documents
    collect([*texts, "a bank"], labels=[*labels, "trade"]).save(path)
    assert holder.changed()
    holder.load()
    assert holder.subject.documents is first
    pairs = Analyzer(ngram_range=(2, 2))
    collect(texts, labels=labels, analyzer=pairs).save(path)
    holder.load()
    assert holder.subject.documents is not first
    assert [row.row for row in holder.subject.documents.examples("goal kick")] == [0]


def slow_request(url: str, body: bytes, *headers: str) -> socket.socket:
    """Begin a request whose body comes later."""
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    connection = socket.create_connection((host, int(port)), timeout=20)
    head = (
        f"POST /api/classify HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/plain\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n"
        + "".join(f"{header}\r\n" for header in headers)
        + "\r\n"
    )
    connection.sendall(head.encode() + body[:2])
    return connection


def test_what_was_asked_before_the_stop_is_answered():
    body = b"a game of tetris"
    with serving(files().model) as (url, process):
        connection = slow_request(url, body)
        ask(f"{url}health")  # by now the other request is being read
        process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        connection.sendall(body[2:])
        answer = b""
        while part := connection.recv(65536):
            answer += part
        connection.close()
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert process.stderr.read().splitlines()[-1] == "stopped"
    assert answer.startswith(b"HTTP/1.1 200")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["predicted"] == ["games"]


def test_who_may_connect_what_they_must_bring_and_how_long_they_may_take(tmp_path):
    secret = tmp_path / "token"
    secret.write_text("sesame\n")
    right = {"authorization": "Bearer sesame"}
    with serving(files().counts, "--token-file", secret, "--max-seconds", 0.5) as (url, process):
        assert url.startswith("http://127.0.0.1:")
        with socket.socket() as other:
            other.settimeout(5)
            # Another address of this machine reaches a service that listens on all of them.
            port = int(url.rstrip("/").rpartition(":")[2])
            assert other.connect_ex(("127.0.0.2", port)) != 0
        with pytest.raises(urllib.error.HTTPError, match="401"):
            ask(f"{url}api/about")
        assert ask(f"{url}api/about", **right)["kind"] == "counts"
        with slow_request(url, b"never sent whole", "Authorization: Bearer sesame") as connection:
            assert connection.recv(65536).startswith(b"HTTP/1.1 408")
        assert ask(f"{url}health")["status"] == "ok"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_a_token_may_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("TERMFOLD_TOKEN", "abracadabra")
    assert _token(None) == "abracadabra"
    monkeypatch.setenv("TERMFOLD_TOKEN", "sésame")
    with pytest.raises(click.UsageError, match="ASCII"):
        _token(None)


@pytest.mark.parametrize(
    ("host", "allowed", "wanted"),
    [
        ("127.0.0.1", (), {"127.0.0.1", "localhost", "[::1]"}),
        ("localhost", ("Box.local",), {"127.0.0.1", "localhost", "[::1]", "box.local"}),
        ("0.0.0.0", (), None),
        ("127.0.0.1", ("*",), None),
        ("192.0.2.1", ("box",), {"127.0.0.1", "localhost", "[::1]", "192.0.2.1", "box"}),
    ],
)
def test_by_which_names_the_service_answers(host, allowed, wanted):
    assert _hosts(host, allowed) == wanted


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["{folder}/nothing"], 2, "no such file"),
        (["{train}"], 1, "neither a model nor a count file"),
        (["{model}", "--corpus", "{folder}/nothing.csv"], 1, "nothing.csv"),
        (["{model}", "--port", "70000"], 2, "70000"),
        (["{model}", "--rate", "0"], 2, "rate"),
        (["{model}", "--token-file", "{empty}"], 2, "is empty"),
        (["{model}", "--host", "192.0.2.1"], 1, "cannot listen on 192.0.2.1"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(arguments, code, word, tmp_path):
    empty = tmp_path / "empty"
    empty.touch()
    places = {**files()._asdict(), "empty": empty}
    result = call("serve", *(argument.format(**places) for argument in arguments))
    assert (result.code, word in result.err) == (code, True), result.err
    assert "Traceback" not in result.err


def test_a_port_in_use_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = call("serve", files().counts, "--port", port)
    assert result.code == 1
    assert f"port {port}" in result.err
