"""
When to trust a prediction
==========================

Probabilities are calibrated on documents the weights have not seen. So they come near to how often
the classifier is right, and a threshold on them says how much is decided and how much of that is
right.
"""

import matplotlib.pyplot as plt
import numpy as np

from termfold import TextClassifier
from termfold.datasets import load_debian

train, test = load_debian("train"), load_debian("test")
classifier = TextClassifier().fit(train.data, train.target)
probabilities = classifier.predict_proba(test.data)
sure = probabilities.max(axis=1)
right = classifier.predict(test.data) == test.target

# %%
# On the left, each point holds a tenth of the test documents. On the right, what ``abstain_below``
# does at any threshold.

figure, (left, other) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
parts = np.array_split(np.argsort(sure), 10)
left.plot([0.2, 1], [0.2, 1], ":", color="grey")
left.plot(
    [sure[part].mean() for part in parts], [right[part].mean() for part in parts], "o-",
    color="#1f5f8b",
)  # fmt: skip
left.set(xlabel="probability it gives", ylabel="share that is right", title="Calibration")

thresholds = np.linspace(0, 0.99, 50)
decided = np.array([(sure >= threshold).mean() for threshold in thresholds])
correct = np.array([right[sure >= threshold].mean() for threshold in thresholds])
other.plot(decided, correct, color="#1f5f8b")
for threshold in (0.5, 0.8, 0.95):
    chosen = sure >= threshold
    x, y = chosen.mean(), right[chosen].mean()
    other.plot(x, y, "o", color="#1f5f8b")
    other.annotate(f"{threshold}", (x, y), (6, 4), textcoords="offset points")
other.set(xlabel="share decided", ylabel="share of these that is right", title="Abstaining")
plt.show()
