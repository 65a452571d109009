"""Signing in and out: closed by default, no hint which half was wrong, and out at once when archived."""

import logging

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from memoryadmin.services import people, trail
from tests.cast import NOW, OPERATOR, PASSWORD

OPEN_PAGES = {"signin", "signout", "language", "first_admin"}


@pytest.fixture
def alice(cast):
    fields = people.PersonFields(name="Alice", login="alice", password=PASSWORD)
    people.edit(actor=OPERATOR, person_id=cast.alice, fields=fields, now=NOW)
    return cast.alice


def sign_in(client, name="alice", password=PASSWORD, onward=""):
    return client.post("/sign-in/", {"username": name, "password": password, "next": onward})


def routes(resolver=None):
    for one in (resolver or get_resolver()).url_patterns:
        if isinstance(one, URLResolver):
            yield from routes(one)
        elif isinstance(one, URLPattern):
            yield one


def test_every_page_but_the_named_ones_is_closed():
    open_pages = {one.name for one in routes() if not getattr(one.callback, "login_required", True)}

    assert open_pages == OPEN_PAGES


@pytest.mark.django_db
def test_a_signed_out_visitor_is_sent_to_sign_in_and_back(client):
    answer = client.get("/?x=1")

    assert answer.status_code == 302
    assert answer.headers["Location"] == "/sign-in/?next=/%3Fx%3D1"


def test_the_right_password_leads_onward_and_is_on_record(client, alice, cast):
    answer = sign_in(client, onward="/?x=1")

    assert (answer.status_code, answer.headers["Location"]) == (302, "/?x=1")
    records = trail.listing(actor=cast.actor(cast.dana), filters=trail.Filters(action="person.signed_in")).records
    assert [one.actor_id for one in records] == [alice]


def test_a_sign_in_name_is_found_in_any_case_and_with_blanks_around(client, alice):
    assert sign_in(client, name=" Alice ").status_code == 302


@pytest.mark.parametrize(("name", "password"), [("alice", "wrong"), ("nobody", PASSWORD), ("alice", f" {PASSWORD}")])
def test_a_wrong_half_is_refused_with_the_same_words(client, alice, caplog, name, password):
    with caplog.at_level(logging.WARNING, "memoryadmin.web.signin"):
        answer = sign_in(client, name, password)

    assert answer.status_code == 422
    assert "do not belong together" in answer.content.decode()
    assert "_auth_user_id" not in client.session
    assert "sign-in refused" in caplog.text
    assert name not in caplog.text
    assert password not in caplog.text


def test_an_archived_person_cannot_sign_in_and_is_told_nothing_else(client, alice):
    people.archive(actor=OPERATOR, person_id=alice, now=NOW)

    answer = sign_in(client)

    assert answer.status_code == 422
    assert "do not belong together" in answer.content.decode()


def test_an_archived_person_is_out_at_the_next_request(client, alice):
    sign_in(client)
    assert client.get("/").status_code == 200

    people.archive(actor=OPERATOR, person_id=alice, now=NOW)

    assert client.get("/").status_code == 302
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(
    "onward",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "foo", "signout", "["],
)
def test_signing_in_never_leads_to_another_site(client, alice, onward):
    assert sign_in(client, onward=onward).headers["Location"] == "/"
    assert client.get("/sign-in/", {"next": onward}).headers["Location"] == "/"


def test_empty_fields_say_so_beside_the_field(client, alice):
    answer = client.post("/sign-in/", {"username": "", "password": ""})

    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'aria-describedby="id_username_error"' in page
    assert 'id="id_username_error"' in page
    assert 'aria-invalid="true"' in page


def test_signing_out_ends_the_session_and_needs_a_form(client, alice):
    sign_in(client)

    assert client.get("/sign-out/").status_code == 405
    assert client.post("/sign-out/").status_code == 302
    assert client.get("/").status_code == 302


@pytest.mark.django_db
def test_the_language_is_chosen_before_signing_in_and_stays(client):
    answer = client.post("/language/", {"language": "ru", "next": "/sign-in/"})

    assert answer.headers["Location"] == "/sign-in/"
    assert '<html lang="ru">' in client.get("/sign-in/").content.decode()


@pytest.mark.django_db
def test_the_language_form_never_leads_to_another_site(client):
    answer = client.post("/language/", {"language": "ru", "next": "https://evil.example/"})

    assert answer.headers["Location"] == "/"
