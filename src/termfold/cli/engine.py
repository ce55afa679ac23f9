"""Options that say where the work is done: on this machine, or on Spark."""

from __future__ import annotations

from typing import Any

import click

from termfold.cli.options import F, applied

ENGINE = ("engine", "master", "spark_conf")


def _settings(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    pairs = [value.partition("=") for value in values]
    for name, equals, _ in pairs:
        if not (name and equals):
            raise click.BadParameter(f"{name!r} is no setting; write spark.executor.memory=4g")
    return {name: value for name, _, value in pairs}


def engine_options(function: F) -> F:
    """Add ``--engine`` and what Spark is told."""
    return applied(
        function,
        [
            click.option(
                "--engine",
                type=click.Choice(["local", "spark"]),
                default="local",
                help="Work on this machine, or on Spark (pip install 'termfold[spark]').",
            ),
            click.option(
                "--master",
                metavar="URL",
                help="With --engine spark: local[4], yarn, spark://…, k8s://…",
            ),
            click.option(
                "--spark",
                "spark_conf",
                multiple=True,
                callback=_settings,
                metavar="KEY=VALUE",
                help="A setting of Spark; may be given several times.",
            ),
        ],
    )


def engine_of(options: dict[str, Any]) -> dict[str, Any] | None:
    """Take the options out of all; what a session is opened with, None for this machine."""
    engine, master, settings = (options.pop(name) for name in ENGINE)
    if engine == "spark":
        return {"master": master, "settings": settings}
    if master or settings:
        raise click.UsageError("--master and --spark are for --engine spark")
    return None
