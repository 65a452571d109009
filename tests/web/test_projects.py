"""The pages of projects: list, create, one project, change, archive, members."""

import pytest
from django.urls import reverse

from memoryadmin.domain.actors import ProjectRole
from memoryadmin.services import people, scopes
from tests.build import a_file, a_scope
from tests.cast import NOW, OPERATOR
from tests.web.visiting import form_of, words_of


def add_projects(cast, numbers: range) -> None:
    for number in numbers:
        project_id = f"p-{number:03}"
        scopes.create_project(actor=OPERATOR, project_id=project_id, name=f"Pier {number:03}", now=NOW)
        scopes.set_member(actor=OPERATOR, project_id=project_id, person_id=cast.bob, role=ProjectRole.MEMBER, now=NOW)


class TestTheList:
    def test_shows_a_member_their_projects_and_a_stranger_none_of_them(self, bob, carol):
        assert "Harbour" in bob.read("projects:list")
        assert "Harbour" not in carol.read("projects:list")

    def test_an_admin_and_an_auditor_see_all(self, dana, erik):
        for visitor in (dana, erik):
            words = visitor.read("projects:list")
            assert "Harbour" in words
            assert "Lighthouse" in words

    def test_search_and_the_archived_ones_are_in_the_address(self, dana, cast):
        scopes.archive_project(actor=OPERATOR, project_id=cast.foreign_project, now=NOW)

        assert "Lighthouse" not in dana.read("projects:list")
        assert "Lighthouse" in dana.read("projects:list", state="archived")
        assert "No project is called that" in dana.read("projects:list", q="no such name")
        assert "Harbour" in dana.read("projects:list", q="harb")

    def test_goes_on_in_parts_until_everything_was_shown(self, bob, cast, monkeypatch):
        monkeypatch.setattr("memoryadmin.web.views.projects.PAGE", 4)
        add_projects(cast, range(10))

        seen, address = [], reverse("projects:list")
        while address:
            answer = bob.client.get(address)
            seen += [project.name for project in answer.context["part"].items]
            address = answer.context["part"].next_url

        assert seen == ["Harbour", *(f"Pier {index:03}" for index in range(10))]

    def test_costs_the_same_for_two_projects_and_for_twenty(self, bob, cast, queries):
        add_projects(cast, range(2))
        with queries() as few:
            bob.read("projects:list")
        add_projects(cast, range(2, 20))
        with queries() as many:
            bob.read("projects:list")

        assert len(many) == len(few)

    def test_nonsense_in_the_address_is_no_failure(self, bob):
        for query in ({"after": "\0"}, {"q": "\0'\"%_"}, {"after": "x", "after_id": "9" * 40}):
            assert bob.open("projects:list", **query).status_code == 200

    def test_answers_only_to_looking(self, bob):
        assert bob.client.post(reverse("projects:list")).status_code == 405


class TestCreating:
    def test_an_admin_creates_one_and_owns_it(self, dana, cast):
        page = dana.open("projects:create")
        fields = form_of(page) | {"name": "Quay", "slug": "quay", "description": "Where ships wait."}

        answer = dana.send("projects:create", **fields)

        assert answer.url == reverse("projects:detail", args=["quay"])
        words = dana.read("projects:detail", "quay")
        assert "Where ships wait." in words
        assert cast.actor(cast.dana).projects["quay"] is ProjectRole.OWNER

    def test_others_are_refused_before_they_type(self, alice, erik):
        for visitor in (alice, erik):
            assert visitor.open("projects:create").status_code == 403
            assert visitor.send("projects:create", name="Quay", slug="quay").status_code == 403

    @pytest.mark.parametrize("slug", ["Quay", "", "../x", "a b", "-quay", "x" * 64, "ключ"])
    def test_a_bad_id_is_said_at_its_field_and_the_rest_is_kept(self, dana, slug):
        answer = dana.send("projects:create", name="Quay", slug=slug, description="Where ships wait.")

        assert answer.status_code == 422
        assert answer.context["form"].errors["slug"]
        assert form_of(answer)["description"] == "Where ships wait."

    def test_a_taken_id_is_said_at_its_field(self, dana, cast):
        answer = dana.send("projects:create", name="Second", slug=cast.project)

        assert answer.status_code == 409
        assert answer.context["form"].errors["slug"]


class TestOneProject:
    def test_shows_memory_agents_and_members(self, bob, cast):
        a_file(a_scope(cast))

        words = bob.read("projects:detail", cast.project)

        for expected in ("Project Harbour", "1 file", "Pilot", "Alice", "owner"):
            assert expected in words

    def test_a_member_gets_no_button_that_an_owner_has(self, alice, bob, cast):
        assert "Add a member" in alice.read("projects:detail", cast.project)
        assert "Add a member" not in bob.read("projects:detail", cast.project)
        assert (
            reverse("projects:archive", args=[cast.project])
            not in bob.open("projects:detail", cast.project).content.decode()
        )

    @pytest.mark.parametrize("project_id", ["harbour", "no-such", "No Such!", "..", "harbour%00", "x" * 200])
    def test_a_stranger_and_a_bad_id_find_nothing(self, carol, project_id):
        answer = carol.client.get(f"/projects/{project_id}/")

        assert answer.status_code == 404
        assert "Harbour" not in words_of(answer)

    def test_looking_makes_no_scope(self, alice, cast):
        alice.read("projects:detail", cast.project)

        assert scopes.scopes_of(actor=OPERATOR, project_id=cast.project) == []

    def test_costs_the_same_for_two_agents_and_for_twelve(self, alice, cast, queries):
        def add_agents(numbers: range) -> None:
            for index in numbers:
                scopes.create_agent(
                    actor=OPERATOR, project_id=cast.project, slug=f"a-{index}", name=f"A {index}", now=NOW
                )

        add_agents(range(2))
        with queries() as few:
            alice.read("projects:detail", cast.project)
        add_agents(range(2, 12))
        with queries() as many:
            alice.read("projects:detail", cast.project)

        assert len(many) == len(few)


class TestChanging:
    def test_an_owner_changes_the_words(self, alice, cast):
        fields = form_of(alice.open("projects:edit", cast.project)) | {"name": "Old harbour"}

        alice.send("projects:edit", cast.project, **fields)

        assert "Old harbour" in alice.read("projects:detail", cast.project)

    def test_a_member_may_not_and_a_stranger_finds_nothing(self, bob, carol, cast):
        for name in ("projects:edit", "projects:archive"):
            assert bob.open(name, cast.project).status_code == 403
            assert bob.send(name, cast.project, name="Mine").status_code == 403
            assert carol.open(name, cast.project).status_code == 404
            assert carol.send(name, cast.project, name="Mine").status_code == 404
        assert "Harbour" in bob.read("projects:detail", cast.project)

    def test_a_blank_name_is_refused_and_what_was_typed_stays(self, alice, cast):
        answer = alice.send("projects:edit", cast.project, name="  ", description="kept")

        assert answer.status_code == 422
        assert form_of(answer)["description"] == "kept"

    def test_archiving_asks_first_and_can_be_taken_back(self, alice, cast):
        scope_id = a_scope(cast)
        assert "Stays: every file" in alice.read("projects:archive", cast.project)
        assert "This is archived" not in alice.read("projects:detail", cast.project)

        alice.send("projects:archive", cast.project)
        assert "This is archived" in alice.read("projects:detail", cast.project)
        assert alice.open("files:create", scope_id).status_code == 409

        alice.send("projects:unarchive", cast.project)
        assert "This is archived" not in alice.read("projects:detail", cast.project)

    def test_bringing_back_is_never_done_by_looking(self, alice, cast):
        assert alice.open("projects:unarchive", cast.project).status_code == 405


class TestMembers:
    def test_an_owner_adds_changes_and_removes(self, alice, carol, cast):
        alice.send("projects:set_member", cast.project, person="carol", role="member")
        assert "Harbour" in carol.read("projects:list")

        alice.send("projects:set_member", cast.project, person=cast.carol, role="reviewer")
        assert cast.actor(cast.carol).projects[cast.project] is ProjectRole.REVIEWER

        assert "close to them at once" in alice.read("projects:remove_member", cast.project, cast.carol)
        alice.send("projects:remove_member", cast.project, cast.carol)
        assert carol.open("projects:detail", cast.project).status_code == 404

    def test_the_last_owner_stays(self, alice, cast):
        demoted = alice.send("projects:set_member", cast.project, person=cast.alice, role="member")
        removed = alice.send("projects:remove_member", cast.project, cast.alice)

        assert demoted.status_code == removed.status_code == 422
        assert cast.actor(cast.alice).projects[cast.project] is ProjectRole.OWNER

    def test_an_unknown_name_is_said_at_its_field(self, alice, cast):
        answer = alice.send("projects:set_member", cast.project, person="nobody", role="member")

        assert answer.status_code == 422
        assert "Nobody signs in with this name." in words_of(answer)

    def test_a_member_changes_nobody(self, bob, carol, cast):
        for visitor, status in ((bob, 403), (carol, 404)):
            answer = visitor.send("projects:set_member", cast.project, person=cast.carol, role="owner")
            assert answer.status_code == status
            assert visitor.send("projects:remove_member", cast.project, cast.bob).status_code == status
        assert cast.project not in cast.actor(cast.carol).projects
        assert cast.project in cast.actor(cast.bob).projects

    def test_a_person_is_shown_with_no_project_that_the_reader_does_not_know(self, bob, cast):
        scopes.set_member(
            actor=OPERATOR, project_id=cast.foreign_project, person_id=cast.alice, role=ProjectRole.MEMBER, now=NOW
        )

        card = people.read(actor=cast.actor(cast.bob), person_id=cast.alice)

        assert list(card.projects) == [cast.project]
        assert "Lighthouse" not in bob.read("people:detail", cast.alice)
