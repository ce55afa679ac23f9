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
from rich.console import Console, RenderableType
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

from termfold.cli.wording import in_options

if TYPE_CHECKING:
    from termfold.checkpoint import Checkpoint
    from termfold.cli.watched import WatchedCorpus
    from termfold.corpus import Corpus, Skipped
    from termfold.stats import TermStats

messages = Console(stderr=True, highlight=False)


class _Output(Console):
    """Standard output, as wide as needed where nobody looks at it through a terminal."""

    def __init__(self) -> None:
        super().__init__(width=None if sys.stdout.isatty() else 160)

    def on_broken_pipe(self) -> None:
        """Leave it to ``main``: Rich would end the program as failed."""
        raise BrokenPipeError


# -- progress ---------------------------------------------------------------------------------


@contextmanager
def watching(
    source: Any,
    doing: str = "reading",
    then: str = "training",
    *,
    visible: bool = True,
    **reading: Any,
) -> Iterator[WatchedCorpus]:
    """Open a corpus whose reading shows as a bar, with rate and time left."""
    from termfold.cli.watched import WatchedCorpus

    corpus = WatchedCorpus(source, **reading)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=messages,
        transient=True,
        disable=not (visible and messages.is_terminal),
    ) as bar:
        task = bar.add_task(doing, total=corpus.size_bytes)
        corpus.on_batch = lambda: bar.update(task, description=doing, completed=corpus.bytes_read)
        corpus.on_end = lambda: bar.update(task, description=then)
        yield corpus


@contextmanager
def steps(title: str, total: int | None) -> Iterator[Any]:
    """Show progress over steps, their number known or not; call what is given after each."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=messages,
        transient=True,
        disable=not messages.is_terminal,
    ) as bar:
        task = bar.add_task(title, total=total)
        yield lambda what: bar.update(task, advance=1, description=f"{title}: {what}")


def collect_with_progress(
    source: Any,
    *,
    jobs: int,
    analyzer: Any,
    checkpoint: Checkpoint | None = None,
    **reading: Any,
) -> TermStats:
    """Count a corpus under a progress bar, and say how fast it went and what was left out."""
    from termfold.collecting import collect

    began = time.perf_counter()
    with watching(source, "counting", "merging", **reading) as corpus:
        stats = collect(corpus, analyzer=analyzer, n_jobs=jobs, checkpoint=checkpoint)
    seconds = time.perf_counter() - began
    say(
        f"counted {stats.n_docs:,} documents, {corpus.text_bytes / 1e6:,.1f} MB of text "
        f"in {seconds:.2f} s ({corpus.text_bytes / 1e6 / seconds:,.0f} MB/s)"
    )
    report_skipped(corpus)
    return stats


# -- messages ---------------------------------------------------------------------------------


def say(message: str) -> None:
    """Print a line to standard error; brackets in it, as names may hold, are no markup."""
    messages.print(Text(message), soft_wrap=True)


def report_skipped(corpus: Corpus) -> None:
    """Say which rows were left out; nothing is dropped in silence."""
    report_left_out(corpus.skipped)


def report_left_out(skipped: Skipped) -> None:
    """Say which rows were left out, whatever read them."""
    if skipped.count:
        messages.print(f"[yellow]left out {skipped.count:,} rows[/]", highlight=False)
        for reason in skipped.reasons:
            say(f"  {in_options(reason)}")
        if skipped.count > len(skipped.reasons):
            say("  …")


# -- data -------------------------------------------------------------------------------------


def write_json(value: Any) -> None:
    """Write a value to standard output as one line of JSON."""
    click.echo(json.dumps(value, ensure_ascii=False))


def write_rows(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    form: str,
    *,
    title: str | None = None,
) -> None:
    """Write rows to standard output: as a table for people, as CSV or JSON for programs."""
    if form == "json":
        write_json([dict(zip(columns, row, strict=True)) for row in rows])
        return
    if form == "csv":
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows([columns, *rows])
        click.echo(buffer.getvalue(), nl=False)
        return
    if title is not None:  # not the table's own, which breaks where the table ends
        show(Text(title, style="italic"))
    table = Table(*columns, header_style="bold")
    for column, index in zip(table.columns, range(len(columns)), strict=True):
        if rows and isinstance(rows[0][index], int | float):
            column.justify = "right"
    for row in rows:
        table.add_row(*(Text(_shown(value)) for value in row))
    show(table)


def show(what: RenderableType) -> None:
    """Print a table or another thing of Rich's; of text, no line is broken."""
    _Output().print(what, soft_wrap=isinstance(what, Text))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
