"""``termfold stats``: count files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from termfold.cli.console import collect_with_progress, messages, write_rows
from termfold.cli.options import analyzer_of, analyzer_options, reading_of, reading_options

_OUTPUT = click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path)
)
_COUNT_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group("stats")
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
@click.argument("corpus", nargs=-1, required=True)
@_OUTPUT
@reading_options
@analyzer_options
def count(corpus: tuple[str, ...], output: Path, jobs: int, **options: Any) -> None:
    """Count CORPUS: files, a glob, or a folder with one sub-folder per class.

    CSV, TSV, JSON Lines, Parquet and Arrow files, also compressed by gzip or zstd.

    \b
    Examples:
      termfold stats count tickets.csv --text body --label queue -o tickets.counts
      termfold stats count 20news-bydate-train/ --encoding latin-1 -o news.counts
      termfold stats count tagged.jsonl --label tags -o tagged.counts
      termfold stats count titles.parquet --ngrams 1-2 -o titles.counts
    """
    source = corpus[0] if len(corpus) == 1 else [Path(part) for part in corpus]
    stats = collect_with_progress(
        source, jobs=jobs, analyzer=analyzer_of(options), **reading_of(options)
    )
    stats.save(output)
    messages.print(f"{output}: {stats}")


@command.command()
@click.argument("files", nargs=-1, required=True, type=_COUNT_FILE)
@_OUTPUT
def merge(files: tuple[Path, ...], output: Path) -> None:
    """Add count FILES: months, shards, sites.

    The result is that of counting all their documents together, to the last bit.
    """
    from termfold.stats import TermStats

    stats = TermStats.merge(TermStats.load(file) for file in files)
    stats.save(output)
    messages.print(f"{output}: {stats}")


@command.command()
@click.argument("whole", type=_COUNT_FILE)
@click.argument("part", type=_COUNT_FILE)
@_OUTPUT
def subtract(whole: Path, part: Path, output: Path) -> None:
    """Take the documents of the count file PART out of WHOLE, exactly."""
    from termfold.stats import TermStats

    stats = TermStats.load(whole) - TermStats.load(part)
    stats.save(output)
    messages.print(f"{output}: {stats}")


@command.command()
@click.argument("file", type=_COUNT_FILE)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def show(file: Path, as_json: bool) -> None:
    """Show what is in a count FILE."""
    from termfold.stats import TermStats

    stats = TermStats.load(file)
    rows = list(
        zip(
            stats.classes.tolist(),
            stats.class_docs.tolist(),
            stats.class_tokens.tolist(),
            (stats.sparse("df") > 0).sum(axis=1).tolist(),
            strict=True,
        )
    )
    columns = ("class", "documents", "terms", "distinct terms")
    if as_json:
        summary = {
            "documents": stats.n_docs,
            "terms": stats.n_terms,
            "occurrences": int(stats.term_tf.sum()),
            "content_hash": stats.content_hash(),
            "analyzer": None if stats.analyzer is None else stats.analyzer.to_dict(),
            "classes": [dict(zip(columns, row, strict=True)) for row in rows],
        }
        click.echo(json.dumps(summary, ensure_ascii=False))
        return
    write_rows(columns, rows, "table", title=f"{file}: {stats}")
    messages.print(f"hash {stats.content_hash()}")
