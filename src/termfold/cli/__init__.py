"""The command line: thin commands over the library."""

from termfold.cli.main import cli, main

__all__ = ["cli", "main"]
