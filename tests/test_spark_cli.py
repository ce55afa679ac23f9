"""``fit`` and ``predict`` with ``--engine spark`` do what they do on one machine."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from cli_tools import call, run
from spark_tools import require_spark
from termfold.datasets import load_debian
from termfold.errors import CorpusError
from termfold.spark.files import format_of
from termfold.spark.session import one_sentence

require_spark()
pytestmark = pytest.mark.xdist_group("spark")

SPARK = ("--engine", "spark", "--master", "local[2]", "--spark", "spark.sql.shuffle.partitions=2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spark-cli")
    table = pa.table(load_debian("train")).select(["text", "label"]).slice(0, 400)
    pq.write_table(table, folder / "train.parquet")
    pyarrow.csv.write_csv(table, folder / "train.csv")
    rows = (json.dumps(row, ensure_ascii=False) for row in table.to_pylist())
    (folder / "train.jsonl").write_text("\n".join(rows))
    assert call("fit", folder / "train.parquet", "-o", folder / "local.termfold").code == 0
    return folder


def test_fit_and_predict(spark, folder):
    """The first as the program runs it, with a session of its own; then in the one that is open."""
    done = run("fit", folder / "train.parquet", *SPARK, "-o", folder / "m.termfold", "--json")
    assert done.json()["documents"] == 400
    assert (folder / "m.termfold").read_bytes() == (folder / "local.termfold").read_bytes()
    out = folder / "labelled.parquet"
    options = ("--top", "2", "--with-text")
    done = call("predict", folder / "m.termfold", folder / "train.csv", *SPARK, "-o", out, *options)
    assert done.code == 0, done.err
    assert "Traceback" not in done.err
    local = folder / "local.parquet"
    again = call("predict", folder / "m.termfold", folder / "train.csv", "-o", local, *options)
    assert again.code == 0
    found, expected = pq.read_table(out), pq.read_table(local)
    assert sorted(found.schema.names) == sorted(expected.schema.names)
    names = sorted(expected.schema.names)
    by_text = [("text", "ascending")]
    assert (
        found.select(names).sort_by(by_text).to_pylist()
        == expected.select(names).sort_by(by_text).to_pylist()
    )


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_other_formats_give_the_same_model(spark, folder, form):
    model = folder / f"{form}.termfold"
    done = call("fit", folder / f"train.{form}", *SPARK, "-o", model)
    assert done.code == 0, done.err
    assert model.read_bytes() == (folder / "local.termfold").read_bytes()


def test_mistakes_are_one_sentence(spark, folder, tmp_path):
    model = folder / "local.termfold"
    cases = [
        (("fit", folder / "none.parquet", *SPARK, "-o", tmp_path / "m"), 1, "does not exist"),
        (("fit", folder / "train.csv", *SPARK, "--label", "x", "-o", tmp_path / "m"), 1, "'x'"),
        (("fit", folder, *SPARK, "-o", tmp_path / "m"), 1, "cannot tell its format"),
        (("fit", folder / "train.csv", "--master", "yarn", "-o", tmp_path / "m"), 2, "--master"),
        (("fit", folder / "train.csv", *SPARK, "--spark", "x", "-o", tmp_path / "m"), 2, "setting"),
        (("fit", folder / "a.csv", *SPARK, "--updatable", "-o", tmp_path / "m"), 2, "--updatable"),
        (("predict", model, *SPARK, "-o", tmp_path / "p.csv"), 2, "--output names a folder"),
        (("predict", model, folder / "train.csv", *SPARK, "-o", folder / "train.csv"), 1, "exists"),
        (("predict", model, folder / "train.csv", *SPARK, "-o", tmp_path / "p.csv", "--text", "b"),
         1, "no column 'b'"),
    ]  # fmt: skip
    for arguments, code, words in cases:
        done = call(*arguments)
        assert done.code == code, done
        assert words in done.err
        assert "Traceback" not in done.err


def test_formats_by_name():
    assert format_of("hdfs://name/data.csv.gz") == "csv"
    assert format_of("folder.parquet/*") == "parquet"
    with pytest.raises(CorpusError, match="format="):
        format_of("notes.txt")


def test_errors_of_spark_in_one_sentence():
    assert one_sentence("  File x\ntermfold.errors.CorpusError: no text\n SQLSTATE") == "no text"
    assert one_sentence("") == "Spark failed without a message"
