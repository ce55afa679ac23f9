"""
A map with named axes
=====================

A projection makes one number per class of each document. So a scatter plot needs no dimension
reduction by chance: choose two classes, and the axes mean something. Here *net* and *web*, the two
sections that are mistaken for each other most often.
"""

import matplotlib.pyplot as plt
import numpy as np

from termfold import FEDIP, TermCounter
from termfold.datasets import load_debian

train, test = load_debian("train"), load_debian("test")
counter = TermCounter()
fedip = FEDIP().fit(counter.fit_transform(train.data), train.target)
features = fedip.transform(counter.transform(test.data))
print(features.shape, fedip.get_feature_names_out()[:4])

# %%
# The test documents of both classes; all others lie near the origin. Those that both features call
# alike are the ones a person would hesitate about, too.

names = list(fedip.get_feature_names_out())
x, y = (np.log(features[:, names.index(name)]) for name in ("net", "web"))
figure, axes = plt.subplots(figsize=(6, 6), layout="constrained")
others = ~np.isin(test.target, ["net", "web"])
axes.scatter(x[others], y[others], s=5, color="#d9dee2", label="other sections")
for name, color in ("net", "#1f5f8b"), ("web", "#c4622d"):
    of_class = test.target == name
    axes.scatter(x[of_class], y[of_class], s=14, color=color, alpha=0.7, label=name)
axes.set(xlabel="log of the feature net", ylabel="log of the feature web", title="Test split")
axes.set_aspect("equal")
axes.legend(frameon=False)
plt.show()

# %%
# The document on the border:

both = np.flatnonzero(~others)
most = both[np.argmax(np.minimum(x, y)[both])]
print(test.target[most], "-", test.data[most].splitlines()[0])
