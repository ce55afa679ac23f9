"""Loaders of collections of labelled documents, made from one table."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from termfold.datasets.dataset import Dataset
from termfold.datasets.folder import DATA_VARIABLE, find_data_file
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class _Collection:
    """One row of the table of collections."""

    name: str
    file: str
    about: str
    label: str = "label"
    only: tuple[str, Any] | None = None
    """A column and the value it has in the rows to keep."""


class Loader(Protocol):
    """A function that loads a collection."""

    __name__: str

    def __call__(self, split: str | None = None, *, path: str | Path | None = None) -> Dataset:
        """Load all of the collection, or a split of it."""


def _loader(function: str, collection: _Collection) -> Loader:
    def load(split: str | None = None, *, path: str | Path | None = None) -> Dataset:
        table = pq.read_table(find_data_file(collection.file, path))
        return _select(table, split, collection)

    load.__name__ = load.__qualname__ = function
    load.__doc__ = f"""Load {collection.about}

    Parameters
    ----------
    split : str, optional
        Name of a published split; all documents by default.
    path : str or Path, optional
        The file ``{collection.file}`` or its folder. By default, the folder is taken from the
        environment variable ``{DATA_VARIABLE}``.

    Returns
    -------
    Dataset
        The documents and their labels.

    Raises
    ------
    CorpusError
        If the file is absent, or the collection has no such split.
    """
    return load


def load_debian(split: str | None = None) -> Dataset:
    """Load the sample that comes with termfold: descriptions of Debian packages in 12 sections.

    Parameters
    ----------
    split : {"train", "test"}, optional
        Packages built from one source are on one side. All packages by default.

    Returns
    -------
    Dataset
        The descriptions, labelled by the section of Debian's archive.

    Examples
    --------
    >>> load_debian().classes[:4]
    ['database', 'editors', 'electronics', 'fonts']
    """
    file = resources.files("termfold").joinpath("data", "debian_sample.parquet")
    table = pq.read_table(pa.BufferReader(file.read_bytes()))
    return _select(table, split, _Collection("debian", "debian_sample.parquet", ""))


load_debian_full = _loader(
    "load_debian_full",
    _Collection(
        "debian",
        "debian.parquet",
        "all English descriptions of packages of Debian 12, in 58 sections.",
        only=("lang", "en"),
    ),
)
load_20newsgroups = _loader(
    "load_20newsgroups",
    _Collection(
        "20newsgroups",
        "20newsgroups_bydate.parquet",
        "20 Newsgroups, sorted by date: 18,846 posts with their headers.",
    ),
)
load_20newsgroups_full = _loader(
    "load_20newsgroups_full",
    _Collection(
        "20newsgroups_full",
        "20newsgroups_full19997.parquet",
        "20 Newsgroups as first published: 19,997 posts, some of them in several groups, with all "
        "headers; one of these names the group.",
    ),
)
load_reuters21578 = _loader(
    "load_reuters21578",
    _Collection(
        "reuters21578",
        "reuters21578.parquet",
        "Reuters-21578, ModApte, the 90 topics with documents in both splits (multi-label).",
        label="labels90",
        only=("r90", True),
    ),
)
load_movie_reviews = _loader(
    "load_movie_reviews",
    _Collection(
        "movie_reviews",
        "movie_reviews_v2.parquet",
        "the 2,000 movie reviews of Pang and Lee (polarity v2.0).",
    ),
)
load_imdb = _loader(
    "load_imdb",
    _Collection("imdb", "imdb.parquet", "the 50,000 labelled movie reviews of Maas et al."),
)
load_agnews = _loader(
    "load_agnews",
    _Collection(
        "agnews",
        "agnews_partial.parquet",
        "AG News: all of its test documents, and a part of those for training.",
    ),
)
load_dbpedia = _loader(
    "load_dbpedia",
    _Collection(
        "dbpedia",
        "dbpedia14_sample14000.parquet",
        "a sample of 14,000 documents of DBpedia14.",
    ),
)
load_thucnews_titles = _loader(
    "load_thucnews_titles",
    _Collection(
        "thucnews_titles",
        "zh_thucnews_titles.parquet",
        "Chinese titles of news of THUCNews: its splits ``dev`` and ``test``.",
    ),
)
load_toutiao_titles = _loader(
    "load_toutiao_titles",
    _Collection(
        "toutiao_titles",
        "zh_toutiao_titles.parquet",
        "Chinese titles of news of Toutiao, a sample.",
    ),
)
load_chinese_news = _loader(
    "load_chinese_news",
    _Collection(
        "chinese_news",
        "zh_cnews1000_sogoumini495.parquet",
        "1,495 Chinese news articles: of THUCNews (``cnews-…`` in their ids) and of Sogou.",
    ),
)
load_hotel_reviews = _loader(
    "load_hotel_reviews",
    _Collection(
        "hotel_reviews",
        "zh_chnsenticorp_htl.parquet",
        "the 7,766 Chinese hotel reviews of ChnSentiCorp, in two classes.",
    ),
)


def _select(table: pa.Table, split: str | None, collection: _Collection) -> Dataset:
    if collection.only is not None:
        column, value = collection.only
        table = table.filter(pc.equal(table[column], value))
    if split is not None:
        splits = sorted(pc.unique(table["split"].drop_null()).to_pylist())
        if split not in splits:
            there_are = f"its splits are {', '.join(splits)}" if splits else "it has no splits"
            raise CorpusError(
                f"{collection.name} has no split {split!r}: {there_are}. Leave split out for all "
                "documents."
            )
        table = table.filter(pc.equal(table["split"], split))
    return Dataset(
        collection.name,
        table["text"].cast(pa.large_string()).combine_chunks(),
        table[collection.label].combine_chunks(),
        table["id"].combine_chunks(),
    )
