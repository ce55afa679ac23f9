"""Learning more texts, and forgetting some: the half of ``TextClassifier`` that updates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from sklearn.utils.validation import check_is_fitted

from termfold.classify.memory import Document, Memory, documents_of
from termfold.classify.model import TermModel
from termfold.classify.weigh import Effort
from termfold.collecting import Accumulator
from termfold.corpus import open_corpus
from termfold.stats import TermStats
from termfold.terms.analyzer import Analyzer


class Updatable:
    """What keeps its training texts can learn from more, and forget."""

    analyzer: Analyzer | None
    effort: Effort
    memory: int
    updatable: bool
    model_: TermModel
    memory_: Memory
    stats_: TermStats
    _multilabel: bool
    _check_parameters: Callable[[], None]
    _reader: Callable[..., Any]
    fit_counts: Callable[..., Any]

    def partial_fit(self, X: Any, y: Any = None, **reading: Any) -> Self:
        """Learn from more labelled texts; needs ``updatable=True``.

        Statistics add up exactly. Weights are found anew from the documents remembered: from all
        of them, as ``fit`` would, until there are more than ``memory``, then from a random sample
        of that size. With ``effort="rule"`` they come from the statistics of all.

        Parameters
        ----------
        X, y, **reading
            As in ``fit``. Labels are kept as text.
        """
        self._check_parameters()
        if not self.updatable:
            raise ValueError("this classifier keeps no training texts: make it updatable=True")
        stats, documents, multilabel = self._count(X, y, reading)
        if not hasattr(self, "memory_"):
            self.stats_ = TermStats.empty(self.analyzer or Analyzer())
            self.memory_ = Memory(self.memory)
            self._multilabel = multilabel
        self.stats_ = self.stats_ + stats
        self.memory_ = self.memory_.with_documents(documents)
        return self._learn_again()

    def forget(self, X: Any, y: Any = None, **reading: Any) -> Self:
        """Take labelled texts out again that were learnt from; needs ``updatable=True``.

        After that the model is, byte for byte, what it would be without them, as long as no more
        than ``memory`` documents were learnt from; beyond that this holds of the statistics. What
        was never learnt is an error, and changes nothing.
        """
        check_is_fitted(self, "memory_")
        stats, documents, _ = self._count(X, y, reading)
        complete = len(self.memory_.documents) == self.stats_.n_docs
        memory = self.memory_.without(documents, all_known=complete)
        self.stats_ = self.stats_ - stats
        self.memory_ = memory
        return self._learn_again()

    def _count(
        self, X: Any, y: Any, reading: dict[str, Any]
    ) -> tuple[TermStats, list[Document], bool]:
        corpus = open_corpus(X, **reading) if y is None else open_corpus(X, labels=y, **reading)
        accumulator = Accumulator(self.analyzer or Analyzer())
        documents: list[Document] = []
        for batch in corpus:
            accumulator.add(batch)
            documents += documents_of(batch)
        return accumulator.stats(), documents, corpus.multilabel

    def _learn_again(self) -> Self:
        if self.stats_.n_classes < 2:
            raise ValueError(
                f"texts of two classes are needed, so far there are {self.stats_.classes.tolist()}"
            )
        texts, labels = self.memory_.pair()
        y = labels if self._multilabel else [names[0] for names in labels]
        read, _ = self._reader(texts, y, None, {})
        counts = self.stats_ if self.effort == "rule" else None
        self.fit_counts(read, self._multilabel, counts)
        self.model_.about["documents"] = int(self.stats_.n_docs)
        return self
