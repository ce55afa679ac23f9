"""
What scores make of rare terms
==============================

Eighteen scores rank the terms of a class, and they disagree mostly about one thing: how much a
term may tell that is hardly ever there. Each point is a term of the class *sound*; the fifty best
of each score are dark.
"""

import matplotlib.pyplot as plt
import numpy as np

from termfold import collect
from termfold.datasets import load_debian
from termfold.scores import rank, score_classes

stats = collect(load_debian("train"))
sound = stats.classes.tolist().index("sound")

inside = stats.dense("df")[sound]
present = inside > 0
share = inside[present] / stats.term_df[present]
frequency = stats.term_df[present]

# %%
# Points that would lie on one another are moved a little, by the same amounts each time.

jitter = np.exp(np.random.default_rng(0).normal(0, 0.08, present.sum()))

figure, panels = plt.subplots(
    2, 3, figsize=(9, 5.5), sharex=True, sharey=True, layout="constrained"
)
for axes, score in zip(panels.flat, ["df", "chi2", "ig", "bns", "kl", "log_rr"], strict=True):
    values = score_classes(stats, score)[sound, present]
    best = rank(values)[:50]
    axes.scatter(frequency * jitter, share, s=3, color="#c9d6df", rasterized=True)
    axes.scatter((frequency * jitter)[best], share[best], s=14, color="#1f5f8b")
    axes.set(xscale="log", title=score)
figure.supxlabel("documents with the term")
figure.supylabel("share of them in the class")
plt.show()

# %%
# ``df`` takes what is frequent, whatever it says. ``log_rr`` takes what is only in the class,
# whatever its frequency. ``chi2`` and ``ig`` weigh one against the other, ``bns`` lies between. The
# few points at the bottom right are terms by whose absence the class is known.
