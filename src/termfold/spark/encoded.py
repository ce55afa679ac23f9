"""Documents in an executor as counts of known terms, for passes that need the table first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from termfold._arrays import Array
from termfold.errors import CorpusError, StatsError
from termfold.spark.reading import Documents
from termfold.stats import Labels, TermStats
from termfold.terms.analyzer import Analyzer
from termfold.terms.encoder import Encoder
from termfold.terms.encoders import Encoders
from termfold.terms.postings import count_matrix
from termfold.terms.texts import utf8_of
from termfold.terms.vocabulary import Vocabulary

# So many bytes of text are counted at a time: enough that what each time costs does not show.
_TEXT_HELD = 64 << 20


class Counted(NamedTuple):
    """Some documents: counts of the known terms, and labels of the known classes."""

    counts: sp.csr_matrix
    labels: Labels


class Table:
    """Known terms and classes, for documents to be counted by."""

    def __init__(self, stats: TermStats) -> None:
        if stats.terms is None or stats.analyzer is None:
            raise StatsError("these statistics are not of texts: their terms have no names")
        self.terms: Vocabulary = stats.terms
        self.analyzer: Analyzer = stats.analyzer
        self.classes: Array = stats.classes

    def counted(self, documents: Documents) -> Iterator[Counted]:
        """Count documents, some at a time."""
        texts: list[pa.Array] = []
        labels: list[pa.ListArray] = []
        held = 0
        for batch in documents:
            texts.append(batch.text)
            labels.append(batch.labels)
            held += int(np.diff(utf8_of(batch.text)[1][[0, -1]])[0])
            if held > _TEXT_HELD:
                yield Counted(self.counts_of(pa.concat_arrays(texts)), self._joined(labels))
                texts, labels, held = [], [], 0
        if texts:
            yield Counted(self.counts_of(pa.concat_arrays(texts)), self._joined(labels))

    def counts_of(self, texts: pa.Array) -> sp.csr_matrix:
        """Count texts."""
        encoders = Encoders([encoder_of(self)])
        terms, postings = encoders.postings([encoders.encode(0, texts)])
        return count_matrix(postings, np.arange(len(terms)), len(terms), np.float32, 1)

    def _joined(self, lists: list[pa.ListArray]) -> Labels:
        return self.labels_of(pa.chunked_array(lists).combine_chunks())

    def labels_of(self, lists: pa.ListArray) -> Labels:
        """Labels as positions among the known classes."""
        coded = lists.flatten().dictionary_encode()
        names = np.array(coded.dictionary.to_pylist(), dtype=str)
        places = np.searchsorted(self.classes, names)
        known = self.classes[np.minimum(places, len(self.classes) - 1)] == names
        if not np.all(known):
            raise CorpusError(
                f"labels that the statistics do not have: {names[~known][:5].tolist()}; "
                "collect them from the same documents"
            )
        ids = places[coded.indices.to_numpy()] if len(names) else np.zeros(0)
        ends = lists.offsets.to_numpy().astype(np.int64)
        return Labels(self.classes, ends - ends[0], ids.astype(np.int32))


@lru_cache(1)
def encoder_of(table: Table) -> Encoder:
    """The encoder of a table: made where it is needed, since it does not travel."""
    return Encoder(table.analyzer, table.terms)
