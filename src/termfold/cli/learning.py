"""Options that say how a classifier learns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from termfold.cli.options import (
    ANALYZING,
    POSITIVE,
    WHOLE,
    F,
    analyzer_of,
    analyzer_options,
    applied,
)

if TYPE_CHECKING:
    from termfold.classify import TextClassifier

# Those of ``termfold.classify.weigh``, which takes a second to import; a test compares them.
METHODS = ("fedip", "projection", "ocfs", "best-terms")
EFFORTS = ("refined", "head", "rule")
# The methods that are told how many terms to keep.
COUNTED = ("projection", "ocfs")

# Names of the options below.
LEARNING = (
    "method",
    "effort",
    "seconds",
    "cost",
    "min_df",
    "n_terms",
    "precision",
    "max_bytes",
    "max_text",
    "seed",
    *ANALYZING,
)

_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


def size_of(ctx: click.Context, param: click.Parameter, value: str) -> int | None:
    """Read a number of bytes: 500000, 500k, 2M; or none.

    Examples
    --------
    >>> [size_of(None, None, text) for text in ("500000", "500k", "2MB", "none")]
    [500000, 500000, 2000000, None]
    """
    text = value.lower().removesuffix("b")
    if text == "none":
        return None
    unit = text[-1:] if text[-1:] in _UNITS else ""
    digits = text.removesuffix(unit)
    if not digits.isdecimal() or int(digits) == 0:
        raise click.BadParameter(f"{value!r} is not a size such as 500000, 500k, 2M or none")
    return int(digits) * _UNITS[unit]


def learning_options(function: F) -> F:
    """Add the options of ``TextClassifier``, those of the analyzer included."""
    return applied(
        function,
        [
            click.option(
                "--method",
                type=click.Choice([*METHODS, "auto"]),
                default="fedip",
                help="Which terms are used: all; by term projection; by OCFS; the best terms. "
                "auto tries several ways by cross-validation.",
            ),
            click.option(
                "--effort",
                type=click.Choice(EFFORTS),
                default="refined",
                help="How they are weighed: refined on the texts; by a light model on the class "
                "features; from counts alone.",
            ),
            click.option("--seconds", type=POSITIVE, default=60, help="Time for --method auto."),
            click.option(
                "-C",
                "--cost",
                type=POSITIVE,
                default=0.5,
                help="Weight of errors against simplicity.",
            ),
            click.option("--min-df", type=WHOLE, default=1, help="Leave out terms in fewer texts."),
            click.option(
                "--n-terms",
                type=WHOLE,
                help="Keep so many terms; for --method ocfs and projection.",
            ),
            click.option(
                "--precision",
                type=click.Choice(["int8", "float16", "float32"]),
                default="int8",
                help="Of the weights in the file.",
            ),
            click.option(
                "--max-bytes",
                callback=size_of,
                default="2M",
                metavar="SIZE",
                help="Leave out the terms that matter least until the file is no larger "
                "(500k, 2M, none).",
            ),
            click.option(
                "--max-text",
                callback=size_of,
                default="none",
                metavar="SIZE",
                help="Learn from a random sample where there is more text than that (200M). "
                "Memory grows with it.",
            ),
            click.option(
                "--spill",
                callback=size_of,
                default="1G",
                metavar="SIZE",
                help="Keep the texts' terms in temporary files where there is more text than that; "
                "the model is the same. For the default method and effort.",
            ),
            click.option("--seed", default=0, help="Order in training."),
            analyzer_options,
        ],
    )


def parameters_of(options: dict[str, Any]) -> dict[str, Any]:
    """The parameters of ``TextClassifier`` that the options give."""
    if options["n_terms"] is not None and options["method"] not in COUNTED:
        raise click.BadParameter(
            f"--method {options['method']} finds the number of terms itself; "
            f"use --method {' or '.join(COUNTED)}, or --max-bytes",
            param_hint="--n-terms",
        )
    same = ("method", "effort", "seconds", "min_df", "n_terms", "precision", "max_bytes")
    return {
        **{name: options[name] for name in same},
        "analyzer": analyzer_of(options),
        "C": options["cost"],
        "max_text_bytes": options["max_text"],
        "spill_bytes": options["spill"],
        "random_state": options["seed"],
        "n_jobs": options["jobs"],
    }


def classifier_of(options: dict[str, Any], **more: Any) -> TextClassifier:
    """Make the classifier that the options describe."""
    from termfold.classify import TextClassifier

    return TextClassifier(**parameters_of(options), **more)
