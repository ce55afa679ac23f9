"""The browser of the tests sees what it is there to see."""

from __future__ import annotations

from browser_tools import PHONE, open_browser

VIEWPORT = "<meta name=viewport content='width=device-width'>"


def _page(tmp_path, body: str):
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><meta charset=utf-8>{VIEWPORT}<title>x</title>{body}")
    return page


def test_a_quiet_page_passes(tmp_path):
    with open_browser() as browser:
        browser.open(_page(tmp_path, "<p>one</p><script>document.title = 'ran'</script>"))
        browser.wait(lambda: browser.driver.title == "ran")
        assert browser.one("p").text == "one"
        browser.resize(PHONE)
        assert browser.run("return innerWidth") == PHONE[0]
        browser.check()


def test_errors_and_outside_requests_are_seen(tmp_path):
    body = (
        "<div style='width:3000px'>wide</div>"
        "<script>throw new Error('broken')</script>"
        "<script>fetch('https://example.org/data').catch(() => 0)</script>"
    )
    with open_browser() as browser:
        browser.open(_page(tmp_path, body))
        browser.wait(lambda: browser.outside_requests())
        assert browser.outside_requests() == ["https://example.org/data"]
        assert any("broken" in error for error in browser.errors())
        assert browser.too_wide()


def test_what_a_policy_forbids_is_an_error(tmp_path):
    policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    with open_browser() as browser:
        browser.open(_page(tmp_path, f"{policy}<script>document.title = 'ran'</script>"))
        browser.wait(lambda: any("Content Security Policy" in error for error in browser.errors()))
        assert browser.driver.title == "x"
