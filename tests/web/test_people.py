"""The pages of users: list, create, one person, change, closing an account."""

import pytest
from django.urls import reverse

from memoryadmin.domain.scopes import ScopeType
from memoryadmin.services import people
from tests.build import a_file, a_scope
from tests.cast import NOW, OPERATOR
from tests.web.visiting import form_of, words_of


class TestTheList:
    def test_shows_whom_one_shares_a_project_with(self, bob, carol):
        assert "Alice" in bob.read("people:list")
        assert "Carol" not in bob.read("people:list")
        assert "Alice" not in carol.read("people:list")

    def test_an_admin_and_an_auditor_see_all(self, dana, erik):
        for visitor in (dana, erik):
            assert "Carol" in visitor.read("people:list", q="car")

    @pytest.mark.parametrize("typed", ["жанна", "ЖАННА", "Жан", " жанна "])
    def test_is_searched_whatever_the_case_in_any_alphabet(self, dana, typed):
        people.create(actor=OPERATOR, fields=people.PersonFields(name="Жанна (склад)"), now=NOW)

        assert "Жанна (склад)" in dana.read("people:list", q=typed)
        assert "Alice" not in dana.read("people:list", q=typed)
        assert "Nobody is called that" in dana.read("people:list", q="жанна.*")

    def test_goes_on_in_parts_until_everybody_was_shown(self, dana, monkeypatch):
        monkeypatch.setattr("memoryadmin.web.views.people.PAGE", 2)

        seen, address = [], reverse("people:list")
        while address:
            answer = dana.client.get(address)
            seen += [person.name for person in answer.context["part"].items]
            address = answer.context["part"].next_url

        assert seen == ["Alice", "Bob", "Carol", "Dana", "Erik"]

    def test_costs_the_same_for_few_and_for_many(self, dana, queries):
        with queries() as few:
            dana.read("people:list")
        for number in range(15):
            people.create(actor=OPERATOR, fields=people.PersonFields(name=f"P {number}"), now=NOW)
        with queries() as many:
            dana.read("people:list")

        assert len(many) == len(few)


class TestCreating:
    def test_an_admin_creates_somebody_who_can_sign_in(self, dana):
        fields = form_of(dana.open("people:create"))
        fields |= {"name": "Frank", "login": "frank", "password": "long enough 7"}

        answer = dana.send("people:create", **fields)

        assert answer.status_code == 302
        assert people.find_by_login(login="frank") is not None

    def test_others_may_not(self, alice, erik):
        for visitor in (alice, erik):
            assert visitor.open("people:create").status_code == 403
            assert visitor.send("people:create", name="Frank").status_code == 403

    @pytest.mark.parametrize(
        ("field", "value", "status"),
        [("name", " ", 422), ("login", "alice", 409), ("email", "no address", 422), ("password", "short", 422)],
    )
    def test_what_is_wrong_is_said_at_its_field(self, dana, field, value, status):
        answer = dana.send("people:create", **({"name": "Frank"} | {field: value}))

        assert answer.status_code == status
        assert answer.context["form"].errors[field]


class TestOnePerson:
    def test_finds_what_agents_remember_about_them(self, bob, cast):
        a_file(a_scope(cast, ScopeType.AGENT_USER, cast.bob), "Bob hums.\n", "MEMORY.md")

        words = bob.read("people:detail", cast.bob)

        assert "What is remembered about you" in words
        assert "Pilot about Bob" in words
        assert "Bob, in every project" in words
        assert "Write the first file" in words

    def test_a_colleague_sees_no_login_and_no_scope(self, bob, cast):
        a_file(a_scope(cast, ScopeType.AGENT_USER, cast.alice), "x\n", "MEMORY.md")

        words = bob.read("people:detail", cast.alice)

        assert "Sign-in name" not in words
        assert "Pilot about Alice" not in words

    def test_an_owner_sees_that_memory_exists_and_cannot_open_it(self, alice, cast):
        file_id = a_file(a_scope(cast, ScopeType.AGENT_USER, cast.bob), "Bob hums.\n", "MEMORY.md")

        assert "You see that it exists" in alice.read("people:detail", cast.bob)
        assert alice.open("files:detail", file_id).status_code == 403

    @pytest.mark.parametrize("person_id", ["u_" + "a" * 20, "x", "..", "u_" + "a" * 400])
    def test_nobody_is_found_under_a_bad_id(self, dana, person_id):
        assert dana.client.get(f"/people/{person_id}/").status_code == 404

    def test_a_stranger_finds_nobody(self, carol, cast):
        answer = carol.open("people:detail", cast.alice)

        assert answer.status_code == 404
        assert "Alice" not in words_of(answer)


class TestChanging:
    def test_an_admin_changes_the_name_and_the_password_stays(self, dana, alice, cast):
        fields = form_of(dana.open("people:edit", cast.alice)) | {"name": "Alice Moor"}

        dana.send("people:edit", cast.alice, **fields)

        assert "Alice Moor" in dana.read("people:detail", cast.alice)
        assert alice.open("home").status_code == 200

    def test_others_may_not_and_a_stranger_finds_nobody(self, alice, erik, carol, cast):
        for address in ("people:edit", "people:archive"):
            for visitor, status in ((alice, 403), (erik, 403), (carol, 404)):
                assert visitor.open(address, cast.bob).status_code == status
                assert visitor.send(address, cast.bob, name="Mine").status_code == status
        assert people.actor_for(person_id=cast.bob) is not None

    def test_closing_an_account_asks_first_and_ends_access_at_once(self, dana, bob, cast):
        assert "Goes: their access" in dana.read("people:archive", cast.bob)

        dana.send("people:archive", cast.bob)
        assert bob.open("home").status_code == 302
        assert "This account is closed" in dana.read("people:detail", cast.bob)

        dana.send("people:unarchive", cast.bob)
        assert people.actor_for(person_id=cast.bob) is not None

    def test_the_last_admin_stays(self, dana, cast):
        answer = dana.send("people:archive", cast.dana)

        assert answer.status_code == 422
        assert "at least one admin" in words_of(answer)

    def test_only_by_sending_a_form(self, dana, cast):
        assert dana.open("people:unarchive", cast.bob).status_code == 405
