"""What the commands show: progress on standard error, tables and data on standard output."""

from __future__ import annotations

import csv
import io
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from termfold.corpus import Batch, Corpus
    from termfold.stats import TermStats

messages = Console(stderr=True, highlight=False)


def collect_with_progress(source: Any, *, jobs: int, analyzer: Any, **reading: Any) -> TermStats:
    """Count a corpus under a progress bar, and say how fast it went and what was left out."""
    from termfold.collect import collect
    from termfold.corpus import open_corpus

    corpus = open_corpus(source, **reading)
    text_bytes = 0
    began = time.perf_counter()
    with Progress(
        TextColumn("counting"),
        BarColumn(),
        TaskProgressColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=messages,
        transient=True,
    ) as bar:
        task = bar.add_task("counting", total=corpus.size_bytes)

        def show(corpus: Corpus, batch: Batch) -> None:
            nonlocal text_bytes
            text_bytes += batch.text.nbytes
            bar.update(task, completed=corpus.bytes_read)

        stats = collect(corpus, analyzer=analyzer, n_jobs=jobs, progress=show)
    seconds = time.perf_counter() - began
    messages.print(
        f"counted {stats.n_docs:,} documents, {text_bytes / 1e6:,.1f} MB of text "
        f"in {seconds:.2f} s ({text_bytes / 1e6 / seconds:,.0f} MB/s)"
    )
    report_skipped(corpus)
    return stats


def report_skipped(corpus: Corpus) -> None:
    """Say which rows were left out; nothing is dropped in silence."""
    skipped = corpus.skipped
    if skipped.count:
        messages.print(f"[yellow]left out {skipped.count:,} rows[/]", highlight=False)
        for reason in skipped.reasons:
            messages.print(Text(f"  {reason}"))
        if skipped.count > len(skipped.reasons):
            messages.print("  …")


@contextmanager
def steps(title: str, total: int) -> Iterator[Any]:
    """Show progress over a known number of steps; call what is given after each."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=messages,
        transient=True,
    ) as bar:
        task = bar.add_task(title, total=total)
        yield lambda what: bar.update(task, advance=1, description=f"{title}: {what}")


def write_rows(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    form: str,
    *,
    title: str | None = None,
) -> None:
    """Write rows to standard output: as a table for people, as CSV or JSON for programs."""
    if form == "json":
        records = [dict(zip(columns, row, strict=True)) for row in rows]
        click.echo(json.dumps(records, ensure_ascii=False))
        return
    if form == "csv":
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows([columns, *rows])
        click.echo(buffer.getvalue(), nl=False)
        return
    table = Table(*columns, title=title, title_justify="left", header_style="bold")
    for column, index in zip(table.columns, range(len(columns)), strict=True):
        if rows and isinstance(rows[0][index], int | float):
            column.justify = "right"
    for row in rows:
        table.add_row(*(Text(_shown(value)) for value in row))
    show(table)


def show(table: Table) -> None:
    """Print a table, as wide as it needs to be where nobody looks at it through a terminal."""
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
