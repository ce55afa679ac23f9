"""Groups of commands, which tell where a command belongs if they are given a file in its place."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click


class Group(click.Group):
    """A group that shows what can be done with a file, where the name of a command is missing.

    Parameters
    ----------
    of_counts, of_model, of_corpus : str
        What to suggest for a count file, a model, and any other file or folder, which is ``{}``.
    """

    def __init__(
        self, *args: Any, of_counts: str, of_model: str, of_corpus: str, **attributes: Any
    ) -> None:
        super().__init__(*args, **attributes)
        self._of_counts, self._of_model, self._of_corpus = of_counts, of_model, of_corpus

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first argument names."""
        name = args[0]
        unknown = self.get_command(ctx, name) is None and not ctx.resilient_parsing
        if unknown and Path(name).exists():
            suggestion = self._suggested(name).format(shlex.quote(name))
            raise click.UsageError(f"{name!r} is not a command but a file. Try: {suggestion}", ctx)
        return super().resolve_command(ctx, args)

    def _suggested(self, path: str) -> str:
        from termfold.peek import MODEL, STATS, kind_of

        kind = kind_of(path)
        if kind == STATS:
            return self._of_counts
        return self._of_model if kind == MODEL else self._of_corpus
