"""What the service refuses, with which answer, and what it never does."""

from __future__ import annotations

import json
import time
from unittest.mock import patch

import pytest
from fastapi import FastAPI

from cli_tools import files
from serve_tools import client, client_of, client_of_counts
from termfold import TermStats, TextClassifier
from termfold.errors import FileFormatError, StatsError, TermfoldError
from termfold.serve import Limits, create_app
from termfold.serve.app import LOCAL

PLAIN = {"content-type": "text/plain"}
LINES = {"content-type": "application/x-ndjson"}


# -- bodies -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "word"),
    [
        ("", b"", {}, 422, "not JSON"),
        ("", b'{"text": "a', {}, 422, "not JSON"),
        ("", b"[" * 100_000, {}, 422, "not JSON"),
        ("", b'{"text": "\xff"}', {}, 422, "not JSON"),
        ("", b'{"text": "\\ud800"}', {}, 422, "not JSON"),
        ("", b'["text"]', {}, 422, "not a list"),
        ("", b"{}", {}, 422, "no 'text'"),
        ("", b'{"text": 7}', {}, 422, "not a number"),
        ("", b'{"text": null}', {}, 422, "null"),
        ("", b"caf\xe9", PLAIN, 422, "byte 3 is 0xe9"),
        ("", b"caf\xe9", {"content-type": "text/plain; charset=latin-1"}, 415, "UTF-8"),
        ("", b"<text/>", {"content-type": "application/xml"}, 415, "application/xml"),
        ("", b'"text"', LINES, 415, "one text"),
        ("/many", b'{"texts": "text"}', {}, 422, "not a string"),
        ("/many", b'{"texts": ["a", 7]}', {}, 422, "text 1 is 7"),
        ("/many", b'{"texts": ["a", null]}', {}, 422, "text 1"),
        ("/many", b'"a"\n{"txt": "b"}', LINES, 422, "line 2"),
        ("/many", b'"a"\n{', LINES, 422, "line 2 is not JSON"),
        ("/many", b"a\nb\xff\nc", PLAIN, 422, "byte 3 is 0xff"),
    ],
)
def test_a_body_that_is_not_as_described(path, body, headers, status, word):
    answer = client().post(f"/api/classify{path}", content=body, headers=headers)
    assert (answer.status_code, word in answer.json()["detail"]) == (status, True), answer.text


@pytest.mark.parametrize(
    ("path", "status", "word"),
    [
        ("/api/terms?score=chi", 404, "chi2"),
        ("/api/terms?class=nothing", 404, "'nothing'"),
        ("/api/terms?n=0", 422, "query.n"),
        ("/api/terms?n=1e9", 422, "query.n"),
        ("/api/terms?features=-1", 422, "features"),
        ("/api/term?term=unheardof", 404, "unheardof"),
        ("/api/term", 422, "term"),
        ("/api/compare?x=games&y=nothing", 404, "'nothing'"),
        ("/api/search?q=" + "a" * 300, 422, "200"),
        ("/api/nothing", 404, "Not Found"),
        ("/assets/nothing.js", 404, "Not Found"),
    ],
)
def test_a_question_that_has_no_answer(path, status, word):
    answer = client().get(path)
    assert (answer.status_code, word in answer.json()["detail"]) == (status, True), answer.text


def test_counts_of_a_matrix_label_no_text():
    stats = TermStats.from_matrix([[1, 0], [0, 1]], ["x", "y"], terms=["a", "b"])
    answer = client_of(stats).post("/api/classify", json={"text": "a"})
    assert answer.status_code == 404
    assert client_of(stats).get("/api/term?term=a").json()["documents"] == 1


# -- sizes ------------------------------------------------------------------------------------


def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not():
    small = client_of(files().counts, limits=Limits(body_bytes=1000))
    assert small.post("/api/classify", content=b"a" * 1000, headers=PLAIN).status_code == 200
    for body in (b"a" * 1001, iter([b"a" * 600, b"a" * 600])):
        answer = small.post("/api/classify", content=body, headers=PLAIN)
        assert answer.status_code == 413
        assert "1,000 bytes" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"a\n" * 6, PLAIN),
        (b'"a"\n' * 6, LINES),
        (json.dumps({"texts": ["a"] * 6}).encode(), {}),
    ],
)
def test_too_many_texts_are_refused(body, headers):
    few = client_of(files().counts, limits=Limits(texts=5))
    answer = few.post("/api/classify/many", content=body, headers=headers)
    assert answer.status_code == 413
    assert "one request takes 5" in answer.json()["detail"]


@pytest.mark.parametrize("name", ["body_bytes", "texts", "seconds", "rate", "waiting"])
def test_a_limit_is_greater_than_zero(name):
    with pytest.raises(ValueError, match=name):
        Limits(**{name: 0})


# -- rate and time ----------------------------------------------------------------------------


def test_who_asks_too_often_is_told_when_to_come_again():
    slow = client_of(files().counts, limits=Limits(rate=1))
    answers = [slow.get("/health") for _ in range(7)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
    assert int(answers[-1].headers["retry-after"]) >= 1


def test_what_takes_too_long_is_given_up_and_others_are_not_held_up():
    hasty = client_of(files().counts, limits=Limits(seconds=0.05, waiting=1), n_jobs=1)
    with patch("termfold.serve.looking.list_classes", lambda subject: time.sleep(0.5) or []):
        late = hasty.get("/api/classes")
        busy = hasty.get("/api/classes")
    assert late.status_code == 503
    assert "0.05 seconds" in late.json()["detail"]
    assert busy.status_code == 503
    assert "retry-after" in busy.headers
    assert hasty.post("/api/classify", json={"text": "at once"}).status_code == 200


# -- who may ask ------------------------------------------------------------------------------


def test_a_token_is_asked_for_where_there_is_one():
    secret = client_of(files().counts, token="sesame")
    for path in ("/api/about", "/metrics", "/api/nothing"):
        answer = secret.get(path)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
    for wrong in ("Bearer Sesame", "Bearer sesam", "sesame", "Basic sesame", "Bearer sésame"):
        answer = secret.get("/api/about", headers={"authorization": wrong.encode()})
        assert answer.status_code == 401
    right = {"authorization": "Bearer sesame"}
    assert secret.get("/api/about", headers=right).status_code == 200
    for path in ("/", "/assets/main.js", "/health", "/openapi.json"):
        assert secret.get(path).status_code == 200


def test_only_names_of_this_machine_are_answered():
    here = client_of(files().counts, hosts=LOCAL)
    for host in ("127.0.0.1:8765", "localhost", "[::1]:80", "LOCALHOST:1"):
        assert here.get("/health", headers={"host": host}).status_code == 200
    for host in ("evil.example", "127.0.0.1.evil.example:8765", ""):
        assert here.get("/health", headers={"host": host}).status_code == 421


# -- what no request does ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../app.py",
        "/assets/%2e%2e/app.py",
        "/assets/..%2fapp.py",
        "/assets//etc/passwd",
        "/assets/main.js/",
        "/assets/main.js%00.css",
        "/..%5c..%5cpyproject.toml",
        "/api/term?term=../../etc/passwd",
        "/api/terms?class=/etc/passwd",
    ],
)
def test_no_path_reaches_the_file_system(path):
    asked = client()
    with patch("builtins.open", side_effect=AssertionError("a file was opened")):
        answer = asked.get(path)
    assert answer.status_code == 404
    assert "root:" not in answer.text


def test_every_answer_has_a_strict_policy():
    for path in ("/", "/assets/main.js", "/api/about", "/api/nothing", "/health"):
        headers = client().get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_the_page_s_files_are_ours_and_hold_no_inline_script():
    page = client().get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "<script>" not in page.text
    assert "onclick=" not in page.text
    assert " style=" not in page.text
    assert "//" not in page.text.replace("<!doctype html>", "")
    again = client().get("/", headers={"if-none-match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_nothing_but_reading_is_possible():
    for method in ("PUT", "DELETE", "PATCH"):
        for path in ("/", "/api/classify", "/api/about", "/health"):
            assert client().request(method, path).status_code == 405


# -- metrics and health -----------------------------------------------------------------------


def test_metrics_count_what_was_asked():
    fresh = client_of(files().counts)
    fresh.post("/api/classify/many", content=b"one\ntwo", headers=PLAIN)
    fresh.get("/api/terms?score=nothing")
    lines = fresh.get("/metrics").text.splitlines()
    assert "termfold_texts_total 2" in lines
    assert "termfold_text_bytes_total 7" in lines
    assert (
        'termfold_requests_total{route="/api/classify/many",method="POST",status="200"} 1' in lines
    )
    assert 'termfold_requests_total{route="/api/terms",method="GET",status="404"} 1' in lines
    buckets = [line for line in lines if 'route="/api/terms",le=' in line]
    assert buckets[-1] == 'termfold_request_seconds_bucket{route="/api/terms",le="+Inf"} 1'
    assert len(buckets) == 14
    for line in lines:
        assert line.startswith("# ") or float(line.rpartition(" ")[2]) >= 0


def test_the_health_names_what_is_served_and_no_folder():
    health = client_of_counts().get("/health").json()
    assert health["status"] == "ok"
    assert health["name"] == files().counts.name
    assert str(files().folder) not in json.dumps(health)


# -- what cannot be served --------------------------------------------------------------------


def test_what_cannot_be_served_is_said_at_once(tmp_path):
    other = tmp_path / "notes.txt"
    other.write_text("not a model")
    with pytest.raises(FileFormatError, match="neither a model nor a count file"):
        create_app(other)
    with pytest.raises(OSError, match="nowhere"):
        create_app(tmp_path / "nowhere")
    with pytest.raises(StatsError, match="no names"):
        create_app(TermStats.from_matrix([[1]], ["x"]))
    with pytest.raises(TypeError, match="TextClassifier"):
        create_app(TextClassifier())


def test_without_the_extra_the_install_line_is_told():
    with (
        patch.dict("sys.modules", {"uvicorn": None}),
        pytest.raises(TermfoldError, match=r"pip install 'termfold\[serve\]'"),
    ):
        create_app(files().counts)


def test_the_application_is_fastapi_s():
    assert isinstance(create_app(files().counts), FastAPI)
