"""Choose how to classify, by trying on the training documents."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from termfold.classify.learn import learn, scores_of_rows
from termfold.classify.training import TrainingSet
from termfold.classify.weigh import Settings
from termfold.terms.analyzer import Analyzer

_FOLDS = 3


@dataclass(frozen=True)
class Trial:
    """One way that was tried.

    Parameters
    ----------
    method, effort, C, ngram_range
        What was tried.
    micro_f1 : float
        Of the documents held out, in cross-validation on the training documents.
    seconds : float
        What it took.
    """

    method: str
    effort: str
    C: float
    ngram_range: tuple[int, int]
    micro_f1: float
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """What is the same each time, in JSON types; so not the time."""
        told = {**asdict(self), "ngram_range": list(self.ngram_range)}
        del told["seconds"]
        return told


def choose(
    read: Callable[[Analyzer], TrainingSet],
    multilabel: bool,
    settings: Settings,
    seconds: float,
) -> tuple[Settings, TrainingSet, list[Trial]]:
    """Try ways to classify until the time is over; return the best, and what was tried.

    Parameters
    ----------
    read : function of an analyzer
        Reads the training documents, again for each kind of terms.
    multilabel : bool
    settings : Settings
        What is not to be chosen.
    seconds : float
        Budget: no way is begun that would not end in time, judging by the one before. The first
        is always tried.
    """
    began = time.perf_counter()
    trials: list[Trial] = []
    best: tuple[float, Settings, TrainingSet] | None = None
    analyzer, training = settings.analyzer, read(settings.analyzer)
    longest = 0.0
    for candidate in _candidates(settings):
        left = seconds - (time.perf_counter() - began)
        if best is not None and left < longest:
            break
        start = time.perf_counter()
        if candidate.analyzer != analyzer:
            analyzer, training = candidate.analyzer, read(candidate.analyzer)
        f1 = _cross_validated(training, multilabel, candidate)
        longest = max(longest, time.perf_counter() - start)
        trials.append(
            Trial(
                candidate.method,
                candidate.effort,
                candidate.C,
                candidate.analyzer.ngram_range,
                round(f1, 4),
                round(time.perf_counter() - start, 3),
            )
        )
        if best is None or f1 > best[0]:  # of equals the first, which is the simpler
            best = (f1, candidate, training)
    assert best is not None, "the first candidate is always tried"
    return best[1], best[2], trials


def _candidates(settings: Settings) -> Iterator[Settings]:
    """Ways to classify, the most promising for their time first."""
    base = settings._replace(method="fedip", effort="refined", C=0.5)
    yield base
    yield base._replace(effort="rule")
    yield base._replace(effort="head")
    for cost in (0.15, 1.5):
        yield base._replace(C=cost)
    if settings.analyzer.unit == "word" and settings.analyzer.ngram_range == (1, 1):
        pairs = base._replace(analyzer=replace(settings.analyzer, ngram_range=(1, 2)))
        yield pairs
        yield pairs._replace(C=1.5)


def _cross_validated(training: TrainingSet, multilabel: bool, settings: Settings) -> float:
    """Micro-F1 over documents held out in turn."""
    fold = np.random.default_rng(0).permutation(len(training)) % _FOLDS
    hits = said = true = 0
    for held in range(_FOLDS):
        rows = np.flatnonzero(fold == held)
        rest = training.rows(np.flatnonzero(fold != held))
        model = learn(rest, multilabel, settings._replace(max_bytes=None, precision="float32"))
        scores = scores_of_rows(model, training, rows)
        chosen = model.chosen(scores)
        inside = training.rows(rows).labels.indicator(bool).toarray()
        hits += int((chosen & inside).sum())
        said += int(chosen.sum())
        true += int(inside.sum())
    return 2 * hits / max(1, said + true)
