"""The pages of agents: list over all projects, create, one agent with its files, change, archive."""

import pytest
from django.urls import reverse

from memoryadmin.domain.scopes import ScopeType
from memoryadmin.services import scopes
from tests.build import a_file, a_scope
from tests.cast import NOW, OPERATOR
from tests.web.visiting import form_of, words_of


@pytest.fixture
def foreign_agent(cast):
    scopes.create_agent(actor=OPERATOR, project_id=cast.foreign_project, slug="keeper", name="Keeper", now=NOW)


class TestTheList:
    def test_shows_the_agents_of_ones_own_projects(self, bob, carol, dana, foreign_agent):
        assert "Pilot" in bob.read("agents:list")
        assert "Keeper" not in bob.read("agents:list")
        assert "Pilot" not in carol.read("agents:list")
        assert "Keeper" in dana.read("agents:list")

    def test_is_searched_and_narrowed_to_a_project_by_its_address(self, dana, cast, foreign_agent):
        def agents(**query) -> list[str]:
            return [agent.name for agent in dana.open("agents:list", **query).context["part"].items]

        assert agents() == ["Keeper", "Pilot"]
        assert agents(q="kee") == ["Keeper"]
        assert agents(project=cast.project) == ["Pilot"]
        assert agents(project="no such") == []
        assert agents(state="archived") == []

    def test_of_very_many_projects_only_the_chosen_one_is_offered(self, dana, cast, monkeypatch):
        monkeypatch.setattr("memoryadmin.web.places._PILLS", 1)

        assert dana.open("agents:list").context["projects"] == []
        chosen = dana.open("agents:list", project=cast.foreign_project)
        assert [project_id for project_id, _ in chosen.context["projects"]] == [cast.foreign_project]

    def test_goes_on_in_parts_also_where_names_are_equal(self, bob, cast, monkeypatch):
        monkeypatch.setattr("memoryadmin.web.views.agents.PAGE", 3)
        for number in range(7):
            scopes.create_agent(actor=OPERATOR, project_id=cast.project, slug=f"twin-{number}", name="Twin", now=NOW)

        seen, address = [], reverse("agents:list")
        while address:
            answer = bob.client.get(address)
            seen += [agent.slug for agent in answer.context["part"].items]
            address = answer.context["part"].next_url

        assert sorted(seen) == ["pilot", *(f"twin-{number}" for number in range(7))]

    def test_costs_the_same_for_few_and_for_many(self, bob, cast, queries):
        with queries() as few:
            bob.read("agents:list")
        for number in range(15):
            scopes.create_agent(actor=OPERATOR, project_id=cast.project, slug=f"a{number}", name="A", now=NOW)
        with queries() as many:
            bob.read("agents:list")

        assert len(many) == len(few)


class TestCreating:
    def test_an_owner_creates_one_and_a_second_press_makes_no_second(self, alice, cast):
        fields = form_of(alice.open("agents:create", cast.project)) | {"name": "Tug", "slug": "tug"}

        first = alice.send("agents:create", cast.project, **fields)
        second = alice.send("agents:create", cast.project, **fields)

        assert first.url == reverse("agents:detail", args=[cast.project, "tug"])
        assert second.status_code == 409
        assert "Tug" in alice.read("agents:detail", cast.project, "tug")

    def test_a_member_may_not_and_a_stranger_finds_nothing(self, bob, carol, cast):
        assert bob.open("agents:create", cast.project).status_code == 403
        assert bob.send("agents:create", cast.project, name="Tug", slug="tug").status_code == 403
        assert carol.send("agents:create", cast.project, name="Tug", slug="tug").status_code == 404

    def test_a_bad_id_is_said_at_its_field_and_the_name_is_kept(self, alice, cast):
        answer = alice.send("agents:create", cast.project, name="Tug", slug="Tug boat")

        assert answer.status_code == 422
        assert answer.context["form"].errors["slug"]
        assert form_of(answer)["name"] == "Tug"


class TestOneAgent:
    def test_shows_its_files_with_how_full_they_are(self, bob, cast):
        a_file(a_scope(cast, ScopeType.AGENT), "x" * 1_500, "SOUL.md")

        words = bob.read("agents:detail", cast.project, cast.agent)

        assert "SOUL.md" in words
        assert "1,500 of 2,000 characters" in words

    def test_an_owner_sees_that_it_remembers_a_person_and_not_what(self, alice, cast):
        a_file(a_scope(cast, ScopeType.AGENT_USER, cast.bob), "Bob hums.\n", "MEMORY.md")

        words = alice.read("agents:detail", cast.project, cast.agent)

        assert "Pilot about Bob" in words
        assert "You see that it exists, not what it says." in words
        assert "hums" not in words

    def test_a_member_sees_their_own_place_and_nobody_elses(self, bob, cast):
        a_file(a_scope(cast, ScopeType.AGENT_USER, cast.alice), "Alice whistles.\n", "MEMORY.md")

        words = bob.read("agents:detail", cast.project, cast.agent)

        assert "Pilot about Bob" in words
        assert "Pilot about Alice" not in words

    @pytest.mark.parametrize("slug", ["pilot", "no-such", "..", "Pi lot"])
    def test_a_stranger_and_a_bad_id_find_nothing(self, carol, cast, slug):
        answer = carol.client.get(f"/agents/{cast.project}/{slug}/")

        assert answer.status_code == 404
        assert "Pilot" not in words_of(answer)

    def test_costs_the_same_for_one_file_and_for_ten(self, bob, cast, queries):
        scope_id = a_scope(cast, ScopeType.AGENT)
        a_file(scope_id, path="memory/first.md")
        with queries() as few:
            bob.read("agents:detail", cast.project, cast.agent)
        for number in range(9):
            a_file(scope_id, path=f"memory/{number}.md", actor=cast.actor(cast.alice))
        with queries() as many:
            bob.read("agents:detail", cast.project, cast.agent)

        # One more look at names, because now a person wrote some of them.
        assert len(many) <= len(few) + 1


class TestChanging:
    def test_an_owner_changes_the_words(self, alice, cast):
        fields = form_of(alice.open("agents:edit", cast.project, cast.agent)) | {"name": "Chief pilot"}

        alice.send("agents:edit", cast.project, cast.agent, **fields)

        assert "Chief pilot" in alice.read("agents:detail", cast.project, cast.agent)

    def test_a_member_may_not_and_a_stranger_finds_nothing(self, bob, carol, cast):
        for address in ("agents:edit", "agents:archive"):
            assert bob.open(address, cast.project, cast.agent).status_code == 403
            assert bob.send(address, cast.project, cast.agent, name="Mine").status_code == 403
            assert carol.open(address, cast.project, cast.agent).status_code == 404
            assert carol.send(address, cast.project, cast.agent, name="Mine").status_code == 404
        assert "Pilot" in bob.read("agents:list")

    def test_archiving_asks_first_and_can_be_taken_back(self, alice, cast):
        assert "Stays: every file" in alice.read("agents:archive", cast.project, cast.agent)

        alice.send("agents:archive", cast.project, cast.agent)
        assert "Pilot" not in alice.read("agents:list")
        assert "This is archived" in alice.read("agents:detail", cast.project, cast.agent)

        alice.send("agents:unarchive", cast.project, cast.agent)
        assert "Pilot" in alice.read("agents:list")

    def test_only_by_sending_a_form(self, alice, cast):
        assert alice.open("agents:unarchive", cast.project, cast.agent).status_code == 405
        assert alice.client.put(reverse("agents:edit", args=[cast.project, cast.agent])).status_code == 405
