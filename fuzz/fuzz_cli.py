"""Random command lines: each ends with a known exit code, and never with a traceback.

An input is one command. Its options are drawn from all that Click knows of, with values that fit,
do not fit, or are odd; its files are models, counts, corpora, or anything else.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import click
import common
import numpy as np

from cli_tools import call, files
from termfold.cli import cli

COMMANDS = 40
ODD = ["", "-1", "0", "1", "2", "1.5", "nan", "1e999", "x", "text", "label", "größer", "a\nb", "%",
       "--", "2-1", "1-2", "9" * 30, "utf-8", "latin-1", "utf-16", "csv", "json", "[", "*", "\x01",
       "chi2", "none", "500k", "fail", "skip", "fedip", "rule", "\udcff"]  # fmt: skip
# Not run: what takes long or waits for somebody.
LEFT_OUT = {"demo", "compare", "serve", "study", "report", "plot"}
SCRATCH = tempfile.TemporaryDirectory(prefix="termfold-fuzz-")


def commands() -> dict[str, click.Command]:
    context = click.Context(cli)
    found = {}
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        if name in LEFT_OUT or command is None:
            continue
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found[f"{name} {inner}"] = command.get_command(context, inner)
        else:
            found[name] = command
    return found


FOUND = commands()


def inputs() -> list[str]:
    """Small files of every kind, good and bad."""
    made = files()
    folder = Path(SCRATCH.name)
    head = b"\n".join(made.test.read_bytes().split(b"\n")[:30])
    (folder / "small.csv").write_bytes(b"text,label\none two,x\nthree four,y\nfive,x\n")
    (folder / "cut.csv").write_bytes(head[:-3])
    (folder / "small.jsonl").write_bytes(b'{"text": "one", "label": ["x"]}\n{"text": 1}\nnull\n')
    (folder / "cut.termfold").write_bytes(made.model.read_bytes()[:-9])
    (folder / "empty.csv").write_bytes(b"")
    (folder / "noise").write_bytes(os.urandom(300))
    known = [made.test, made.model, made.tags_model, made.counts, made.updatable]
    return [*map(str, known), *map(str, folder.iterdir()), SCRATCH.name, "absent.csv", "*.csv", "-"]


def one_round(rng: np.random.Generator) -> Counter:
    seen: Counter = Counter()
    there_are = inputs()
    for number in range(COMMANDS):
        name = str(rng.choice(list(FOUND)))
        args = [*name.split(), *arguments(rng, FOUND[name], there_are, number)]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = call(*args, stdin=b"one two\nthree\n")
        assert result.code in (0, 1, 2), (args, result)
        assert "Traceback" not in result.err, (args, result)
        assert result.code == 0 or result.err.strip(), (args, result)
        seen["commands"] += 1
        seen[f"exit_{result.code}"] += 1
    left = [path for path in Path(SCRATCH.name).iterdir() if path.name.endswith(".tmp")]
    assert not left, left
    return seen


def arguments(
    rng: np.random.Generator, command: click.Command, there_are: list[str], number: int
) -> list[str]:
    args: list[str] = []
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            several = int(rng.integers(1, 3)) if parameter.nargs == -1 else 1
            args += [argument(rng, parameter, there_are) for _ in range(several)]
        elif isinstance(parameter, click.Option) and parameter.name == "output":
            if parameter.required or rng.random() < 0.3:
                args += ["-o", str(Path(SCRATCH.name) / f"out{number % 3}{rng.choice(ENDS)}")]
        elif isinstance(parameter, click.Option) and rng.random() < 0.06:
            args.append(parameter.opts[0])
            if not parameter.is_flag:
                args.append(value(rng, parameter))
    if command.name in ("update", "forget") and "-o" not in args:
        args += ["-o", str(Path(SCRATCH.name) / "out.termfold")]  # the models stay as they are
    return args


def argument(rng: np.random.Generator, parameter: click.Argument, there_are: list[str]) -> str:
    """Mostly a file of the right kind."""
    fitting = [path for path in there_are if path.endswith(USUAL.get(parameter.name or "", ""))]
    return str(rng.choice(fitting if fitting and rng.random() < 0.8 else there_are))


USUAL = {
    "model": ".termfold",
    "files": ".counts",
    "whole": ".counts",
    "part": ".counts",
    "corpus": ".csv",
    "inputs": ".csv",
}
ENDS = [".csv", ".jsonl", ".parquet", ".csv.gz", ".termfold", ""]


def value(rng: np.random.Generator, option: click.Option) -> str:
    if option.name == "checkpoint":
        return str(Path(SCRATCH.name) / "parts")
    if option.name == "jobs":
        return str(rng.choice(["1", "2", "-1", "0", "x"]))
    if option.name == "seconds":
        return "0.2"
    if isinstance(option.type, click.Choice) and rng.random() < 0.7:
        return str(rng.choice([str(choice) for choice in option.type.choices]))
    return str(ODD[rng.integers(len(ODD))])


if __name__ == "__main__":
    common.main(one_round, __doc__)
