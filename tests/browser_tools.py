"""A real browser for the tests of pages: Chromium without a screen, watched for errors.

Tests ask for the fixture ``browser``, which is one Chromium for all of them; what is to go wrong
is tried in a browser of its own: ``with open_browser() as browser``.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    # No name is looked up, whatever a page or the browser itself asks for.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
_LOCAL = ("127.0.0.1", "localhost")
_NO_REQUEST = ("data", "blob", "about", "file", "devtools", "chrome", "chrome-untrusted")
#: Width × height in CSS pixels.
DESKTOP, PHONE = (1280, 900), (390, 844)
_PATIENCE = 20.0


class Browser:
    """A tab, and what went wrong in it.

    Parameters
    ----------
    driver : selenium.webdriver.Chrome
        For whatever has no shorthand here.
    """

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self._errors: list[str] = []
        self._requests: list[str] = []

    # -- looking ------------------------------------------------------------------------------

    def open(self, page: str | Path) -> None:
        """Open an address, or a file."""
        self.driver.get(page.resolve().as_uri() if isinstance(page, Path) else page)

    def resize(self, size: tuple[int, int]) -> None:
        """Make the page so wide and high, in CSS pixels: also narrower than a window may be."""
        width, height = size
        self._command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def colour_scheme(self, scheme: str) -> None:
        """Prefer ``"light"`` or ``"dark"``."""
        features = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        self._command(
            "Emulation.setEmulatedMedia",
            features=[{"name": name, "value": value} for name, value in features.items()],
        )

    def all(self, selector: str) -> list[Any]:
        """All elements that match a CSS selector."""
        found: list[Any] = self.driver.find_elements("css selector", selector)
        return found

    def one(self, selector: str) -> Any:
        """The only element that matches a CSS selector."""
        found = self.all(selector)
        assert len(found) == 1, f"{len(found)} elements match {selector!r}"
        return found[0]

    def click(self, selector: str) -> Any:
        """Bring the first element that matches into the middle, click it, and return it."""
        found = self.all(selector)
        assert found, f"no element matches {selector!r}"
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", found[0])
        found[0].click()
        return found[0]

    def run(self, script: str, *arguments: Any) -> Any:
        """Run JavaScript, as a debugger would: no policy of the page forbids it."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: Callable[[], Any], what: str = "") -> Any:
        """Wait until something is true, and return it."""
        from selenium.webdriver.support.ui import WebDriverWait

        said = what or "the page did not get there in time"
        return WebDriverWait(self.driver, _PATIENCE, 0.02).until(lambda driver: condition(), said)

    def screenshot(self, path: Path) -> None:
        """Save what is to be seen as PNG."""
        assert self.driver.save_screenshot(str(path)), f"{path} could not be written"

    def too_wide(self) -> list[str]:
        """What reaches out of the page sideways, as tag and classes; nothing should."""
        found: list[str] = self.run(
            """const width = document.documentElement.clientWidth;
            const scrolls = (node) => node && (
              ["auto", "scroll", "hidden"].includes(getComputedStyle(node).overflowX)
              || scrolls(node.parentElement));
            return [...document.body.querySelectorAll("*")]
              .filter((node) => node.getBoundingClientRect().right > width + 1
                && !scrolls(node.parentElement))
              .map((node) => `${node.tagName}.${node.getAttribute("class")}`);"""
        )
        return found

    # -- what went wrong ----------------------------------------------------------------------

    def errors(self) -> list[str]:
        """Errors and warnings of the console since the browser was opened, also of policies."""
        for entry in self.driver.get_log("browser"):
            if entry["level"] in ("SEVERE", "WARNING"):
                self._errors.append(f"{entry['level']}: {entry['message']}")
        return self._errors

    def outside_requests(self) -> list[str]:
        """Addresses asked for that are not on this machine, whether they were reached or not."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self._requests.append(message["params"]["request"]["url"])
        return [url for url in self._requests if not _is_local(url)]

    def check(self) -> None:
        """Fail if the console shows errors, or anything was asked of another machine."""
        assert self.errors() == []
        assert self.outside_requests() == []

    def renew(self) -> None:
        """Begin again: an empty page, light, of a desktop's size, and nothing went wrong yet."""
        self.open("about:blank")
        self.resize(DESKTOP)
        self.colour_scheme("light")
        self.errors()
        self.outside_requests()
        self._errors.clear()
        self._requests.clear()

    def _command(self, name: str, **parameters: Any) -> None:
        self.driver.execute_cdp_cmd(name, parameters)


def _is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in _NO_REQUEST or parts.hostname in _LOCAL


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start Chromium with an empty profile; skip the test where there is none."""
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("no browser: install the Debian packages chromium and chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium")
    with tempfile.TemporaryDirectory(prefix="termfold-browser-") as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options, webdriver.ChromeService(chromedriver))
        try:
            opened = Browser(driver)
            opened.renew()
            yield opened
        finally:
            driver.quit()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a process: to start it takes a second."""
    with open_browser() as opened:
        yield opened


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """A browser; in the end, the console must be without errors and nothing asked of outside."""
    chromium.renew()
    yield chromium
    chromium.check()
