"""One server for all journeys of a worker; each journey has its own files."""

import pytest

from tests.browsing import page_of, sign_in
from tests.cast import PASSWORD
from tests.serving import migrated, run_django, serving

_PEOPLE = f"""
from tests.cast import assemble
from memoryadmin.models import Person
from django.contrib.auth.hashers import make_password
cast = assemble()
# Hashing is slow on purpose; one hash serves the whole cast.
Person.objects.update(password=make_password({PASSWORD!r}))
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A running server whose people can sign in with the cast's password."""
    data_dir = migrated(tmp_path_factory.mktemp("site"))
    run_django(data_dir, _PEOPLE)
    with serving(data_dir) as server:
        yield server


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def as_person(request, browser, site):
    """Return a signed-in page of the named person; its faults are checked when the journey ends."""
    pages = []

    def open_page(login: str):
        page = page_of(browser, java_script_enabled=request.param)
        sign_in(page, site.url, login, PASSWORD)
        pages.append(page)
        return page

    yield open_page
    faults = [fault for page in pages for fault in page.faults]
    for page in pages:
        page.context.close()
    assert faults == []
