"""
Why features for training leave the document out
================================================

The weights of a projection come from the training documents. A document that helped to make them
gets features which are too good: rare terms in it are known from nowhere else. ``fit_transform``
therefore gives each document the features it would have had it not been there. That takes no folds,
since the tables are sums.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression

from termfold import FEDIP, TermCounter
from termfold.datasets import load_debian

train, test = load_debian("train"), load_debian("test")
counter = TermCounter()
X, X_test = counter.fit_transform(train.data), counter.transform(test.data)

fedip = FEDIP("bernoulli", "log_rr", smoothing=0.5, smooth="count", signed=True)
honest = fedip.fit_transform(X, train.target)
naive = fedip.transform(X)
unseen = fedip.transform(X_test)

# %%
# The margin of a document is the feature of its own class less the largest of the others. Without
# leaving out, training documents look nothing like those the classifier is for.


def margin(features, target):
    own = np.searchsorted(fedip.classes_, target)
    rows = np.arange(len(own))
    others = features.copy()
    others[rows, own] = -np.inf
    return features[rows, own] - others.max(axis=1)


figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
bins = np.linspace(-2, 4, 60)
for name, features, target, color in (
    ("training, as seen", naive, train.target, "#c4622d"),
    ("training, left out", honest, train.target, "#1f5f8b"),
    ("test", unseen, test.target, "black"),
):
    axes.hist(
        margin(features, target), bins, density=True, histtype="step", linewidth=1.8, label=name,
        color=color,
    )  # fmt: skip
axes.axvline(0, color="grey", linewidth=0.8)
axes.set(xlabel="margin", ylabel="density", title="Margins of documents")
axes.legend(frameon=False)
plt.show()

# %%
# And what a classifier makes of it:

for name, features in ("as seen", naive), ("left out", honest):
    model = LogisticRegression(C=100, max_iter=2000).fit(features, train.target)
    print(f"{name:9} train {model.score(features, train.target):.3f}", end="  ")
    print(f"test {model.score(unseen, test.target):.3f}")
