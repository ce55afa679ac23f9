"""Twelve collections of texts with one label a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
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
_MADE = (
    partial(_published, "Debian, 12 sections", "by source package", load_debian),
    partial(_divided, "Chinese news", load_chinese_news),
    partial(_divided, "movie reviews", load_movie_reviews),
    partial(_divided, "hotel reviews", load_hotel_reviews),
    partial(_divided, "Toutiao titles", load_toutiao_titles),
    partial(_published, "Reuters, first topic", "ModApte", load_reuters21578),
    partial(_divided, "DBpedia, a sample", load_dbpedia),
    partial(_published, "20 Newsgroups", "bydate", load_20newsgroups),
    partial(_published, "AG News, a part", "as published", load_agnews),
    partial(_published, "THUCNews titles", "dev / test", load_thucnews_titles, "dev"),
    partial(_published, "Debian, 58 sections", "by source package", load_debian_full),
    partial(_published, "IMDB", "as published", load_imdb),
)
COLLECTIONS: Mapping[str, Callable[[], Texts]] = {made.args[0]: made for made in _MADE}
BUILT_IN = "Debian, 12 sections"
