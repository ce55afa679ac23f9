"""What all figures share: axes, fonts for any script, and names that are no formulas."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

# Of each, whatever is installed is tried for the characters that those before it lack.
_FONTS = (
    "DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Source Han Sans SC",
    "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "PingFang SC", "Hiragino Sans GB",
    "Microsoft YaHei", "SimHei", "Droid Sans Fallback", "Noto Sans Arabic", "Noto Sans Hebrew",
    "Noto Sans Devanagari",
)  # fmt: skip
LONGEST = 32


def axes_of(ax: Any = None, **figure: Any) -> Any:
    """The axes given, or new ones."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "figures are drawn by Matplotlib, which is not installed: pip install 'termfold[plot]'"
        ) from error
    return plt.subplots(layout="constrained", **figure)[1] if ax is None else ax


@cache
def fonts() -> list[str]:
    """Names of installed fonts which together have the letters of most scripts."""
    from matplotlib import font_manager

    installed = set(font_manager.get_font_names())
    return [name for name in _FONTS if name in installed] or ["sans-serif"]


def written(texts: Iterable[Any]) -> None:
    """Write texts of the data in a font that has them, and take no dollar for a formula."""
    for text in texts:
        text.set_parse_math(False)
        text.set_fontfamily(fonts())


def short(name: Any) -> str:
    """Cut a long name.

    Examples
    --------
    >>> short("comp.sys.ibm.pc.hardware.and.all.that")
    'comp.sys.ibm.pc.hardware.and.al…'
    """
    text = " ".join(str(name).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
