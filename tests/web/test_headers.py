"""What every answer carries in its headers, pages and static files alike."""

import contextlib

import pytest

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PAGES = ("/", "/sign-in/", "/no/such/page/", "/static/css/base.css")


def headers_of(client, address):
    with contextlib.closing(client.get(address)) as answer:
        return answer.headers


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_every_answer_has_the_policies(client, address):
    headers = headers_of(client, address)

    assert headers["Content-Security-Policy"] == POLICY
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES[:3])
def test_pages_are_kept_by_no_cache(client, address):
    assert headers_of(client, address)["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_static_files_say_how_long_they_keep(client):
    assert "max-age" in headers_of(client, "/static/css/base.css")["Cache-Control"]


@pytest.mark.django_db
def test_two_requests_have_two_numbers(client):
    numbers = {client.get("/sign-in/").headers["X-Request-Id"] for _ in range(2)}

    assert len(numbers) == 2


@pytest.mark.django_db
def test_pages_hold_no_inline_style_or_script(client):
    page = client.get("/sign-in/").content.decode()

    assert "style=" not in page
    assert "<style" not in page
    assert page.count("<script") == page.count('<script src="/static/js/')
    assert "onclick" not in page
