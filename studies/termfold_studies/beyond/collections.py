"""Twelve collections of texts with one label a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from termfold.datasets import (
    Dataset,
    load_20newsgroups,
    load_agnews,
    load_chinese_news,
    load_dbpedia,
    load_debian,
    load_debian_full,
    load_hotel_reviews,
    load_imdb,
    load_movie_reviews,
    load_reuters21578,
    load_thucnews_titles,
    load_toutiao_titles,
)
from termfold_studies.common.collections import random_splits


@dataclass(frozen=True)
class Texts:
    """Training and test texts.

    Parameters
    ----------
    collection, split : str
        Their names.
    train, test : Arrow strings
    y, y_test : ndarray of str
    """

    collection: str
    split: str
    train: pa.LargeStringArray = field(repr=False)
    y: Any = field(repr=False)
    test: pa.LargeStringArray = field(repr=False)
    y_test: Any = field(repr=False)


def _published(name: str, split: str, load: Any, train: str = "train", test: str = "test") -> Texts:
    first, second = load(train), load(test)
    return Texts(name, split, first.text, _labels(first), second.text, _labels(second))


def _divided(name: str, load: Any) -> Texts:
    """Two thirds and one third at random."""
    whole = load()
    y = _labels(whole)
    [(_, train, test)] = random_splits(len(y), 1, 1 / 3)
    return Texts(
        name, "random 67/33, seed 0",
        whole.text.take(pa.array(train)), y[train], whole.text.take(pa.array(test)), y[test],
    )  # fmt: skip


def _labels(part: Dataset) -> Any:
    if part.multilabel:
        return np.array([labels[0] for labels in part.target])
    return np.asarray(part.target)


#: From small to large, so that a run that is cut short has most of them.
COLLECTIONS: Mapping[str, Callable[[], Texts]] = {
    "Debian, 12 sections": lambda: _published(
        "Debian, 12 sections", "by source package", load_debian
    ),
    "Chinese news": lambda: _divided("Chinese news", load_chinese_news),
    "movie reviews": lambda: _divided("movie reviews", load_movie_reviews),
    "hotel reviews": lambda: _divided("hotel reviews", load_hotel_reviews),
    "Toutiao titles": lambda: _divided("Toutiao titles", load_toutiao_titles),
    "Reuters, first topic": lambda: _published(
        "Reuters, first topic", "ModApte", load_reuters21578
    ),
    "DBpedia, a sample": lambda: _divided("DBpedia, a sample", load_dbpedia),
    "20 Newsgroups": lambda: _published("20 Newsgroups", "bydate", load_20newsgroups),
    "AG News, a part": lambda: _published("AG News, a part", "as published", load_agnews),
    "THUCNews titles": lambda: _published(
        "THUCNews titles", "dev / test", load_thucnews_titles, "dev"
    ),
    "Debian, 58 sections": lambda: _published(
        "Debian, 58 sections", "by source package", load_debian_full
    ),
    "IMDB": lambda: _published("IMDB", "as published", load_imdb),
}
BUILT_IN = "Debian, 12 sections"
