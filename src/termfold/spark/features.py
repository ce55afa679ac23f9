"""Features of documents on Spark by a projection whose weights came from counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from termfold._arrays import Floats
from termfold.corpus.columns import as_label_lists, as_strings
from termfold.project.base import CountProjection
from termfold.spark.encoded import Table

if TYPE_CHECKING:
    from pyspark.sql import Column

_TYPE = "array<double>"


def class_features(projection: CountProjection, text_col: str = "text") -> Column:
    """A column of features, one per class, by a projection that was fitted on statistics.

    Parameters
    ----------
    projection : FEDIP or TermProjection
        After ``fit_stats`` with statistics of texts, as ``collect_stats`` gives.
    text_col : str

    Returns
    -------
    pyspark.sql.Column
        Of lists of numbers; null where the text is.

    Examples
    --------
    >>> fedip = FEDIP().fit_stats(collect_stats(df))  # doctest: +SKIP
    >>> df.withColumn("features", class_features(fedip))  # doctest: +SKIP
    """
    from pyspark.sql.functions import arrow_udf, col

    table = Table(projection.stats_)

    def project(parts: Iterator[pa.Array]) -> Iterator[pa.Array]:
        for texts in parts:
            strings = as_strings(texts, "text", text_col)
            features = projection.transform(table.counts_of(strings.fill_null("")))
            yield _lists(features, strings.is_null())

    project.__annotations__ = {"parts": Iterator[pa.Array], "return": Iterator[pa.Array]}
    return arrow_udf(project, _TYPE)(col(text_col))


def leave_one_out(
    projection: CountProjection,
    text_col: str = "text",
    label_col: str = "label",
    *,
    label_separator: str | None = None,
) -> Column:
    """A column of the features that each document would have without itself in the statistics.

    What a classifier on top is to be trained on: ``fit_transform`` of the projection gives the
    same numbers on one machine.

    Parameters
    ----------
    projection : FEDIP or TermProjection
        After ``fit_stats`` with the statistics of these documents.
    text_col, label_col : str
    label_separator : str, optional

    Returns
    -------
    pyspark.sql.Column
        Of lists of numbers; null where the text is.

    Examples
    --------
    >>> fedip = FEDIP().fit_stats(collect_stats(df))  # doctest: +SKIP
    >>> df.withColumn("features", leave_one_out(fedip))  # doctest: +SKIP
    """
    from pyspark.sql.functions import arrow_udf, col

    table = Table(projection.stats_)

    def project(parts: Iterator[tuple[pa.Array, pa.Array]]) -> Iterator[pa.Array]:
        for texts, names in parts:
            strings = as_strings(texts, "text", text_col)
            lists, _ = as_label_lists(names, label_separator, label_col)
            # A row without a text was in no statistics: what its features are does not matter.
            counts, labels = table.counts_of(strings.fill_null("")), table.labels_of(lists)
            yield _lists(projection.leave_one_out(counts, labels), strings.is_null())

    project.__annotations__ = {
        "parts": Iterator[tuple[pa.Array, pa.Array]],
        "return": Iterator[pa.Array],
    }
    return arrow_udf(project, _TYPE)(col(text_col), col(label_col))


def _lists(features: Floats, absent: pa.BooleanArray) -> pa.ListArray:
    n, width = features.shape
    offsets = pa.array(np.arange(n + 1, dtype=np.int32) * np.int32(width))
    lists = pa.ListArray.from_arrays(offsets, pa.array(np.ascontiguousarray(features).ravel()))
    return pa.compute.if_else(absent, pa.scalar(None, lists.type), lists)
