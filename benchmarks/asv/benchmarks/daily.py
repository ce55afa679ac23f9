"""A few numbers that tell when a commit made something slower, larger or worse."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from termfold import FEDIP, TermCounter, TermSelector, TermStats, TextClassifier, collect
from termfold.datasets import load_debian


class Texts:
    """Each is called once before the clock starts, which compiles or loads the kernels."""

    def setup(self):
        self.train, self.test = load_debian("train"), load_debian("test")
        self.texts, self.labels = self.train.pair()

    def time_collect(self):
        collect(self.train, n_jobs=1)

    def time_count(self):
        TermCounter(n_jobs=1).fit_transform(self.texts)

    def peakmem_collect(self):
        collect(self.train, n_jobs=1)


class Counts:
    def setup(self):
        train = load_debian("train")
        self.labels = train.target
        self.X = TermCounter().fit_transform(train.data)
        self.stats = TermStats.from_matrix(self.X, self.labels)

    def time_select(self):
        TermSelector("chi2", k=1000).fit_stats(self.stats).get_support()

    def time_merge(self):
        self.stats + self.stats

    def time_fedip(self):
        FEDIP().fit_transform(self.X, self.labels)


class Classifier:
    params = ("refined", "head", "rule")
    param_names = ("effort",)

    def setup(self, effort):
        self.texts, self.labels = load_debian("train").pair()
        self.test = load_debian("test")
        self.classifier = TextClassifier(effort=effort, n_jobs=1).fit(self.texts, self.labels)

    def time_fit(self, effort):
        TextClassifier(effort=effort, n_jobs=1).fit(self.texts, self.labels)

    def time_predict(self, effort):
        self.classifier.predict(self.test.text)

    def track_accuracy(self, effort):
        return self.classifier.score(self.test.data, self.test.target)

    def track_bytes(self, effort):
        with TemporaryDirectory() as folder:
            path = Path(folder, "model.termfold")
            self.classifier.save(path)
            return path.stat().st_size


Classifier.track_bytes.unit = "bytes"


def timeraw_import():
    return "import termfold; termfold.TextClassifier"
