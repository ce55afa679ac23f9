"""Pages in Markdown: tables, claims, and where the numbers come from."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from termfold_studies.common.rows import Row

Verdict: TypeAlias = Literal["confirmed", "partly confirmed", "not confirmed", "not testable here"]


@dataclass(frozen=True)
class Claim:
    """What a paper says, and what was found.

    Parameters
    ----------
    said : str
    verdict : Verdict
    found : str
        A paragraph with numbers.
    """

    said: str
    verdict: Verdict
    found: str


def judge(agreeing: int, of: int, against: int = 0) -> Verdict:
    """All comparisons agree with the claim; some do, more than say the opposite; or neither."""
    if agreeing == of:
        return "confirmed"
    return "partly confirmed" if agreeing > against else "not confirmed"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; columns but the first are numbers, to the right.

    Examples
    --------
    >>> print(table(["", "F1"], [["ocfs", "0.5"]]), end="")
    |  | F1 |
    | --- | ---: |
    | ocfs | 0.5 |
    """
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, rule, *rows))


def table_of_columns(
    corner: str, names: Sequence[str], columns: Mapping[str, Sequence[str]]
) -> str:
    """A table whose columns are given, by their heads, below the names of its rows.

    Examples
    --------
    >>> print(table_of_columns("", ["ocfs", "ig"], {"F1": ["0.5", "0.4"]}), end="")
    |  | F1 |
    | --- | ---: |
    | ocfs | 0.5 |
    | ig | 0.4 |
    """
    rows = zip(names, *columns.values(), strict=True)
    return table([corner, *columns], rows)


def best_in_bold(shown: Sequence[str], numbers: Sequence[float | None]) -> list[str]:
    """Mark the largest number of a row or column."""
    best = max((n for n in numbers if n is not None), default=None)
    return [
        f"**{text}**" if n is not None and n == best else text
        for text, n in zip(shown, numbers, strict=True)
    ]


def percent(share: float | None, digits: int = 1) -> str:
    """A share as per cent, without the sign.

    Examples
    --------
    >>> percent(0.8125), percent(None)
    ('81.2', '–')
    """
    return "–" if share is None else f"{100 * share:.{digits}f}"


def spread(shares: Sequence[float], digits: int = 1) -> str:
    """Mean and standard deviation over splits, in per cent.

    Examples
    --------
    >>> spread([0.8, 0.9])
    '85.0 ± 7.1'
    """
    if not shares:
        return "–"
    if len(shares) == 1:
        return percent(shares[0], digits)
    mean, sd = statistics.mean(shares), statistics.stdev(shares)
    return f"{100 * mean:.{digits}f} ± {100 * sd:.{digits}f}"


def seconds(times: Sequence[float]) -> str:
    """The median of some times.

    Examples
    --------
    >>> seconds([0.0123, 0.5, 0.01]), seconds([3.21])
    ('0.0123', '3.21')
    """
    return f"{statistics.median(times):.3g}"


def times_as_many(ratios: Sequence[float]) -> str:
    """The median of some ratios with the least and the largest.

    Examples
    --------
    >>> times_as_many([1.0, 2.0, 3.5])
    '2.0 (1.0–3.5)'
    """
    middle = statistics.median(ratios)
    return f"{middle:.1f} ({min(ratios):.1f}–{max(ratios):.1f})"


def figure(name: str, about: str) -> str:
    """A figure of the page's folder, with what it shows as its text."""
    return f"![{about}](figures/{name}.svg)\n\n*{about}*\n"


def claims_section(claims: Sequence[Claim]) -> str:
    """The claims of a paper, each with its verdict."""
    parts = [
        f"**{number}. {claim.said}** *{claim.verdict.capitalize()}.* {claim.found}\n"
        for number, claim in enumerate(claims, 1)
    ]
    return "\n".join(parts)


def provenance(name: str, rows: Sequence[Row]) -> str:
    """Where a page's numbers come from: the file, when, by which versions, in what time."""
    runs = [row["run"] for row in rows]
    if not runs:
        return f"There are no results in `{name}.jsonl` yet.\n"
    cpu, wall = (sum(run[kind] for run in runs) / 60 for kind in ("cpu", "wall"))
    versions: dict[str, dict[str, None]] = {}
    for run in runs:
        for package, number in run["versions"].items():
            versions.setdefault(package, {})[number] = None
    loads = [run["load"] for run in runs]
    return (
        f"{len(rows):,} rows in `studies/results/{name}.jsonl`, measured from "
        f"{min(run['when'] for run in runs)[:16].replace('T', ' ')} UTC, which took {wall:.0f} "
        f"minutes ({cpu:.0f} of processor time) on {runs[-1]['cpus']} processors shared with other "
        f"work (load {min(loads):.1f} to {max(loads):.1f}). Versions: "
        + ", ".join(f"{package} {'/'.join(found)}" for package, found in versions.items())
        + ".\n"
    )


def page(title: str, command: str, sections: Iterable[tuple[str, str]]) -> str:
    """A whole page: a title, how to make it again, and sections with their headings."""
    parts = [f"# {title}\n", f"<!-- Made by `{command}` from the rows of results. -->\n"]
    for heading, text in sections:
        parts += [f"## {heading}\n", text.rstrip() + "\n"] if heading else [text.rstrip() + "\n"]
    return "\n".join(parts)
