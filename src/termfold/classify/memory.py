"""A bounded memory of training documents, from which an updatable classifier learns anew."""

from __future__ import annotations

import hashlib
import heapq
import itertools
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from termfold._arrays import Array
from termfold.corpus import Batch
from termfold.errors import StatsError
from termfold.terms.vocabulary import offsets_of

_SHOWN = 60  # characters of a text that an error names


@dataclass(frozen=True, order=True)
class Document:
    """A text and its labels, sorted by their hash: a random order that is always the same."""

    digest: bytes
    text: str
    labels: tuple[str, ...]

    @classmethod
    def of(cls, text: str, labels: Iterable[str]) -> Document:
        """Hash a document."""
        named = tuple(sorted(labels))
        content = "\x00".join([text, *named]).encode()
        return cls(hashlib.blake2b(content, digest_size=16).digest(), text, named)


def documents_of(batch: Batch) -> list[Document]:
    """The documents of a batch, hashed."""
    labels = batch.labels.to_pylist() if batch.labels is not None else [[]] * len(batch)
    return [
        Document.of(text, names) for text, names in zip(batch.text.to_pylist(), labels, strict=True)
    ]


@dataclass(frozen=True)
class Memory:
    """The documents with the smallest hashes, at most ``limit`` of them, in that order.

    What is remembered does not depend on the order in which documents came, nor on those
    forgotten again, as long as no more than ``limit`` were there at any time; beyond that it is a
    random sample of what came.

    Examples
    --------
    >>> one, other = Document.of("a b", ["x"]), Document.of("c", ["y"])
    >>> memory = Memory(limit=10).with_documents([one])
    >>> memory.with_documents([other]).without([other]) == memory
    True
    """

    limit: int
    documents: tuple[Document, ...] = ()

    def with_documents(self, more: Iterable[Document]) -> Memory:
        """Remember more."""
        return Memory(self.limit, tuple(heapq.nsmallest(self.limit, [*self.documents, *more])))

    def without(self, gone: Iterable[Document], *, all_known: bool = False) -> Memory:
        """Forget documents, each once.

        Those that are not remembered are passed over; where all that came are, it is an error.
        """
        left: list[Document | None] = list(self.documents)
        place = {document: i for i, document in enumerate(left)}
        for document in gone:
            i = place.get(document)
            if i is None:
                if all_known:
                    raise StatsError(_unknown(document))
                continue
            # Equal documents stand side by side: the place of the one before takes over.
            left[i] = None
            if i > 0 and left[i - 1] == document:
                place[document] = i - 1
            else:
                del place[document]
        return Memory(self.limit, tuple(document for document in left if document is not None))

    def pair(self) -> tuple[list[str], list[list[str]]]:
        """Texts and lists of labels, as a classifier is fitted with."""
        return [d.text for d in self.documents], [list(d.labels) for d in self.documents]

    def pack(self) -> tuple[dict[str, Any], dict[str, Array]]:
        """As a header and tables of a file."""
        texts = [document.text.encode() for document in self.documents]
        names = sorted({name for document in self.documents for name in document.labels})
        number = {name: i for i, name in enumerate(names)}
        tables: dict[str, Array] = {
            "memory_bytes": np.frombuffer(b"".join(texts), np.uint8),
            "memory_sizes": np.array([len(text) for text in texts], np.uint32),
            "memory_labels": np.array(
                [number[name] for document in self.documents for name in document.labels],
                np.uint32,
            ),
            "memory_label_counts": np.array(
                [len(document.labels) for document in self.documents], np.uint32
            ),
        }
        return {"memory_limit": self.limit, "memory_classes": names}, tables

    @classmethod
    def unpack(cls, header: dict[str, Any], tables: dict[str, Array]) -> Memory:
        """The inverse of ``pack``."""
        raw = tables["memory_bytes"].tobytes()
        ends = offsets_of(tables["memory_sizes"], len(raw)).tolist()
        ids, names = tables["memory_labels"].tolist(), header["memory_classes"]
        label_ends = offsets_of(tables["memory_label_counts"], len(ids)).tolist()
        if len(label_ends) != len(ends):
            raise StatsError("the remembered texts are not as many as their lists of labels")
        if not all(0 <= i < len(names) for i in ids) or not all(isinstance(n, str) for n in names):
            raise StatsError("a label of the remembered texts has no name")
        documents = [
            Document.of(raw[lo:hi].decode(), [names[i] for i in ids[first:last]])
            for (lo, hi), (first, last) in zip(
                itertools.pairwise(ends), itertools.pairwise(label_ends), strict=True
            )
        ]
        return cls(operator.index(header["memory_limit"]), tuple(documents))


def _unknown(document: Document) -> str:
    text = document.text if len(document.text) <= _SHOWN else f"{document.text[: _SHOWN - 1]}…"
    labels = ", ".join(map(repr, document.labels)) or "no label"
    return (
        f"the text {text!r} was never learnt with {labels}, so it cannot be forgotten. "
        "Leave it out, or give the text and labels that were learnt."
    )
