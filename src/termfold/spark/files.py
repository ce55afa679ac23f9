"""Files as Spark reads and writes them: Parquet, JSON Lines, CSV, on any file system it knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from termfold.corpus.batch import OnError
from termfold.errors import CorpusError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FORMATS = {
    "parquet": "parquet",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "json": "jsonl",
    "csv": "csv",
    "tsv": "tsv",
}
_COMPRESSIONS = (".gz", ".zst", ".bz2", ".snappy", ".lz4")


def format_of(path: str, given: str | None = None) -> str:
    """The format of a file, or of a folder of such files, by its name.

    Examples
    --------
    >>> format_of("s3a://bucket/part.json.gz"), format_of("folder/", given="parquet")
    ('jsonl', 'parquet')
    """
    name = path.rstrip("/*").lower()
    for compression in _COMPRESSIONS:
        name = name.removesuffix(compression)
    extension = (given or name.rpartition(".")[2]).lower()
    if extension not in _FORMATS:
        raise CorpusError(
            f"{path}: Spark cannot tell its format. Say which with format=, one of "
            f"{', '.join(dict.fromkeys(_FORMATS.values()))}."
        )
    return _FORMATS[extension]


def read_files(
    spark: SparkSession,
    paths: Sequence[str],
    *,
    text: str,
    format: str | None = None,
    encoding: str = "utf-8",
    on_error: OnError = "fail",
) -> DataFrame:
    """Read files of one format as a data frame.

    Parameters
    ----------
    spark : SparkSession
    paths : sequence of str
        Paths, globs, folders or URLs.
    text : str
        Column of the texts.
    format, encoding, on_error
        As in ``open_corpus``.
    """
    formats = {format_of(path, format) for path in paths}
    if len(formats) > 1:
        raise CorpusError(f"files of several formats, {sorted(formats)}: read them one by one")
    (form,) = formats
    reader = spark.read.option("encoding", encoding)
    reader = reader.option("mode", "FAILFAST" if on_error == "fail" else "DROPMALFORMED")
    if form == "parquet":
        return spark.read.parquet(*paths)
    if form == "jsonl":
        return reader.json(list(paths))
    separator = "\t" if form == "tsv" else ","
    rows = reader.csv(
        list(paths), sep=separator, header=True, quote='"', escape='"', multiLine=True
    )
    # In CSV nothing tells an empty text from none.
    return rows.fillna("", subset=[text]) if text in rows.columns else rows


def write_files(df: DataFrame, path: str, form: str) -> None:
    """Write a folder of files; lists are joined by ``|`` in CSV."""
    from pyspark.sql.functions import col, concat_ws
    from pyspark.sql.types import ArrayType

    writer = df.write.mode("errorifexists")
    if form == "parquet":
        writer.parquet(path)
    elif form == "jsonl":
        writer.json(path)
    else:
        lists = [field.name for field in df.schema if isinstance(field.dataType, ArrayType)]
        joined = {name: concat_ws("|", col(name).cast("array<string>")) for name in lists}
        df.withColumns(joined).write.mode("errorifexists").csv(
            path, header=True, sep="\t" if form == "tsv" else ",", escape='"'
        )
