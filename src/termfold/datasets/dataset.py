"""What a loader returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from scipy import sparse

    from termfold._arrays import Array, Ints


@dataclass(frozen=True)
class Dataset:
    """Labelled documents in memory.

    Parameters
    ----------
    name : str
        Name of the collection.
    text : pyarrow.LargeStringArray
        The documents.
    labels : pyarrow.StringArray or pyarrow.ListArray
        The label of each, or the list of its labels.
    ids : pyarrow.StringArray
        What the collection calls each document.

    Examples
    --------
    >>> from termfold.datasets import load_debian
    >>> dataset = load_debian("train")
    >>> X, y = dataset.pair()
    >>> print(y[0], "-", X[0].splitlines()[0])
    sound - tool to concatenate wav files
    """

    name: str
    text: pa.LargeStringArray = field(repr=False)
    labels: pa.Array = field(repr=False)
    ids: pa.StringArray = field(repr=False)

    def __len__(self) -> int:
        return len(self.text)

    @property
    def multilabel(self) -> bool:
        """Whether a document may have several labels."""
        return bool(pa.types.is_list(self.labels.type))

    @property
    def classes(self) -> list[str]:
        """Names of the classes, sorted."""
        labels = self.labels.flatten() if self.multilabel else self.labels
        return sorted(pc.unique(labels).to_pylist())

    @property
    def data(self) -> list[str]:
        """The documents as scikit-learn takes them."""
        return list(self.text.to_pylist())

    @property
    def target(self) -> Array | list[list[str]]:
        """The labels as scikit-learn takes them: an array of strings.

        Lists of strings if there may be several, for its ``MultiLabelBinarizer``.
        """
        labels: list[Any] = self.labels.to_pylist()
        return labels if self.multilabel else np.array(labels)

    @property
    def target_names(self) -> list[str]:
        """Names of the classes, sorted: what scikit-learn calls them."""
        return self.classes

    def pair(self) -> tuple[list[str], Array | list[list[str]]]:
        """Return documents and labels, to be unpacked into X and y."""
        return self.data, self.target

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        columns = {"text": self.text, "label": self.labels, "id": self.ids}
        return pa.table(columns).__arrow_c_stream__(requested_schema)


@dataclass(frozen=True)
class MatrixDataset:
    """A collection that is published as a matrix of counts.

    Parameters
    ----------
    name : str
        Name of the collection.
    data : scipy.sparse.csr_matrix
        How often each term (column) occurs in each document (row).
    target : array of int
        The class of each document.
    target_names, feature_names : list of str or None
        Names of classes and terms, where they are published.
    """

    name: str
    data: sparse.csr_matrix = field(repr=False)
    target: Ints = field(repr=False)
    target_names: list[str] | None = field(repr=False)
    feature_names: list[str] | None = field(repr=False)
