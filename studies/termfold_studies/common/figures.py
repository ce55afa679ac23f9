"""Figures as SVG, by Matplotlib; the same rows give the same bytes."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from termfold.errors import TermfoldError

#: Draws into the folder it is given.
Draw: TypeAlias = Callable[[Path], None]

_COORDINATES = re.compile(r' (?:d|x|y)="[^"]*"')  # of paths and marks; not the scale of letters
# Told apart also without colours (Okabe and Ito), and by their markers.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_STYLE = {
    "svg.hashsalt": "termfold",  # ids in the file are random otherwise
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "legend.frameon": False,
}


class NoMatplotlibError(TermfoldError, ValueError):
    """Matplotlib is not installed; the message says how to."""


def pyplot() -> Any:
    """Matplotlib, or an error that says how to install it."""
    try:
        import matplotlib
    except ImportError as error:
        raise NoMatplotlibError(
            "figures are drawn by Matplotlib, which is not installed: pip install 'termfold[study]'"
        ) from error
    matplotlib.use("Agg")
    return importlib.import_module("matplotlib.pyplot")


@contextmanager
def figure(folder: Path, name: str, panels: int = 1, columns: int = 3) -> Iterator[list[Any]]:
    """Axes of so many panels; saved as ``name.svg`` at the end.

    Coordinates are cut to two digits after the point: the eye sees no difference, files are small.
    """
    plt = pyplot()
    across = min(panels, columns)
    down = -(-panels // across)
    width = 6.4 if across == 1 else 3.5 * across
    with plt.rc_context(_STYLE):
        drawn, axes = plt.subplots(
            down, across, figsize=(width, 3.4 * down), squeeze=False, layout="constrained"
        )
        flat = list(axes.ravel())
        for unused in flat[panels:]:
            unused.set_visible(False)
        yield flat[:panels]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.svg"
        drawn.savefig(path, metadata={"Date": None, "Creator": None})
        plt.close(drawn)
    text = path.read_text(encoding="utf-8")
    path.write_text(_COORDINATES.sub(_cut, text), encoding="utf-8")


def _cut(found: re.Match[str]) -> str:
    return re.sub(r"(\d+\.\d\d)\d+", r"\1", found[0])


def lines(
    axes: Any,
    series: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    log: bool = True,
    legend: bool = True,
) -> None:
    """A line for each series of x and y, from left to right whatever the order of the rows."""
    for index, (name, (xs, ys)) in enumerate(series.items()):
        across, up = zip(*sorted(zip(xs, ys, strict=True)), strict=True) if len(xs) else ((), ())
        axes.plot(
            across,
            up,
            label=name,
            color=_COLOURS[index % len(_COLOURS)],
            marker=_MARKERS[index % len(_MARKERS)],
            linestyle="-" if index < len(_COLOURS) else "--",
            markersize=4,
            linewidth=1.3,
        )
    if log:
        axes.set_xscale("log")
    axes.set(title=title, xlabel=x, ylabel=y)
    if legend:
        axes.legend(fontsize=7)


def bars(
    axes: Any, values: Mapping[str, float], *, title: str = "", y: str = "", log: bool = False
) -> None:
    """A bar for each name."""
    names = list(values)
    colours = [_COLOURS[i % len(_COLOURS)] for i in range(len(names))]
    axes.bar(range(len(names)), list(values.values()), color=colours, width=0.7)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", fontsize=7)
    axes.grid(visible=False, axis="x")
    if log:
        axes.set_yscale("log")
    axes.set(title=title, ylabel=y)


def scatter(
    axes: Any, points: Sequence[Sequence[float]], labels: Sequence[Any], *, title: str = ""
) -> None:
    """Documents in two dimensions, by class."""
    where, of = np.array(points), np.array(labels)
    for index, name in enumerate(np.unique(of)):
        mine = where[of == name]
        axes.scatter(
            mine[:, 0], mine[:, 1], s=9, alpha=0.6, label=str(name), linewidths=0,
            color=_COLOURS[index], marker=_MARKERS[index],
        )  # fmt: skip
    axes.set(title=title, xlabel="feature 1", ylabel="feature 2")
    axes.legend(fontsize=7)


def points(
    axes: Any,
    places: Mapping[str, tuple[float, float]],
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    log: bool = True,
) -> None:
    """A point for each method, named in the legend."""
    for index, (name, (across, up)) in enumerate(places.items()):
        axes.scatter(
            [across], [up], s=30, color=_COLOURS[index % len(_COLOURS)], label=name,
            marker=_MARKERS[(index // len(_COLOURS) + index) % len(_MARKERS)],
        )  # fmt: skip
    if log:
        axes.set_xscale("log")
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    axes.set(title=title, xlabel=x, ylabel=y)


def critical_difference_diagram(
    axes: Any, ranks: Mapping[str, float], distance: float, *, title: str = ""
) -> None:
    """Mean ranks on a line, the best at the left; bars join those within a distance (Demšar)."""
    names = sorted(ranks, key=lambda name: ranks[name])
    values = [ranks[name] for name in names]
    half = -(-len(names) // 2)
    low, high = 1.0, float(len(names))
    axes.set_xlim(low - 0.5, high + 0.5)
    axes.set_ylim(-half - 1.6, 2.4)
    axes.axis("off")
    axes.hlines(0, low, high, color="black", linewidth=1)
    for tick in range(1, len(names) + 1):
        axes.vlines(tick, 0, 0.15, color="black", linewidth=1)
        axes.text(tick, 0.3, str(tick), ha="center", fontsize=7)
    for index, (name, value) in enumerate(zip(names, values, strict=True)):
        left = index < half
        height = -1.4 - (index if left else len(names) - 1 - index)
        edge = low - 0.4 if left else high + 0.4
        axes.plot([value, value, edge], [0, height, height], color="#555555", linewidth=0.7)
        text = f"{name} ({value:.1f})"
        axes.text(
            edge, height + 0.12, text, ha="left" if left else "right", fontsize=7,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip
    for level, (start, end) in enumerate(cliques(values, distance)):
        y = -0.25 - 0.16 * level
        axes.plot([start - 0.05, end + 0.05], [y, y], color="#0072b2", linewidth=2.5)
    axes.plot([low, low + distance], [1.5, 1.5], color="black", linewidth=1.5)
    axes.text(
        low + distance / 2, 1.7, f"critical difference {distance:.2f}", ha="center", fontsize=7
    )
    axes.set_title(title)


def cliques(values: Sequence[float], distance: float) -> list[tuple[float, float]]:
    """The largest groups of neighbours within a distance, as first and last.

    Examples
    --------
    >>> cliques([1.0, 1.5, 2.4, 4.0], 1.0)
    [(1.0, 1.5), (1.5, 2.4)]
    """
    found: list[tuple[float, float]] = []
    reach = -np.inf
    for index, start in enumerate(values):
        last = max(j for j, value in enumerate(values) if value - start <= distance)
        if last > index and values[last] > reach:
            found.append((start, values[last]))
            reach = values[last]
    return found
