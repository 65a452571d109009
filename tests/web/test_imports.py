"""The pages of an import: the form, the plan, the decision, the result."""

import pytest
from django.urls import reverse

from memoryadmin.models import MemoryFile, ScopeRow, Version
from memoryadmin.services import files, imports, scopes
from memoryadmin.web import labels, plans
from tests.cast import NOW, OPERATOR
from tests.packing import BAD, with_raw_name, zipped
from tests.web.visiting import form_of, words_of

WORKSPACE = {
    "pilot/SOUL.md": b"# Soul\r\n\r\nCalm.\r\n",
    "pilot/MEMORY.md": b"- likes tea\n",
    "pilot/HANDOFF.md": b"x\n",
}


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def upload(visitor, packed=None, **fields):
    """Send the form as it stands, with the archive and what is changed in it."""
    form = form_of(visitor.open("imports:begin", "harbour", agent="pilot"))
    return visitor.send("imports:begin", "harbour", **form | {"archive": packed or zipped(WORKSPACE)} | fields)


def plan(visitor, packed=None, **fields):
    """Upload and open the plan."""
    answer = upload(visitor, packed, **fields)
    assert answer.status_code == 302, words_of(answer)
    return visitor.client.get(answer.url)


def decide(visitor, page, **fields):
    """Send the decision as the page offers it, and follow to the result."""
    return visitor.client.post(page.request["PATH_INFO"], form_of(page) | fields, follow=True)


def kept() -> dict[str, bytes]:
    rows = MemoryFile.objects.filter(deleted_at__isnull=True)
    return {row.path: files.read(actor=OPERATOR, file_id=row.pk).content for row in rows}


class TestTheForm:
    def test_is_linked_from_the_project_and_from_the_agent_who_is_then_chosen(self, alice):
        address = reverse("imports:begin", args=["harbour"])

        assert f'href="{address}"' in alice.open("projects:detail", "harbour").content.decode()
        assert f'href="{address}?agent=pilot"' in alice.open("agents:detail", "harbour", "pilot").content.decode()
        assert form_of(alice.open("imports:begin", "harbour", agent="pilot"))["agent"] == "pilot"
        assert form_of(alice.open("imports:begin", "harbour", agent="nobody\0"))["agent"] == ""

    def test_is_offered_to_those_who_may_write_there_alone(self, bob, erik):
        address = reverse("imports:begin", args=["harbour"])

        assert address in bob.open("projects:detail", "harbour").content.decode()
        assert address not in bob.open("agents:detail", "harbour", "pilot").content.decode()
        assert address not in erik.open("projects:detail", "harbour").content.decode()

    def test_lets_only_those_who_manage_the_project_name_a_new_agent(self, alice, bob):
        assert "new_agent" in form_of(alice.open("imports:begin", "harbour"))
        assert "new_agent" not in form_of(bob.open("imports:begin", "harbour"))

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("agent", "nobody"),
            ("new_agent", "Not An Id"),
            ("new_agent", "../x"),
            ("new_agent", "tug"),
            ("archive", "text"),
        ],
    )
    def test_that_is_wrong_is_refused_beside_the_field(self, alice, field, value):
        answer = upload(alice, **{field: value})

        assert answer.status_code == 422 and answer.context["form"].errors[field]
        assert f'id="id_{field}_error"' in answer.content.decode()

    @pytest.mark.parametrize("kind", [kind for kind in BAD if kind != "100,000 entries"])
    def test_IE_03_a_bad_archive_is_refused_beside_its_field_with_the_entry_named(self, alice, kind):
        make, reason, entry = BAD[kind]
        if kind == "nothing at all":
            reason = ""  # the browser's own kind of nothing

        answer = upload(alice, make())

        assert answer.status_code == 422
        (said,) = answer.context["form"].errors["archive"]
        assert entry in said and (not reason or said == str(labels.ARCHIVES[reason]) % {"entry": entry})
        assert not (MemoryFile.objects.exists() or ScopeRow.objects.exists())

    def test_IE_03_a_name_that_hides_something_is_shown_with_marks(self, alice):
        answer = upload(alice, zipped({f"../{chr(0x202E)}dm.x": b""}))

        assert "../U+202Edm.x" in words_of(answer)

    def test_SE_04_an_archive_that_is_too_large_is_refused_by_its_length(self, alice, monkeypatch):
        monkeypatch.setattr("memoryadmin.web.uploads.MAX_UPLOAD_BYTES", 300)

        answer = upload(alice)

        assert answer.status_code == 413
        assert "the limit is 300 bytes" in words_of(answer)

    def test_goes_to_a_file_and_not_to_memory(self, alice, monkeypatch):
        from memoryadmin.web.uploads import LimitingUploadHandler

        form = form_of(alice.open("imports:begin", "harbour"))
        sent = alice.send("imports:begin", "harbour", **form | {"archive": zipped(WORKSPACE), "agent": "nobody"})

        handlers = sent.wsgi_request.upload_handlers
        assert [type(handler) for handler in handlers] == [LimitingUploadHandler]
        assert sent.wsgi_request.FILES["archive"].temporary_file_path()

    def test_the_limits_that_it_names_are_the_real_ones(self, alice):
        assert "100 MB and 5,000 files" in alice.read("imports:begin", "harbour")
        assert imports.MAX_UPLOAD_BYTES == 100 * 1024**2 == imports.archives.MAX_UNPACKED_BYTES
        assert imports.archives.MAX_ENTRIES == 5_000


class TestThePlan:
    def test_shows_each_file_with_its_place_and_writes_nothing(self, alice):
        page = plan(alice)

        words = words_of(page)
        for expected in ("3 files from workspace.zip", "SOUL.md", "Agent Pilot", "Pilot about Alice", "Import 3 files"):
            assert expected in words
        assert MemoryFile.objects.count() == 0

    def test_says_what_is_refused_first_and_why(self, bob):
        words = words_of(plan(bob))

        assert words.index("You may not write there.") < words.index("Project Harbour")
        assert "Import 2 files" in words

    def test_names_the_agents_that_will_be_created(self, alice):
        words = words_of(
            plan(alice, zipped({"a/SOUL.md": b"", "a/agents/tug/SOUL.md": b""}), agent="", new_agent="barge")
        )

        assert "2 agents will be created barge, tug" in words

    def test_warns_of_secrets_and_of_names_in_an_unknown_alphabet(self, alice):
        words = words_of(plan(alice, zipped({"TOOLS.md": "The password is hunter2secret\n", "SOUL.md": ""})))
        assert "Holds what looks like a secret (1)" in words and "hunter2" not in words

        assert "Some names may have come out wrong" in words_of(plan(alice, with_raw_name(b"caf\x82.md")))

    def test_offers_no_import_when_there_is_nothing_to_import(self, alice):
        decide(alice, plan(alice))

        page = plan(alice)

        assert "There is nothing to import" in words_of(page) and "seen" not in form_of(page, reverse_discard(page))

    def test_stays_readable_with_hundreds_of_files(self, alice):
        page = plan(alice, zipped({f"memory/{n:03}.md": f"{n}\n" for n in range(400)} | {"SOUL.md": ""}))
        assert words_of(page).count("memory/") <= 2 * plans.SHOWN and "Show all 401" in words_of(page)

        seen, address = set(), page.request["PATH_INFO"] + "?outcome=new"
        while address:
            answer = alice.client.get(address)
            (group,) = answer.context["groups"].shown
            seen |= {row.source for row in group.rows}
            address = group.next_url

        assert len(seen) == 401

    def test_costs_the_same_for_three_files_and_for_three_hundred(self, alice, queries):
        counts = []
        for number in (3, 300):
            page = plan(alice, zipped({f"memory/{n}.md": f"{n}\n" for n in range(number)} | {"SOUL.md": ""}))
            with queries() as captured:
                alice.client.get(page.request["PATH_INFO"])
            counts.append(len(captured))

        assert counts[0] == counts[1] < 40

    def test_nonsense_in_the_address_is_no_failure(self, alice):
        address = plan(alice).request["PATH_INFO"]
        for query in (
            {"outcome": "\0"},
            {"outcome": "new", "start": "9" * 30},
            {"start": "-1"},
            {"outcome": "new", "start": 7},
        ):
            assert alice.client.get(address, query).status_code == 200

    def test_DR_07_names_are_text_and_nothing_else(self, alice):
        page = plan(alice, zipped({"<img src=x onerror=alert(1)>.md": b"", "SOUL.md": b""}))

        assert "<img src=x" not in page.content.decode() and "<img src=x" in words_of(page)


def reverse_discard(page) -> str:
    return f"{page.request['PATH_INFO']}discard/"


class TestTheDecision:
    def test_imports_byte_for_byte_and_shows_what_was_done(self, alice):
        result = decide(alice, plan(alice))

        assert kept() == {name.removeprefix("pilot/"): content for name, content in WORKSPACE.items()}
        assert "3 files were imported" in words_of(result)
        for row in MemoryFile.objects.all():
            assert reverse("files:detail", args=[row.pk]) in result.content.decode()
        assert result.redirect_chain == [(result.request["PATH_INFO"], 302)]
        assert alice.client.get(result.request["PATH_INFO"]).status_code == 200

    def test_creates_the_agent_that_was_typed(self, alice):
        decide(alice, plan(alice, agent="", new_agent="tug"))

        assert scopes.read_agent(actor=OPERATOR, project_id="harbour", slug="tug").name == "tug"
        assert MemoryFile.objects.get(path="SOUL.md").scope.agent == "tug"

    def test_without_the_tick_gives_personal_files_to_the_agent(self, alice):
        page = plan(alice, is_about_me="")
        assert "Personal by its name, but no person was named" in words_of(page)

        decide(alice, page)

        assert MemoryFile.objects.get(path="MEMORY.md").scope.type == "agent"

    def test_is_in_the_audit_under_one_cause_and_linked_for_those_who_read_it(self, alice, bob):
        answer = decide(alice, plan(alice))
        address = answer.context["audit_url"]

        assert words_of(alice.client.get(address)).count("Alice imported") == 3
        assert decide(bob, plan(bob)).context["audit_url"] == ""

    def test_UI_03_sent_twice_imports_once_and_both_show_the_result(self, alice):
        page = plan(alice)
        fields = form_of(page)

        answers = [alice.client.post(page.request["PATH_INFO"], fields, follow=True) for _ in range(3)]

        assert {answer.status_code for answer in answers} == {200}
        assert all("3 files were imported" in words_of(answer) for answer in answers)
        assert Version.objects.count() == 3

    def test_IE_02_takes_what_is_older_here_only_when_it_is_ticked(self, alice):
        decide(alice, plan(alice))
        row = MemoryFile.objects.get(path="SOUL.md")
        files.save(actor=OPERATOR, file_id=row.pk, text="edited here\n", base_seq=1, note=files.Note(), now=NOW)
        more = zipped(WORKSPACE | {"pilot/TOOLS.md": b"new\n"})
        page = plan(alice, more)
        assert "Also take 1 file that is older" in words_of(page) and "Import 1 file" in words_of(page)

        result = decide(alice, page)
        assert kept()["SOUL.md"] == b"edited here\n" and "It stayed." in words_of(result)

        more.seek(0)
        decide(alice, plan(alice, more), should_overwrite="on")
        assert kept()["SOUL.md"] == WORKSPACE["pilot/SOUL.md"]

    def test_IE_02_of_nothing_new_names_what_is_taken_all_the_same(self, alice):
        decide(alice, plan(alice))
        row = MemoryFile.objects.get(path="SOUL.md")
        files.delete(actor=OPERATOR, file_id=row.pk, base_seq=1, note=files.Note(), now=NOW)
        page = plan(alice)
        assert "Take 1 file all the same" in words_of(page)

        decide(alice, page)

        assert kept()["SOUL.md"] == WORKSPACE["pilot/SOUL.md"]

    @pytest.mark.parametrize("seen", [None, "", "0" * 64, "\0", "x" * 1000])
    def test_EC_03_on_another_plan_than_was_shown_shows_the_present_one(self, alice, seen):
        page = plan(alice)
        fields = {} if seen is None else {"seen": seen}

        answer = alice.client.post(page.request["PATH_INFO"], fields)

        assert answer.status_code == 409 and "Nothing was imported" in words_of(answer)
        assert MemoryFile.objects.count() == 0
        assert "3 files were imported" in words_of(decide(alice, answer))

    def test_an_import_under_way_says_so_and_looks_again(self, alice, settings):
        from dataclasses import replace

        from django.utils import timezone

        from memoryadmin.services.imports import manifests
        from memoryadmin.storage import staging

        page = plan(alice)
        key = f"manifests/{page.context['upload'].token}.json"
        staging().put(key, manifests.written(replace(page.context["upload"], taken_at=timezone.now())))

        answer = decide(alice, page)

        assert "The import is under way" in words_of(answer) and answer.headers["Refresh"] == "3"
        assert MemoryFile.objects.count() == 0

    def test_to_throw_the_upload_away_leaves_nothing(self, alice):
        page = plan(alice)

        answer = alice.client.post(reverse_discard(page), follow=True)

        assert "Nothing was imported." in words_of(answer)
        assert alice.client.get(page.request["PATH_INFO"]).status_code == 404
        assert alice.client.get(reverse_discard(page)).status_code == 405


class TestWhoMay:
    @pytest.mark.parametrize("method", ["get", "head", "post", "options", "put", "delete", "patch"])
    def test_PE_01_a_stranger_finds_nothing_at_any_address(self, alice, carol, method):
        address = plan(alice).request["PATH_INFO"]
        for each in (reverse("imports:begin", args=["harbour"]), address, f"{address}discard/"):
            answer = getattr(carol.client, method)(each)
            assert answer.status_code in (404, 405), each
            assert "SOUL.md" not in answer.content.decode() and "Harbour" not in answer.content.decode()
        assert words_of(alice.client.get(address)).count("SOUL.md") == 2

    def test_PE_01_another_persons_token_is_nothing_to_members_and_admins(self, alice, bob, dana, erik):
        address = plan(alice).request["PATH_INFO"]
        for visitor in (bob, dana, erik):
            for answer in (
                visitor.client.get(address),
                visitor.client.post(address),
                visitor.client.post(f"{address}discard/"),
            ):
                assert answer.status_code == 404
        assert MemoryFile.objects.count() == 0 and alice.client.get(address).status_code == 200

    def test_PE_01_signed_out_nobody_uploads_or_sees_anything(self, alice, client):
        address = plan(alice).request["PATH_INFO"]

        assert client.get(address).status_code == 302
        assert (
            client.post(reverse("imports:begin", args=["harbour"]), {"archive": zipped(WORKSPACE)}).status_code == 401
        )

    def test_an_auditor_is_refused_and_an_archived_project_says_so(self, alice, erik):
        assert erik.open("imports:begin", "harbour").status_code == 403
        scopes.archive_project(actor=OPERATOR, project_id="harbour", now=NOW)
        assert alice.open("imports:begin", "harbour").status_code == 409

    @pytest.mark.parametrize("project_id", ["no-such", "No Such!", "..", "harbour%00"])
    def test_ST_05_a_bad_project_id_finds_nothing(self, alice, project_id):
        assert alice.client.get(f"/projects/{project_id}/import/").status_code == 404

    def test_a_member_imports_what_the_table_lets_them_write(self, bob, cast):
        decide(bob, plan(bob))

        assert kept() == {"HANDOFF.md": b"x\n", "MEMORY.md": b"- likes tea\n"}
        assert MemoryFile.objects.get(path="MEMORY.md").scope.person == cast.bob
