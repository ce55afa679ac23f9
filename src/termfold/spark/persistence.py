"""Models in folders, as ``pyspark.ml`` keeps them, on any file system that Spark knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from termfold.classify import model_file
from termfold.spark._extra import missing

try:
    from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReader, MLWriter
except ImportError as error:
    raise missing(error) from error

if TYPE_CHECKING:
    from termfold.spark.model import SparkTextClassifierModel

#: The model file in the folder: the same as ``TextClassifier.save`` writes.
FILE = "model.termfold"


class ModelWriter(MLWriter):
    """Writes parameters and a model file."""

    def __init__(self, model: SparkTextClassifierModel) -> None:
        super().__init__()
        self._model = model

    def saveImpl(self, path: str) -> None:
        """Write into a new folder."""
        DefaultParamsWriter.saveMetadata(self._model, path, self.sparkSession)
        content = model_file.dumps(self._model.termModel)
        target, files = _on_file_system(self.sparkSession, f"{path}/{FILE}")
        stream = files.create(target)
        try:
            stream.write(bytearray(content))
        finally:
            stream.close()


class ModelReader(MLReader["SparkTextClassifierModel"]):
    """Reads what ``ModelWriter`` has written."""

    def load(self, path: str) -> SparkTextClassifierModel:
        """Read parameters and the model file."""
        from termfold.spark.model import SparkTextClassifierModel

        spark = self.sparkSession
        about = DefaultParamsReader.loadMetadata(path, spark)
        row = spark.read.format("binaryFile").load(f"{path}/{FILE}").select("content").first()
        loaded = SparkTextClassifierModel(model_file.loads(bytes(row[0]), f"{path}/{FILE}"))
        loaded._resetUid(about["uid"])
        DefaultParamsReader.getAndSetParams(loaded, about)
        return loaded


def _on_file_system(spark: Any, path: str) -> tuple[Any, Any]:
    """A path of Hadoop's, and the file system that it is on."""
    target = spark._jvm.org.apache.hadoop.fs.Path(path)
    return target, target.getFileSystem(spark._jsc.hadoopConfiguration())
