"""The report's page in a real browser: what it shows, what it lets one do, what it must not do."""

from __future__ import annotations

import pytest

from browser_tools import DESKTOP, PHONE, open_browser
from report_tools import corpus, debian_report, hostile_corpus, scripts_of_the_world
from termfold import collect
from termfold.datasets import load_debian
from termfold.report import make_report


@pytest.fixture(scope="module")
def debian_page(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    debian_report().save(path)
    return path


def show(browser, path, section=None):
    browser.open(path)
    browser.wait(lambda: browser.run("return document.documentElement.dataset.ready") == "yes")
    browser.wait(lambda: browser.all(".matrix svg"), "the first picture")
    if section:
        browser.run("document.getElementById(arguments[0]).scrollIntoView()", section)
    return browser


def choose(browser, control, text):
    """Choose an option by the beginning of its text, as a user does."""
    from selenium.webdriver.support.ui import Select

    select = Select(browser.one(f"#{control}"))
    [option] = [o.text for o in select.options if o.text.split(" – ")[0] == text]
    select.select_by_visible_text(option)


def terms(browser, place="#terms .bars"):
    return [node.get_attribute("data-term") for node in browser.all(f"{place} li")]


def point_at(browser, selector):
    """Bring the pointer over an element."""
    from selenium.webdriver.common.action_chains import ActionChains

    node = browser.all(selector)[0]
    browser.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", node)
    # Away first: a pointer that is there already does not move.
    ActionChains(browser.driver).move_by_offset(1, 1).move_to_element(node).perform()
    return node


def best_terms(class_name, score):
    summary = debian_report().summary
    [found] = [c for c in summary["classes"] if c["name"] == class_name]
    return [found["terms"][i]["term"] for i, _ in found["best"][score]]


def test_it_tells_of_the_corpus(browser, debian_page):
    show(browser, debian_page)
    assert browser.driver.title == "Debian packages"
    assert browser.one("h1").text == "Debian packages"
    tiles = [tile.text.splitlines()[:2] for tile in browser.all(".tile")]
    assert tiles[0] == ["4,788", "documents"]
    assert tiles[1] == ["12", "classes"]
    links = browser.all("nav a")
    assert len(links) == len(browser.all("main section")) == 7
    links[2].click()
    assert browser.run("return location.hash") == "#between"


def test_another_score_and_another_class_have_other_terms(browser, debian_page):
    show(browser, debian_page, "terms")
    assert terms(browser) == best_terms("database", "chi2")
    choose(browser, "terms-score", "log_rr")
    assert terms(browser) == best_terms("database", "log_rr")
    assert terms(browser) != best_terms("database", "chi2")
    choose(browser, "terms-class", "games")
    assert terms(browser) == best_terms("games", "log_rr")
    # The table shows the terms by the score that was chosen.
    row = browser.one("#classes tbody tr:nth-child(5)").text.split()
    assert row[0] == "games"
    assert row[-6:] == best_terms("games", "log_rr")[:6]


def test_the_table_of_classes_is_sorted_by_a_click(browser, debian_page):
    show(browser, debian_page, "classes")

    def column(name):
        return [float(node.text.replace(",", "")) for node in browser.all(f"[data-column={name}]")]

    for name in ("documents", "F1"):
        [button] = [b for b in browser.all("#classes thead button") if b.text.startswith(name)]
        button.click()
        assert column(name) == sorted(column(name), reverse=True)
        button.click()
        assert column(name) == sorted(column(name))


def test_a_cell_tells_the_terms_that_misled(browser, debian_page):
    show(browser, debian_page, "between")
    summary = debian_report().summary
    names = [c["name"] for c in summary["classes"]]
    pair = summary["between"]["pairs"][3]
    browser.click(f"[data-cell='{pair['true']} {pair['predicted']}']")
    sentence = browser.one("#between .sentence").text.replace("\n", " ")
    assert sentence.startswith(f"{pair['documents']} of ")
    assert names[pair["true"]] in sentence
    assert sentence.rstrip().endswith(names[pair["predicted"]])
    assert terms(browser, "#between .bars") == [term for term, _ in pair["terms"]]
    browser.click(".pairs button")
    first = summary["between"]["pairs"][0]
    assert terms(browser, "#between .bars") == [term for term, _ in first["terms"]]
    before = [node.text for node in browser.all(".matrix .row")]
    choose(browser, "between-order", "by name")
    assert [node.text for node in browser.all(".matrix .row")] == sorted(before)


def test_a_document_shows_its_text_under_the_pointer(browser, debian_page):
    show(browser, debian_page, "map")
    documents = debian_report().summary["map"]["documents"]
    browser.wait(lambda: browser.all(".map .point"))
    assert len(browser.all(".map .point")) == len(documents)
    node = point_at(browser, ".map .point[data-i='7']")
    hint = browser.one("#hint")
    browser.wait(hint.is_displayed)
    assert documents[int(node.get_attribute("data-i"))]["text"][:40] in hint.text


def test_documents_are_found_by_a_word(browser, debian_page):
    show(browser, debian_page, "map")
    browser.one("#map-find").send_keys("chess")
    expected = sum(
        "chess" in d["text"].lower() for d in debian_report().summary["map"]["documents"]
    )
    assert expected
    shown = browser.wait(lambda: browser.all(".map .point.off") and browser.all(".map .point"))
    assert len(shown) - len(browser.all(".map .point.off")) == expected


def test_any_two_classes_face_each_other(browser, debian_page):
    show(browser, debian_page, "scatter")
    choose(browser, "scatter-across", "games")
    choose(browser, "scatter-upwards", "sound")
    axes = [node.text for node in browser.all(".scatter .axis")]
    assert axes == ["games", "sound"]
    summary = debian_report().summary
    names = [c["name"] for c in summary["classes"]]
    both = {names.index("games"), names.index("sound")}
    members = sum(bool(both & set(d["labels"])) for d in summary["map"]["documents"])
    assert len(browser.all(".scatter .point:not(.other)")) == members
    # Most of a class lie on its side of the diagonal.
    sides = browser.run(
        """return [...document.querySelectorAll(".scatter .point:not(.other)")].map((node) => {
          return [Number(node.dataset.i), Number(node.getAttribute("cx")),
            Number(node.getAttribute("cy"))]; })"""
    )
    games = [
        y for i, _, y in sides if names.index("games") in summary["map"]["documents"][i]["labels"]
    ]
    sound = [
        y for i, _, y in sides if names.index("sound") in summary["map"]["documents"][i]["labels"]
    ]
    assert sorted(games)[len(games) // 2] > sorted(sound)[len(sound) // 2]  # lower on the page
    browser.click("#scatter-swap")
    assert [node.text for node in browser.all(".scatter .axis")] == ["sound", "games"]
    point_at(browser, ".scatter .point:not(.other)")
    browser.wait(browser.one("#hint").is_displayed)


def test_curves_can_be_hidden_and_read(browser, debian_page):
    show(browser, debian_page, "curve")
    methods = debian_report().summary["curve"]["methods"]
    browser.wait(lambda: len(browser.all(".curve .line")) == len(methods))
    browser.click("[data-line=df]")
    assert len(browser.all(".curve .line")) == len(methods) - 1
    point_at(browser, ".curve .mark")
    browser.wait(lambda: "accuracy" in browser.one("#hint").text)


def test_all_suspects_are_shown_when_asked(browser, debian_page):
    show(browser, debian_page, "audit")
    first = debian_report().summary["audit"][0]
    assert first["suggested"] in browser.all(".audit li")[0].text
    assert len(browser.all(".audit li")) == 10
    browser.click("#audit-more")
    assert len(browser.all(".audit li")) == len(debian_report().summary["audit"])
    assert not browser.all("#audit-more")


def test_the_keyboard_reaches_what_the_pointer_does(browser, debian_page):
    from selenium.webdriver.common.keys import Keys

    show(browser, debian_page, "map")
    picture = browser.wait(lambda: browser.one(".map svg"))
    picture.send_keys(Keys.ARROW_RIGHT)
    browser.wait(browser.one("#hint").is_displayed)
    first = browser.one("#hint").text
    picture.send_keys(Keys.ARROW_RIGHT)
    assert browser.one("#hint").text != first
    browser.one("body").send_keys(Keys.ESCAPE)
    assert not browser.one("#hint").is_displayed()
    button = browser.all(".pairs button")[1]
    button.send_keys(Keys.ENTER)
    assert button.get_attribute("aria-pressed") == "true"


def contrast(browser, selector):
    """The contrast of a text against what it stands on, as WCAG computes it."""
    return browser.run(
        """const node = document.querySelector(arguments[0]);
        const light = (colour) => {
          const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
            .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        let under = node;
        while (getComputedStyle(under).backgroundColor === "rgba(0, 0, 0, 0)") {
          under = under.parentElement; }
        const [a, b] = [getComputedStyle(node).color, getComputedStyle(under).backgroundColor]
          .map(light);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);""",
        selector,
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_light_and_dark(browser, debian_page, scheme):
    browser.colour_scheme(scheme)
    show(browser, debian_page)
    for selector in ("h1", ".lead", ".tile small", "nav a", "th", ".term", ".note", ".audit .text"):
        assert contrast(browser, selector) > 4.5, selector
    dark = (
        browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(20, 22, 26)"
    )
    assert dark == (scheme == "dark")


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_nothing_is_cut_off(browser, debian_page, size):
    browser.resize(size)
    show(browser, debian_page)
    assert browser.too_wide() == []
    assert browser.run("return document.documentElement.scrollWidth") == size[0]
    # Drawn anew for another width.
    browser.resize((size[0] - 60, size[1]))
    browser.wait(
        lambda: browser.run(
            "return [...document.querySelectorAll('.chart svg')].every((svg) => "
            "svg.clientWidth <= svg.parentElement.clientWidth + 1)"
        )
    )


def test_hostile_names_and_texts_do_not_run(browser, tmp_path):
    path = tmp_path / "hostile.html"
    make_report(*hostile_corpus(), title="<script>window.hacked = 1</script>").save(path)
    show(browser, path)
    for k in range(8):
        browser.run("document.getElementById('terms-class').value = arguments[0]", str(k))
        browser.run("document.getElementById('terms-class').dispatchEvent(new Event('change'))")
    point_at(browser, ".map .point")
    browser.wait(browser.one("#hint").is_displayed)
    assert browser.run("return window.hacked === undefined")
    assert browser.all("img, iframe, main script, header script") == []
    assert "<script>" in browser.one("h1").text


def test_the_policy_stops_what_would_run_nevertheless(tmp_path):
    """The policy is no ornament: a script that got into the page would not run."""
    path = tmp_path / "report.html"
    stats = collect(load_debian("test"))
    path.write_text(
        stats.report()
        .to_html()
        .replace("</main>", "</main><script>window.hacked = 1</script><img src=x onerror=hacked=1>")
    )
    with open_browser() as opened:
        show(opened, path)
        assert opened.run("return window.hacked === undefined")
        assert sum("Content Security Policy" in error for error in opened.errors()) >= 2
        assert opened.outside_requests() == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_long_names_and_any_script(browser, tmp_path, size):
    path = tmp_path / "scripts.html"
    make_report(*scripts_of_the_world()).save(path)
    browser.resize(size)
    show(browser, path)
    assert browser.too_wide() == []
    assert browser.run("return document.documentElement.scrollWidth") == size[0]
    arabic = [n for n in browser.all("#classes bdi") if n.text.startswith("الرياضة")]
    assert browser.run("return getComputedStyle(arguments[0]).unicodeBidi", arabic[0]) == "isolate"
    for node in browser.all(".matrix text, .map text"):
        assert browser.run(
            "const box = arguments[0].getBoundingClientRect();"
            "const whole = arguments[0].ownerSVGElement.getBoundingClientRect();"
            "return box.left >= whole.left - 1 && box.right <= whole.right + 1"
            " && box.top >= whole.top - 1 && box.bottom <= whole.bottom + 1",
            node,
        ), node.text


@pytest.mark.parametrize("n_classes", [2, 60, 130])
def test_two_sixty_and_many_classes(browser, tmp_path, n_classes):
    path = tmp_path / "classes.html"
    make_report(*corpus(n_classes, 6)).save(path)
    show(browser, path)
    assert len(browser.all(".matrix .same")) == min(n_classes, 100)
    assert ("100 with most to compare" in browser.one("#between .lead").text) == (n_classes > 100)
    assert browser.too_wide() == []


def test_statistics_alone(browser, tmp_path):
    path = tmp_path / "stats.html"
    collect(load_debian("test")).report().save(path)
    show(browser, path)
    assert [node.get_attribute("id") for node in browser.all("main section")] == [
        "classes", "terms", "between",
    ]  # fmt: skip
