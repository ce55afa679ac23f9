"""What is served: a model, counts, or both, and the documents behind them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from termfold._arrays import Floats, Ints
from termfold.classify import model_file
from termfold.classify.from_counts import model_of_counts
from termfold.classify.model import TermModel
from termfold.errors import StatsError
from termfold.peek import STATS, peek
from termfold.scores import SCORE_NAMES
from termfold.serve.documents import LabelledDocuments
from termfold.serve.ranking import LEAD, Ranking, rank_counts, rank_weights
from termfold.serve.reply import RefusalError
from termfold.stats import TermStats
from termfold.terms.analyzer import Analyzer
from termfold.terms.vocabulary import Vocabulary

Value = TypeVar("Value")
Kind: TypeAlias = Literal["model", "counts"]

_RANKINGS_KEPT = 24
# Kernels are compiled, and the tables of Unicode read, before the first request comes.
_WARM_UP = "Ein Wort, zwei Wörter: 分类 42"


@dataclass(frozen=True, eq=False)
class Subject:
    """A file that is served, whole: a request takes one and keeps to it, whatever comes next.

    Parameters
    ----------
    name : str
        Of the file, without its folder.
    kind : {"model", "counts"}
    digest : str
        SHA-256 of the content.
    model : TermModel or None
        Of a count file one is made from the counts alone; None where they are of a matrix.
    stats : TermStats or None
        Of a model file those kept for updates, or else those of the corpus given with it.
    documents : LabelledDocuments or None
    """

    name: str
    kind: Kind
    digest: str
    model: TermModel | None
    stats: TermStats | None
    documents: LabelledDocuments | None = None
    _rankings: _Cache[Ranking] = field(default_factory=lambda: _Cache(_RANKINGS_KEPT), repr=False)

    # -- making -------------------------------------------------------------------------------

    @classmethod
    def of(cls, source: Any, name: str = "in memory") -> Subject:
        """Wrap a classifier, its model, or statistics."""
        model = getattr(source, "model_", source)
        if isinstance(model, TermModel):
            digest = model_file.content_hash(model)
            return cls(name, "model", digest, model, getattr(source, "stats_", None))._ready()
        if isinstance(source, TermStats):
            if source.terms is None:
                raise StatsError("counts whose terms have no names cannot be looked at")
            can_read = source.analyzer is not None and source.n_classes > 1 and source.n_terms > 0
            made = model_of_counts(source) if can_read else None
            return cls(name, "counts", source.content_hash(), made, source)._ready()
        raise TypeError(
            f"a {type(source).__name__} cannot be served; a path, a TextClassifier, a TermModel "
            "or a TermStats can"
        )

    @classmethod
    def load(cls, path: Path) -> Subject:
        """Read a model or count file."""
        if peek(path).kind == STATS:
            return cls.of(TermStats.load(path), path.name)
        model, kept = model_file.load_all(path)
        stats = None if kept is None else kept.stats
        return cls(path.name, "model", model_file.content_hash(model), model, stats)._ready()

    def with_documents(self, documents: LabelledDocuments) -> Subject:
        """The same with examples, and with the documents' counts where there are no others."""
        stats = self.stats if self.stats is not None else documents.stats
        return Subject(self.name, self.kind, self.digest, self.model, stats, documents)

    def _ready(self) -> Subject:
        if self.model is not None:
            self.model.scores([_WARM_UP, "words"], n_jobs=1)
        return self

    # -- looking ------------------------------------------------------------------------------

    @property
    def calibrated(self) -> bool:
        """Whether probabilities were fitted to documents."""
        return self.kind == "model"

    @cached_property
    def analyzer(self) -> Analyzer:
        """What a term is."""
        if self.model is not None:
            return self.model.analyzer
        return (self.stats.analyzer if self.stats is not None else None) or Analyzer()

    @cached_property
    def classes(self) -> list[str]:
        """Names of the classes: of the counts where there are any, else of the model."""
        if self.stats is not None:
            return [str(name) for name in self.stats.classes.tolist()]
        return [] if self.model is None else self.model.classes

    @cached_property
    def terms(self) -> Vocabulary:
        """The terms that can be looked up."""
        if self.stats is not None and self.stats.terms is not None:
            return self.stats.terms
        if self.model is None:
            raise StatsError(f"{self.name} holds no terms")
        return self.model.terms

    @property
    def scores(self) -> tuple[str, ...]:
        """Names of the scores that terms can be ranked by, the usual one first."""
        of_counts = SCORE_NAMES if self.stats is not None else ()
        of_model = (LEAD,) if self.kind == "model" and self.stats is None else ()
        usual = ("chi2",) if of_counts else ()
        return (*usual, *(name for name in of_counts if name not in usual), *of_model)

    @cached_property
    def tokens(self) -> tuple[Floats, float]:
        """Occurrences of all terms in each class, of shape (K, 1), and in all documents."""
        if self.stats is None:
            return np.zeros((0, 1)), 1.0
        total = float(self.stats.term_tf.sum()) or 1.0
        return self.stats.class_tokens[:, None].astype(np.float64), total

    def ranking(self, score: str | None, min_df: int = 1) -> Ranking:
        """The terms by a score, computed once."""
        score = score or self.scores[0]
        if score not in self.scores:
            allowed = ", ".join(self.scores)
            raise RefusalError(404, f"there is no score {score!r} here; there are {allowed}")

        def make() -> Ranking:
            if self.stats is not None:
                return rank_counts(self.stats, score, min_df)  # type: ignore[arg-type]
            return rank_weights(self.classifier)

        return self._rankings.get((score, min_df if self.stats is not None else 1), make)

    @property
    def classifier(self) -> TermModel:
        """The model; a file that has none cannot do what is asked."""
        if self.model is None:
            raise RefusalError(404, f"{self.name} does not say how a text has terms")
        return self.model

    def search(self, words: str, n: int) -> list[tuple[int, str]]:
        """Terms that hold some words: the very one first, then those that begin so, by size.

        Examples
        --------
        >>> from termfold import collect
        >>> subject = Subject.of(collect(["art artist part"], labels=["x"]))
        >>> subject.search("art", 3)
        [(0, 'art'), (1, 'artist'), (2, 'part')]
        """
        if self.analyzer.lowercase:
            words = words.lower()
        names: pa.LargeStringArray = self.terms.to_arrow()
        ids: Ints = np.flatnonzero(pc.match_substring(names, words))
        chosen = names.take(pa.array(ids))
        begins = np.asarray(pc.starts_with(chosen, words))
        sizes = np.asarray(pc.utf8_length(chosen))
        weight = -self.stats.term_df[ids] if self.stats is not None else sizes
        order = np.lexsort((ids, weight, ~begins, sizes > len(words)))[:n]
        return [(int(ids[i]), chosen[int(i)].as_py()) for i in order]


class _Cache(Generic[Value]):
    """The last few results of a computation; threads may share it."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._found: OrderedDict[Any, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Any, make: Callable[[], Value]) -> Value:
        """Look a result up, or make it; two threads at once may make it twice."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
        made = make()
        with self._lock:
            self._found[key] = made
            while len(self._found) > self._size:
                self._found.popitem(last=False)
        return made
