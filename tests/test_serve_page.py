"""The page in a real browser: with a mouse, with the keyboard alone, and with hostile data."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from browser_tools import DESKTOP, PHONE, Browser
from cli_tools import files
from serve_tools import client, counts
from termfold import TextClassifier, collect
from termfold.serve import create_app

uvicorn = pytest.importorskip("uvicorn", reason="the extra serve is not installed")

GAME = "a clone of the puzzle game with falling blocks, for two players"
# Screenshots go to this folder, if it is named.
SHOTS = os.environ.get("TERMFOLD_SCREENSHOTS")


@contextmanager
def page_of(app: Any) -> Iterator[str]:
    """Serve an application from a thread of this process."""
    config = uvicorn.Config(app, port=0, log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < until
        time.sleep(0.01)
    host, port = server.servers[0].sockets[0].getsockname()[:2]
    try:
        yield f"http://{host}:{port}/"
    finally:
        server.should_exit = True
        thread.join(20)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with page_of(client().app) as url:
        yield url


def load(browser: Browser, url: str) -> None:
    browser.open("about:blank")
    browser.open(url)
    browser.wait(lambda: browser.run("return document.documentElement.dataset.ready"))


def type_text(browser: Browser, text: str) -> None:
    browser.one("#text").clear()
    browser.one("#text").send_keys(text)
    browser.wait(
        lambda: (
            browser.one("#backdrop").get_attribute("textContent").startswith(text)
            and browser.all("#backdrop mark")
        )
    )


def words(browser: Browser, selector: str) -> list[str]:
    """The texts of some elements, all at one moment: the page may be drawing others."""
    found: list[str] = browser.run(
        "return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)",
        selector,
    )
    return found


def choose(browser: Browser, select: str, value: str) -> None:
    browser.run(
        """const select = document.querySelector(arguments[0]);
        select.value = arguments[1];
        select.dispatchEvent(new Event("change"));""",
        select,
        value,
    )


def slide(browser: Browser, step: int) -> None:
    browser.run(
        """const slider = document.getElementById("features");
        slider.value = arguments[0];
        slider.dispatchEvent(new Event("input"));""",
        step,
    )


def test_a_typed_text_shows_its_class_and_the_terms_that_decide(browser, address):
    load(browser, address)
    type_text(browser, GAME)
    browser.wait(lambda: browser.one("#predicted b").text == "games")
    marked = words(browser, "#backdrop mark.for")
    assert {"game", "puzzle"} <= set(marked)
    assert words(browser, "#contributions .link")[0] in ("game", "puzzle")
    bars = browser.all("#bars button")
    assert bars[0].get_attribute("data-class") == "games"
    # Another class: other terms speak for it, and the game against it.
    browser.one('#bars button[data-class="editors"]').click()
    browser.wait(lambda: words(browser, "#deciding .chosen") == ["editors"])
    assert "game" in words(browser, "#backdrop mark.against")
    # Marks stay where they were while the next answer is on its way, and vanish with the text.
    browser.one("#clear").click()
    browser.wait(lambda: not browser.all("#backdrop mark"))
    assert browser.all("#bars button") == []


def test_marks_lie_exactly_under_their_words(browser, address):
    load(browser, address)
    type_text(browser, GAME)
    # A driver types no characters beyond the basic plane.
    browser.run(
        """const area = document.getElementById("text");
        area.value = arguments[0];
        area.dispatchEvent(new Event("input"));""",
        f"Two lines\n\n{GAME} \U0001f600 分类 " * 3,
    )
    browser.wait(lambda: len(words(browser, "#backdrop mark.for")) >= 6)
    assert set(words(browser, "#backdrop mark.for")) & {"game", "puzzle"}
    area, backdrop = browser.run(
        """return ["text", "backdrop"].map(
          (name) => document.getElementById(name).getBoundingClientRect().toJSON())"""
    )
    assert {name: area[name] for name in ("x", "y", "width")} == {
        name: backdrop[name] for name in ("x", "y", "width")
    }
    assert browser.run("const a = arguments[0]; return a.scrollHeight <= a.clientHeight",
                       browser.one("#text"))  # fmt: skip


def test_an_example_is_classified_at_a_click(browser, address):
    load(browser, address)
    label = browser.all("#samples button")[0]
    name = label.text
    label.click()
    browser.wait(lambda: browser.all("#predicted b") and browser.one("#predicted b").text == name)


def test_terms_change_with_the_score_the_class_and_their_number(browser, address):
    load(browser, f"{address}#terms")
    browser.wait(lambda: len(browser.all("#cards section")) == counts().n_classes)
    first = words(browser, '#cards [data-class="games"] .name')
    assert "game" in first
    choose(browser, "#score", "log_rr")
    browser.wait(lambda: words(browser, '#cards [data-class="games"] .name') != first)
    choose(browser, "#score", "chi2")
    browser.wait(lambda: words(browser, '#cards [data-class="games"] .name') == first)
    slide(browser, 0)
    browser.wait(lambda: len(browser.all("#cards .terms button")) < 5 * counts().n_classes)
    assert browser.one("#kept").text.startswith("10 of ")
    browser.wait(lambda: browser.all("#expected b"), "no accuracy was measured")
    few = float(browser.one("#expected b").text.removesuffix(" %"))
    slide(browser, 7)
    assert browser.one("#kept").text.startswith("2,000 of ")
    many = float(browser.one("#expected b").text.removesuffix(" %"))
    assert 5 < few < many < 100
    choose(browser, "#one-class", "fonts")
    browser.wait(lambda: len(browser.all("#cards section")) == 1)
    assert "font" in words(browser, "#cards .name")


def test_a_term_is_searched_and_shown_by_the_keyboard_alone(browser, address):
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    load(browser, address)
    browser.one("#tab-classify").send_keys(keys.ARROW_RIGHT)
    assert browser.one("#tab-terms").get_attribute("aria-selected") == "true"
    assert browser.run("return document.activeElement.id") == "tab-terms"
    browser.one("#search").send_keys("gam")
    browser.wait(lambda: browser.all("#found [data-term]"))
    browser.one("#search").send_keys(keys.ARROW_DOWN, keys.ENTER)
    browser.wait(lambda: browser.all("#term[open]"))
    assert browser.one("#term-name").text == "game"
    assert words(browser, "#term-classes tbody td")[0] == "games"
    assert all(text.lower() == "game" for text in words(browser, "#term-examples mark"))
    choose(browser, "#term-score", "ig")
    assert words(browser, "#term-classes th")[-1] == "ig"
    browser.one("#term").send_keys(keys.ESCAPE)
    browser.wait(lambda: not browser.all("#term[open]"))
    assert browser.run("return document.activeElement.id") == "search"


def test_two_classes_are_compared_and_a_dot_opens_its_term(browser, address):
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    load(browser, f"{address}#compare")
    browser.wait(lambda: browser.all("#plane circle"))
    choose(browser, "#across", "games")
    choose(browser, "#up", "fonts")
    browser.wait(lambda: browser.all('#plane circle[data-term="font"]'))

    def place(term: str) -> tuple[float, float]:
        x, y = browser.run(
            """const dot = document.querySelector(`#plane circle[data-term="${arguments[0]}"]`);
            return [dot.cx.baseVal.value, -dot.cy.baseVal.value];""",
            term,
        )
        return x, y

    assert place("game")[0] > place("font")[0]
    assert place("game")[1] < place("font")[1]
    before = place("game")
    browser.one("#swap").click()
    browser.wait(lambda: place("game")[1] > before[1])
    # The dots are one stop of the tabulator; arrows go on, Enter opens.
    [stop] = browser.all("#plane circle[tabindex='0']")
    browser.run("arguments[0].focus()", stop)
    name = stop.get_attribute("data-term")
    stop.send_keys(keys.ARROW_UP)
    dot = browser.driver.switch_to.active_element
    if dot.get_attribute("data-term") == name:
        stop.send_keys(keys.ARROW_DOWN)
        dot = browser.driver.switch_to.active_element
    assert dot.get_attribute("data-term") != name
    term = dot.get_attribute("data-term")
    dot.send_keys(keys.ENTER)
    browser.wait(lambda: browser.all("#term[open]"))
    assert browser.one("#term-name").text == term


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_reaches_out_of_the_page(browser, address, size):
    browser.resize(size)
    load(browser, address)
    type_text(browser, f"{GAME} {'unbroken' * 30}")
    assert browser.too_wide() == []
    for view, ready in (("terms", "#cards section"), ("compare", "#plane circle")):
        browser.one(f"#tab-{view}").click()
        browser.wait(lambda ready=ready: browser.all(ready))
        assert browser.too_wide() == []


def test_everything_to_work_with_has_a_name(browser, address):
    load(browser, address)
    type_text(browser, GAME)
    nameless = browser.run(
        """return [...document.querySelectorAll("button, input, select, textarea, a")]
          .filter((node) => !node.hidden && !(node.ariaLabel || node.textContent.trim()
            || node.labels?.length || node.title))
          .map((node) => node.outerHTML)"""
    )
    assert nameless == []


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "\"onmouseover='alert(3)'",
    "javascript:alert(4)",
    "عربي \u202e txt",
    "很长的名字" * 20,
]


def test_hostile_names_and_texts_are_only_text(browser):
    texts = [f"{name} own{k} alert script onerror" for k, name in enumerate(HOSTILE)] * 4
    labels = HOSTILE * 4
    classifier = TextClassifier(effort="rule").fit(texts, labels)
    from termfold.evaluate.documents import read_documents

    app = create_app(
        classifier, name="<b>bold</b>", corpus=read_documents(texts, labels=labels), hosts=None
    )
    with page_of(app) as url:
        load(browser, url)
        type_text(browser, "".join(texts[:6]))
        browser.wait(lambda: len(browser.all("#bars button")) == len(HOSTILE))
        assert set(words(browser, "#bars .name")) == set(HOSTILE)
        browser.one("#tab-terms").click()
        browser.wait(lambda: len(browser.all("#cards section")) == len(HOSTILE))
        browser.all("#cards .terms button")[0].click()
        browser.wait(lambda: browser.all("#term[open] .example"))
        assert browser.all(".example .tag")[0].text in HOSTILE
        browser.run("document.getElementById('term').close()")
        browser.one("#tab-compare").click()
        browser.wait(lambda: browser.all("#plane circle"))
        assert browser.all("body img[src='x'], body b script, main script") == []
        assert browser.one("#served").text.startswith("Model: <b>bold</b>")
        for size in (DESKTOP, PHONE):
            browser.resize(size)
            assert browser.too_wide() == []


def test_a_page_of_counts_alone_says_what_it_cannot_tell(browser):
    stats = collect(["goal match", "bank rate", "goal win"], labels=["sport", "trade", "sport"])
    with page_of(create_app(stats, hosts=None)) as url:
        load(browser, url)
        type_text(browser, "a goal")
        browser.wait(lambda: browser.one("#predicted b").text == "sport")
        assert browser.one("#uncalibrated").is_displayed()
        browser.one("#tab-terms").click()
        browser.wait(lambda: "--corpus" in browser.one("#expected").text)


def test_a_page_of_a_model_alone_shows_its_weights(browser):
    with page_of(create_app(files().model, hosts=None)) as url:
        load(browser, f"{url}#terms")
        browser.wait(lambda: len(browser.all("#cards section")) == counts().n_classes)
        assert not browser.one("#min-df-label").is_displayed()
        browser.one("#tab-compare").click()
        browser.wait(lambda: browser.all("#plane circle"))
        assert "weighs" in browser.one("#plane-note").text


def test_the_page_asks_for_the_token(chromium):
    chromium.renew()
    with page_of(create_app(files().counts, token="sesame", hosts=None)) as url:
        chromium.open(url)
        chromium.wait(lambda: chromium.all("#ask-token[open]"))
        chromium.one("#token").send_keys("sesame\n")
        chromium.wait(lambda: chromium.run("return document.documentElement.dataset.ready"))
    # The refusal itself is all that the console tells of.
    assert all("401" in error for error in chromium.errors())


@pytest.mark.skipif(SHOTS is None, reason="TERMFOLD_SCREENSHOTS names no folder")
def test_screenshots(browser):
    from termfold.datasets import load_debian
    from termfold.evaluate.documents import read_documents

    train = load_debian("train")
    app = create_app(
        TextClassifier().fit(train),
        name="Debian packages",
        corpus=read_documents(train),
        hosts=None,
    )
    folder = Path(SHOTS or "")
    text = (
        "synthesizer for the sound of old games on the web\n"
        "Plays the music of games from the eighties in a browser, by emulating the sound chips of "
        "home computers. Songs are fetched from a server, and may be edited and exported as MIDI."
    )
    with page_of(app) as url:
        for scheme, size, name in (
            ("light", DESKTOP, "light"),
            ("dark", DESKTOP, "dark"),
            ("light", PHONE, "phone"),
        ):
            browser.resize(size)
            browser.colour_scheme(scheme)
            load(browser, url)
            type_text(browser, text)
            time.sleep(0.5)
            browser.screenshot(folder / f"serve-classify-{name}.png")
            browser.one("#tab-terms").click()
            browser.wait(lambda: browser.all("#cards section"))
            slide(browser, 5)
            browser.wait(lambda: browser.all("#expected b"))
            time.sleep(0.5)
            browser.screenshot(folder / f"serve-terms-{name}.png")
            browser.one("#tab-compare").click()
            browser.wait(lambda: browser.all("#plane circle"))
            choose(browser, "#across", "sound")
            choose(browser, "#up", "games")
            time.sleep(0.5)
            browser.screenshot(folder / f"serve-compare-{name}.png")
