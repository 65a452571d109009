from datetime import timedelta

import pytest

from memoryadmin.domain.errors import (
    InvalidFieldError,
    NotAllowedError,
    NotTextError,
    NotVisibleError,
    TooLargeError,
)
from memoryadmin.domain.limits import LimitState
from memoryadmin.domain.merging import Conflict, Merged
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import AuditRecord, Job, MemoryFile, ScopeRow, Version
from memoryadmin.services import files, scopes
from tests.build import a_file, a_scope, more_versions
from tests.cast import NOW

LATER = NOW + timedelta(hours=1)
pytestmark = pytest.mark.django_db


def save(cast, file_id, text, base_seq, **options):
    actor = options.pop("actor", None) or cast.actor(cast.alice)
    note = files.Note(reason=options.pop("reason", ""))
    return files.save(actor=actor, file_id=file_id, text=text, base_seq=base_seq, note=note, now=LATER, **options)


class TestSaving:
    def test_adds_one_version_one_record_one_job_and_raises_the_rev(self, cast):
        scope_id = a_scope(cast)
        file_id = a_file(scope_id)
        before = ScopeRow.objects.get(pk=scope_id).rev, AuditRecord.objects.count()
        saved = save(cast, file_id, "# Notes\n\nhello again\n", 1, reason="greeting")
        assert (saved.seq, saved.has_changed) == (2, True)
        found = files.read(actor=cast.actor(cast.bob), file_id=file_id)
        assert (found.text, found.seq, found.reason) == ("# Notes\n\nhello again\n", 2, "greeting")
        assert (found.card.author.kind, found.card.author.id) == ("person", cast.alice)
        assert (ScopeRow.objects.get(pk=scope_id).rev, AuditRecord.objects.count()) == (before[0] + 1, before[1] + 1)
        record = AuditRecord.objects.latest("pk")
        assert (record.action, record.actor_id) == ("file.edited", cast.alice)
        assert record.after_version_id == found.version_id
        assert Job.objects.filter(key=f"project:{file_id}", state="pending").count() == 1

    def test_VE_01_equal_bytes_make_no_version_whatever_the_base(self, cast):
        file_id = a_file(a_scope(cast))
        more_versions(file_id, "two\n", "three\n")
        records = AuditRecord.objects.count()
        for base_seq in (1, 2, 3):
            saved = save(cast, file_id, "three\n", base_seq)
            assert (saved.seq, saved.has_changed) == (3, False)
        card = files.read(actor=cast.actor(cast.alice), file_id=file_id).card
        assert card.author.kind == "system" and card.updated_at == NOW + timedelta(minutes=2)
        assert AuditRecord.objects.count() == records

    def test_a_text_shorter_than_an_oversized_import_is_accepted_and_a_longer_one_refused(self, cast, settings):
        file_id = a_file(a_scope(cast), text="x" * 900)
        settings.HARD_LIMIT_BYTES = 500
        assert save(cast, file_id, "x" * 899, 1).has_changed
        with pytest.raises(TooLargeError) as refused:
            save(cast, file_id, "x" * 900, 2)
        assert (refused.value.size_bytes, refused.value.limit_bytes) == (900, 500)
        assert files.read(actor=cast.actor(cast.alice), file_id=file_id).seq == 2

    def test_over_the_soft_limit_is_saved_and_said(self, cast):
        file_id = a_file(a_scope(cast, ScopeType.AGENT), text="short\n", path="SOUL.md")
        saved = save(cast, file_id, "x" * 2001, 1)
        assert saved.has_changed and saved.limit is LimitState.OVER
        assert MemoryFile.objects.get(pk=file_id).is_over_limit

    @pytest.mark.parametrize(("text", "error"), [("a\0b", NotTextError), ("a\ud800b", NotTextError)])
    def test_refuses_what_is_no_text_and_keeps_the_file(self, cast, text, error):
        file_id = a_file(a_scope(cast))
        with pytest.raises(error) as refused:
            save(cast, file_id, text, 1)
        assert refused.value.field == "text"
        assert files.read(actor=cast.actor(cast.alice), file_id=file_id).seq == 1

    def test_refuses_a_reason_that_is_too_long_and_names_the_field(self, cast):
        file_id = a_file(a_scope(cast))
        with pytest.raises(InvalidFieldError) as refused:
            save(cast, file_id, "new\n", 1, reason="r" * 501)
        assert refused.value.field == "reason"
        assert Version.objects.filter(file=file_id).count() == 1

    def test_DR_06_a_typed_text_keeps_the_bytes_of_lines_it_did_not_change(self, cast):
        base = "\ufeff\n  indented  \r\nplain\nlone\rcr\r\n\n\n"
        file_id = a_file(a_scope(cast), text=base)
        shown = base.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
        assert not save(cast, file_id, shown, 1, is_typed=True).has_changed
        assert save(cast, file_id, shown.replace("plain", "plainer"), 1, is_typed=True).has_changed
        found = files.read(actor=cast.actor(cast.alice), file_id=file_id)
        assert found.text == base.replace("plain", "plainer")


class TestAStaleBase:
    def test_EC_01_writes_nothing_and_carries_both_texts_and_the_merge(self, cast):
        file_id = a_file(a_scope(cast), text="one\ntwo\nthree\n")
        save(cast, file_id, "ONE\ntwo\nthree\n", 1)
        with pytest.raises(files.EditConflictError) as conflict:
            save(cast, file_id, "one\ntwo\nTHREE\n", 1, actor=cast.actor(cast.bob))
        contents = conflict.value.contents
        assert (contents.base, contents.mine, contents.theirs) == (
            "one\ntwo\nthree\n", "one\ntwo\nTHREE\n", "ONE\ntwo\nthree\n",
        )  # fmt: skip
        assert contents.merge == Merged("ONE\ntwo\nTHREE\n")
        assert conflict.value.current.seq == 2 and conflict.value.current.card.author.id == cast.alice
        assert Version.objects.filter(file=file_id).count() == 2

    def test_EC_01_the_second_save_on_the_new_base_is_the_next_version(self, cast):
        file_id = a_file(a_scope(cast), text="one\ntwo\n")
        save(cast, file_id, "ONE\ntwo\n", 1)
        saved = save(cast, file_id, "ONE\nTWO\n", 2, actor=cast.actor(cast.bob))
        assert saved.seq == 3
        texts = [files.read_version(actor=cast.actor(cast.bob), file_id=file_id, seq=n).text for n in (1, 2, 3)]
        assert texts == ["one\ntwo\n", "ONE\ntwo\n", "ONE\nTWO\n"]

    def test_a_clash_is_not_merged(self, cast):
        file_id = a_file(a_scope(cast), text="one\n")
        save(cast, file_id, "uno\n", 1)
        with pytest.raises(files.EditConflictError) as conflict:
            save(cast, file_id, "eins\n", 1)
        assert isinstance(conflict.value.contents.merge, Conflict)

    def test_of_a_deleted_file_says_so_and_keeps_the_text(self, cast):
        file_id = a_file(a_scope(cast))
        files.delete(actor=cast.actor(cast.alice), file_id=file_id, base_seq=1, note=files.Note(), now=LATER)
        with pytest.raises(files.EditConflictError) as conflict:
            save(cast, file_id, "mine\n", 1)
        assert conflict.value.current.card.is_deleted
        assert (conflict.value.contents.mine, conflict.value.contents.theirs) == ("mine\n", None)

    def test_a_base_that_never_was_is_not_found(self, cast):
        file_id = a_file(a_scope(cast))
        with pytest.raises(NotVisibleError) as refused:
            save(cast, file_id, "new\n", 7)
        assert refused.value.field == "seq"

    @pytest.mark.parametrize("act", ["rename", "delete", "restore"])
    def test_EC_03_every_other_act_is_guarded_too(self, cast, act):
        file_id = a_file(a_scope(cast))
        more_versions(file_id, "two\n", "three\n")
        common = {"file_id": file_id, "base_seq": 2, "note": files.Note(), "now": LATER}
        common["actor"] = cast.actor(cast.alice)
        with pytest.raises(files.EditConflictError) as conflict:
            {
                "rename": lambda: files.rename(path="other.md", **common),
                "delete": lambda: files.delete(**common),
                "restore": lambda: files.restore(seq=1, **common),
            }[act]()
        assert conflict.value.current.seq == 3 and conflict.value.contents is None
        assert Version.objects.filter(file=file_id).count() == 3


class TestWhoMaySave:
    def test_PE_01_a_stranger_learns_nothing_and_changes_nothing(self, cast):
        file_id = a_file(a_scope(cast, ScopeType.USER))
        for person in (cast.carol, cast.bob):
            stranger = cast.actor(person)
            for act in (
                lambda who: files.read(actor=who, file_id=file_id),
                lambda who: files.read_version(actor=who, file_id=file_id, seq=1),
                lambda who: files.history(actor=who, file_id=file_id),
                lambda who: files.compare(actor=who, file_id=file_id, old_seq=1, new_seq=1),
                lambda who: save(cast, file_id, "mine\n", 1, actor=who),
                lambda who: files.append(actor=who, file_id=file_id, text="x", note=files.Note(), now=LATER),
                lambda who: files.rename(
                    actor=who, file_id=file_id, path="x.md", base_seq=1, note=files.Note(), now=LATER
                ),
                lambda who: files.delete(actor=who, file_id=file_id, base_seq=1, note=files.Note(), now=LATER),
                lambda who: files.restore(actor=who, file_id=file_id, seq=1, base_seq=1, note=files.Note(), now=LATER),
            ):
                with pytest.raises(NotVisibleError):
                    act(stranger)
        assert Version.objects.filter(file=file_id).count() == 1

    def test_an_admin_sees_that_personal_memory_exists_but_not_what_it_says(self, cast):
        scope_id = a_scope(cast, ScopeType.USER)
        file_id = a_file(scope_id)
        dana = cast.actor(cast.dana)
        assert [one.path for one in files.listing(actor=dana, scope_id=scope_id).files] == ["notes.md"]
        with pytest.raises(NotAllowedError):
            files.read(actor=dana, file_id=file_id)

    def test_a_member_reads_the_agents_files_and_may_not_edit_them(self, cast):
        file_id = a_file(a_scope(cast, ScopeType.AGENT), path="SOUL.md")
        bob = cast.actor(cast.bob)
        assert not files.read(actor=bob, file_id=file_id).can_edit
        with pytest.raises(NotAllowedError):
            save(cast, file_id, "mine\n", 1, actor=bob)

    def test_PE_03_a_former_member_reads_nothing_not_even_old_versions(self, cast):
        file_id = a_file(a_scope(cast))
        more_versions(file_id, "two\n")
        scopes.remove_member(actor=cast.actor(cast.alice), project_id=cast.project, person_id=cast.bob, now=LATER)
        for seq in (1, 2):
            with pytest.raises(NotVisibleError):
                files.read_version(actor=cast.actor(cast.bob), file_id=file_id, seq=seq)

    def test_an_archived_project_is_readable_and_not_writable(self, cast):
        file_id = a_file(a_scope(cast))
        scopes.archive_project(actor=cast.actor(cast.alice), project_id=cast.project, now=LATER)
        found = files.read(actor=cast.actor(cast.alice), file_id=file_id)
        assert found.is_archived and not found.can_edit
        with pytest.raises(scopes.ArchivedError):
            save(cast, file_id, "new\n", 1)


class TestSecrets:
    TEXT = "# Notes\n\nhello\nthe password is hunter2secret\n"

    def test_SE_03_typed_by_hand_are_shown_masked_and_written_only_when_confirmed(self, cast):
        file_id = a_file(a_scope(cast))
        with pytest.raises(files.SecretsFoundError) as found:
            save(cast, file_id, self.TEXT, 1)
        assert found.value.findings and all("hunter2secret" not in one.masked for one in found.value.findings)
        assert "hunter2secret" not in str(found.value)
        assert save(cast, file_id, self.TEXT, 1, is_confirmed=True).seq == 2
        actions = AuditRecord.objects.order_by("-pk").values_list("action", flat=True)
        assert list(actions[:2]) == ["file.secret_confirmed", "file.edited"]

    def test_SE_03_are_on_record_only_when_there_was_one_to_confirm(self, cast):
        file_id = a_file(a_scope(cast))
        save(cast, file_id, "harmless\n", 1, is_confirmed=True)
        assert not AuditRecord.objects.filter(action="file.secret_confirmed").exists()

    def test_SE_03_have_no_place_in_a_reason_which_lists_show(self, cast):
        file_id = a_file(a_scope(cast))
        with pytest.raises(InvalidFieldError) as refused:
            save(cast, file_id, "new\n", 1, reason="the password is hunter2secret")
        assert refused.value.field == "reason" and "hunter2" not in str(refused.value)

    def test_that_the_base_held_already_are_not_asked_about_again(self, cast):
        file_id = a_file(a_scope(cast))
        save(cast, file_id, self.TEXT, 1, is_confirmed=True)
        assert save(cast, file_id, self.TEXT + "more\n", 2).seq == 3
