import hashlib
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from memoryadmin.domain.errors import InvalidFieldError, NotVisibleError
from memoryadmin.domain.imports import ImportTarget, RefusalCode
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import AuditRecord, MemoryFile, ScopeRow, Version
from memoryadmin.services import files, imports, scopes, verification
from tests.cast import NOW, OPERATOR

pytestmark = pytest.mark.django_db
NOTE = files.Note()


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "SOUL.md").write_bytes(b"# Soul\r\n\r\nCalm.\r\n")
    (root / "MEMORY.md").write_bytes(b"- likes tea\n")
    (root / "memory" / "2026-07-01.md").write_bytes(b"# 1 July\n- met Ann\n")
    return root


def bring(folder, actor=OPERATOR, agent="pilot", person=None, now=NOW, **options):
    workspace = imports.open_workspace(folder)
    plan = imports.plan(actor=actor, workspace=workspace, target=ImportTarget("harbour", agent, person))
    return imports.apply(actor=actor, workspace=workspace, plan=plan, now=now, **options)


def outcomes(done):
    return {one.planned.placement.source_path: str(one.planned.outcome) for one in done}


def texts(path=None):
    rows = MemoryFile.objects.filter(deleted_at__isnull=True)
    return {row.path: files.read(actor=OPERATOR, file_id=row.pk).content for row in rows.order_by("path")}


class TestAFirstImport:
    def test_stores_every_file_byte_for_byte_with_version_and_record(self, cast, folder):
        done = bring(folder)
        assert set(outcomes(done).values()) == {"new"}
        assert texts() == {
            "MEMORY.md": b"- likes tea\n", "SOUL.md": b"# Soul\r\n\r\nCalm.\r\n",
            "memory/2026-07-01.md": b"# 1 July\n- met Ann\n",
        }  # fmt: skip
        assert set(Version.objects.values_list("operation", flat=True)) == {"imported"}
        causes = AuditRecord.objects.filter(action="file.imported").values_list("cause", flat=True)
        assert len(causes) == 3 and len(set(causes)) == 1
        assert verification.verify_ledger().faults == ()

    def test_puts_personal_files_with_the_person_named(self, cast, folder):
        bring(folder, person=cast.alice)
        assert MemoryFile.objects.get(path="MEMORY.md").scope.type == ScopeType.AGENT_USER.value
        assert MemoryFile.objects.get(path="SOUL.md").scope.type == ScopeType.AGENT.value

    def test_creates_the_agent_when_it_is_new(self, cast, folder):
        bring(folder, agent="tug")
        assert scopes.read_agent(actor=OPERATOR, project_id="harbour", slug="tug").slug == "tug"

    def test_keeps_bytes_that_are_no_text_as_an_opaque_file(self, cast, folder):
        (folder / "memory" / "photo.md").write_bytes(b"\xff\xfe\x00binary")
        done = bring(folder)
        row = MemoryFile.objects.get(path="memory/photo.md")
        assert row.is_opaque and texts()["memory/photo.md"] == b"\xff\xfe\x00binary"
        assert next(one for one in done if one.file_id == row.pk).planned.is_opaque
        with pytest.raises(files.OpaqueFileError):
            files.save(actor=OPERATOR, file_id=row.pk, text="text", base_seq=1, note=NOTE, now=NOW)

    def test_SE_03_quarantines_a_file_with_a_secret_until_the_secret_is_gone(self, cast, folder):
        (folder / "TOOLS.md").write_text("# Tools\nThe password is hunter2secret\n")
        bring(folder)
        row = MemoryFile.objects.get(path="TOOLS.md")
        assert row.is_quarantined and not MemoryFile.objects.get(path="SOUL.md").is_quarantined
        files.save(actor=OPERATOR, file_id=row.pk, text="# Tools\n", base_seq=1, note=NOTE, now=NOW)
        assert not MemoryFile.objects.get(path="TOOLS.md").is_quarantined

    def test_SE_03_or_until_a_person_releases_it_which_is_recorded(self, cast, folder):
        (folder / "TOOLS.md").write_text("# Tools\nThe password is hunter2secret\n")
        bring(folder)
        row = MemoryFile.objects.get(path="TOOLS.md")
        assert files.release(actor=cast.actor(cast.alice), file_id=row.pk, base_seq=1, now=NOW).has_changed
        assert not files.release(actor=cast.actor(cast.alice), file_id=row.pk, base_seq=1, now=NOW).has_changed
        assert not MemoryFile.objects.get(path="TOOLS.md").is_quarantined
        assert AuditRecord.objects.filter(action="file.released", actor_id=cast.alice).count() == 1

    @pytest.mark.parametrize("encoding", ["cp1251", "utf-16"])
    def test_SE_03_quarantines_bytes_that_are_no_text_too(self, cast, folder, encoding):
        (folder / "TOOLS.md").write_bytes("Пароль: password=hunter2Secret9\n".encode(encoding))
        bring(folder)
        row = MemoryFile.objects.get(path="TOOLS.md")
        assert row.is_opaque and row.is_quarantined

    def test_SE_03_keeps_old_versions_masked_until_their_own_content_is_released(self, cast, folder):
        (folder / "TOOLS.md").write_text("The password is hunter2secret\n")
        bring(folder)
        file_id = MemoryFile.objects.get(path="TOOLS.md").pk
        files.save(actor=OPERATOR, file_id=file_id, text="# Tools\n", base_seq=1, note=NOTE, now=NOW)
        cards = files.history(actor=OPERATOR, file_id=file_id).versions
        assert [(one.seq, one.is_quarantined) for one in cards] == [(2, False), (1, True)]

    def test_SE_03_ends_quarantine_by_restoring_a_clean_version_too(self, cast, folder):
        bring(folder)
        (folder / "SOUL.md").write_text("The password is hunter2secret\n")
        bring(folder)
        row = MemoryFile.objects.get(path="SOUL.md")
        assert row.is_quarantined
        files.restore(actor=OPERATOR, file_id=row.pk, seq=1, base_seq=2, note=NOTE, now=NOW)
        assert not MemoryFile.objects.get(path="SOUL.md").is_quarantined

    def test_PE_04_writes_nothing_into_what_was_archived_since_the_plan(self, cast, folder):
        workspace = imports.open_workspace(folder)
        plan = imports.plan(actor=OPERATOR, workspace=workspace, target=ImportTarget("harbour", "pilot", None))
        scopes.archive_project(actor=OPERATOR, project_id="harbour", now=NOW)
        done = imports.apply(actor=OPERATOR, workspace=workspace, plan=plan, now=NOW)
        assert done and {one.planned.refused.code for one in done} == {RefusalCode.ARCHIVED}
        assert MemoryFile.objects.count() == 0

    def test_DM_09_brings_a_deleted_log_back_only_whole(self, cast, folder):
        (folder / "memory" / "2026-07-01.md").write_text("one\ntwo\n")
        bring(folder)
        file_id = MemoryFile.objects.get(path="memory/2026-07-01.md").pk
        files.delete(actor=OPERATOR, file_id=file_id, base_seq=1, note=NOTE, now=NOW)
        (folder / "memory" / "2026-07-01.md").write_text("rewritten\n")
        assert outcomes(bring(folder, should_overwrite=True))["memory/2026-07-01.md"] == "refused"
        (folder / "memory" / "2026-07-01.md").write_text("one\ntwo\nthree\n")
        assert outcomes(bring(folder, should_overwrite=True))["memory/2026-07-01.md"] == "deleted"
        assert texts()["memory/2026-07-01.md"] == b"one\ntwo\nthree\n"

    def test_EC_03_of_bytes_over_a_text_being_edited_stops_the_edit(self, cast, folder):
        bring(folder)
        file_id = MemoryFile.objects.get(path="SOUL.md").pk
        (folder / "SOUL.md").write_bytes(b"\xff\xfe\x00binary")
        bring(folder)
        with pytest.raises(files.OpaqueFileError):
            files.save(actor=OPERATOR, file_id=file_id, text="typed\n", base_seq=1, note=NOTE, now=NOW)

    def test_SE_04_never_follows_a_symbolic_link(self, cast, folder, tmp_path):
        (tmp_path / "outside.md").write_text("not yours\n")
        (folder / "leak.md").symlink_to(tmp_path / "outside.md")
        (folder / "CLAUDE.md").symlink_to("SOUL.md")
        (folder / "loop").symlink_to(folder)
        done = bring(folder)
        refused = {one.planned.placement.source_path for one in done if str(one.planned.outcome) == "refused"}
        assert refused == {"leak.md", "CLAUDE.md", "loop"}
        assert b"not yours\n" not in texts().values()

    def test_SE_04_refuses_a_name_that_could_lead_out_and_says_why(self, cast, folder):
        (folder / "a\\..\\b.md").write_text("x\n")
        (folder / "line\nbreak.md").write_text("x\n")
        refused = [one.planned for one in bring(folder) if str(one.planned.outcome) == "refused"]
        assert {one.refused.code for one in refused} == {RefusalCode.UNSAFE_NAME}
        assert all(imports.note_sentence(one.refused) for one in refused) and len(refused) == 2


class TestVersionChains:
    @pytest.fixture
    def chain(self, folder):
        versions = folder / "@versions" / "MEMORY.md"
        versions.mkdir(parents=True)
        for name, text in (("001-2026-05-01-aa.md", "one\n"), ("002-2026-05-01-bb.md", "two\n")):
            (versions / name).write_text(text)
        (versions / "003-2026-06-02-cc.md").write_bytes((folder / "MEMORY.md").read_bytes())
        return folder

    def test_are_kept_in_order_with_their_dates(self, cast, chain):
        bring(chain)
        file_id = MemoryFile.objects.get(path="MEMORY.md").pk
        history = files.history(actor=OPERATOR, file_id=file_id).versions
        assert [(one.seq, one.at.date().isoformat()) for one in history] == [
            (3, "2026-06-02"), (2, "2026-05-01"), (1, "2026-05-01"),
        ]  # fmt: skip
        assert history[2].at < history[1].at
        found = [files.read_version(actor=OPERATOR, file_id=file_id, seq=n).text for n in (1, 2, 3)]
        assert found == ["one\n", "two\n", "- likes tea\n"]

    def test_that_go_on_later_add_only_what_is_new(self, cast, chain):
        bring(chain)
        (chain / "MEMORY.md").write_text("- likes coffee\n")
        assert outcomes(bring(chain))["MEMORY.md"] == "changed"
        assert MemoryFile.objects.get(path="MEMORY.md").seq == 4

    def test_never_come_from_the_future(self, cast, chain):
        now = datetime(2026, 5, 10, tzinfo=UTC)
        bring(chain, now=now)
        assert max(Version.objects.values_list("at", flat=True)) <= now


class TestASecondImport:
    def test_IE_01_of_the_same_folder_changes_nothing(self, cast, folder):
        bring(folder)
        before = AuditRecord.objects.count(), Version.objects.count()
        assert set(outcomes(bring(folder)).values()) == {"same"}
        assert (AuditRecord.objects.count(), Version.objects.count()) == before

    def test_of_a_file_that_only_they_changed_adds_a_version(self, cast, folder):
        bring(folder)
        (folder / "SOUL.md").write_text("# Soul\n\nBrisk.\n")
        assert outcomes(bring(folder))["SOUL.md"] == "changed"
        assert texts()["SOUL.md"] == b"# Soul\n\nBrisk.\n"

    def test_IE_02_of_an_older_text_leaves_the_newer_one_unless_asked(self, cast, folder):
        bring(folder)
        file_id = MemoryFile.objects.get(path="SOUL.md").pk
        files.save(actor=OPERATOR, file_id=file_id, text="edited here\n", base_seq=1, note=NOTE, now=NOW)
        assert outcomes(bring(folder))["SOUL.md"] == "older"
        assert texts()["SOUL.md"] == b"edited here\n"
        bring(folder, should_overwrite=True)
        assert texts()["SOUL.md"] == b"# Soul\r\n\r\nCalm.\r\n"
        assert files.read_version(actor=OPERATOR, file_id=file_id, seq=2).text == "edited here\n"

    def test_IE_02_of_a_text_changed_on_both_sides_is_a_conflict_and_loses_nothing(self, cast, folder):
        bring(folder)
        file_id = MemoryFile.objects.get(path="SOUL.md").pk
        files.save(actor=OPERATOR, file_id=file_id, text="edited here\n", base_seq=1, note=NOTE, now=NOW)
        (folder / "SOUL.md").write_text("edited there\n")
        done = bring(folder)
        assert outcomes(done)["SOUL.md"] == "conflict"
        assert not next(one for one in done if one.file_id == file_id).is_written
        assert texts()["SOUL.md"] == b"edited here\n"

    def test_IE_02_of_a_deleted_file_does_not_bring_it_back_unless_asked(self, cast, folder):
        bring(folder)
        file_id = MemoryFile.objects.get(path="SOUL.md").pk
        files.delete(actor=OPERATOR, file_id=file_id, base_seq=1, note=NOTE, now=NOW)
        assert outcomes(bring(folder))["SOUL.md"] == "deleted" and "SOUL.md" not in texts()
        bring(folder, should_overwrite=True)
        assert texts()["SOUL.md"] == b"# Soul\r\n\r\nCalm.\r\n"
        assert verification.verify_ledger().faults == ()

    def test_EC_03_decided_from_a_state_that_moved_is_not_written(self, cast, folder):
        bring(folder)
        (folder / "SOUL.md").write_text("edited there\n")
        workspace = imports.open_workspace(folder)
        plan = imports.plan(actor=OPERATOR, workspace=workspace, target=ImportTarget("harbour", "pilot", None))
        file_id = MemoryFile.objects.get(path="SOUL.md").pk
        files.save(actor=OPERATOR, file_id=file_id, text="edited here\n", base_seq=1, note=NOTE, now=NOW)
        done = imports.apply(actor=OPERATOR, workspace=workspace, plan=plan, now=NOW)
        assert outcomes(done)["SOUL.md"] == "conflict" and texts()["SOUL.md"] == b"edited here\n"

    def test_DM_09_that_would_rewrite_a_log_is_refused_and_the_others_are_written(self, cast, folder):
        bring(folder)
        (folder / "memory" / "2026-07-01.md").write_text("rewritten\n")
        (folder / "SOUL.md").write_text("new\n")
        done = bring(folder)
        assert outcomes(done)["memory/2026-07-01.md"] == "refused" and outcomes(done)["SOUL.md"] == "changed"
        assert texts()["memory/2026-07-01.md"] == b"# 1 July\n- met Ann\n"


class TestWhoMayImport:
    def test_a_stranger_learns_nothing_of_the_project(self, cast, folder):
        with pytest.raises(NotVisibleError):
            bring(folder, actor=cast.actor(cast.carol))

    def test_a_member_may_not_write_the_agents_files(self, cast, folder):
        done = bring(folder, actor=cast.actor(cast.bob))
        assert {one.planned.refused.code for one in done} == {RefusalCode.NOT_ALLOWED}
        assert MemoryFile.objects.count() == 0 and ScopeRow.objects.count() == 0

    def test_an_owner_may_not_write_another_persons_memory(self, cast, folder):
        done = bring(folder, actor=cast.actor(cast.alice), person=cast.bob)
        assert outcomes(done) == {"MEMORY.md": "refused", "SOUL.md": "new", "memory/2026-07-01.md": "refused"}

    def test_nobody_writes_an_archived_project(self, cast, folder):
        scopes.archive_project(actor=OPERATOR, project_id="harbour", now=NOW)
        assert {one.planned.refused.code for one in bring(folder)} == {RefusalCode.ARCHIVED}

    def test_a_project_that_does_not_exist_is_named(self, cast, folder):
        workspace = imports.open_workspace(folder)
        with pytest.raises(NotVisibleError) as refused:
            imports.plan(actor=OPERATOR, workspace=workspace, target=ImportTarget("none", "pilot", None))
        assert refused.value.field == "project"

    def test_a_folder_that_does_not_exist_is_named(self, tmp_path):
        with pytest.raises(InvalidFieldError) as refused:
            imports.open_workspace(tmp_path / "none")
        assert refused.value.field == "path"


class TestTheCommand:
    def run(self, folder, *options):
        out = StringIO()
        call_command("import_workspace", str(folder), "--project", "harbour", *options, stdout=out)
        return out.getvalue()

    def test_says_what_would_happen_and_writes_nothing_when_dry(self, cast, folder):
        said = self.run(folder, "--agent", "pilot", "--dry-run")
        assert "SOUL.md -> projects/harbour/agents/pilot/workspace/SOUL.md (soul)" in said
        assert "3 new" in said and "Nothing was written" in said
        assert MemoryFile.objects.count() == 0

    def test_writes_and_counts(self, cast, folder):
        assert "Imported 3 files in 3 versions." in self.run(folder, "--agent", "pilot", "--as", "alice")
        assert set(Version.objects.values_list("actor_id", flat=True)) == {cast.alice}

    @pytest.mark.parametrize(
        ("options", "named"),
        [(["--agent", "../x"], "agent"), (["--as", "nobody"], "--as"), (["--user", "nobody"], "--user")],
    )
    def test_ST_05_names_the_field_of_an_odd_id_and_writes_nothing(self, cast, folder, options, named):
        with pytest.raises(CommandError) as refused:
            self.run(folder, *options)
        assert named in str(refused.value)
        assert MemoryFile.objects.count() == 0 and ScopeRow.objects.count() == 0

    def test_refuses_the_agents_files_when_no_agent_is_named(self, cast, folder):
        said = self.run(folder)
        assert "--agent" in said


AWKWARD = [
    "openclaw-de-mixed-eol", "membank-crlf", "openclaw-cs-dups", "openclaw-pt-caseclash", "rules-cline",
    "hermes-fr", "claude-ko-crlf", "openclaw-ja", "openclaw-zh-dreams", "rules-mdc", "openclaw-ar", "claude-en-topics",
    "mcp-memory-vi", "letta-af",
]  # fmt: skip


@pytest.mark.corpus
class TestRealWorkspaces:
    @pytest.mark.parametrize("source", AWKWARD)
    def test_come_in_byte_for_byte_and_a_second_time_not_at_all(self, cast, corpus, source):
        done = bring(corpus / source, person=cast.alice, now=NOW + timedelta(days=60))
        taken = [one for one in done if one.is_written]
        assert len(taken) > 0
        for one in taken:
            read = files.read(actor=OPERATOR, file_id=one.file_id)
            assert hashlib.sha256(read.content).hexdigest() == one.planned.placement.source.sha256
        refused = [one.planned for one in done if not one.is_written]
        assert [one.placement.source_path for one in refused] == []
        again = bring(corpus / source, person=cast.alice, now=NOW + timedelta(days=61))
        assert set(outcomes(again).values()) == {"same"}
        assert verification.verify_ledger().faults == ()
