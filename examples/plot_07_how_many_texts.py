"""
How many labelled texts are needed?
===================================

A curve of accuracy over training documents tells whether more labels would help. Here for two
efforts of ``TextClassifier``, and a linear SVM of scikit-learn on TF-IDF. Each point is the mean of
two random samples, the last is all there is.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from termfold import TextClassifier
from termfold.datasets import load_debian

X, y = load_debian("train").pair()
X_test, y_test = load_debian("test").pair()
X = np.array(X, dtype=object)

ways = {
    "refined": lambda: TextClassifier(),
    "rule": lambda: TextClassifier(effort="rule"),
    "TF-IDF, SVM": lambda: make_pipeline(TfidfVectorizer(sublinear_tf=True), LinearSVC()),
}
sizes = [150, 600, 2400, 4788]
results = {name: [] for name in ways}
for size in sizes:
    samples = [np.random.default_rng(seed).permutation(len(X))[:size] for seed in range(2)]
    for name, make in ways.items():
        scores = [
            make().fit(list(X[sample]), y[sample]).score(X_test, y_test)
            for sample in (samples if size < len(X) else samples[:1])
        ]
        results[name].append(np.mean(scores))

# %%

figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
for name, scores in results.items():
    style = ":" if "SVM" in name else "-"
    axes.semilogx(sizes, scores, marker="o", linestyle=style, label=name)
axes.set(xlabel="training documents, of 12 classes", ylabel="accuracy, test split")
axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
axes.minorticks_off()
axes.legend(frameon=False)
plt.show()

# %%
# The first and the last points. With a dozen texts a class the linear SVM of scikit-learn is ahead;
# with some hundreds it is not.

for name, scores in results.items():
    print(f"{name:12} {scores[0]:.3f} … {scores[-1]:.3f}")
