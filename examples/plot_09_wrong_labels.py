"""
Find wrong labels
=================

Every twentieth training label is replaced by another one, at random. ``audit`` judges each document
by all others and puts the least credible label first. How many of the first are wrong ones?
"""

import matplotlib.pyplot as plt
import numpy as np

from termfold import Analyzer, open_corpus
from termfold.classify.audit import audit
from termfold.classify.training import read_training_set
from termfold.datasets import load_debian
from termfold.stats import Labels

train = load_debian("train")
random = np.random.default_rng(0)
labels = train.target.copy()
wrong = random.choice(len(labels), len(labels) // 20, replace=False)
for row in wrong:
    labels[row] = random.choice([name for name in train.classes if name != labels[row]])

corpus = open_corpus(train.data, label=None)
training = read_training_set(corpus, Analyzer(), labels=Labels.of(labels))
suspects = audit(training)
found = np.isin([suspect.row for suspect in suspects], wrong)

# %%
# Some of what counts as an error here are labels that were doubtful from the start.

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
looked_at = np.arange(1, len(found) + 1)
axes.plot(looked_at, found.cumsum(), color="#1f5f8b", label="found")
axes.plot([0, len(wrong)], [0, len(wrong)], ":", color="grey", label="if all were wrong ones")
axes.axhline(len(wrong), color="grey", linewidth=0.8)
axes.set(xlabel="suspects looked at", ylabel="wrong labels", xlim=(0, 2 * len(wrong)))
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)
plt.show()

# %%

print(f"{len(wrong)} labels are wrong, {found[: len(wrong)].sum()} of them among as many suspects")
for suspect in suspects[:3]:
    terms = ", ".join(term for term, _ in suspect.deciding_terms)
    print(f"{suspect.label} should be {suspect.suggested}: {terms}")
