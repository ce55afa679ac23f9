"""The errors termfold raises for bad input: each names the place and the remedy."""

from __future__ import annotations


class TermfoldError(Exception):
    """Base of the errors that a user can mend; the command line prints them without a traceback."""


class CorpusError(TermfoldError, ValueError):
    """A corpus cannot be read as asked: the message names the file, the row and the remedy."""


class TooFewDocumentsError(TermfoldError, ValueError):
    """There are too few documents to learn from some and to test others."""


class FileFormatError(TermfoldError, ValueError):
    """A file of termfold's own is not one, was cut, or was altered."""


class StatsError(TermfoldError, ValueError):
    """Statistics that do not fit together, or do not allow what was asked of them."""


class CheckpointError(TermfoldError, ValueError):
    """A checkpoint that cannot be resumed, or not in this way."""
