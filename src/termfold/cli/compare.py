"""``termfold compare``: which method suits a corpus."""

from __future__ import annotations

from typing import Any

import click

from termfold.cli.console import report_skipped, say, steps, watching, write_json, write_rows
from termfold.cli.learning import EFFORTS, METHODS, size_of
from termfold.cli.options import (
    analyzer_of,
    analyzer_options,
    corpus_argument,
    json_option,
    reading_of,
    reading_options,
    source_of,
)
from termfold.cli.wording import in_options

_DEFAULT_TERMS = "1000,10000"


@click.command("compare")
@corpus_argument
@click.option(
    "--test", multiple=True, help="Test on this corpus; may be repeated. By default on a third."
)
@click.option(
    "--cv",
    "folds",
    type=click.IntRange(min=2),
    metavar="K",
    help="Test by K-fold cross-validation instead.",
)
@click.option("--methods", default=",".join(METHODS), help="These, by commas.")
@click.option("--efforts", default=",".join(EFFORTS), help="These, by commas.")
@click.option(
    "--n-terms",
    default=_DEFAULT_TERMS,
    help="Numbers of terms, by commas, for projection and ocfs.",
)
@click.option(
    "--max-bytes", callback=size_of, default="none", metavar="SIZE", help="Largest size of a model."
)
@click.option("--yardstick", is_flag=True, help="Also scikit-learn's TF-IDF and linear SVM.")
@click.option("--seed", default=0, help="Of the division of the texts.")
@analyzer_options
@reading_options
@json_option
def command(
    corpus: tuple[str, ...],
    test: tuple[str, ...],
    folds: int | None,
    methods: str,
    efforts: str,
    n_terms: str,
    max_bytes: int | None,
    yardstick: bool,
    seed: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Try methods and efforts on CORPUS, and tell how good, small and fast each is.

    They learn from two thirds of the texts and are tested on the others, unless --test or --cv
    says otherwise. The texts are held in memory.

    \b
    Examples:
      termfold compare tickets.csv --text body --label queue
      termfold compare may.csv --test june.csv --yardstick
      termfold compare news/ --methods fedip,ocfs --efforts rule,head --n-terms 500,5000 --cv 5
    """
    if test and folds:
        raise click.UsageError("--test and --cv exclude one another")
    chosen = _names(methods, METHODS, "--methods"), _names(efforts, EFFORTS, "--efforts")
    counts = _counts(n_terms)

    from termfold.evaluate import compare, read_documents, ways
    from termfold.evaluate.compare import BASELINE

    candidates = ways(
        *chosen,
        counts,
        analyzer=analyzer_of(options),
        max_bytes=max_bytes,
        n_jobs=options["jobs"],
    )
    candidates += [BASELINE] if yardstick else []

    def read(paths: tuple[str, ...]) -> Any:
        with watching(source_of(paths), then="reading", **reading_of(options)) as watched:
            documents = read_documents(watched)
        report_skipped(watched)
        return documents

    documents = read(corpus)
    held_out = read(test) if test else None
    with steps("comparing", len(candidates)) as done:
        results = compare(candidates, documents, test=held_out, folds=folds, seed=seed, done=done)
    if all("error" in result for result in results):
        raise ValueError(results[0]["error"])
    if as_json:
        write_json(results)
    else:
        _show(results)


def _names(text: str, allowed: tuple[str, ...], option: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in allowed:
            raise click.BadParameter(f"{name!r} is none of {', '.join(allowed)}", param_hint=option)
    return names


def _counts(text: str) -> list[int]:
    parts = [part.strip().replace("_", "") for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and int(part) for part in parts):
        raise click.BadParameter(
            f"{text!r} is not a list of numbers such as {_DEFAULT_TERMS}", param_hint="--n-terms"
        )
    return [int(part) for part in parts]


def _show(results: list[dict[str, Any]]) -> None:
    columns = ("method", "effort", "micro F1", "macro F1", "accuracy", "terms", "kB", "s to learn")
    tried = [result for result in results if "error" not in result]
    tried.sort(key=lambda result: -result["micro"]["f1"])
    rows = [
        (
            _method(result),
            result["effort"] or "",
            f"{result['micro']['f1']:.4f}",
            f"{result['macro']['f1']:.4f}",
            f"{result['accuracy']:.4f}",
            result["terms"],
            None if result["bytes"] is None else result["bytes"] // 1000,
            f"{result['fit_seconds']:.2f}",
            f"{result['timing']['megabytes_per_second']:,.0f}",
        )
        for result in tried
    ]
    write_rows((*columns, "MB/s to predict"), rows, "table")
    for result in results:
        if "error" in result:
            say(f"{_method(result)}, {result['effort']}: {in_options(result['error'])}")


def _method(result: dict[str, Any]) -> str:
    count = result["n_terms"]
    return f"{result['method']} {count:,}" if count else str(result["method"])
