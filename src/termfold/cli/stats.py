"""``termfold stats``: count files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from termfold.cli.console import collect_with_progress, say, write_json, write_rows
from termfold.cli.groups import Group
from termfold.cli.options import (
    analyzer_of,
    analyzer_options,
    checkpoint_of,
    checkpoint_options,
    corpus_argument,
    json_option,
    output_option,
    reading_of,
    reading_options,
    source_of,
)

if TYPE_CHECKING:
    from termfold.stats import TermStats

_COUNT_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_CLASS_COLUMNS = ("class", "documents", "terms", "distinct terms")


@click.group(
    "stats",
    cls=Group,
    of_counts="termfold stats show {}",
    of_model="termfold inspect {}",
    of_corpus="termfold stats count {} -o OUTPUT",
)
def command() -> None:
    """Count a corpus once; derive everything else from the counts.

    A count file holds how often each term occurs in each class. Every score, selection and
    projection follows from it in an instant, without the corpus. Count files add up, and can be
    taken out of one another again.

    \b
    Examples:
      termfold stats count news/ -o news.counts             a folder per class
      termfold stats count 'may*.csv.gz' -o may.counts
      termfold stats merge may.counts june.counts -o both.counts
      termfold stats subtract both.counts may.counts -o june-again.counts
      termfold stats show both.counts
    """


@command.command()
@corpus_argument
@output_option()
@json_option
@reading_options
@checkpoint_options
@analyzer_options
def count(
    corpus: tuple[str, ...],
    output: Path,
    checkpoint: Path | None,
    checkpoint_seconds: float,
    as_json: bool,
    jobs: int,
    **options: Any,
) -> None:
    """Count CORPUS: files, a glob, or a folder with one sub-folder per class.

    CSV, TSV, JSON Lines, Parquet and Arrow files, also compressed by gzip or zstd.

    \b
    Examples:
      termfold stats count tickets.csv --text body --label queue -o tickets.counts
      termfold stats count 20news-bydate-train/ --encoding latin-1 -o news.counts
      termfold stats count tagged.jsonl --label tags -o tagged.counts
      termfold stats count titles.parquet --ngrams 1-2 -o titles.counts
    """
    parts = checkpoint_of(checkpoint, checkpoint_seconds)
    stats = collect_with_progress(
        source_of(corpus),
        jobs=jobs,
        analyzer=analyzer_of(options),
        checkpoint=parts,
        **reading_of(options),
    )
    _save(stats, output, as_json)
    if parts is not None:
        parts.clear()


@command.command()
@click.argument("files", nargs=-1, required=True, type=_COUNT_FILE)
@output_option()
@json_option
def merge(files: tuple[Path, ...], output: Path, as_json: bool) -> None:
    """Add count FILES: months, shards, sites.

    The result is that of counting all their documents together, to the last bit.

    \b
    Examples:
      termfold stats merge may.counts june.counts -o both.counts
    """
    from termfold.stats import TermStats

    stats = TermStats.merge(TermStats.load(file) for file in files)
    _save(stats, output, as_json)


@command.command()
@click.argument("whole", type=_COUNT_FILE)
@click.argument("part", type=_COUNT_FILE)
@output_option()
@json_option
def subtract(whole: Path, part: Path, output: Path, as_json: bool) -> None:
    """Take the documents of the count file PART out of WHOLE, exactly.

    \b
    Examples:
      termfold stats subtract both.counts may.counts -o june-again.counts
    """
    from termfold.stats import TermStats

    stats = TermStats.load(whole) - TermStats.load(part)
    _save(stats, output, as_json)


@command.command()
@click.argument("file", type=_COUNT_FILE)
@json_option
def show(file: Path, as_json: bool) -> None:
    """Show what is in a count FILE.

    \b
    Examples:
      termfold stats show both.counts
      termfold stats show both.counts --json
    """
    from termfold.stats import TermStats

    stats = TermStats.load(file)
    if as_json:
        write_json(_summary(stats))
        return
    write_rows(_CLASS_COLUMNS, _classes(stats), "table", title=f"{file}: {stats}")
    say(f"hash {stats.content_hash()}")


def _save(stats: TermStats, output: Path, as_json: bool) -> None:
    stats.save(output)
    if as_json:
        write_json(_summary(stats))
    say(f"{output}: {stats}")


def _summary(stats: TermStats) -> dict[str, Any]:
    return {
        "documents": stats.n_docs,
        "terms": stats.n_terms,
        "occurrences": int(stats.term_tf.sum()),
        "content_hash": stats.content_hash(),
        "analyzer": None if stats.analyzer is None else stats.analyzer.to_dict(),
        "classes": [dict(zip(_CLASS_COLUMNS, row, strict=True)) for row in _classes(stats)],
    }


def _classes(stats: TermStats) -> list[tuple[Any, ...]]:
    return list(
        zip(
            stats.classes.tolist(),
            stats.class_docs.tolist(),
            stats.class_tokens.tolist(),
            (stats.sparse("df") > 0).sum(axis=1).tolist(),
            strict=True,
        )
    )
