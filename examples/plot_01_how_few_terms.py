"""
How few terms are enough?
=========================

The collection is counted once. Every point below then needs only the counts to choose its terms:
five scores, seven numbers of terms, and a linear support vector machine that sees nothing else.
"""

# %%
# Counts, by class for the scores and by document for the classifier.

import matplotlib.pyplot as plt
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from termfold import OCFS, TermCounter, TermSelector, TermStats
from termfold.datasets import load_debian

train, test = load_debian("train"), load_debian("test")
counter = TermCounter()
X, X_test = counter.fit_transform(train.data), counter.transform(test.data)
stats = TermStats.from_matrix(X, train.target, terms=counter.terms_)
print(stats)

# %%
# A ranking is computed from the counts alone. OCFS is told apart: it looks at the means of the
# classes, which it needs as normalised weights.

rankings = {
    score: TermSelector(score).fit_stats(stats).ranking_
    for score in ("chi2", "ig", "bns", "log_rr")
}
weighted = TfidfTransformer(sublinear_tf=True).fit_transform(X)
rankings["ocfs"] = OCFS().fit(weighted, train.target).ranking_

# %%
# Accuracy on the test split, with the best terms of each ranking only.

sizes = [10, 30, 100, 300, 1000, 3000, 10_000]


def accuracy(columns):
    model = make_pipeline(TfidfTransformer(sublinear_tf=True), LinearSVC())
    return model.fit(X[:, columns], train.target).score(X_test[:, columns], test.target)


figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
for name, ranking in rankings.items():
    axes.semilogx(sizes, [accuracy(ranking[:size]) for size in sizes], marker="o", label=name)
axes.axhline(accuracy(slice(None)), color="grey", linestyle=":", label=f"all {X.shape[1]:,}")
axes.set(xlabel="terms", ylabel="accuracy, test split", title="Chosen terms, linear SVM")
axes.legend(frameon=False)
plt.show()

# %%
# A thousand terms come within a few points of all of them. The logarithm of the relative risk ranks
# terms that hardly occur outside a class first, however rare: it says what a class is about, but
# chooses badly where only few terms may be kept.
