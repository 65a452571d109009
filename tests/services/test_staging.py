"""Uploaded archives wait for their person's decision, a day at most, and are imported once."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryadmin.domain.errors import InvalidFieldError, NotAllowedError, NotVisibleError, ScopeIncompleteError
from memoryadmin.domain.imports import ImportTarget, RefusalCode
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.models import AuditRecord, Job, MemoryFile, Version
from memoryadmin.services import files, imports, jobs, scopes, verification
from memoryadmin.services.imports import manifests
from memoryadmin.services.imports.staging import KEPT, LONGEST_APPLY
from memoryadmin.storage import staging
from tests.cast import NOW, OPERATOR
from tests.packing import BAD, zipped

pytestmark = pytest.mark.django_db
WORKSPACE = {
    "SOUL.md": b"# Soul\r\n\r\nCalm.\r\n", "MEMORY.md": b"- likes tea\n",
    "memory/2026-07-01.md": b"# 1 July\n- met Ann\n",
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def kept() -> set[str]:
    """The keys of everything that waits."""
    return {entry.key for prefix in ("manifests/", "bytes/") for entry in staging().list(prefix)}


def stage(actor, packed=None, agent="pilot", person=None, now=NOW) -> str:
    target = ImportTarget("harbour", agent, person)
    archive = packed or zipped(WORKSPACE)
    return imports.stage(actor=actor, target=target, archive=archive, name="w.zip", now=now)


def apply(actor, token, now=NOW, **options) -> None:
    seen = imports.staged(actor=actor, token=token, now=now).plan.stamp
    imports.apply_staged(actor=actor, token=token, seen=seen, now=now, **options)


def outcomes(shown) -> dict[str, str]:
    return {one.placement.source_path: str(one.outcome) for one in shown.plan.files}


@pytest.fixture
def alice(cast):
    return cast.actor(cast.alice)


class TestAnUpload:
    def test_waits_with_its_plan_and_changes_nothing(self, cast, alice):
        before = AuditRecord.objects.count()

        shown = imports.staged(actor=alice, token=stage(alice), now=NOW)

        assert isinstance(shown, imports.Waiting)
        assert set(outcomes(shown).values()) == {"new"} and shown.upload.name == "w.zip"
        assert (MemoryFile.objects.count(), AuditRecord.objects.count()) == (0, before)

    def test_is_planned_like_the_same_folder(self, cast, alice, tmp_path):
        for name, content in WORKSPACE.items():
            (tmp_path / "w" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "w" / name).write_bytes(content)
        folder = imports.open_workspace(tmp_path / "w")
        target = ImportTarget("harbour", "pilot", cast.alice)

        shown = imports.staged(actor=alice, token=stage(alice, person=cast.alice), now=NOW)

        assert shown.plan == imports.plan(actor=alice, workspace=folder, target=target)

    def test_IE_04_says_which_encoding_it_seems_to_hold_and_keeps_the_bytes(self, cast, alice):
        packed = zipped(
            {"SOUL.md": "# Душа\n\nСпокойная и краткая, как всегда.\n".encode("cp1251"), "p.md": b"\x89PNG\0"}
        )
        token = stage(alice, packed)
        planned = imports.staged(actor=alice, token=token, now=NOW).plan.files

        said = [sentence for one in planned for sentence in imports.remarks(one)]

        assert any("looks like cp1251" in sentence for sentence in said)
        assert any(sentence.startswith("Not UTF-8 text: kept") for sentence in said)

    @pytest.mark.parametrize("kind", ["a name that leads up", "a bomb", "broken bytes", "no ZIP", "one name twice"])
    def test_IE_03_that_is_refused_leaves_nothing_behind(self, cast, alice, kind):
        with pytest.raises(imports.ArchiveRefusedError):
            stage(alice, BAD[kind][0]())

        assert kept() == set() and not Job.objects.filter(kind=imports.PURGE_JOB).exists()

    @pytest.mark.parametrize("agent", ["", " ", "/", ".", "..", "*", "a/b"])
    def test_ST_05_for_an_agent_that_is_no_id_is_refused_with_the_field_named(self, cast, alice, agent):
        with pytest.raises(ScopeIncompleteError) as refused:
            stage(alice, agent=agent)

        assert refused.value.field == "agent" and kept() == set()

    def test_the_plan_costs_the_same_for_three_files_and_for_three_hundred(self, cast, alice):
        few = stage(alice, zipped({f"memory/{n}.md": f"{n}\n" for n in range(3)} | {"SOUL.md": "#\n"}))
        many = stage(alice, zipped({f"memory/{n}.md": f"{n}\n" for n in range(300)} | {"SOUL.md": "#\n"}))
        counts = []
        for token in (few, many):
            with CaptureQueriesContext(connection) as queries:
                imports.staged(actor=alice, token=token, now=NOW)
            counts.append(len(queries))

        assert counts[0] == counts[1] < 15


class TestWhoseItIs:
    def test_nobody_else_finds_it_admins_included(self, cast, alice):
        token = stage(alice)
        for other in (cast.bob, cast.carol, cast.dana, cast.erik):
            for act in (imports.staged, imports.discard):
                with pytest.raises(NotVisibleError):
                    act(actor=cast.actor(other), token=token, now=NOW)
            with pytest.raises(NotVisibleError):
                imports.apply_staged(actor=cast.actor(other), token=token, seen="", now=NOW)

        assert len(kept()) == 4

    @pytest.mark.parametrize("token", ["", ".", "..", "../x", "a" * 31, "A" * 32, "0" * 32, "\0"])
    def test_a_token_that_is_none_finds_nothing(self, cast, alice, token):
        stage(alice)
        with pytest.raises(NotVisibleError):
            imports.staged(actor=alice, token=token, now=NOW)

    def test_a_stranger_and_a_reader_upload_nothing(self, cast):
        for person, error in ((cast.carol, NotVisibleError), (cast.erik, NotAllowedError)):
            with pytest.raises(error):
                stage(cast.actor(person))

        assert kept() == set()

    def test_who_left_the_project_meanwhile_finds_nothing(self, cast):
        token = stage(cast.actor(cast.bob), agent=None)
        scopes.remove_member(actor=OPERATOR, project_id="harbour", person_id=cast.bob, now=NOW)
        with pytest.raises(NotVisibleError):
            imports.staged(actor=cast.actor(cast.bob), token=token, now=NOW)

    def test_an_archived_project_or_agent_takes_none(self, cast, alice):
        scopes.archive_agent(actor=OPERATOR, project_id="harbour", slug="pilot", now=NOW)
        with pytest.raises(scopes.ArchivedError):
            stage(alice)
        scopes.archive_project(actor=OPERATOR, project_id="harbour", now=NOW)
        with pytest.raises(scopes.ArchivedError):
            stage(alice, agent=None)

    def test_a_session_of_somebody_else_is_neither_written_nor_compared(self, cast, alice):
        scopes.ensure(
            actor=OPERATOR, scope=Scope(ScopeType.SESSION, "harbour", session="s-1", session_person=cast.bob)
        )  # fmt: skip

        shown = imports.staged(
            actor=alice, token=stage(alice, zipped({"s-1.jsonl": "{}\n"}), person=cast.alice), now=NOW
        )

        (one,) = shown.plan.files
        assert one.refused.code is RefusalCode.NOT_ALLOWED


class TestApplying:
    def test_writes_what_was_shown_and_removes_the_bytes(self, cast, alice):
        token = stage(alice, person=cast.alice)

        apply(alice, token)

        shown = imports.staged(actor=alice, token=token, now=NOW)
        assert isinstance(shown, imports.Finished)
        written = {one.source_path: files.read(actor=alice, file_id=one.file_id).content for one in shown.result.files}
        assert written == WORKSPACE
        assert {key.partition("/")[0] for key in kept()} == {"manifests"}
        records = AuditRecord.objects.filter(action="file.imported")
        assert {(one.actor_id, one.cause) for one in records} == {(cast.alice, shown.result.cause)}
        assert len(records) == 3 and verification.verify_ledger().faults == ()

    def test_IE_01_of_the_same_archive_once_more_changes_nothing(self, cast, alice):
        apply(alice, stage(alice))
        token = stage(alice)

        assert set(outcomes(imports.staged(actor=alice, token=token, now=NOW)).values()) == {"same"}
        apply(alice, token)

        assert Version.objects.count() == 3

    def test_UI_03_twice_imports_once_and_the_second_says_nothing_bad(self, cast, alice):
        token = stage(alice)
        seen = imports.staged(actor=alice, token=token, now=NOW).plan.stamp

        for _ in range(2):
            imports.apply_staged(actor=alice, token=token, seen=seen, now=NOW)

        assert Version.objects.count() == 3

    def test_IE_02_leaves_what_is_newer_here_unless_asked(self, cast, alice):
        apply(alice, stage(alice))
        file_id = MemoryFile.objects.get(path="SOUL.md").pk
        files.save(actor=alice, file_id=file_id, text="edited here\n", base_seq=1, note=files.Note(), now=NOW)
        token = stage(alice)
        apply(alice, token)
        assert files.read(actor=alice, file_id=file_id).text == "edited here\n"
        done = imports.staged(actor=alice, token=token, now=NOW).result.files
        assert [(one.path, str(one.outcome), one.is_written) for one in done if one.path == "SOUL.md"] == [
            ("SOUL.md", "older", False)
        ]

        apply(alice, stage(alice), should_overwrite=True)

        assert files.read(actor=alice, file_id=file_id).content == WORKSPACE["SOUL.md"]
        assert files.read_version(actor=alice, file_id=file_id, seq=2).text == "edited here\n"

    def test_EC_03_of_another_plan_than_was_shown_writes_nothing(self, cast, alice):
        apply(alice, stage(alice))
        token = stage(alice, zipped(WORKSPACE | {"SOUL.md": b"newer there\n"}))
        seen = imports.staged(actor=alice, token=token, now=NOW).plan.stamp
        file_id = MemoryFile.objects.get(path="SOUL.md").pk
        files.save(actor=alice, file_id=file_id, text="edited here\n", base_seq=1, note=files.Note(), now=NOW)

        with pytest.raises(imports.PlanMovedError):
            imports.apply_staged(actor=alice, token=token, seen=seen, now=NOW, should_overwrite=True)

        assert files.read(actor=alice, file_id=file_id).text == "edited here\n"
        assert outcomes(imports.staged(actor=alice, token=token, now=NOW))["SOUL.md"] == "conflict"

    def test_a_member_writes_what_the_table_allows_and_nothing_else(self, cast):
        bob = cast.actor(cast.bob)
        packed = zipped(WORKSPACE | {"HANDOFF.md": b"to Ann\n", "agents/tug/SOUL.md": b"# Tug\n"})
        token = stage(bob, packed, person=cast.bob)

        apply(bob, token)

        done = imports.staged(actor=bob, token=token, now=NOW).result.files
        assert {one.source_path: one.is_written for one in done} == {
            "SOUL.md": False, "agents/tug/SOUL.md": False, "HANDOFF.md": True, "MEMORY.md": True,
            "memory/2026-07-01.md": True,
        }  # fmt: skip
        assert [agent.slug for agent in scopes.agents(actor=bob, project_id="harbour")] == ["pilot"]

    def test_that_fails_can_be_begun_again_at_once(self, cast, alice):
        token = stage(alice)
        lost = next(entry.key for entry in staging().list("bytes/"))
        content = staging().get(lost).content
        staging().delete(lost)
        with pytest.raises(InvalidFieldError):
            apply(alice, token)
        staging().put(lost, content)

        apply(alice, token)

        assert Version.objects.count() == 3 and verification.verify_ledger().faults == ()

    def test_that_was_cut_off_can_be_begun_again_after_a_while(self, cast, alice):
        token = stage(alice)
        key = f"manifests/{token}.json"
        upload = manifests.read(staging().get(key).content)
        staging().put(key, manifests.written(replace(upload, taken_at=NOW)))

        assert isinstance(imports.staged(actor=alice, token=token, now=NOW), imports.Running)
        imports.apply_staged(actor=alice, token=token, seen="whatever", now=NOW)
        assert Version.objects.count() == 0
        apply(alice, token, now=NOW + LONGEST_APPLY)

        assert Version.objects.count() == 3


class TestHowLongItWaits:
    def test_a_day_and_then_it_is_gone(self, cast, alice):
        token = stage(alice)
        assert imports.staged(actor=alice, token=token, now=NOW + KEPT - timedelta(seconds=1))
        with pytest.raises(NotVisibleError):
            imports.staged(actor=alice, token=token, now=NOW + KEPT)

    def test_the_next_upload_takes_the_expired_ones_away(self, cast, alice):
        old = stage(alice)
        new = stage(alice, now=NOW + KEPT)

        assert len(kept()) == 4 and not any(old in key for key in kept()) and any(new in key for key in kept())

    def test_so_does_a_job_of_its_own(self, cast, alice):
        stage(alice)
        stage(alice, now=NOW + timedelta(hours=1))

        jobs.run_due(clock=lambda: NOW + timedelta(hours=1))
        assert len(kept()) == 8
        jobs.run_due(clock=lambda: NOW + KEPT)
        assert len(kept()) == 4
        jobs.run_due(clock=lambda: NOW + KEPT + timedelta(hours=1))
        assert kept() == set()

    def test_discarded_it_is_gone_at_once(self, cast, alice):
        token = stage(alice)

        assert imports.discard(actor=alice, token=token, now=NOW) == "harbour"

        assert kept() == set()
        with pytest.raises(NotVisibleError):
            imports.staged(actor=alice, token=token, now=NOW)

    def test_an_imported_one_is_not_discarded(self, cast, alice):
        token = stage(alice)
        apply(alice, token)

        imports.discard(actor=alice, token=token, now=NOW)

        assert isinstance(imports.staged(actor=alice, token=token, now=NOW), imports.Finished)

    def test_what_a_power_cut_left_of_one_is_not_kept_for_ever(self, cast, alice):
        token = stage(alice)
        staging().put(f"manifests/{token}.json", b"")
        with pytest.raises(NotVisibleError):
            imports.staged(actor=alice, token=token, now=NOW)

        imports.purge(now=datetime.now(UTC) + KEPT + timedelta(minutes=1))

        assert kept() == set()


@pytest.mark.corpus
@pytest.mark.parametrize(
    "source", ["openclaw-de-mixed-eol", "openclaw-pt-caseclash", "claude-en-topics", "rules-cline"]
)
def test_a_real_workspace_comes_in_byte_for_byte_and_a_second_time_not_at_all(cast, alice, corpus, source):
    read = {
        path.relative_to(corpus).as_posix(): path.read_bytes()
        for path in (corpus / source).rglob("*")
        if path.is_file()
    }
    token = stage(alice, zipped(read), person=cast.alice)

    apply(alice, token)

    done = imports.staged(actor=alice, token=token, now=NOW).result.files
    assert done and all(one.is_written for one in done)
    for one in done:
        content = files.read(actor=OPERATOR, file_id=one.file_id).content
        assert content == read[f"{source}/{one.source_path}"], one.source_path
    again = imports.staged(actor=alice, token=stage(alice, zipped(read), person=cast.alice), now=NOW)
    assert set(outcomes(again).values()) == {"same"} and verification.verify_ledger().faults == ()
