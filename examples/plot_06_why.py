"""
Why was it decided so?
======================

A score is a sum over the terms of a text, so an explanation is the list of the summands. Nothing is
approximated: the bars below add up to the score.
"""

import matplotlib.pyplot as plt

from termfold import TextClassifier
from termfold.datasets import load_debian

train, test = load_debian("train"), load_debian("test")
classifier = TextClassifier().fit(train.data, train.target)

text = "Plays sound files over the network, and shows the fonts of the display."
explanation = classifier.explain(text)
explanation

# %%
# In a notebook an explanation shows itself, as above. The same as a figure, for the two best
# classes:

best = explanation.scores.argsort()[::-1][:2]
figure, panels = plt.subplots(1, 2, figsize=(9, 3.8), sharex=True, layout="constrained")
for axes, k in zip(panels, best, strict=True):
    name = explanation.classes[k]
    rows = explanation.contributions(name)[::-1]
    values = [explanation.bias[k], *(row.value for row in rows)]
    colors = ["#1f5f8b" if value > 0 else "#c4622d" for value in values]
    axes.barh(["(bias)", *(row.term for row in rows)], values, color=["#b8c4cc", *colors[1:]])
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_title(f"{name}: score {explanation.scores[k]:+.2f}")
    axes.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# They add up, to the rounding of 32-bit numbers:

sums = explanation.values.sum(axis=0) + explanation.bias
print(f"largest difference {abs(sums - explanation.scores).max():.1e}")
