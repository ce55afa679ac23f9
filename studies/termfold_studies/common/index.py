"""The page that sums the studies up."""

from __future__ import annotations

from pathlib import Path

from termfold_studies.common.page import provenance
from termfold_studies.common.rows import read_rows
from termfold_studies.common.study import NAMES, IncompleteError, Report, report_of

INTRODUCTION = """\
# Studies

<!-- Made by `termfold study` from the rows of results. -->

What four papers claim, tried again on real collections, and what follows for the question which
method to use. Each page has a question, a protocol, tables, figures and a verdict for each claim;
all numbers are made from the rows in `studies/results`, and a test makes them again.

- *Confirmed*: all comparisons agree with the claim, by a test of significance where chance could
  play a part. *Partly confirmed*: some do, and more than say the opposite. *Not confirmed*:
  neither. *Not testable here*: the data for it were not at hand.
- Where the papers' copies at hand have lost a formula, or a text leaves a choice open, the page
  says that our reading is an inference.

To run a study again, with the collections of `termfold.datasets` in one folder:

    pip install 'termfold[study]'
    TERMFOLD_DATA=<folder> termfold study ocfs

A run that was interrupted goes on where it was; `--quick` takes less than a minute and the
built-in data alone; `--no-run` only makes the page again.
"""


def index(results: Path) -> str:
    """The page, from all results in a folder."""
    parts = [INTRODUCTION]
    for name, about in NAMES.items():
        rows = read_rows(results / f"{name}.jsonl")
        if not rows:
            continue
        try:
            made = report_of(name, rows)
        except IncompleteError as error:
            parts.append(f"## {name}\n\n{about}\n\n{error}.\n")
        else:
            parts.append(f"## [{made.paper}]({name}.md)\n\n{about}\n\n{_claims(made)}")
            parts.append(provenance(name, rows))
    return "\n".join(parts)


def _claims(made: Report) -> str:
    head = "| claim | here |\n| --- | --- |\n"
    return head + "".join(f"| {claim.said} | {claim.verdict} |\n" for claim in made.claims)
