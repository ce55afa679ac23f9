"""Chinese and English collections that stand in for those of the paper, which are not public."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from termfold import TermCounter
from termfold.datasets import (
    Dataset,
    load_20newsgroups,
    load_chinese_news,
    load_debian,
    load_debian_full,
    load_hotel_reviews,
    load_thucnews_titles,
    load_toutiao_titles,
)
from termfold_studies.common.collections import Split, count, count_texts, random_splits

THUCNEWS = "THUCNews titles"
TOUTIAO = "Toutiao titles"
#: The classes that two sources of Chinese titles share, by their names in each.
SHARED = {
    "news_sports": "体育",
    "news_entertainment": "娱乐",
    "news_finance": "财经",
    "news_house": "房产",
    "news_edu": "教育",
    "news_tech": "科技",
    "news_game": "游戏",
    "news_stock": "股票",
}


def debian_sample() -> Split:
    """The data that comes with termfold."""
    train, test = load_debian("train"), load_debian("test")
    return count("Debian, 12 sections (built in)", "by source package", train, test)


def published() -> Iterator[Split]:
    """Collections with a division of their own."""
    yield count(THUCNEWS, "dev / test", load_thucnews_titles("dev"), load_thucnews_titles("test"))
    yield count("20 Newsgroups", "bydate", load_20newsgroups("train"), load_20newsgroups("test"))
    yield count(
        "Debian, 58 sections",
        "by source package",
        load_debian_full("train"),
        load_debian_full("test"),
    )


def divided(repeats: int) -> Iterator[tuple[int, Split]]:
    """Collections without one, divided at random: seeds and splits."""
    for name, load in (
        ("Chinese news, full texts", load_chinese_news),
        ("Chinese hotel reviews", load_hotel_reviews),
    ):
        whole = load()
        counts: sp.csr_matrix = TermCounter().fit_transform(whole.text)
        y = np.asarray(whole.target)
        everything = Split(name, "", counts, y, counts[:0], y[:0])
        for seed, train, test in random_splits(len(y), repeats, 0.33):
            yield seed, everything.subset("random 67/33", train, test)


def between_sources() -> Iterator[Split]:
    """Learn from one source, test on another, and within the first for comparison."""
    dev, test = load_thucnews_titles("dev"), load_thucnews_titles("test")
    toutiao = load_toutiao_titles()
    thuc_train, thuc_test, other = (_shared(part) for part in (dev, test, toutiao))
    for name, split, first, second in (
        (f"{THUCNEWS} → {TOUTIAO}", "8 classes of both", thuc_train, other),
        (f"{TOUTIAO} → {THUCNEWS}", "8 classes of both", other, thuc_test),
        (f"{THUCNEWS}, 8 classes", "dev / test", thuc_train, thuc_test),
    ):
        yield count_texts(name, split, (first[0], second[0]), (first[1], second[1]))


def _shared(part: Dataset) -> tuple[Any, Any]:
    names = [SHARED.get(label, label) for label in part.labels.to_pylist()]
    kept = [i for i, name in enumerate(names) if name in SHARED.values()]
    return part.text.take(kept), np.array([names[i] for i in kept])
