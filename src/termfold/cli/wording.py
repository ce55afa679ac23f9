"""Errors of the library in the words of the command line."""

from __future__ import annotations

import re

# Parameters whose options have another name than they.
_OPTIONS = {
    "ngram_range": "ngrams",
    "n_jobs": "jobs",
    "random_state": "seed",
}
_PARAMETERS = (
    "text",
    "label",
    "label_separator",
    "multilabel",
    "encoding",
    "format",
    "on_error",
    "min_df",
    "min_length",
    "n_terms",
    "max_bytes",
    "stop_words",
    "updatable",
    *_OPTIONS,
)
_ASSIGNMENT = re.compile(rf"(?<![\w./-])({'|'.join(_PARAMETERS)})=('[^']*'|\([^)]*\)|[\w.-]*)")
# Ways out that only Python has.
_PYTHON_ONLY = re.compile(
    r",? or (?:read unlabelled text|everything) with label=None"
    r"| \(or label=None[^)]*\)"
    r"|; files elsewhere must be fetched first, and a single text is given as a list, \[text\]"
)


def in_options(message: str) -> str:
    """Name options where a message names parameters.

    Examples
    --------
    >>> in_options("Did you mean text='body'? Or skip such rows (on_error='skip').")
    'Did you mean --text body? Or skip such rows (--on-error skip).'
    >>> in_options("Say multilabel=True if documents may have several; name it with label=.")
    'Say --multilabel if documents may have several; name it with --label.'
    """
    return _ASSIGNMENT.sub(_option, _PYTHON_ONLY.sub("", message))


def _option(match: re.Match[str]) -> str:
    name, value = match.groups()
    option = "--" + _OPTIONS.get(name, name).replace("_", "-")
    if value == "True":
        return option
    shown, end = value.rstrip("."), "." * (len(value) - len(value.rstrip(".")))
    if shown.startswith("'") and re.fullmatch(r"'[\w./-]+'", shown):
        shown = shown.strip("'")
    return f"{option} {shown}{end}" if shown else f"{option}{end}"
