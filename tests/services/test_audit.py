import sqlite3
from itertools import pairwise
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction

from memoryadmin.domain.errors import AlreadyExistsError, NotAllowedError
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import AuditRecord, Change, Version, VersionText, triggers
from memoryadmin.services import audit, files, scopes, trail, verification
from tests.build import a_file, a_scope, more_versions
from tests.cast import NOW, OPERATOR

pytestmark = pytest.mark.django_db


def run(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def without_triggers():
    for name in triggers.expected():
        run(f"DROP TRIGGER IF EXISTS {name}")


@pytest.fixture
def history(cast):
    file_id = a_file(a_scope(cast))
    more_versions(file_id, "two\n", "three\n", "four\n")
    return file_id


class TestTheChain:
    def test_is_whole_after_ordinary_work(self, history):
        reports = {report.name: report for report in audit.verify_chains()}
        assert set(reports) == {"installation", "harbour", "lighthouse"}
        assert all(not report.breaks for report in reports.values())
        seqs = list(AuditRecord.objects.filter(chain="harbour").order_by("seq").values_list("seq", flat=True))
        assert seqs == list(range(1, len(seqs) + 1))

    @pytest.mark.parametrize(
        "column", ["actor_id", "action", "object_id", "at", "after_version_id", "cause", "hash", "previous_hash"]
    )
    def test_finds_and_locates_a_changed_byte(self, history, column):
        without_triggers()
        seq = AuditRecord.objects.filter(action="file.edited").order_by("pk").first().seq
        change = f"UPDATE memoryadmin_auditrecord SET {column} = {column} || '0'"
        run(f"{change} WHERE chain_id = 'harbour' AND seq = %s", seq)
        breaks = next(r for r in audit.verify_chains() if r.name == "harbour").breaks
        assert breaks and breaks[0].seq == seq

    def test_finds_and_locates_a_removed_record(self, history):
        without_triggers()
        run("DELETE FROM memoryadmin_auditrecord WHERE chain_id = 'harbour' AND seq = 4")
        breaks = next(r for r in audit.verify_chains() if r.name == "harbour").breaks
        assert [(b.seq, "missing" in b.what) for b in breaks] == [(4, True)]

    def test_finds_records_cut_from_the_end(self, history):
        without_triggers()
        run("DELETE FROM memoryadmin_auditrecord WHERE chain_id = 'harbour' AND seq >= 6")
        breaks = next(r for r in audit.verify_chains() if r.name == "harbour").breaks
        assert [(b.seq, "missing" in b.what) for b in breaks] == [(6, True)]

    def test_finds_and_locates_two_swapped_records(self, history):
        without_triggers()
        for old, new in ((4, 1000), (5, 4), (1000, 5)):
            run("UPDATE memoryadmin_auditrecord SET seq = %s WHERE chain_id = 'harbour' AND seq = %s", new, old)
        breaks = next(r for r in audit.verify_chains() if r.name == "harbour").breaks
        assert breaks[0].seq == 4 and {b.seq for b in breaks} == {4, 5, 6}

    def test_finds_a_chain_whose_head_was_removed(self, history):
        without_triggers()
        run("PRAGMA foreign_keys=OFF")
        run("PRAGMA defer_foreign_keys=ON")
        run("UPDATE memoryadmin_auditchain SET last_hash = 'x' WHERE name = 'lighthouse'")
        assert next(r for r in audit.verify_chains() if r.name == "lighthouse").breaks

    @pytest.mark.parametrize("name", ["lighthouse", "installation"])
    def test_misses_a_chain_that_was_removed_as_a_whole(self, history, name):
        without_triggers()
        run("DELETE FROM memoryadmin_auditrecord WHERE chain_id = %s", name)
        run("DELETE FROM memoryadmin_auditchain WHERE name = %s", name)
        assert next(r for r in audit.verify_chains() if r.name == name).breaks

    def test_of_the_installation_is_no_projects(self, cast):
        with pytest.raises(AlreadyExistsError):
            scopes.create_project(actor=OPERATOR, project_id=audit.INSTALLATION, name="Mine", now=NOW)

    def test_refuses_a_record_outside_a_transaction(self, history, monkeypatch):
        monkeypatch.setattr(transaction, "get_connection", lambda: SimpleNamespace(in_atomic_block=False))
        event = audit.Event(action="file.edited", object_type="file", object_id="1")
        with pytest.raises(transaction.TransactionManagementError):
            audit.record(actor=OPERATOR, event=event, now=NOW)

    def test_gives_everything_one_act_did_one_cause(self, cast):
        scope_id = a_scope(cast)
        with audit.one_act(request_id="r-1"):
            one, other = a_file(scope_id, path="a.md"), a_file(scope_id, path="b.md")
        rows = AuditRecord.objects.filter(object_type="file", object_id__in=[str(one), str(other)])
        assert len(set(rows.values_list("cause", "request_id"))) == 1
        assert rows[0].request_id == "r-1"


class TestTheTriggers:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE memoryadmin_version SET actor_id = 'x'",
            "DELETE FROM memoryadmin_version",
            "UPDATE memoryadmin_auditrecord SET action = 'x'",
            "DELETE FROM memoryadmin_auditrecord",
            "UPDATE memoryadmin_change SET actor_id = 'x'",
            "UPDATE memoryadmin_blob SET content = x'00'",
            "DELETE FROM memoryadmin_versiontext",
            "REPLACE INTO memoryadmin_auditrecord SELECT * FROM memoryadmin_auditrecord LIMIT 1",
            "REPLACE INTO memoryadmin_version SELECT * FROM memoryadmin_version LIMIT 1",
            "REPLACE INTO memoryadmin_versiontext SELECT * FROM memoryadmin_versiontext LIMIT 1",
            "REPLACE INTO memoryadmin_blob (scope_id, sha256, content, size_bytes) "
            "SELECT scope_id, sha256, x'00', 1 FROM memoryadmin_blob LIMIT 1",
            "UPDATE memoryadmin_versiontext SET path = 'other.md'",
            "UPDATE memoryadmin_versiontext SET blob_id = (SELECT max(id) FROM memoryadmin_blob) WHERE version_id = "
            "(SELECT min(version_id) FROM memoryadmin_versiontext)",
        ],
    )
    def test_VE_04_refuse_a_hand_written_statement(self, history, statement):
        with pytest.raises((IntegrityError, sqlite3.IntegrityError)), transaction.atomic():
            run(statement)

    def test_let_redaction_blank_a_text(self, history):
        run("UPDATE memoryadmin_versiontext SET blob_id = NULL, path = '' WHERE version_id = "
            "(SELECT min(version_id) FROM memoryadmin_versiontext)")  # fmt: skip
        assert VersionText.objects.filter(blob__isnull=True).count() == 1

    @pytest.mark.parametrize("model", [Version, Change, AuditRecord])
    def test_VE_04_the_models_refuse_before_the_database_is_asked(self, history, model):
        with pytest.raises(TypeError):
            model.objects.all().update(actor_id="x")
        with pytest.raises(TypeError):
            model.objects.all().delete()

    def test_that_are_missing_are_reported(self, history):
        assert triggers.missing() == [] and triggers.check_installed(databases=["default"]) == []
        run("DROP TRIGGER memoryadmin_version_no_update")
        assert triggers.missing() == ["memoryadmin_version_no_update"]
        assert [found.id for found in triggers.check_installed(databases=["default"])] == ["memoryadmin.E001"]
        triggers.install()
        assert triggers.missing() == []


class TestTheTrail:
    def test_shows_an_owner_its_project_and_an_auditor_everything(self, cast, history):
        everything = trail.listing(actor=cast.actor(cast.erik), filters=trail.Filters(), limit=500).records
        own = trail.listing(actor=cast.actor(cast.alice), filters=trail.Filters(), limit=500).records
        assert {record.project_id for record in own} == {"harbour"}
        assert {"", "harbour", "lighthouse"} == {record.project_id for record in everything}
        for member in (cast.bob,):
            with pytest.raises(NotAllowedError):
                trail.listing(actor=cast.actor(member), filters=trail.Filters())

    def test_PE_04_names_no_path_and_no_reason_that_the_reader_may_not_know(self, cast):
        a_file(a_scope(cast, ScopeType.PERSON), path="diary.md")
        personal = trail.listing(actor=cast.actor(cast.erik), filters=trail.Filters(action="file")).records[0]
        assert (personal.path, personal.reason) == ("diary.md", "")
        user_file = a_file(a_scope(cast, ScopeType.SESSION), path="talk.md")
        found = trail.listing(actor=cast.actor(cast.erik), filters=trail.Filters(action="file")).records[0]
        assert (found.object_id, found.path, found.reason) == (str(user_file), "", "")

    def test_pages_without_gap_or_repeat(self, cast, history):
        erik, seen, before = cast.actor(cast.erik), [], None
        while True:
            page = trail.listing(actor=erik, filters=trail.Filters(), before=before, limit=3)
            seen += [record.id for record in page.records]
            before = page.next_before
            if before is None:
                break
        assert all(a > b for a, b in pairwise(seen)) and len(seen) == AuditRecord.objects.count()


class TestVerifyLedger:
    def test_is_clean_after_ordinary_work(self, cast, history):
        files.delete(actor=cast.actor(cast.alice), file_id=history, base_seq=4, note=files.Note(), now=NOW)
        report = verification.verify_ledger()
        assert (report.faults, report.versions, report.files) == ((), 5, 1)

    @pytest.mark.parametrize(
        ("statement", "where"),
        [
            ("UPDATE memoryadmin_blob SET content = x'00' WHERE id = (SELECT max(id) FROM memoryadmin_blob)", "blob"),
            ("UPDATE memoryadmin_memoryfile SET seq = 2", "file"),
            ("UPDATE memoryadmin_memoryfile SET path = 'other.md'", "file"),
            ("UPDATE memoryadmin_memoryfile SET deleted_at = '2026-01-01'", "file"),
            ("UPDATE memoryadmin_version SET seq = 9 WHERE seq = 4", "file"),
            ("UPDATE memoryadmin_version SET size_bytes = 9000 WHERE seq = 4", "version"),
            ("DELETE FROM memoryadmin_auditrecord WHERE action = 'file.created'", "version"),
            ("UPDATE memoryadmin_memoryfile SET size_chars = 1", "file"),
            ("UPDATE memoryadmin_memoryfile SET path_folded = 'x'", "file"),
            ("DELETE FROM memoryadmin_job", "file"),
            ("UPDATE memoryadmin_version SET actor_id = 'u_other' WHERE seq = 2", "version"),
            ("UPDATE memoryadmin_version SET operation = 'restored' WHERE seq = 2", "version"),
            ("UPDATE memoryadmin_versiontext SET reason_id = NULL WHERE path = 'notes.md'", "version"),
            ("UPDATE memoryadmin_versiontext SET blob_id = NULL WHERE path = 'notes.md'", "version"),
            ("UPDATE memoryadmin_scoperow SET prefix = 'projects/'", "scope"),
        ],
    )
    def test_locates_what_was_changed_behind_its_back(self, history, statement, where):
        without_triggers()
        run(statement)
        triggers.install()
        faults = verification.verify_ledger().faults
        assert any(fault.where.startswith(where) for fault in faults), faults


def test_a_database_without_triggers_of_ours_is_refused_at_start(monkeypatch):
    monkeypatch.setattr(triggers, "connections", {"default": SimpleNamespace(vendor="postgresql")})
    assert [found.id for found in triggers.check_installed(databases=["default"])] == ["memoryadmin.E002"]
