"""``termfold completion``: what a shell needs to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script by which SHELL completes commands, options and their values.

    \b
    Examples:
      eval "$(termfold completion bash)"           for this session, or in ~/.bashrc
      eval "$(termfold completion zsh)"            in ~/.zshrc
      termfold completion fish > ~/.config/fish/completions/termfold.fish
    """
    from termfold.cli.main import cli

    completion = get_completion_class(shell)
    assert completion is not None, "Click has these three"
    click.echo(completion(cli, {}, "termfold", "_TERMFOLD_COMPLETE").source())
