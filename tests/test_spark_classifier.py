"""The classifier on Spark learns the model of one machine, byte for byte."""

from __future__ import annotations

import os

import numpy as np
import pyarrow as pa
import pytest

from spark_tools import require_spark
from termfold import Analyzer, TextClassifier
from termfold.classify import model_file
from termfold.classify.sample import Sample
from termfold.datasets import load_20newsgroups, load_debian
from termfold.errors import CorpusError

require_spark()
pytestmark = pytest.mark.xdist_group("spark")

from pyspark.ml import Pipeline, PipelineModel  # noqa: E402
from pyspark.ml.evaluation import MulticlassClassificationEvaluator  # noqa: E402
from pyspark.ml.feature import StringIndexerModel  # noqa: E402

from termfold.spark import (  # noqa: E402
    SparkTextClassifier,
    SparkTextClassifierModel,
    gather,
)
from termfold.spark.reading import Reading  # noqa: E402

N = 700


@pytest.fixture(scope="module")
def debian():
    return pa.table(load_debian("train")).select(["text", "label"])


@pytest.fixture(scope="module")
def small(debian):
    return debian.slice(0, N)


@pytest.fixture(scope="module")
def model(spark, small):
    return SparkTextClassifier().fit(spark.createDataFrame(small).repartition(3))


def same(model: SparkTextClassifierModel, classifier: TextClassifier) -> bool:
    return model_file.dumps(model.termModel) == model_file.dumps(classifier.model_)


# -- learning ---------------------------------------------------------------------------------


@pytest.mark.parametrize("partitions", [1, 7, 64])
def test_any_partitions_give_the_local_bytes(spark, debian, partitions):
    df = spark.createDataFrame(debian).repartition(partitions)
    assert same(SparkTextClassifier().fit(df), TextClassifier().fit(debian))


@pytest.mark.slow
@pytest.mark.skipif("TERMFOLD_DATA" not in os.environ, reason="TERMFOLD_DATA is not set")
def test_20_newsgroups_give_the_local_bytes(spark):
    train = pa.table(load_20newsgroups("train")).select(["text", "label"])
    df = spark.createDataFrame(train).repartition(4)
    assert same(SparkTextClassifier().fit(df), TextClassifier().fit(train))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"effort": "rule", "minDF": 2}, {"effort": "rule", "min_df": 2}),
        ({"effort": "head", "C": 0.1}, {"effort": "head", "C": 0.1}),
        (
            {"method": "best-terms", "maxBytes": 30_000},
            {"method": "best-terms", "max_bytes": 30_000},
        ),
        (
            {"method": "ocfs", "nTerms": 300, "precision": "float32", "seed": 3},
            {"method": "ocfs", "n_terms": 300, "precision": "float32", "random_state": 3},
        ),
        (
            {"analyzer": Analyzer(ngram_range=(1, 2), stop_words=frozenset({"the"}))},
            {"analyzer": Analyzer(ngram_range=(1, 2), stop_words=frozenset({"the"}))},
        ),
    ],
)
def test_parameters_mean_the_same(spark, small, ours, theirs):
    df = spark.createDataFrame(small)
    assert same(SparkTextClassifier(**ours).fit(df), TextClassifier(**theirs).fit(small))


def test_several_labels(spark, small):
    pairs = zip(small["text"].to_pylist(), small["label"].to_pylist(), strict=True)
    tags = [[label, "long"] if len(text) > 300 else [label] for text, label in pairs]
    table = pa.table({"text": small["text"], "tags": tags})
    df = spark.createDataFrame(table).repartition(3)
    model = SparkTextClassifier(labelCol="tags").fit(df)
    local = TextClassifier().fit(table, label="tags")
    assert same(model, local)
    found = model.transform(df).select("text", "prediction").toArrow()
    assert found["prediction"].to_pylist() == local.predict(found["text"])


def test_a_sample_of_much_text_is_the_local_one(spark, small, monkeypatch):
    df = spark.createDataFrame(small).repartition(4)
    limit = 60_000
    model = SparkTextClassifier(maxTextBytes=limit).fit(df)
    assert same(model, TextClassifier(max_text_bytes=limit).fit(small))
    # What looks small and is not: files compress well.
    monkeypatch.setattr(gather, "_COMPRESSED", 0)
    assert same(SparkTextClassifier(maxTextBytes=limit).fit(df), model.toTextClassifier())
    assert model.termModel.about["documents_used"] < model.termModel.about["documents"] == N
    texts = small["text"].combine_chunks().cast(pa.large_string())
    for limit in (1, 1000, 100_000):
        sample = Sample(limit)
        sample.add(sample.choose(texts))
        sample.lower([sample.choose(texts)])
        assert gather._bits_within(df, Reading(), limit) == sample._bits


def test_by_rule_the_counts_are_those_of_all_texts(spark, small):
    df = spark.createDataFrame(small).repartition(4)
    model = SparkTextClassifier(effort="rule", maxTextBytes=100_000).fit(df).termModel
    whole = TextClassifier(effort="rule", max_bytes=None).fit(small).model_
    assert list(model.terms) == list(whole.terms)


def test_rows_that_cannot_be_used(spark, small):
    holes = pa.table({"text": [None, "a b", "c d"], "label": ["games", None, ""]}, small.schema)
    table = pa.concat_tables([small, holes])
    df = spark.createDataFrame(table).repartition(2)
    with pytest.raises(CorpusError, match=r"no (text|label) \(null"):
        SparkTextClassifier().fit(df)
    classifier = SparkTextClassifier(handleInvalid="skip")
    assert same(classifier.fit(df), TextClassifier().fit(small))
    assert classifier.skipped.count == 3


def test_bad_parameters_are_told(spark, small):
    df = spark.createDataFrame(small)
    with pytest.raises(ValueError, match="effort='best'"):
        SparkTextClassifier(effort="best").fit(df)
    with pytest.raises(ValueError, match="handleInvalid='keep'"):
        SparkTextClassifier(handleInvalid="keep").fit(df)
    with pytest.raises(ValueError, match="all texts are of one class"):
        SparkTextClassifier().fit(df.filter("label = 'games'"))
    with pytest.raises(CorpusError, match="no column 'body'"):
        SparkTextClassifier(textCol="body").fit(df)
    with pytest.raises(CorpusError, match="holds no text of"):
        SparkTextClassifier(maxTextBytes=1000).fit(df)


# -- predicting -------------------------------------------------------------------------------


def test_columns_are_those_of_one_machine(spark, model):
    test = pa.table(load_debian("test")).select(["text", "label"]).slice(0, 200)
    found = model.transform(spark.createDataFrame(test).repartition(3)).toPandas()
    local = model.toTextClassifier()
    texts = found["text"].tolist()
    assert found["prediction"].tolist() == local.predict(texts).tolist()
    features = np.stack([v.toArray() for v in found["rawPrediction"]]).astype(np.float32)
    assert np.array_equal(features, local.transform(texts))
    assert list(found.columns) == ["text", "label", "rawPrediction", "probability", "prediction"]


def test_null_texts(spark, model):
    df = spark.createDataFrame([("a puzzle game",), (None,), ("",)], "text string")
    kept = model.copy({model.handleInvalid: "keep"}).transform(df).collect()
    assert kept[1].asDict() == dict.fromkeys(kept[1].asDict())
    assert kept[2]["prediction"] in model.labels
    assert model.copy({model.handleInvalid: "skip"}).transform(df).count() == 2
    with pytest.raises(Exception, match="a text is null"):
        model.transform(df).collect()


def test_it_abstains(spark, model):
    df = spark.createDataFrame([("qqqq",)], "text string")
    assert model.copy({model.abstainBelow: 0.99}).transform(df).first()["prediction"] is None


def test_in_a_pipeline_with_an_evaluator(spark, small, tmp_path):
    df = spark.createDataFrame(small)
    labels = sorted(set(small["label"].to_pylist()))
    indexer = StringIndexerModel.from_labels(labels, inputCol="label", outputCol="truth")
    pipeline = Pipeline(stages=[indexer, SparkTextClassifier(indexCol="said")])
    fitted = pipeline.fit(df)
    fitted.write().overwrite().save(str(tmp_path / "pipeline"))
    loaded = PipelineModel.load(str(tmp_path / "pipeline"))
    evaluator = MulticlassClassificationEvaluator(
        labelCol="truth", predictionCol="said", metricName="accuracy"
    )
    accuracy = evaluator.evaluate(loaded.transform(df))
    classifier = loaded.stages[1].toTextClassifier()
    assert accuracy == pytest.approx(classifier.score(small["text"], small["label"].to_pylist()))
    assert loaded.stages[1].labels == labels


def test_saved_it_is_the_file_of_one_machine(spark, model, tmp_path):
    path = tmp_path / "model"
    model.write().overwrite().save(str(path))
    model.toTextClassifier().save(tmp_path / "local.termfold")
    assert (path / "model.termfold").read_bytes() == (tmp_path / "local.termfold").read_bytes()
    loaded = SparkTextClassifierModel.load(str(path))
    assert loaded.uid == model.uid
    assert same(loaded, model.toTextClassifier())
    one = SparkTextClassifierModel.fromFile(tmp_path / "local.termfold", textCol="body")
    assert one.getTextCol() == "body"
    estimator = SparkTextClassifier(effort="rule", analyzer=Analyzer(numbers="drop"))
    estimator.save(str(tmp_path / "estimator"))
    again = SparkTextClassifier.load(str(tmp_path / "estimator"))
    assert again.extractParamMap().values() is not None
    assert again.getOrDefault("analyzer") == Analyzer(numbers="drop").to_dict()
    assert again.getOrDefault("effort") == "rule"


def test_a_stream_is_scored(spark, model, tmp_path, small):
    source, sink = tmp_path / "in", tmp_path / "out"
    spark.createDataFrame(small.slice(0, 40)).write.parquet(str(source))
    stream = spark.readStream.schema("text string, label string").parquet(str(source))
    query = (
        model.transform(stream)
        .select("text", "prediction")
        .writeStream.trigger(availableNow=True)
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .format("parquet")
        .start(str(sink))
    )
    query.awaitTermination(120)
    found = spark.read.parquet(str(sink)).toArrow()
    local = model.toTextClassifier().predict(found["text"])
    assert found["prediction"].to_pylist() == local.tolist()
    assert len(found) == 40
