"""Labelled documents as a stream of Arrow batches, from files, folders, frames and lists."""

from termfold.corpus.batch import Batch, Skipped
from termfold.corpus.corpus import Corpus, open_corpus

__all__ = ["Batch", "Corpus", "Skipped", "open_corpus"]
