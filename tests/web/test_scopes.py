"""The page of a scope, where a name in it leads, and the first file of a scope that has none."""

import pytest
from django.urls import reverse

from memoryadmin.domain.scopes import ScopeType
from memoryadmin.services import files, scopes
from tests.build import a_file, a_scope
from tests.cast import NOW, OPERATOR
from tests.web.visiting import form_of, words_of


def delete(file_id: int, seq: int = 1) -> None:
    files.delete(actor=OPERATOR, file_id=file_id, base_seq=seq, note=files.Note(), now=NOW)


class TestTheList:
    def test_tells_each_file_with_kind_size_state_and_author(self, bob, cast):
        scope_id = a_scope(cast)
        a_file(scope_id, "x" * 5_100, "MEMORY.md", actor=cast.actor(cast.alice))
        a_file(scope_id, "x" * 1_900, "HANDOFF.md")

        words = bob.read("scopes:detail", scope_id)

        for expected in ("MEMORY.md", "cut in context", "5,100 of 5,000 characters, 100 over", "near its limit"):
            assert expected in words

    def test_is_searched_by_name_whatever_the_case(self, bob, cast):
        scope_id = a_scope(cast)
        a_file(scope_id, path="План.md")
        a_file(scope_id, path="notes.md")

        words = bob.read("scopes:detail", scope_id, q="план")

        assert "План.md" in words
        assert "notes.md" not in words

    def test_names_that_differ_in_case_alone_are_marked(self, bob, cast):
        scope_id = a_scope(cast)
        a_file(scope_id, path="Notes.md")
        a_file(scope_id, path="notes.md")

        words = bob.read("scopes:detail", scope_id)

        assert "Some names differ in case alone" in words
        assert words.count("differs in case alone") == 2

    def test_what_was_deleted_can_be_restored_from_here(self, alice, cast):
        scope_id = a_scope(cast)
        file_id = a_file(scope_id, path="gone.md")
        delete(file_id)

        answer = alice.open("scopes:detail", scope_id)

        assert "1 deleted file" in words_of(answer)
        assert reverse("files:restore", args=[file_id, 1]) in answer.content.decode()

    def test_ST_02_lists_in_parts_until_everything_was_shown(self, bob, cast):
        scope_id = a_scope(cast)
        for number in range(210):
            a_file(scope_id, path=f"memory/{number:03}.md")

        first = bob.open("scopes:detail", scope_id)
        second = bob.client.get(first.context["next_url"])

        shown = [file.path for page in (first, second) for file in page.context["listing"].files]
        assert shown == [f"memory/{number:03}.md" for number in range(210)]
        assert second.context["next_url"] == ""
        assert "210 files." in words_of(second)

    def test_a_reader_gets_no_button_that_writes(self, alice, bob, cast):
        scope_id = a_scope(cast, ScopeType.AGENT)

        assert "New file" in alice.read("scopes:detail", scope_id)
        assert "New file" not in bob.read("scopes:detail", scope_id)
        assert bob.open("files:create", scope_id).status_code == 403

    def test_an_owner_sees_names_of_a_personal_scope_without_links(self, alice, cast):
        scope_id = a_scope(cast, ScopeType.USER, cast.bob)
        file_id = a_file(scope_id, "Bob hums.\n", "USER.md")

        answer = alice.open("scopes:detail", scope_id)

        assert "You see which files there are" in words_of(answer)
        assert reverse("files:detail", args=[file_id]) not in answer.content.decode()

    def test_a_stranger_and_a_bad_id_find_nothing(self, carol, cast):
        scope_id = a_scope(cast)

        for number in (scope_id, 0, 10**6, 10**30):
            assert carol.client.get(f"/scopes/{number}/").status_code == 404
        assert carol.client.post(f"/scopes/{scope_id}/").status_code == 405

    def test_costs_the_same_for_one_file_and_for_twenty(self, bob, cast, queries):
        scope_id = a_scope(cast)
        a_file(scope_id, actor=cast.actor(cast.alice))
        with queries() as few:
            bob.read("scopes:detail", scope_id)
        for number in range(19):
            a_file(scope_id, path=f"memory/{number}.md", actor=cast.actor(cast.bob))
        with queries() as many:
            bob.read("scopes:detail", scope_id)

        assert len(many) == len(few)


class TestWhereANameLeads:
    def test_to_the_live_file(self, bob, cast):
        scope_id = a_scope(cast)
        file_id = a_file(scope_id, path="notes/план #1.md")

        assert bob.open("scopes:at", scope_id, "notes/план #1.md").url == reverse("files:detail", args=[file_id])

    def test_VE_02_the_old_name_shows_that_the_file_moved(self, bob, cast):
        scope_id = a_scope(cast)
        file_id = a_file(scope_id, path="incidents.md")
        files.rename(actor=OPERATOR, file_id=file_id, path="incidents-2026.md", base_seq=1, note=files.Note(), now=NOW)

        words = bob.read("scopes:at", scope_id, "incidents.md")

        assert "No file has this name now." in words
        assert "incidents-2026.md" in words
        assert "its history went with it" in words

    def test_to_what_was_deleted(self, bob, cast):
        scope_id = a_scope(cast)
        delete(a_file(scope_id, path="gone.md"))

        assert "Deleted" in bob.read("scopes:at", scope_id, "gone.md")

    @pytest.mark.parametrize("path", ["never.md", "../x", "x\0y", "a" * 2_000])
    def test_nowhere_where_nothing_ever_was(self, bob, carol, cast, path):
        scope_id = a_scope(cast)

        assert bob.open("scopes:at", scope_id, path).status_code == 404
        assert carol.open("scopes:at", scope_id, path).status_code == 404


class TestTheFirstFile:
    def begin(self, **ids) -> str:
        return "?" + "&".join(f"{name}={value}" for name, value in ids.items())

    def test_looking_makes_nothing_and_creating_makes_scope_and_file(self, alice, cast):
        ids = self.begin(type="agent", project=cast.project, agent=cast.agent)
        page = alice.client.get(reverse("scopes:begin") + ids)
        assert page.status_code == 200
        assert scopes.scopes_of(actor=OPERATOR, project_id=cast.project, agent=cast.agent) == []

        fields = form_of(page) | {"path": "SOUL.md", "text": "Calm.\n"}
        answer = alice.send("scopes:begin", query=ids, **fields)

        assert answer.status_code == 302
        (card,) = scopes.scopes_of(actor=OPERATOR, project_id=cast.project, agent=cast.agent)
        assert card.prefix == "projects/harbour/agents/pilot/workspace/"
        assert card.files == 1

    def test_a_refused_file_makes_no_scope(self, alice, cast):
        ids = self.begin(type="agent", project=cast.project, agent=cast.agent)

        answer = alice.send("scopes:begin", query=ids, path="../SOUL.md", text="Calm.\n", reason="")

        assert answer.status_code == 422
        assert form_of(answer)["text"] == "Calm.\n"
        assert scopes.scopes_of(actor=OPERATOR, project_id=cast.project, agent=cast.agent) == []

    def test_those_who_may_not_write_there_make_nothing(self, bob, carol, erik, cast):
        ids = self.begin(type="agent", project=cast.project, agent=cast.agent)

        for visitor, status in ((bob, 403), (erik, 403), (carol, 404)):
            assert visitor.client.get(reverse("scopes:begin") + ids).status_code == status
            assert visitor.send("scopes:begin", query=ids, path="SOUL.md", text="x").status_code == status
        assert scopes.scopes_of(actor=OPERATOR, project_id=cast.project, agent=cast.agent) == []

    def test_nobody_begins_memory_in_a_project_that_they_do_not_know(self, carol, cast):
        ids = self.begin(type="user", project=cast.project, person=cast.carol)

        assert carol.client.get(reverse("scopes:begin") + ids).status_code == 404
        assert carol.send("scopes:begin", query=ids, path="USER.md", text="x").status_code == 404

    @pytest.mark.parametrize("bad", ["", " ", "/", ".", "..", "*", "%00", "Pilot"])
    @pytest.mark.parametrize(
        ("scope_type", "field"),
        [("agent", "agent"), ("agent", "project"), ("project", "project"), ("user", "person"), ("agent_user", "agent"),
         ("agent_user", "person"), ("session", "session"), ("person", "person")],
    )  # fmt: skip
    def test_ST_05_a_missing_or_odd_id_is_an_error_that_names_the_field(self, dana, cast, scope_type, field, bad):
        """ST-05: nothing is read or written at a wider place."""
        whole = {
            "agent": {"project": cast.project, "agent": cast.agent},
            "project": {"project": cast.project},
            "user": {"project": cast.project, "person": cast.dana},
            "agent_user": {"project": cast.project, "agent": cast.agent, "person": cast.dana},
            "session": {"project": cast.project, "session": "s-1"},
            "person": {"person": cast.dana},
        }[scope_type]
        ids = self.begin(type=scope_type, **(whole | {field: bad}))

        for answer in (
            dana.client.get(reverse("scopes:begin") + ids),
            dana.send("scopes:begin", query=ids, path="USER.md", text="x"),
        ):
            assert answer.status_code == 400
            assert field in words_of(answer)
        assert scopes.scopes_of(actor=OPERATOR, project_id=cast.project) == []
        assert scopes.scopes_of(actor=OPERATOR) == []

    def test_ST_05_an_unknown_type_is_an_error_too(self, dana):
        assert dana.client.get(reverse("scopes:begin") + "?type=galaxy").status_code == 400
        assert dana.client.get(reverse("scopes:begin")).status_code == 400


class TestALongListOfPlaces:
    @pytest.mark.parametrize("place", ["/projects/harbour/", "/agents/harbour/pilot/", "people"])
    def test_says_that_it_ends_before_everything_is_shown(self, cast, alice, monkeypatch, place):
        for scope_type in (ScopeType.PROJECT, ScopeType.AGENT, ScopeType.PERSON):
            a_file(a_scope(cast, scope_type))
        address = f"/people/{cast.alice}/" if place == "people" else place
        words = "There are more than can be shown here."
        assert words not in alice.client.get(address).content.decode()
        monkeypatch.setattr(scopes, "MOST_SCOPES", 1)
        assert words in alice.client.get(address).content.decode()


class TestTheRail:
    def test_marks_the_projects_on_the_pages_of_a_scope_and_a_file(self, cast, alice):
        scope_id = a_scope(cast)
        for address in (f"/scopes/{scope_id}/", f"/files/{a_file(scope_id)}/", "/projects/harbour/import/"):
            current = [link.label for link in alice.client.get(address).context["rail_links"] if link.is_current]
            assert [str(label) for label in current] == ["Projects"], address
