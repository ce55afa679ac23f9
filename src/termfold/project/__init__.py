"""Projection of documents on a few features: scikit-learn transformers."""

from termfold.project.fedip import FEDIP, Pool
from termfold.project.lda_qr import LDAQR
from termfold.project.orthogonal_centroid import OrthogonalCentroid
from termfold.project.refined import RefinedProjection
from termfold.project.term_projection import TermProjection
from termfold.project.word_clusters import WordClusters

__all__ = [
    "FEDIP",
    "LDAQR",
    "OrthogonalCentroid",
    "Pool",
    "RefinedProjection",
    "TermProjection",
    "WordClusters",
]
