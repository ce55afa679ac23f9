"""``termfold inspect``: what is in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from termfold.cli.console import write_json, write_rows
from termfold.cli.options import existing_file, json_option
from termfold.errors import FileFormatError
from termfold.peek import MODEL, peek
from termfold.store import Layout

_PRECISIONS = {"I8": "int8", "F16": "float16", "F32": "float32"}  # as safetensors says them


@click.command("inspect")
@existing_file("file")
@json_option
def command(file: Path, as_json: bool) -> None:
    """Tell what is in FILE, a model or count file, from its header alone.

    \b
    Examples:
      termfold inspect tickets.termfold
      termfold inspect tickets.counts --json
    """
    try:
        found = _summary(peek(file))
    except FileFormatError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise FileFormatError(f"{file}: its header makes no sense ({error})") from error
    summary = {"file": str(file), "bytes": file.stat().st_size, **found}
    if as_json:
        write_json(summary)
        return
    apart = ("file", "classes", "tables")
    rows = [
        (name, _in_words(value))
        for name, value in summary.items()
        if name not in apart and value is not None
    ]
    write_rows(("", str(file)), rows, "table")
    classes = [tuple(one.values()) for one in summary["classes"]]
    if classes:
        write_rows(tuple(summary["classes"][0]), classes, "table")


def _summary(found: Layout) -> dict[str, Any]:
    """The same names for both kinds of files; None where a kind does not know."""
    header = found.header
    is_model = found.kind == MODEL
    about = header.get("about", {})
    names = header.get("classes", [])
    documents = about.get("documents_of_class", [])
    sizes = found.tables.get("term_sizes")
    weights = found.tables.get("weights")
    return {
        "kind": "model" if is_model else "counts",
        "version": found.version,
        "documents": about.get("documents") if is_model else header.get("n_docs"),
        "n_classes": len(names),
        "multilabel": header.get("multilabel"),
        "terms": sizes[1][0] if sizes else header.get("n_terms"),
        "terms_seen": about.get("terms_seen"),
        "method": about.get("method"),
        "effort": about.get("effort"),
        "precision": _PRECISIONS[weights[0]] if weights else None,
        "pruned": about.get("pruned") if is_model else header.get("pruned"),
        "updatable": "kept" in header if is_model else None,
        "analyzer": header.get("analyzer"),
        "content_hash": header.get("content_hash"),
        "tables": {
            name: {"type": kind, "shape": shape} for name, (kind, shape) in found.tables.items()
        },
        "classes": [
            {"class": name, "documents": documents[k]} if documents else {"class": name}
            for k, name in enumerate(names)
        ],
    }


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(part)}" for name, part in value.items())
    return str(value)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
