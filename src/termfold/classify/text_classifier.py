"""TextClassifier: raw text in, labels out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from termfold.checkpoint import Checkpoint
from termfold.classify import model_file
from termfold.classify.auto import choose
from termfold.classify.learn import check, learn
from termfold.classify.model import TermModel
from termfold.classify.order import in_content_order
from termfold.classify.predictor import Predictor
from termfold.classify.spill import Scratch, SpilledSet, read_spilling
from termfold.classify.training import TrainingSet, read_training_set
from termfold.classify.training_parts import read_in_parts
from termfold.classify.updating import Updatable
from termfold.classify.weigh import EFFORTS, METHODS, Effort, Method, Settings
from termfold.corpus import Batch, Corpus, open_corpus
from termfold.errors import CorpusError
from termfold.stats import Labels, TermStats
from termfold.terms.analyzer import Analyzer


class TextClassifier(Updatable, Predictor, ClassifierMixin, BaseEstimator):
    """Classify texts by the terms in them.

    Every model is a table of terms and their weights for each class; a text's score for a class
    is the sum over its terms. So predicting is a look into that table, explaining is listing the
    summands, and the file is small.

    Parameters
    ----------
    method : {"fedip", "projection", "ocfs", "best-terms", "auto"}, default="fedip"
        Which terms are used: all; those that term projection keeps; the best by OCFS; the best
        terms of the documents. ``"auto"`` chooses the effort, C and word pairs by
        cross-validation on the training texts.
    effort : {"refined", "head", "rule"}, default="refined"
        How their weights are found: refined on the training documents by a linear SVM's
        objective; by a light model on the leave-one-out class features; from counts alone.
    analyzer : Analyzer, optional
        What a term is.
    min_df : int, default=1
        Leave out terms in fewer training documents.
    n_terms : int, optional
        How many terms ``"ocfs"`` and ``"projection"`` keep; by default 10,000 and all.
    C : float, default=0.5
        Weight of errors against simplicity, for ``"refined"`` and ``"head"``.
    max_text_bytes : int, optional
        Learn from a random sample of the texts where they are larger than this together: so much
        text takes about four times as much memory. The sample is always the same.
    spill_bytes : int or None, default=1_000_000_000
        Keep the documents in temporary files where their texts are larger than this together,
        which takes about twice the texts' room there. The model is the same. Only for the
        default method and effort, and without ``max_text_bytes``.
    precision : {"int8", "float16", "float32"}, default="int8"
        Of the weights. Eight bits, with one scale per term, make models a quarter the size.
    max_bytes : int or None, default=2_000_000
        Leave out the terms that matter least until the file is no larger.
    updatable : bool, default=False
        Keep the training texts, in the file too, for ``partial_fit`` and ``forget``.
    memory : int, default=50_000
        So many of them at most.
    abstain_below : float, optional
        Predict None for a text whose best class has a smaller probability.
    seconds : float, default=60
        Time for ``"auto"``.
    random_state : int, default=0
        Order of the documents in training.
    n_jobs : int or None, default=-1
        Threads; −1 uses all cores. Models and scores do not depend on it, bit for bit.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The classes; columns of scores are in this order.
    model_ : TermModel
    trials_ : list of Trial
        What ``"auto"`` tried.

    Examples
    --------
    >>> texts = ["cheap pills", "meeting at ten", "cheap watches", "lunch at ten"]
    >>> classifier = TextClassifier().fit(texts, ["spam", "ham", "spam", "ham"])
    >>> classifier.predict(["cheap cheap", "see you at ten"]).tolist()
    ['spam', 'ham']
    """

    def __init__(
        self,
        method: Method | Literal["auto"] = "fedip",
        effort: Effort = "refined",
        *,
        analyzer: Analyzer | None = None,
        min_df: int = 1,
        n_terms: int | None = None,
        C: float = 0.5,
        max_text_bytes: int | None = None,
        spill_bytes: int | None = 1_000_000_000,
        precision: str = "int8",
        max_bytes: int | None = 2_000_000,
        updatable: bool = False,
        memory: int = 50_000,
        abstain_below: float | None = None,
        seconds: float = 60,
        random_state: int = 0,
        n_jobs: int | None = -1,
    ) -> None:
        self.method = method
        self.effort = effort
        self.analyzer = analyzer
        self.min_df = min_df
        self.n_terms = n_terms
        self.C = C
        self.max_text_bytes = max_text_bytes
        self.spill_bytes = spill_bytes
        self.precision = precision
        self.max_bytes = max_bytes
        self.updatable = updatable
        self.memory = memory
        self.abstain_below = abstain_below
        self.seconds = seconds
        self.random_state = random_state
        self.n_jobs = n_jobs

    # -- learning -----------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        progress: Callable[[Corpus, Batch], None] | None = None,
        checkpoint: Checkpoint | None = None,
        **reading: Any,
    ) -> TextClassifier:
        """Learn from labelled texts.

        Parameters
        ----------
        X : list of str, Arrow or pandas strings, path, frame or Corpus
            Texts; without ``y`` anything ``open_corpus`` reads, with its labels.
        y : sequence of labels, sequence of sequences of labels, or indicator matrix, optional
        progress : callable, optional
            Called with the corpus and each batch as it has been read.
        checkpoint : Checkpoint, optional
            Where parts of what was read are kept, so that reading files can be resumed.
        **reading
            Passed on to ``open_corpus``.
        """
        self._check_parameters()
        if checkpoint is not None and (y is not None or self.updatable or self.method == "auto"):
            raise ValueError(
                "a checkpoint is for one pass over a corpus with its labels: not with y, nor with "
                "the method auto, which reads it several times, nor for an updatable model, which "
                "can be updated file by file instead"
            )
        if self.updatable:
            for name in ("memory_", "stats_"):
                self.__dict__.pop(name, None)
            return self.partial_fit(X, y, **reading)
        with Scratch() as scratch:
            self.fit_counts(*self._reader(X, y, progress, reading, checkpoint, scratch))
        self._y_is_indicator = y is not None and np.ndim(_shape_only(y)) == 2
        return self

    def fit_counts(
        self,
        read: Callable[[Analyzer], TrainingSet | SpilledSet],
        multilabel: bool,
        counts: TermStats | None = None,
    ) -> TextClassifier:
        """Learn from documents whose terms something else counts: how other engines come in.

        Parameters
        ----------
        read : function of an analyzer
            Counts the training documents, in any order; ``method="auto"`` calls it several times.
        multilabel : bool
            May a document have no or several labels?
        counts : TermStats, optional
            Of more documents than those, with the same classes, for ``effort="rule"``.
        """
        self._check_parameters()

        def ready(analyzer: Analyzer) -> TrainingSet | SpilledSet:
            training = read(analyzer)
            check(training, self.min_df)
            return training if isinstance(training, SpilledSet) else in_content_order(training)

        settings = self._settings()
        if self.method != "auto" or self.updatable:
            return self._learn(ready(settings.analyzer), multilabel, settings, counts)
        settings, training, self.trials_ = choose(
            cast("Callable[[Analyzer], TrainingSet]", ready), multilabel, settings, self.seconds
        )
        self._learn(training, multilabel, settings, counts)
        self.model_.about["tried"] = [trial.to_dict() for trial in self.trials_]
        return self

    def _learn(
        self,
        training: TrainingSet | SpilledSet,
        multilabel: bool,
        settings: Settings,
        counts: TermStats | None,
    ) -> TextClassifier:
        self.model_ = learn(training, multilabel, settings, counts)
        self.classes_ = training.labels.classes
        self._y_is_indicator = False
        return self

    def _reader(
        self,
        X: Any,
        y: Any,
        progress: Callable[[Corpus, Batch], None] | None,
        reading: dict[str, Any],
        checkpoint: Checkpoint | None = None,
        scratch: Scratch | None = None,
    ) -> tuple[Callable[[Analyzer], TrainingSet | SpilledSet], bool]:
        """What reads texts as counts, and whether they may have several labels."""
        labels = None
        if y is None:
            corpus = open_corpus(X, **reading)
            multilabel = corpus.multilabel
            if not corpus.labelled:
                raise CorpusError(
                    "the texts have no labels: give them as y, or name their column with label="
                )
        else:
            corpus = open_corpus(X, label=None, **reading)
            labels = Labels.of(y)
            multilabel = not _is_flat(y)

        same: dict[str, Any] = {
            "min_df": self.min_df, "n_jobs": self.n_jobs, "progress": progress
        }  # fmt: skip
        # what is found otherwise takes all documents at once
        may_spill = (self.method, self.effort) == ("fedip", "refined")

        def read(analyzer: Analyzer) -> TrainingSet | SpilledSet:
            most = self.max_text_bytes
            if checkpoint is not None:
                return read_in_parts(corpus, analyzer, checkpoint, max_bytes=most, **same)
            if most is None and may_spill and scratch is not None and self.spill_bytes is not None:
                return read_spilling(
                    corpus, analyzer, scratch, self.spill_bytes, labels=labels, **same
                )
            return read_training_set(corpus, analyzer, labels=labels, max_bytes=most, **same)

        return read, multilabel

    def _settings(self) -> Settings:
        return Settings(
            method="fedip" if self.method == "auto" else self.method,
            effort=self.effort,
            analyzer=self.analyzer or Analyzer(),
            n_terms=self.n_terms,
            C=self.C,
            precision=self.precision,
            max_bytes=self.max_bytes,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )

    # -- keeping ------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the model to a file, in one step; see ``termfold.classify.model_file``."""
        check_is_fitted(self, "model_")
        kept = None
        if self.updatable:
            kept = model_file.Kept(self.stats_, self.memory_, self._multilabel, self.get_params())
        model_file.save(self.model_, path, kept)

    @classmethod
    def load(cls, path: str | Path, **parameters: Any) -> TextClassifier:
        """Read a model from a file. Labels are the classes' names, as text."""
        model, kept = model_file.load_all(path)
        if kept is None:
            return cls.of(model, **parameters)
        stated = model_file.checked_parameters(kept.parameters, cls().get_params(), path)
        classifier = cls.of(model, **{**stated, **parameters})
        classifier.stats_, classifier.memory_ = kept.stats, kept.memory
        classifier._multilabel = kept.multilabel
        return classifier

    @classmethod
    def of(cls, model: TermModel, **parameters: Any) -> TextClassifier:
        """A classifier around a model that exists."""
        known: dict[str, Any] = {
            name: model.about[name] for name in ("method", "effort") if name in model.about
        }
        classifier = cls(**{**known, "analyzer": model.analyzer, **parameters})
        classifier.model_ = model
        classifier.classes_ = np.asarray(model.classes)
        classifier._y_is_indicator = False
        return classifier

    def _check_parameters(self) -> None:
        for name, allowed in (
            ("method", (*METHODS, "auto")),
            ("effort", EFFORTS),
            ("precision", ("int8", "float16", "float32")),
        ):
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"{name}={getattr(self, name)!r}; it must be one of {list(allowed)}"
                )
        if self.C <= 0:
            raise ValueError(f"C={self.C}; it must be greater than zero")
        if self.min_df < 1:
            raise ValueError(f"min_df={self.min_df}; it must be at least 1")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.classifier_tags.multi_label = True
        return tags


def _is_flat(y: Any) -> bool:
    """One label per text, and not several?"""
    if sp.issparse(y) or np.ndim(_shape_only(y)) == 2:
        return False
    first = y[0] if len(y) else ""
    return not isinstance(first, list | tuple | set | frozenset)


def _shape_only(y: Any) -> Any:
    """Something that has the dimensions of y, without converting lists of lists."""
    return np.empty(y.shape) if hasattr(y, "shape") else np.empty(0)
