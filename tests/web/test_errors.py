"""Every expected error has a page, strangers and readers get the right one, and refusals are on record."""

import importlib
import pkgutil

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import path

import memoryadmin
from memoryadmin.domain.errors import (
    InvalidFieldError,
    MemoryAdminError,
    NotAllowedError,
    NotVisibleError,
    ScopeIncompleteError,
    TooLargeError,
)
from memoryadmin.services import trail
from memoryadmin.urls import handler400, handler403, handler404, handler500  # noqa: F401 - read from this URL set
from memoryadmin.web import errors
from memoryadmin.web.urls import urlpatterns as product_urls

RAISED = {
    "stranger": NotVisibleError(), "reader": NotAllowedError("edit is not allowed in this scope"),
    "scope": ScopeIncompleteError("agent scopes need a agent id", field="agent"),
    "field": InvalidFieldError("a name is needed", field="name"),
    "large": TooLargeError(size_bytes=300, limit_bytes=200),
    "bug": RuntimeError("a bug"),
}  # fmt: skip


def fail(request, kind):
    raise RAISED[kind]


def only_post(request):
    from django.http import HttpResponseNotAllowed

    return HttpResponseNotAllowed(["POST"]) if request.method == "GET" else HttpResponse("done")


urlpatterns = [
    *product_urls,
    path("fail/<str:kind>/", fail, name="fail"),
    path("only-post/", only_post, name="only_post"),
]

pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def alice(cast, client):
    from django.contrib.auth import get_user_model

    client.force_login(get_user_model().objects.get(pk=cast.alice))
    return client


def every_error():
    for found in pkgutil.walk_packages(memoryadmin.__path__, "memoryadmin."):
        if not found.name.startswith(("memoryadmin.migrations", "memoryadmin.web", "memoryadmin.management")):
            importlib.import_module(found.name)
    waiting, classes = [MemoryAdminError], set()
    while waiting:
        one = waiting.pop()
        classes.add(one)
        waiting.extend(one.__subclasses__())
    return {one for one in classes if one.__module__.startswith("memoryadmin.")}


def test_every_error_has_a_row():
    missing = {one.__name__ for one in every_error() if one.code not in errors.ANSWERS}

    assert not missing


def test_every_row_is_an_error_and_has_a_page():
    assert set(errors.ANSWERS) <= {one.code for one in every_error()}
    assert {answer.status for answer in errors.ANSWERS.values()} <= errors.PAGES


@pytest.mark.parametrize(
    ("kind", "status", "words"),
    [
        ("stranger", 404, "Nothing here for you"), ("reader", 403, "You may not do this"),
        ("scope", 400, "incomplete"), ("field", 422, "a name is needed"),
        ("large", 413, "it has 300 bytes, the limit is 200"),
    ],
)  # fmt: skip
def test_an_expected_error_is_answered_with_its_page(alice, kind, status, words):
    answer = alice.get(f"/fail/{kind}/")

    assert answer.status_code == status
    assert words in answer.content.decode()
    assert answer.headers["X-Request-Id"] in answer.content.decode()


def test_a_bug_is_answered_without_the_database_and_without_its_words(alice, django_assert_num_queries):
    alice.raise_request_exception = False

    answer = alice.get("/fail/bug/")

    assert answer.status_code == 500
    assert "a bug" not in answer.content.decode()
    assert answer.headers["X-Request-Id"] in answer.content.decode()
    with django_assert_num_queries(0):
        errors.server_error(RequestFactory().get("/"))


def test_an_unknown_address_is_the_same_page_as_a_foreign_thing(alice):
    unknown, foreign = alice.get("/no/such/page/"), alice.get("/fail/stranger/")

    assert unknown.status_code == foreign.status_code == 404
    assert "Nothing here for you" in unknown.content.decode()


def test_a_wrong_method_has_a_page_and_names_the_right_one(alice):
    answer = alice.get("/only-post/")

    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"
    assert "works another way" in answer.content.decode()


@pytest.mark.parametrize("kind", ["stranger", "reader"])
def test_PE_01_a_refusal_is_on_record_with_the_route_and_the_ids(alice, cast, kind):
    alice.get(f"/fail/{kind}/")

    records = trail.listing(actor=cast.actor(cast.dana), filters=trail.Filters(action="access.refused")).records
    assert [(one.actor_id, one.object_id) for one in records] == [(cast.alice, f"GET fail kind={kind}")]


@pytest.mark.parametrize("kind", ["scope", "field", "large"])
def test_a_mistake_is_no_refusal(alice, cast, kind):
    alice.get(f"/fail/{kind}/")

    assert not trail.listing(actor=cast.actor(cast.dana), filters=trail.Filters(action="access.refused")).records


@pytest.mark.parametrize("kind", ["reader", "field", "large"])
def test_UI_04_a_refused_write_says_that_nothing_was_saved_and_gives_the_text_back(alice, kind):
    answer = alice.post(f"/fail/{kind}/", {"text": "\nfirst <line>\n", "reason": "why"})

    page = answer.content.decode()
    assert "Nothing was saved" in page or "Nothing was changed" in page
    assert "&#10;\nfirst &lt;line&gt;\n</textarea>" in page
    assert "why</textarea>" in page
    assert 'role="status"></div>' in page.replace("\n", "").replace(" <", "<").replace("> ", ">").replace("  ", "")


def test_a_form_without_its_token_is_refused_with_the_text(cast):
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(get_user_model().objects.get(pk=cast.alice))

    answer = client.post("/fail/field/", {"text": "typed"})

    assert answer.status_code == 403
    assert "open for too long" in answer.content.decode()
    assert "typed</textarea>" in answer.content.decode()


@pytest.mark.django_db
def test_a_form_sent_after_the_session_ended_is_given_back_with_the_way_to_sign_in(client):
    answer = client.post("/fail/field/", {"text": "typed"})

    assert answer.status_code == 401
    assert "typed</textarea>" in answer.content.decode()
    assert "/sign-in/?next=/fail/field/" in answer.content.decode()


@pytest.mark.django_db
def test_a_host_that_is_not_ours_is_a_bad_request_with_a_page(client):
    answer = client.get("/", headers={"host": "evil.example"})

    assert answer.status_code == 400
    assert "incomplete" in answer.content.decode()


def test_a_form_larger_than_any_file_says_so(alice, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000

    answer = alice.post("/fail/field/", {"text": "x" * 2000})

    assert answer.status_code == 413
    assert "Too large" in answer.content.decode()


@pytest.mark.django_db
def test_a_form_in_an_alphabet_that_no_form_has_is_a_bad_request(client):
    answer = client.post("/sign-in/", b"username=a", content_type="application/x-www-form-urlencoded; charset=utf-16")

    assert answer.status_code == 400
    assert "<main" in answer.content.decode()
