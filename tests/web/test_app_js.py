"""The small script of the pages, in a real Chromium under the real content policy, over pages made for the purpose.

No server of ours runs here: the browser's requests to a made-up host are answered by the test.
"""

import time

import pytest

from tests.browsing import page_of
from tests.serving import ROOT
from tests.web.test_headers import POLICY

pytestmark = pytest.mark.browser

HOST = "http://pages.example"
HEAD = '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><script src="/app.js" defer></script>'
EDITOR = """
<form method="post" action="/save" data-guard data-draft="u_1-file-7">
  <div data-draft-offer hidden><button type="button" data-draft-take>Put it back</button>
    <button type="button" data-draft-drop>Forget it</button></div>
  <label>Text <textarea name="text" id="area">
first</textarea></label>
  <div data-count="area" data-limit="6"><span data-used></span><span data-over hidden>over</span></div>
  <button type="submit" name="do" value="save" data-busy="Saving…">Save</button>
</form>
<a href="/elsewhere">Elsewhere</a>
<form method="post" action="/sign-out" data-forget><button type="submit">Sign out</button></form>
"""
READER = '<form action="/find"><button type="submit">Find</button></form>'


class Site:
    """Answers every request of a page and keeps what was posted."""

    def __init__(self) -> None:
        self.pages = {"/edit": EDITOR, "/reader": READER}
        self.posted: list[str] = []
        self.found = 0
        self.delay_seconds = 0.0
        self.is_down = False

    def answer(self, route, request) -> None:
        path = request.url.removeprefix(HOST).split("?")[0]
        if path == "/app.js":
            route.fulfill(path=ROOT / "static" / "js" / "app.js", content_type="text/javascript")
            return
        if request.method == "POST":
            self.posted.append(request.post_data or "")
            if self.is_down:
                route.abort()
                return
            time.sleep(self.delay_seconds)
        self.found += path == "/find"
        body = HEAD + self.pages.get(path, f"<p>{path}</p>")
        headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
        route.fulfill(body=body, content_type="text/html", headers=headers)


@pytest.fixture
def site():
    return Site()


@pytest.fixture
def page(browser, site):
    page = page_of(browser)
    page.route(f"{HOST}/**", site.answer)
    page.goto(f"{HOST}/edit")
    yield page
    page.context.close()


def save(page, clicks: int) -> None:
    # The clicks of one impatient person, faster than any answer.
    page.evaluate(
        "n => { const b = document.querySelector('[name=do]'); for (let i = 0; i < n; i++) b.click(); }", clicks
    )


@pytest.mark.parametrize("clicks", [1, 2, 3])
def test_UI_03_a_form_is_sent_once_however_often_its_button_is_pressed(page, site, clicks):
    site.delay_seconds = 0.8

    save(page, clicks)
    page.wait_for_url(f"{HOST}/save")

    assert len(site.posted) == 1
    assert "do=save" in site.posted[0]
    assert page.faults == []


def test_UI_03_the_button_is_visibly_busy_while_the_form_is_on_its_way(page):
    page.evaluate("document.addEventListener('submit', event => event.preventDefault())")
    save(page, 1)

    button = page.get_by_role("button", name="Saving…")
    assert button.get_attribute("aria-busy") == "true"


def test_a_form_that_only_asks_may_be_sent_again(page, site):
    page.goto(f"{HOST}/reader")

    for _ in range(2):
        page.get_by_role("button", name="Find").click()
        page.wait_for_url(f"{HOST}/find?")
        page.goto(f"{HOST}/reader")

    assert site.found == 2


def test_leaving_with_unsaved_changes_asks(page):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.get_by_label("Text").fill("changed")

    page.get_by_role("link", name="Elsewhere").click()

    page.wait_for_timeout(200)
    assert asked == ["beforeunload"]
    assert page.url == f"{HOST}/edit"


def test_leaving_without_changes_and_saving_ask_nothing(page):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))

    page.get_by_role("link", name="Elsewhere").click()
    page.wait_for_url(f"{HOST}/elsewhere")
    page.goto(f"{HOST}/edit")
    page.get_by_label("Text").fill("changed")
    save(page, 1)
    page.wait_for_url(f"{HOST}/save")

    assert asked == []


def test_UI_04_what_was_typed_is_offered_again_when_the_save_did_not_arrive(page, site):
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_label("Text").fill("hours of work")
    site.is_down = True
    save(page, 1)
    page.wait_for_timeout(300)
    site.is_down = False

    page.goto(f"{HOST}/edit")

    assert page.get_by_label("Text").input_value() == "first"
    page.get_by_role("button", name="Put it back").click()
    assert page.get_by_label("Text").input_value() == "hours of work"
    assert not page.get_by_role("button", name="Put it back").is_visible()


def test_a_draft_that_was_saved_or_forgotten_is_not_offered(page, site):
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_label("Text").fill("saved text")
    save(page, 1)
    page.wait_for_url(f"{HOST}/save")
    site.pages["/edit"] = EDITOR.replace("first", "saved text")
    page.goto(f"{HOST}/edit")
    assert not page.get_by_role("button", name="Put it back").is_visible()

    page.get_by_label("Text").fill("another")
    page.goto(f"{HOST}/edit")
    page.get_by_role("button", name="Forget it").click()
    page.goto(f"{HOST}/edit")
    assert not page.get_by_role("button", name="Put it back").is_visible()


def test_signing_out_leaves_no_draft_behind(page):
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_label("Text").fill("private")

    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{HOST}/sign-out")

    assert page.evaluate("sessionStorage.length") == 0


def test_the_count_follows_the_typing_in_whole_signs_not_halves(page):
    used, over = page.locator("[data-used]"), page.locator("[data-over]")
    assert (used.text_content(), over.is_visible()) == ("5", False)

    page.get_by_label("Text").fill("👍🏿абв")
    assert (used.text_content(), over.is_visible()) == ("5", False)

    page.get_by_label("Text").fill("x" * 1234)
    assert (used.text_content(), over.is_visible()) == ("1,234", True)
