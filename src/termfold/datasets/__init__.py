"""Known text collections: a sample that comes with termfold, and loaders of files you have.

Each loader returns a :class:`Dataset`, which goes into scikit-learn (``data``, ``target``) as well
as into :func:`termfold.corpus.open_corpus`.
"""

from termfold.datasets.cluto import load_cluto
from termfold.datasets.dataset import Dataset, MatrixDataset
from termfold.datasets.loaders import (
    load_20newsgroups,
    load_20newsgroups_full,
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

__all__ = [
    "Dataset",
    "MatrixDataset",
    "load_20newsgroups",
    "load_20newsgroups_full",
    "load_agnews",
    "load_chinese_news",
    "load_cluto",
    "load_dbpedia",
    "load_debian",
    "load_debian_full",
    "load_hotel_reviews",
    "load_imdb",
    "load_movie_reviews",
    "load_reuters21578",
    "load_thucnews_titles",
    "load_toutiao_titles",
]
