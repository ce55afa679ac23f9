"""
How small may a model be?
=========================

Given ``max_bytes``, a model leaves out the terms that matter least until its file is no larger.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

from termfold import TextClassifier
from termfold.datasets import load_debian

train, test = load_debian("train"), load_debian("test")

rows = []
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "model.termfold")
    for limit in (10_000, 20_000, 50_000, 100_000, 200_000, None):
        classifier = TextClassifier(max_bytes=limit).fit(train.data, train.target)
        classifier.save(path)
        accuracy = classifier.score(test.data, test.target)
        rows.append((path.stat().st_size, len(classifier.model_.terms), accuracy))

# %%

figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
sizes, terms, accuracies = zip(*rows, strict=True)
axes.semilogx([size / 1000 for size in sizes], accuracies, marker="o", color="#1f5f8b")
for size, count, accuracy in rows:
    axes.annotate(
        f"{count:,} terms", (size / 1000, accuracy), (6, -12), textcoords="offset points",
        fontsize=9, color="#5c6b75",
    )  # fmt: skip
axes.set(xlabel="kB on disk", ylabel="accuracy, test split", ylim=(min(accuracies) - 0.03, None))
axes.margins(x=0.1)
axes.spines[["top", "right"]].set_visible(False)
plt.show()
