"""Statistics collected on Spark are those of one machine, to the last bit."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from spark_tools import require_spark
from termfold import collect
from termfold.corpus.batch import Skipped
from termfold.corpus.shape import Kind
from termfold.datasets import load_debian
from termfold.errors import CorpusError
from termfold.spark.reading import Documents, Reading
from termfold.spark.shards import Ladder, joined, split
from termfold.stats import file as stats_file
from termfold.terms.analyzer import Analyzer

require_spark()
pytestmark = pytest.mark.xdist_group("spark")

from termfold.spark import collect as module  # noqa: E402
from termfold.spark import collect_stats  # noqa: E402

TAGS = pa.list_(pa.string())


@pytest.fixture(scope="module")
def debian():
    return pa.table(load_debian("train")).select(["text", "label"])


@pytest.mark.parametrize("partitions", [1, 7, 64])
def test_any_partitions_give_the_local_hash(spark, debian, partitions):
    df = spark.createDataFrame(debian).repartition(partitions)
    assert collect_stats(df).content_hash() == collect(debian).content_hash()


def test_two_processes_did_the_work(spark, debian):
    def who(rows):
        import os

        for _ in rows:
            pass
        yield pa.RecordBatch.from_pydict({"pid": pa.array([os.getppid()], pa.int64())})

    df = spark.createDataFrame(debian).repartition(8).mapInArrow(who, "pid bigint")
    assert len(set(df.toArrow()["pid"].to_pylist())) == 2


def test_empty_and_skewed_partitions(spark, debian):
    """All of one label in one partition, and most partitions without a row."""
    df = spark.createDataFrame(debian)
    skewed = df.repartitionById(16, (df.label == "games").cast("int") * 13)
    assert collect_stats(skewed, n_shards=3) == collect(debian)


def test_rare_terms_never_reach_the_driver(spark, debian):
    df = spark.createDataFrame(debian).repartition(5)
    assert collect_stats(df, min_df=3) == collect(debian).prune(min_df=3)


def test_a_vocabulary_too_large_for_a_task_is_sent_in_parts(debian, monkeypatch):
    monkeypatch.setattr(module, "_TERMS_HELD", 100)
    table = debian.slice(0, 500)
    rows = table.to_batches(max_chunksize=50)
    documents = Documents(iter(rows), Reading(), Kind(labelled=True, multilabel=False))
    parcels = list(module._count(documents, Analyzer(), n_shards=1))
    assert len(parcels) > 5
    assert sum(stats_file.loads(parcel.content) for parcel in parcels) == collect(table)


def test_several_labels(spark):
    tags = [["a", "b"], [], ["b", "b"], None, ["ü", "a"]]
    table = pa.table(
        {"text": ["one two", "two", "größe 中文字", "", "one"], "label": pa.array(tags, TAGS)}
    )
    expected = collect(table)
    assert collect_stats(spark.createDataFrame(table).repartition(3)) == expected
    assert expected.n_docs == 5
    joined_tags = ["a|b", "", "b", None, "ü|a"]
    strings = table.set_column(1, "label", pa.array(joined_tags))
    df = spark.createDataFrame(strings)
    assert collect_stats(df, label_separator="|") == expected


def test_labels_that_are_numbers(spark):
    table = pa.table({"text": ["a1", "b2", "a1"], "label": [3, 10, 3]})
    assert collect_stats(spark.createDataFrame(table)) == collect(table)


def test_missing_texts_and_labels(spark):
    table = pa.table(
        {"body": ["one", None, "two", "three"], "queue": pa.array(["x", "y", None, "x"])}
    )
    df = spark.createDataFrame(table).coalesce(1)
    with pytest.raises(CorpusError, match=r"partition 0 of the data frame, row 1.*no text"):
        collect_stats(df, "body", "queue")
    skipped = Skipped()
    stats = collect_stats(df, "body", "queue", on_error="skip", skipped=skipped)
    assert stats == collect(table, text="body", label="queue", on_error="skip")
    assert skipped.count == 2
    assert len(skipped.reasons) == 2


def test_what_cannot_be_read_is_said_before_the_work(spark):
    df = spark.createDataFrame(pa.table({"text": ["a"], "labels": ["x"]}))
    with pytest.raises(CorpusError, match="Did you mean label='labels'"):
        collect_stats(df)
    with pytest.raises(CorpusError, match="on_error='ignore'"):
        collect_stats(df, "text", "labels", on_error="ignore")
    with pytest.raises(CorpusError, match="no documents"):
        collect_stats(df.filter("text = 'b'"), "text", "labels")
    with pytest.raises(CorpusError, match="not strings"):
        collect_stats(df.selectExpr("1 as text", "labels"), "text", "labels")


def test_other_terms(spark, debian):
    analyzer = Analyzer(ngram_range=(1, 2), numbers="drop", stop_words=frozenset({"the", "of"}))
    part = debian.slice(0, 300)
    df = spark.createDataFrame(part).repartition(3)
    assert collect_stats(df, analyzer=analyzer) == collect(part, analyzer=analyzer)


def test_shards_join_to_the_whole(debian):
    stats = collect(debian.slice(0, 400))
    for n in (1, 2, 7, 1000):
        shards = list(split(stats, n))
        assert len(shards) == n
        assert sum(shard.n_terms for shard in shards) == stats.n_terms
        assert joined(shards) == stats
    sizes = [shard.n_terms for shard in split(stats, 8)]
    assert max(sizes) < 2 * np.mean(sizes)


def test_a_ladder_adds_like_the_plain_sum(debian):
    parts = [collect(debian.slice(start, 50)) for start in range(0, 650, 50)]
    ladder = Ladder()
    for part in parts:
        ladder.add(part)
    assert ladder.total() == sum(parts)
