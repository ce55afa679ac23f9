"""Reuters and 20 Newsgroups as the paper has them: several labels, words alone."""

from __future__ import annotations

import email.utils
import re
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from sklearn.preprocessing import MultiLabelBinarizer

from termfold.datasets import load_20newsgroups_full, load_debian, load_reuters21578
from termfold_studies.common.collections import Split, count_texts

#: Lower case, no numbers, stop words out, in at least five training documents.
COUNTING: dict[str, Any] = {"numbers": "drop", "stop_words": "english", "min_df": 5, "binary": True}
_LAST = 250
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def debian_sample() -> Split:
    """The data that comes with termfold, one label a document."""
    train, test = load_debian("train"), load_debian("test")
    labels = [[[label] for label in part.target] for part in (train, test)]
    return _count("Debian, 12 sections (built in)", "by source package", train.text, labels[0],
                  test.text, labels[1])  # fmt: skip


def reuters() -> Split:
    """Reuters-21578, ModApte, 90 topics."""
    train, test = load_reuters21578("train"), load_reuters21578("test")
    return _count(
        "Reuters-21578", "ModApte, 90 topics", train.text, train.target, test.text, test.target
    )


def newsgroups() -> Split:
    """20 Newsgroups in time order: of each group, the last posts are the test."""
    texts, groups, times = combine_posts(*load_20newsgroups_full().pair())
    held = last_of_each_group(groups, times, _LAST)
    parts = [[i for i in range(len(texts)) if held[i] == part] for part in (False, True)]
    (train, labels), (test, labels_test) = (
        (pa.array([texts[i] for i in part], pa.large_string()), [groups[i] for i in part])
        for part in parts
    )
    return _count("20 Newsgroups", "last 250 posts of each group", train, labels, test, labels_test)


def combine_posts(
    posts: list[str], labels: Any
) -> tuple[list[str], list[list[str]], list[datetime]]:
    """Each post once, with all its groups: subject and body, and when it was sent.

    Posts without any text are left out.
    """
    groups: dict[str, list[str]] = {}
    for post, group in zip(posts, labels, strict=True):
        named = groups.setdefault(post, [])
        if group not in named:
            named.append(str(group))
    texts, names, times = [], [], []
    for post, named in groups.items():
        subject, body, sent = read_post(post)
        if body.strip():
            texts.append(f"{subject}\n\n{body}")
            names.append(named)
            times.append(sent)
    return texts, names, times


def read_post(post: str) -> tuple[str, str, datetime]:
    r"""Subject, body and date of a post; a date that cannot be read is the earliest of all.

    Examples
    --------
    >>> subject, body, sent = read_post("Subject: Re: tea\nDate: 6 Apr 93 10:00 GMT\n\nYes.")
    >>> subject, body, sent.isoformat()
    ('Re: tea', 'Yes.', '1993-04-06T10:00:00+00:00')
    """
    head, _, body = post.replace("\r\n", "\n").partition("\n\n")
    return _header(head, "Subject"), body, _date(_header(head, "Date"))


def last_of_each_group(groups: list[list[str]], times: list[datetime], last: int) -> list[bool]:
    """Whether each document is among the last of any of its groups."""
    members: dict[str, list[int]] = {}
    for index, named in enumerate(groups):
        for group in named:
            members.setdefault(group, []).append(index)
    held = [False] * len(groups)
    for indices in members.values():
        for index in sorted(indices, key=lambda i: (times[i], i))[-last:]:
            held[index] = True
    return held


def _header(head: str, name: str) -> str:
    found = re.search(rf"^{name}:[ \t]*(.*)$", head, re.MULTILINE | re.IGNORECASE)
    return found[1].strip() if found else ""


def _date(text: str) -> datetime:
    try:
        sent = email.utils.parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return _LONG_AGO
    return sent.astimezone(UTC) if sent.tzinfo else sent.replace(tzinfo=UTC)


def _count(
    collection: str, name: str, train: Any, labels: Any, test: Any, labels_test: Any
) -> Split:
    binarizer = MultiLabelBinarizer(sparse_output=False).fit(labels)
    # A label that no training document has cannot be learnt, nor is it looked for.
    known = set(binarizer.classes_)
    labels_test = [[label for label in some if label in known] for some in labels_test]
    y = (binarizer.transform(labels), binarizer.transform(labels_test))
    classes = list(binarizer.classes_)
    return count_texts(collection, name, (train, test), y, classes, **COUNTING)


def development(split: Split) -> Split:
    """Divide the training documents at random: two thirds to learn from, one to choose by."""
    order = np.random.default_rng(0).permutation(split.counts.shape[0])
    held = len(order) // 3
    part = split.subset("a third of the training documents", order[held:], order[:held])
    frequent = np.flatnonzero(np.asarray(part.counts.sum(axis=0)).ravel() >= COUNTING["min_df"])
    # A label that none of the documents to learn from has cannot be learnt, nor is it looked for.
    learnt = np.flatnonzero(part.y.any(axis=0))
    counts: sp.csr_matrix = part.counts[:, frequent].tocsr()
    return Split(
        split.collection,
        part.name,
        counts,
        part.y[:, learnt],
        part.test_counts[:, frequent].tocsr(),
        part.y_test[:, learnt],
        classes=[(split.classes or [])[k] for k in learnt],
    )
