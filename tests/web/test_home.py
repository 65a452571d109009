"""Home tells what needs this person and what changed lately, and nothing of what they may not read."""

import pytest
from django.contrib.auth import get_user_model

from memoryadmin.domain.scopes import ScopeType
from tests.build import a_file, a_scope, more_versions
from tests.cast import OPERATOR

LIMIT = 5_000  # characters of MEMORY.md


@pytest.fixture
def home(cast, client):
    def page_for(person: str) -> str:
        client.force_login(get_user_model().objects.get(pk=person))
        answer = client.get("/")
        assert answer.status_code == 200
        return answer.content.decode()

    return page_for


def test_an_installation_without_files_says_that_this_is_normal(home, cast):
    page = home(cast.alice)

    assert "Nothing needs you now." in page
    assert "Every file fits" in page
    assert "Nothing has been written yet" in page


def test_files_over_and_near_their_limit_come_with_numbers_in_words(home, cast):
    scope = a_scope(cast)
    over = a_file(scope, "x" * (LIMIT + 214), "MEMORY.md")
    near = a_file(a_scope(cast, ScopeType.AGENT), "x" * (LIMIT * 96 // 100), "MEMORY.md")

    page = home(cast.alice)

    assert "1 file is over its limit." in page
    assert "1 file is near its limit." in page
    assert "214 over" in page
    assert "96 % full" in page
    assert "5,214 of 5,000 characters" in page
    assert f'href="/files/{over}/"' in page
    assert f'href="/files/{near}/"' in page
    assert "Agent Pilot" in page


def test_what_changed_lately_names_the_file_the_place_and_the_author(home, cast):
    file_id = a_file(a_scope(cast), path="plan.md")
    more_versions(file_id, "# Plan\n", actor=cast.actor(cast.bob))

    page = home(cast.alice)

    assert f'<a href="/files/{file_id}/"><bdi>plan.md</bdi></a>' in page
    assert "Project Harbour" in page
    assert "<bdi>Bob</bdi>" in page


def test_PE_04_nothing_of_a_foreign_scope_is_told_not_even_a_count(home, cast):
    a_file(a_scope(cast), "x" * (LIMIT + 1), "MEMORY.md")
    a_file(a_scope(cast, ScopeType.USER), "x" * (LIMIT + 1), "MEMORY.md")

    assert "MEMORY.md" not in home(cast.carol)
    assert home(cast.bob).count("<bdi>MEMORY.md</bdi>") == 2  # the project's: near its limit and changed lately
    assert home(cast.alice).count("<bdi>MEMORY.md</bdi>") == 4


def test_DR_07_a_file_name_with_markup_or_hidden_characters_is_text(home, cast):
    a_file(a_scope(cast), path="<img src=x onerror=alert(1)>.md")

    page = home(cast.alice)

    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;.md" in page


def test_home_costs_the_same_queries_however_much_there_is(home, cast, client, django_assert_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    scope_ids = [a_scope(cast, kind) for kind in (ScopeType.PROJECT, ScopeType.AGENT, ScopeType.AGENT_USER)]
    for scope_id in scope_ids:
        a_file(scope_id, "x" * (LIMIT + 1), "MEMORY.md")
    home(cast.alice)
    with CaptureQueriesContext(connection) as few:
        client.get("/")
    for scope_id in (*scope_ids, a_scope(cast, ScopeType.PERSON), a_scope(cast, ScopeType.USER)):
        a_file(scope_id, "x" * 1_999, "USER.md")
        a_file(scope_id, actor=OPERATOR)

    with django_assert_num_queries(len(few)):
        client.get("/")
