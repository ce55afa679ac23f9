"""What the service has done, in Prometheus's text format."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping

MEDIA = "text/plain; version=0.0.4; charset=utf-8"
# Upper ends of the buckets of a request's time, in seconds.
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_NAMES = {
    "requests_total": ("counter", "Requests answered, by route, method and status."),
    "request_seconds": ("histogram", "Time from a request's first byte to its answer's last."),
    "texts_total": ("counter", "Texts classified."),
    "text_bytes_total": ("counter", "Bytes of the texts classified."),
    "reloads_total": ("counter", "Changes of the file noticed, by result."),
    "requests_in_flight": ("gauge", "Requests being answered."),
    "threads_waiting": ("gauge", "Requests that have a thread or wait for one."),
    "loaded_timestamp_seconds": ("gauge", "When the file was loaded."),
    "file_info": ("gauge", "The file served, as labels."),
}


class Metrics:
    """Counters of one process; used from its event loop alone, so that no lock is needed.

    Examples
    --------
    >>> metrics = Metrics()
    >>> metrics.answered("/health", "GET", 200, 0.002)
    >>> print(metrics.text({}))
    # HELP termfold_requests_total Requests answered, by route, method and status.
    # TYPE termfold_requests_total counter
    termfold_requests_total{route="/health",method="GET",status="200"} 1
    ...
    """

    def __init__(self) -> None:
        self.started = time.time()
        self.in_flight = 0
        self._counts: Counter[tuple[str, str]] = Counter()
        self._times: dict[str, list[float]] = {}

    def count(self, name: str, amount: int = 1, **labels: str) -> None:
        """Add to a counter."""
        self._counts[name, _labels(labels)] += amount

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Note an answer."""
        labels = {"route": route, "method": method, "status": str(status)}
        self._counts["requests_total", _labels(labels)] += 1
        times = self._times.setdefault(route, [0.0] * (len(_BUCKETS) + 2))
        times[-1] += seconds
        for i, end in enumerate(_BUCKETS):
            if seconds <= end:
                times[i] += 1
                break
        else:
            times[len(_BUCKETS)] += 1

    def text(self, gauges: Mapping[str, tuple[Mapping[str, str], float]]) -> str:
        """All values; those of gauges, with their labels, are told by the caller."""
        lines: list[str] = []
        for name, (kind, help_text) in _NAMES.items():
            values = self._values(name, gauges)
            if values:
                lines += [f"# HELP termfold_{name} {help_text}", f"# TYPE termfold_{name} {kind}"]
                lines += [f"termfold_{line}" for line in values]
        return "\n".join(lines) + "\n"

    def _values(
        self, name: str, gauges: Mapping[str, tuple[Mapping[str, str], float]]
    ) -> list[str]:
        if name == "request_seconds":
            return [line for route in sorted(self._times) for line in self._histogram(route)]
        if name in gauges:
            labels, value = gauges[name]
            return [f"{name}{_labels(labels)} {value!r}"]
        found = sorted((labels, n) for (known, labels), n in self._counts.items() if known == name)
        return [f"{name}{labels} {n}" for labels, n in found]

    def _histogram(self, route: str) -> list[str]:
        *counts, total = self._times[route]
        lines, so_far = [], 0.0
        for end, count in zip((*_BUCKETS, float("inf")), counts, strict=True):
            so_far += count
            shown = "+Inf" if end == float("inf") else f"{end:g}"
            lines.append(
                f"request_seconds_bucket{_labels({'route': route, 'le': shown})} {so_far:g}"
            )
        labels = _labels({"route": route})
        lines.append(f"request_seconds_sum{labels} {total:.6f}")
        lines.append(f"request_seconds_count{labels} {so_far:g}")
        return lines


def _labels(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    parts = [f'{name}="{_escaped(value)}"' for name, value in labels.items()]
    return "{" + ",".join(parts) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
