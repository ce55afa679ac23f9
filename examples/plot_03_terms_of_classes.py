"""
The terms that make a class
===========================

A class is described by the terms that are more frequent in it than elsewhere. ``FEDIP`` ranks them
by relatedness, which weighs how frequent a term is in the class by how much it says about it. The
result reads like a topic, but it has a name.
"""

import matplotlib.pyplot as plt

from termfold import FEDIP, TermCounter
from termfold.datasets import load_debian

train = load_debian("train")
counter = TermCounter(stop_words="english", numbers="drop")
fedip = FEDIP().fit(counter.fit_transform(train.data), train.target)
terms = counter.get_feature_names_out()

# %%
# Bars are relatedness, the share of documents of the class with the term times its relative risk.

figure, panels = plt.subplots(2, 3, figsize=(10, 6), layout="constrained")
chosen = ["database", "electronics", "games", "mail", "science", "sound"]
for axes, name in zip(panels.flat, chosen, strict=True):
    pool = fedip.pools_[name]
    best = pool.terms[:8][::-1]
    axes.barh(terms[best], pool.relatedness[:8][::-1], color="#1f5f8b")
    axes.set_title(name)
    axes.spines[["top", "right"]].set_visible(False)
figure.supxlabel("relatedness")
plt.show()
