"""Scores of terms: pure functions of ``TermStats``."""

from termfold.scores.centroid import ClassWeight, class_weights, ocfs_class_scores, ocfs_scores
from termfold.scores.contingency import Contingency, Unit
from termfold.scores.policies import POLICIES, PolicyName, rank, round_robin
from termfold.scores.registry import SCORE_NAMES, SCORES, Score, ScoreLike, ScoreName, resolve
from termfold.scores.scoring import score_classes, score_terms
from termfold.scores.top import TopTerm, top_terms

__all__ = [
    "POLICIES",
    "SCORES",
    "SCORE_NAMES",
    "ClassWeight",
    "Contingency",
    "PolicyName",
    "Score",
    "ScoreLike",
    "ScoreName",
    "TopTerm",
    "Unit",
    "class_weights",
    "ocfs_class_scores",
    "ocfs_scores",
    "rank",
    "resolve",
    "round_robin",
    "score_classes",
    "score_terms",
    "top_terms",
]
