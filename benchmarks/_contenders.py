"""What `bench_text_classifier.py` compares, and on what: collections, termfold and its rivals."""

from __future__ import annotations

import re
import tempfile
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.metrics import f1_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC

from termfold import datasets
from termfold.classify import TextClassifier

C_GRID = (0.1, 0.3, 1.0, 3.0)
RATES = (0.1, 0.25, 0.5, 1.0)


class Collection:
    """Training and test documents, in memory and as Parquet files."""

    def __init__(self, name: str, folder: Path) -> None:
        load, splits, self.split = SETS[name]
        self.name, self.chinese = name, name == "thucnews_titles"
        if splits is None:
            whole = load()
            order = np.random.default_rng(0).permutation(len(whole))
            cut = len(whole) * 2 // 3
            parts = [(whole.text.take(r), whole.labels.take(r)) for r in (order[:cut], order[cut:])]
        else:
            parts = [(part.text, part.labels) for part in map(load, splits)]
        self.paths = []
        for i, (text, labels) in enumerate(parts):
            path = folder / f"{name}-{i}.parquet"
            pq.write_table(pa.table({"text": text, "label": labels}), path, compression="zstd")
            self.paths.append(path)
        (self.X, self.y), (self.X_test, self.y_test) = (
            (text.to_pylist(), labels.to_pylist()) for text, labels in parts
        )
        self.multilabel = isinstance(self.y[0], list)
        self.megabytes = [sum(len(x.encode()) for x in X) / 1e6 for X in (self.X, self.X_test)]
        self.n_classes = len({k for y in self.y for k in (y if self.multilabel else [y])})

    def held_out_third(self) -> tuple[list[str], list[Any], list[str], list[Any]]:
        order = np.random.default_rng(1).permutation(len(self.X)).tolist()
        cut = len(order) * 2 // 3
        parts = [[values[i] for i in rows] for rows in (order[:cut], order[cut:])
                 for values in (self.X, self.y)]  # fmt: skip
        return parts[0], parts[1], parts[2], parts[3]

    def scores(self, truth: list[Any], found: list[Any]) -> dict[str, float]:
        if self.multilabel:
            coder = MultiLabelBinarizer().fit(self.y)
            truth, found = coder.transform(truth), coder.transform(found)
        return {
            f"{kind}_f1": float(f1_score(truth, found, average=kind, zero_division=0))
            for kind in ("micro", "macro")
        }


ALL = ("train", "test")
PUBLISHED = "train / test as published"
SETS: dict[str, tuple[Any, tuple[str, str] | None, str]] = {
    "20newsgroups_bydate": (datasets.load_20newsgroups, ALL, PUBLISHED),
    "reuters21578_r90": (datasets.load_reuters21578, ALL, "ModApte, 90 topics"),
    "agnews_partial": (datasets.load_agnews, ALL, "part of train / test as published"),
    "imdb": (datasets.load_imdb, ALL, PUBLISHED),
    "dbpedia14_sample": (datasets.load_dbpedia, None, "two thirds / one third at random, seed 0"),
    "debian_58_sections": (datasets.load_debian_full, ALL, "by a hash of the source package"),
    "debian_sample": (datasets.load_debian, ALL, "by a hash of the source package"),
    "thucnews_titles": (datasets.load_thucnews_titles, ("dev", "test"), "dev / test as published"),
}


# -- methods ----------------------------------------------------------------------------------


class Method(ABC):
    """What is timed are ``fit`` and ``predict``, in memory and from those files that it reads."""

    steps: tuple[str, ...] = ("fit", "fit_parquet", "predict", "predict_parquet")
    data: Collection
    model: Any
    parameter: float

    def prepare(self, X: list[str], y: list[Any]) -> None:
        """Take documents to learn from; not timed."""
        self.X, self.y = X, y

    def ready(self, X: list[str]) -> list[str]:
        """Make texts such that they can be predicted; not timed."""
        return X

    def tune(self) -> dict[str, float]:
        """Choose the parameter on training documents."""
        return {}

    def settle(self) -> dict[str, float]:
        """Change a parameter with which training on all documents fails; not timed."""
        return {}

    @abstractmethod
    def fit(self) -> None:
        """Learn; timed."""

    @abstractmethod
    def predict(self, X: Any) -> list[Any]:
        """Predict labels; timed."""


class Termfold(Method):
    """Reads files by itself, and finds bigrams of Chinese characters by itself."""

    def __init__(self, data: Collection, **parameters: Any) -> None:
        self.data, self.model = data, TextClassifier(**parameters)

    def fit(self) -> None:
        self.model.fit(self.X, self.y)

    def fit_parquet(self, path: Path) -> None:
        self.model.fit(path)

    def predict(self, X: Any) -> list[Any]:
        return list(self.model.predict(X))

    def predict_parquet(self, path: Path) -> list[Any]:
        return self.predict(pq.read_table(path, columns=["text"])["text"])


class SVM(Method):
    """TF-IDF and a linear support vector machine, of all terms or of the best by chi2."""

    def __init__(self, data: Collection, k: int | None = None, tuned: bool = False) -> None:
        self.data, self.k, self.tuned, self.parameter = data, k, tuned, 1.0

    def prepare(self, X: list[str], y: list[Any]) -> None:
        self.X, self.y = X, y
        head: Any = LinearSVC(C=self.parameter)
        if self.data.multilabel:
            head = OneVsRestClassifier(head)
        analyzer = {"analyzer": "char", "ngram_range": (2, 2)} if self.data.chinese else {}
        steps = [TfidfVectorizer(sublinear_tf=True, **analyzer)]
        if self.k is not None:
            steps.append(SelectKBest(chi2, k=self.k))
        self.model = make_pipeline(*steps, head)

    def fit(self) -> None:
        y: Any = self.y
        if self.data.multilabel:
            self.coder = MultiLabelBinarizer()
            y = self.coder.fit_transform(y)
        self.model.fit(self.X, y)

    def fit_parquet(self, path: Path) -> None:
        table = pq.read_table(path)
        self.prepare(table["text"].to_pylist(), table["label"].to_pylist())
        self.fit()

    def predict(self, X: list[str]) -> list[Any]:
        found = self.model.predict(X)
        return list(self.coder.inverse_transform(found) if self.data.multilabel else found)

    def predict_parquet(self, path: Path) -> list[Any]:
        return self.predict(pq.read_table(path, columns=["text"])["text"].to_pylist())

    def tune(self) -> dict[str, float]:
        if self.tuned:
            self.parameter = chosen(self, C_GRID)
        return {"C": self.parameter}


class FastText(Method):
    """25 epochs of fastText; several labels by one sigmoid each, given from one half on."""

    steps = ("fit", "predict", "predict_parquet")

    def __init__(self, data: Collection, threads: int, rates: dict[str, float]) -> None:
        self.data, self.threads, self.rates = data, threads, rates
        self.parameter = 0.0

    def prepare(self, X: list[str], y: list[Any]) -> None:
        self.file = tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8")  # noqa: SIM115
        labels = [[k] if isinstance(k, str) else k for k in y]
        names = sorted({name for several in labels for name in several})
        self.names = {f"__label__{i}": name for i, name in enumerate(names)}
        number = {name: f"__label__{i}" for i, name in enumerate(names)}
        texts = self.ready(X)
        for i in shuffled(len(X)):
            print(*(number[name] for name in labels[i]), texts[i], file=self.file)
        self.file.flush()

    def ready(self, X: list[str]) -> list[str]:
        """As fastText's tutorial does: lower case, punctuation by itself; Chinese by characters."""
        if self.data.chinese:
            return [" ".join("".join(text.split()).lower()) for text in X]
        punctuation = re.compile(r"([.!?,'/()])")
        return [" ".join(punctuation.sub(r" \1 ", text.lower()).split()) for text in X]

    def fit(self) -> None:
        import fasttext

        self.model = fasttext.train_supervised(
            self.file.name,
            lr=self.parameter,
            epoch=25,
            thread=self.threads,
            wordNgrams=2 if self.data.chinese else 1,
            loss="ova" if self.data.multilabel else "softmax",
            verbose=0,
        )

    def settle(self) -> dict[str, float]:
        """A rate that was best on two thirds may be too high for all: it is halved then."""
        while True:
            try:
                self.fit()
            except RuntimeError:
                self.parameter /= 2
            else:
                return {"lr": self.parameter}

    def predict(self, X: list[str]) -> list[Any]:
        if self.data.multilabel:
            marks, _ = self.model.predict(X, k=-1, threshold=0.5)
            return [[self.names[m] for m in row] for row in marks]
        marks, _ = self.model.predict(X)
        return [self.names[row[0]] if row else "" for row in marks]

    def predict_parquet(self, path: Path) -> list[Any]:
        texts = pq.read_table(path, columns=["text"])["text"].to_pylist()
        return self.predict(self.ready(texts))

    def tune(self) -> dict[str, float]:
        if "fasttext" not in self.rates:
            self.rates["fasttext"] = chosen(self, RATES)
        self.parameter = self.rates["fasttext"]
        return {"lr": self.parameter}


class VowpalWabbit(Method):
    """One against all by logistic loss, ten passes over the words of its own file."""

    steps = ("fit", "predict")

    def __init__(self, data: Collection) -> None:
        self.data, self.parameter = data, 0.5

    def prepare(self, X: list[str], y: list[Any]) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.names = sorted(set(y))
        number = {name: i + 1 for i, name in enumerate(self.names)}
        order = shuffled(len(X))
        self._write("train.vw", [f"{number[y[i]]} " for i in order], [X[i] for i in order])

    def _write(self, name: str, starts: list[str], X: list[str]) -> None:
        pattern = re.compile(r"\S" if self.data.chinese else r"\w\w+")
        with (Path(self.folder.name) / name).open("w", encoding="utf-8") as file:
            for start, text in zip(starts, X, strict=True):
                words = " ".join(pattern.findall(text.lower())).replace("|", " ").replace(":", " ")
                print(f"{start}|w {words}", file=file)

    def _run(self, arguments: str) -> None:
        from vowpalwabbit import Workspace

        Workspace(arguments.replace("@", f"{self.folder.name}/") + " --quiet").finish()

    def fit(self) -> None:
        ngrams = " --ngram 2" if self.data.chinese else ""
        self._run(
            f"-d @train.vw --oaa {len(self.names)} --loss_function logistic -b 22 --passes 10 "
            f"-k --cache_file @cache --holdout_off -l {self.parameter} -f @model{ngrams}"
        )

    def ready(self, X: list[str]) -> list[str]:
        self._write("test.vw", [""] * len(X), X)
        return X

    def predict(self, X: list[str]) -> list[Any]:
        self._run("-t -i @model -d @test.vw -p @found")
        lines = (Path(self.folder.name) / "found").read_text().split()
        return [self.names[int(float(line)) - 1] for line in lines]

    def tune(self) -> dict[str, float]:
        self.parameter = chosen(self, RATES)
        return {"learning_rate": self.parameter}


def shuffled(n: int) -> list[int]:
    """An order of documents for methods that learn one after the other."""
    return [int(i) for i in np.random.default_rng(2).permutation(n)]


def chosen(method: Method, grid: tuple[float, ...]) -> float:
    """The value with the best micro-F1 on the third held out of training."""
    X, y, X_held, y_held = method.data.held_out_third()
    found = {}
    for value in grid:
        method.parameter = value
        method.prepare(X, y)
        try:
            method.fit()
        except RuntimeError:  # fastText says so when a rate is too high
            continue
        found[value] = method.data.scores(y_held, method.predict(method.ready(X_held)))["micro_f1"]
    return max(found, key=lambda value: found[value])


def methods_for(data: Collection) -> dict[str, Method]:
    rates: dict[str, float] = {}
    methods: dict[str, Method] = {
        "termfold, 1 thread": Termfold(data, n_jobs=1),
        "termfold, 2 threads": Termfold(data, n_jobs=2),
        "termfold head, 1 thread": Termfold(data, effort="head", n_jobs=1),
        "termfold rule, 1 thread": Termfold(data, effort="rule", n_jobs=1),
        "TF-IDF, LinearSVC": SVM(data),
        "TF-IDF, LinearSVC, C chosen": SVM(data, tuned=True),
        "TF-IDF, chi2 10,000, LinearSVC": SVM(data, k=10_000),
        "fastText, 2 threads": FastText(data, 2, rates),
        "fastText, 1 thread": FastText(data, 1, rates),
        "Vowpal Wabbit": VowpalWabbit(data),
    }
    if data.multilabel:
        del methods["Vowpal Wabbit"]
    return methods
