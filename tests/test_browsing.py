"""Chromium and the other tests of a worker get along, in whatever order they come."""

import pytest

from memoryadmin.services import people
from tests.browsing import page_of


@pytest.mark.browser
@pytest.mark.django_db
def test_the_database_answers_while_a_browser_is_open(browser, cast):
    page = page_of(browser)
    page.set_content("<h1>open</h1>")
    assert page.locator("h1").inner_text() == "open"
    assert people.find_by_login(login="alice").id == cast.alice
    page.context.close()
