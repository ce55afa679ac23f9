"""Take the pictures of the report that the documentation shows, and of the figures.

    python tools/make_screenshots.py

needs Debian's chromium and chromium-driver, selenium, and Matplotlib; the pictures are of the
built-in data.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
from PIL import Image

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser_tools import DESKTOP, PHONE, Browser, open_browser  # noqa: E402
from termfold import FEDIP, TermCounter, TextClassifier  # noqa: E402
from termfold.datasets import load_debian  # noqa: E402
from termfold.plot import (  # noqa: E402
    ConfusionDisplay,
    CurveDisplay,
    ScatterDisplay,
    TermsDisplay,
)
from termfold.report import make_report  # noqa: E402

IMAGES = ROOT / "docs" / "images"
_LARGEST = 300_000
_GAP = 24


def main() -> None:
    """Make all pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        page = Path(folder) / "report.html"
        make_report(load_debian("train"), title="Debian packages").save(page)
        for scheme, sections in (("light", ("classes", "terms")), ("dark", ("between", "map"))):
            _of_sections(browser, page, scheme, sections, Path(folder))
        _phone(browser, page, Path(folder))
        browser.check()
    _figures()
    for path in sorted(IMAGES.glob("*.png")):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def _open(browser: Browser, page: Path, size: tuple[int, int], scheme: str) -> None:
    browser.renew()
    browser.resize(size)
    browser.colour_scheme(scheme)
    browser.open(page)
    browser.wait(lambda: browser.run("return document.documentElement.dataset.ready") == "yes")
    # All at once, so that nothing is hidden behind the contents, which stay on top.
    height = browser.run("return document.documentElement.scrollHeight")
    browser.resize((size[0], height))
    browser.wait(lambda: len(browser.all(".chart svg")) == 4)


def _box(browser: Browser, section: str) -> tuple[int, int]:
    top, bottom = browser.run(
        "const box = document.getElementById(arguments[0]).getBoundingClientRect();"
        "return [box.top, box.bottom];",
        section,
    )
    return int(top), int(bottom)


def _of_sections(
    browser: Browser, page: Path, scheme: str, sections: tuple[str, str], folder: Path
) -> None:
    _open(browser, page, DESKTOP, scheme)
    first, last = (_box(browser, section) for section in sections)
    whole = folder / "whole.png"
    browser.screenshot(whole)
    top = 0 if sections[0] == "classes" else first[0] - _GAP // 2
    cut = Image.open(whole).crop((0, top, DESKTOP[0], last[1] + _GAP // 2))
    _save(cut, f"report-{scheme}.png")


def _phone(browser: Browser, page: Path, folder: Path) -> None:
    _open(browser, page, PHONE, "light")
    whole = folder / "whole.png"
    browser.screenshot(whole)
    picture = Image.open(whole)
    height = 1000
    tops = [0, _box(browser, "between")[0], _box(browser, "map")[0]]
    width = PHONE[0]
    sheet = Image.new("RGB", (3 * width + 2 * _GAP, height), "white")
    for i, top in enumerate(tops):
        sheet.paste(picture.crop((0, top, width, top + height)), (i * (width + _GAP), 0))
    _save(sheet, "report-phone.png")


def _figures() -> None:
    train, test = load_debian("train"), load_debian("test")
    classifier = TextClassifier().fit(train.data, train.target)
    counter = TermCounter()
    features = FEDIP(weight="log_rr").fit_transform(counter.fit_transform(train.text), train.target)
    for display, name in (
        (TermsDisplay.from_estimator(classifier, "games"), "plot-terms.png"),
        (
            ScatterDisplay.from_predictions(features, train.target, ("web", "net")),
            "plot-scatter.png",
        ),
        (CurveDisplay.from_estimator(classifier, train.data, train.target), "plot-curve.png"),
        (
            ConfusionDisplay.from_estimator(classifier, test.data, test.target),
            "plot-confusion.png",
        ),
    ):
        display.figure_.savefig(IMAGES / name, dpi=90)
        plt.close(display.figure_)


def _save(picture: Image.Image, name: str) -> None:
    path = IMAGES / name
    # Colours in a table take a third of the bytes; without the steps after the first choice, those
    # of the classes would be mixed with one another.
    small = picture.convert("RGB").quantize(256, kmeans=4, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    if path.stat().st_size > _LARGEST:
        raise SystemExit(f"{name}: {path.stat().st_size:,} bytes, more than {_LARGEST:,}")


if __name__ == "__main__":
    main()
