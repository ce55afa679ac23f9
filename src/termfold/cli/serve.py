"""``termfold serve``: a page and an HTTP API over a file."""

from __future__ import annotations

import ipaddress
import logging
import os
import webbrowser
from pathlib import Path
from typing import Any

import click

from termfold.cli.console import messages, report_skipped, say, watching
from termfold.cli.options import POSITIVE, WHOLE, jobs_option, reading_of, reading_options

_MEGABYTE = 1_000_000


@click.command("serve")
@click.argument("source", required=False, type=click.Path(path_type=Path))
@click.option(
    "--corpus",
    help="Labelled documents: examples of terms, and the accuracy to expect. Kept in memory.",
)
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, help="0 for any that is free.")
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="Another name by which the service may be asked for; * for any. May be repeated.",
)
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Ask for the token in this file; or for that in the variable TERMFOLD_TOKEN.",
)
@click.option("--open", "show", is_flag=True, help="Open the page in a browser.")
@click.option("--reload/--no-reload", default=True, help="Load the file again when it is replaced.")
@click.option(
    "--max-body", type=POSITIVE, default=16.0, metavar="MB", help="Largest body of a request."
)
@click.option("--max-texts", type=WHOLE, default=100_000, help="Most texts in one request.")
@click.option(
    "--max-seconds", type=POSITIVE, default=30.0, help="For a body to come, and for an answer."
)
@click.option(
    "--rate",
    type=POSITIVE,
    metavar="N",
    help="Requests a second from one address; by default any number.",
)
@reading_options
@jobs_option
def command(
    source: Path | None,
    corpus: str | None,
    host: str,
    port: int,
    allowed: tuple[str, ...],
    token_file: Path | None,
    show: bool,
    reload: bool,
    max_body: float,
    max_texts: int,
    max_seconds: float,
    rate: float | None,
    jobs: int,
    **options: Any,
) -> None:
    """Serve a page and an HTTP API over SOURCE, a model or a count file; or the built-in data.

    The page at / labels texts as you type and highlights the terms that decide; ranks the terms of
    each class by any score; tells what is known of a term; and compares classes. The API is
    described at /openapi.json.

    Only this machine can ask, unless --host says otherwise; then ask for a token, and put a proxy
    with TLS before the service. A file that is replaced is loaded without failing a request.
    Ctrl-C or SIGTERM stops the service when all that was asked is answered.

    \b
    Examples:
      termfold serve
      termfold serve tickets.termfold --corpus tickets.csv --text body --label queue --open
      termfold serve spring.counts --port 8000
      TERMFOLD_TOKEN=… termfold serve tickets.termfold --host 0.0.0.0 --rate 100
    """
    from termfold.serve import create_app, serve
    from termfold.serve.app import needed
    from termfold.serve.limits import Limits

    needed()
    token = _token(token_file)
    if token is None and not _is_loopback(host):
        say(f"anyone who reaches {host} can ask this service: set TERMFOLD_TOKEN to prevent it")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    served, documents = _sources(source, corpus, options)
    limits = Limits(int(max_body * _MEGABYTE), max_texts, max_seconds, rate)
    app = create_app(
        served,
        name="Debian packages",
        corpus=documents,
        limits=limits,
        token=token,
        hosts=_hosts(host, allowed),
        reload_seconds=1.0 if reload else None,
        n_jobs=jobs,
    )

    def ready(url: str) -> None:
        messages.print(f"{url}  [dim]Ctrl-C to stop[/]", highlight=False)
        if show:
            webbrowser.open(url)

    serve(app, host, port, grace_seconds=max_seconds, ready=ready)
    say("stopped")


def _sources(source: Path | None, corpus: str | None, options: dict[str, Any]) -> tuple[Any, Any]:
    """What to serve, and the documents behind it."""
    from termfold.datasets import load_debian
    from termfold.evaluate.documents import read_documents
    from termfold.peek import peek

    if source is not None:
        if not source.is_file():
            raise click.BadParameter(f"{source}: there is no such file", param_hint="SOURCE")
        peek(source)  # before a corpus is read for nothing
    documents = None
    if corpus is not None:
        with watching(corpus, "reading", "counting", **reading_of(options)) as watched:
            documents = read_documents(watched)
        report_skipped(watched)
    if source is not None:
        return source, documents

    from termfold.classify import TextClassifier

    say("no file is given: learning from the built-in data, descriptions of Debian packages")
    train = load_debian("train")
    return TextClassifier().fit(train), documents or read_documents(train)


def _token(file: Path | None) -> str | None:
    """The token, which is never an option itself: others see those in the list of processes."""
    token = file.read_text().strip() if file is not None else os.environ.get("TERMFOLD_TOKEN")
    if file is not None and not token:
        raise click.BadParameter(f"{file} is empty", param_hint="--token-file")
    if token and not (token.isascii() and token.isprintable()):
        raise click.UsageError("a token is of printable ASCII characters, as headers are")
    return token or None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _hosts(host: str, allowed: tuple[str, ...]) -> set[str] | None:
    """Names for the service: of this machine, of the address, and those allowed; None for any."""
    from termfold.serve.app import LOCAL

    if "*" in allowed or not _is_loopback(host):
        return None if not allowed or "*" in allowed else {*LOCAL, host, *allowed}
    return {*LOCAL, host, *(name.lower() for name in allowed)}
