"""A model does not depend on the order of the documents it learns from."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from termfold import TextClassifier
from termfold.classify import model_file
from termfold.datasets import load_debian

N = 600


def _texts():
    table = pa.table(load_debian("train")).slice(0, N)
    return table["text"].to_pylist(), table["label"].to_pylist()


@pytest.mark.parametrize("effort", ["refined", "head", "rule"])
def test_permuted_documents_give_the_same_bytes(effort):
    texts, labels = _texts()
    order = np.random.default_rng(0).permutation(N)
    one = TextClassifier(effort=effort).fit(texts, labels)
    other = TextClassifier(effort=effort).fit([texts[i] for i in order], [labels[i] for i in order])
    assert model_file.dumps(one.model_) == model_file.dumps(other.model_)


def test_so_do_several_labels_in_any_order():
    texts, labels = _texts()
    tags = [
        [label, "long"] if len(text) > 300 else [label]
        for text, label in zip(texts, labels, strict=True)
    ]
    frame = pa.table({"text": texts, "label": tags})
    turned = pa.table({"text": texts[::-1], "label": [names[::-1] for names in tags[::-1]]})
    one, other = (TextClassifier(effort="rule").fit(table) for table in (frame, turned))
    assert model_file.dumps(one.model_) == model_file.dumps(other.model_)
