"""The frame around every page: a way to every section, the language, the way out, and nothing that leads nowhere."""

import re

import pytest
from django.contrib.auth import get_user_model

from memoryadmin.domain.actors import ProjectRole
from memoryadmin.services import people, scopes
from tests.cast import NOW, OPERATOR


@pytest.fixture
def alice(cast, client):
    client.force_login(get_user_model().objects.get(pk=cast.alice))
    return client


def rail_of(page: str) -> str:
    return page[page.index('<nav class="rail__menu"') : page.index("</nav>")]


@pytest.mark.parametrize("person", ["alice", "bob", "carol", "dana", "erik"])
def test_every_link_of_the_rail_answers(client, cast, person):
    client.force_login(get_user_model().objects.get(pk=getattr(cast, person)))

    links = re.findall(r'class="rail__link" href="([^"]+)"', rail_of(client.get("/").content.decode()))

    assert "/" in links
    assert {link: client.get(link).status_code for link in links} == dict.fromkeys(links, 200)


def test_the_current_section_is_said_once(alice):
    assert re.findall(r'href="([^"]+)" aria-current="page"', rail_of(alice.get("/").content.decode())) == ["/"]


def test_the_page_says_its_language_and_offers_the_other(alice):
    page = alice.get("/").content.decode()

    assert '<html lang="en">' in page
    assert 'value="ru" lang="ru">Русский</button>' in page

    alice.post("/language/", {"language": "ru", "next": "/"})

    assert '<html lang="ru">' in alice.get("/").content.decode()


def test_the_language_form_leads_back_to_the_page_with_its_filters(alice):
    assert 'name="next" value="/?x=1&amp;y=%3Cb%3E"' in alice.get("/?x=1&y=<b>").content.decode()


@pytest.mark.parametrize("address", ["/", "/sign-in/", "/no/such/page/"])
def test_every_page_has_one_heading_a_skip_link_and_a_filled_live_region(alice, client, address):
    page = client.get(address, follow=True).content.decode()

    assert page.count("<h1") == 1
    assert page.index('href="#main"') < page.index("<main")
    assert '<main class="page" id="main" tabindex="-1">' in page
    assert page.count('<div class="messages" role="status">') == 1


def test_DR_07_a_name_with_markup_is_text_in_the_frame(alice, cast):
    name = '"><script>alert(1)</script>'
    fields = people.PersonFields(name=name, login="alice")
    people.edit(actor=OPERATOR, person_id=cast.alice, fields=fields, now=NOW)

    page = alice.get("/").content.decode()

    assert "<script>alert" not in page
    assert "&quot;&gt;&lt;script&gt;alert(1)" in page


def test_a_change_of_role_is_felt_at_the_next_request(alice, cast):
    assert alice.get(f"/projects/{cast.project}/").status_code == 200

    scopes.set_member(actor=OPERATOR, project_id=cast.project, person_id=cast.bob, role=ProjectRole.OWNER, now=NOW)
    scopes.remove_member(actor=OPERATOR, project_id=cast.project, person_id=cast.alice, now=NOW)

    assert alice.get(f"/projects/{cast.project}/").status_code == 404
