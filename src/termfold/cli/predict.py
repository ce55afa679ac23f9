"""``termfold predict``: labels for texts, in constant memory."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from termfold.cli.console import report_skipped, say, watching
from termfold.cli.engine import engine_of, engine_options
from termfold.cli.options import (
    WHOLE,
    check_folder,
    existing_file,
    jobs_option,
    reading_of,
    text_reading_options,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from termfold.cli.predictions import Labeller
    from termfold.corpus import Batch


@click.command("predict")
@existing_file("model")
@click.argument("inputs", nargs=-1)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=check_folder,
    help="Write here: .csv, .tsv, .jsonl or .parquet, all but the last also .gz or .zst.",
)
@click.option(
    "--as",
    "form",
    type=click.Choice(["csv", "tsv", "jsonl", "parquet"]),
    help="Write in this format; by default as the output's extension says, or CSV.",
)
@click.option("--top", type=WHOLE, metavar="K", help="Also the K most probable classes.")
@click.option("--probabilities", is_flag=True, help="Also the probability of every class.")
@click.option(
    "--abstain-below",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=False,
    metavar="P",
    help="Give no label that is less probable.",
)
@click.option("--columns/--no-columns", default=True, help="Copy the input's other columns.")
@click.option("--with-text", is_flag=True, help="Copy the text, too.")
@click.option(
    "--prefix", default="", show_default=False, help="Begin the names of new columns with this."
)
@text_reading_options
@engine_options
@jobs_option
def command(
    model: Path,
    inputs: tuple[str, ...],
    output: Path | None,
    form: str | None,
    top: int | None,
    probabilities: bool,
    abstain_below: float,
    columns: bool,
    with_text: bool,
    prefix: str,
    jobs: int,
    **options: Any,
) -> None:
    """Label the texts of INPUT by MODEL: files, a glob, a folder, or standard input.

    Standard input, and files without an extension of data, have one text per line; --format says
    otherwise, and --format lines that a file has. Other formats from standard input are first
    copied to a temporary file. A folder has one text per file.

    Columns are added: prediction, and its probability. Where a text may have several classes both
    are lists, joined by | in CSV.

    \b
    Examples:
      echo 'My card was charged twice' | termfold predict tickets.termfold
      termfold predict tickets.termfold new.csv --text body -o labelled.csv
      termfold predict tickets.termfold 'web/*.parquet' -o labelled.parquet --jobs 4
      termfold predict tickets.termfold new.jsonl --top 3 --abstain-below 0.6 > labelled.csv
      cat new.jsonl | termfold predict tickets.termfold --format jsonl --as jsonl
      termfold predict web.termfold s3a://web/ --format parquet --engine spark -o s3a://out.parquet

    With --engine spark, INPUT are Parquet, JSON Lines or CSV files as Spark reads them, and the
    output is a folder of files.
    """
    from termfold.classify import model_file
    from termfold.cli.predictions import Labeller
    from termfold.cli.texts import open_texts
    from termfold.cli.writers import writing

    form = _form(form, output)
    engine = engine_of(options)
    if engine is not None:
        from termfold.cli import on_spark

        on_spark.predict(
            model, inputs, output, form, engine, options, columns=columns, with_text=with_text,
            top=top or 0, every=probabilities, abstain_below=abstain_below, prefix=prefix,
        )  # fmt: skip
        return
    labeller = Labeller(
        model_file.load(model), top or 0, probabilities, abstain_below, prefix, jobs
    )
    labeller.warm_up()
    began = time.perf_counter()
    with open_texts(inputs, options) as (source, has_columns):
        reading = {**reading_of(options), "label": None, "keep_columns": has_columns and columns}
        with (
            # The bar would be drawn between the lines of what is written to the same terminal.
            watching(
                source,
                "predicting",
                "writing",
                visible=output is not None or not sys.stdout.isatty(),
                **reading,
            ) as corpus,
            _sink(output) as sink,
            writing(sink, form, output.name if output else "") as write,
        ):
            for batch in corpus:
                write(_rows(batch, labeller, with_text))
    seconds = time.perf_counter() - began
    if output is not None:
        say(
            f"{output}: {corpus.documents:,} texts, {corpus.text_bytes / 1e6:,.1f} MB in "
            f"{seconds:.2f} s ({corpus.documents / seconds:,.0f} texts/s, "
            f"{corpus.text_bytes / 1e6 / seconds:,.0f} MB/s)"
        )
    report_skipped(corpus)


def _form(form: str | None, output: Path | None) -> str:
    from termfold.cli.writers import FORMS, form_of

    if output is None:
        if form == "parquet" and sys.stdout.isatty():
            raise click.UsageError("Parquet is not for terminals; name a file with --output")
        return form or "csv"
    form = form or form_of(output)
    if form is None:
        raise click.BadParameter(
            f"the extension of {output} tells no format; use one of {' '.join(FORMS)}, or --as",
            param_hint="--output",
        )
    return form


def _sink(output: Path | None) -> AbstractContextManager[BinaryIO]:
    from termfold.atomic import replacing

    return nullcontext(sys.stdout.buffer) if output is None else replacing(output)


def _rows(batch: Batch, labeller: Labeller, with_text: bool) -> pa.RecordBatch:
    """The input's columns, and then those of the predictions."""
    import pyarrow as pa

    columns: dict[str, pa.Array] = {}
    if batch.table is not None:
        columns = dict(zip(batch.table.schema.names, batch.table.columns, strict=True))
    added = {"text": batch.text} if with_text and "text" not in columns else {}
    added |= labeller.columns(batch.text)
    for name in added:
        if name in columns:
            raise click.BadParameter(
                f"{batch.source} has a column {name!r} already; choose another beginning for "
                "the new names, such as --prefix new_, or leave it out by --no-columns",
                param_hint="--prefix",
            )
    return pa.RecordBatch.from_pydict(columns | added)
