"""Requests a second and megabytes a second of `termfold serve`, beside a small service.

    python benchmarks/bench_serve.py

The rival is what many write first: FastAPI with a scikit-learn pipeline out of a pickle, ten
lines. Both learn from the built-in data, both are served by one process of uvicorn with the same
event loop, and they are asked in turn, so that a busy minute of the machine hits both.

The processor's time for a request is steadier than those of the clock on a machine that does other
work, too.

Single texts are sent by `wrk` (a package of Debian) over eight connections, from the test split,
as JSON. Batches, the same split over and over, are sent by this process: as JSON, and to termfold
as plain text with one text on each line too. Batch times are those that the client sees, with
writing the request and reading the answer, but not parsing it.
"""

from __future__ import annotations

import argparse
import http.client
import json
import pickle
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil
from _common import record, spread
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from termfold import TextClassifier
from termfold.datasets import load_debian

CONNECTIONS = 8
BATCH_BYTES = 8_000_000
PACKAGES = ("fastapi", "uvicorn", "uvloop", "httptools", "orjson", "pydantic")

RIVAL = """
import pickle
from pathlib import Path
from fastapi import FastAPI
from pydantic import BaseModel
class Texts(BaseModel):
    texts: list[str]
app, model = FastAPI(), pickle.loads(Path("model.pickle").read_bytes())
@app.post("/classify")
def classify(body: Texts) -> dict[str, list[str]]:
    return {"predicted": model.predict(body.texts).tolist()}
"""

# Requests that wrk sends one after the other, each connection in turn.
LUA = """
local requests, i = {}, 0
wrk.headers["Content-Type"] = "application/json"
function init(args)
  for line in io.lines("requests.txt") do
    requests[#requests + 1] = wrk.format("POST", "%s", nil, line)
  end
end
function request()
  i = i %% #requests + 1
  return requests[i]
end
"""


class Contender:
    """A service that runs, and how it is asked."""

    def __init__(self, name: str, port: int, single: str, many: str, key: str) -> None:
        self.name, self.port, self.single, self.many, self.key = name, port, single, many, key
        self.process: psutil.Process

    def prepare(self, folder: Path, texts: list[str]) -> None:
        self.folder = folder / self.name
        self.folder.mkdir()
        lines = (json.dumps({self.key: text if self.key == "text" else [text]}) for text in texts)
        (self.folder / "requests.txt").write_text("\n".join(lines) + "\n")
        (self.folder / "requests.lua").write_text(LUA % self.single)

    def load(self, seconds: int) -> dict[str, float]:
        """One run of wrk."""
        command = [
            "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency",
            "-s", "requests.lua", f"http://127.0.0.1:{self.port}",
        ]  # fmt: skip
        before = self.cpu_seconds()
        done = subprocess.run(
            command, cwd=self.folder, check=True, capture_output=True, text=True
        ).stdout
        assert "Non-2xx" not in done, done
        quantile = dict(re.findall(r"^\s+(\d+)%\s+(\S+)$", done, re.MULTILINE))
        requests = int(re.search(r"(\d+) requests in", done)[1])  # type: ignore[index]
        return {
            "cpu_ms_per_request": 1000 * (self.cpu_seconds() - before) / requests,
            "requests_per_second": float(re.search(r"Requests/sec:\s+(\S+)", done)[1]),  # type: ignore[index]
            "p50_ms": milliseconds(quantile["50"]),
            "p99_ms": milliseconds(quantile["99"]),
        }

    def cpu_seconds(self) -> float:
        times = self.process.cpu_times()
        return float(times.user + times.system)

    def post(self, path: str, body: bytes, media: str = "application/json") -> tuple[float, bytes]:
        """Seconds for one request, and its answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.connect()
        began = time.perf_counter()
        connection.request("POST", path, body, {"Content-Type": media})
        answer = connection.getresponse()
        content = answer.read()
        seconds = time.perf_counter() - began
        assert answer.status == 200, content
        connection.close()
        return seconds, content


def milliseconds(text: str) -> float:
    """What wrk says of a time: 950.00us, 1.20ms, 2.00s."""
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()  # type: ignore[union-attr]
    return float(number) * {"us": 1e-3, "ms": 1.0, "s": 1e3}[unit]


@contextmanager
def running(command: list[str], folder: Path, port: int) -> Iterator[psutil.Process]:
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(30)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=6, help="of each run of wrk")
    arguments = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("bench_serve.py needs wrk, which is a package of Debian")
    train, test = load_debian("train"), load_debian("test")
    texts, y = test.data, test.labels.to_pylist()
    flat = [" ".join(text.split()) for text in texts]
    size = sum(len(text.encode()) for text in flat)
    batch = flat * max(1, BATCH_BYTES // size)
    megabytes = sum(len(text.encode()) for text in batch) / 1e6
    lines = "\n".join(batch).encode()
    as_json = json.dumps({"texts": batch}, ensure_ascii=False).encode()

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        TextClassifier().fit(train).save(folder / "model.termfold")
        pipeline = make_pipeline(TfidfVectorizer(sublinear_tf=True), LinearSVC())
        pipeline.fit(train.data, train.labels.to_pylist())
        (folder / "model.pickle").write_bytes(pickle.dumps(pipeline))
        (folder / "rival.py").write_text(RIVAL)
        ours = Contender("termfold", free_port(), "/api/classify", "/api/classify/many", "text")
        rival = Contender("fastapi + scikit-learn", free_port(), "/classify", "/classify", "texts")
        commands = {
            ours: [sys.executable, "-m", "termfold", "serve", "model.termfold",
                   "--port", str(ours.port)],
            rival: [sys.executable, "-m", "uvicorn", "rival:app", "--no-access-log",
                    "--port", str(rival.port)],
        }  # fmt: skip
        both = (ours, rival)
        for contender in both:
            contender.prepare(folder, texts)
            started = running(commands[contender], folder, contender.port)
            contender.process = stack.enter_context(started)
        bodies = {
            "json": (as_json, "application/json"),
            "lines": (lines, "text/plain"),
        }
        ways = [(ours, "json"), (ours, "lines"), (rival, "json")]
        accuracy = {}
        for contender in both:  # and all is warm
            contender.load(1)
            found = contender.post(contender.many, json.dumps({"texts": texts}).encode())[1]
            right = [a == b for a, b in zip(json.loads(found)["predicted"], y, strict=True)]
            accuracy[contender.name] = sum(right) / len(right)
        runs: dict[str, list[dict[str, float]]] = {contender.name: [] for contender in both}
        speeds: dict[tuple[str, str], list[float]] = {(c.name, way): [] for c, way in ways}
        for _ in range(arguments.rounds):
            for contender in both:
                runs[contender.name].append(contender.load(arguments.seconds))
            for contender, way in ways:
                seconds, _answer = contender.post(contender.many, *bodies[way])
                speeds[contender.name, way].append(megabytes / seconds)

    measured: dict[str, Any] = {
        name: {
            "accuracy": accuracy[name],
            "single": {key: spread([run[key] for run in found]) for key in found[0]},
            "batch_mb_per_second": {
                way: spread(values) for (of, way), values in speeds.items() if of == name
            },
        }
        for name, found in runs.items()
    }
    record(
        "serve",
        data="debian sample: learnt from its training split, asked with its test split",
        connections=CONNECTIONS,
        seconds=arguments.seconds,
        bytes_per_text=size / len(texts),
        batch_texts=len(batch),
        batch_megabytes=megabytes,
        packages={package: version(package) for package in PACKAGES},
        services=measured,
    )


if __name__ == "__main__":
    main()
