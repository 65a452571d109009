"""Names, deletions and restores: two lives of a name stay apart, and nothing is lost on the way."""

from datetime import timedelta

import pytest

from memoryadmin.domain.errors import InvalidFieldError, NotVisibleError, PathRefusedError, TooLargeError
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import AuditRecord, MemoryFile, Version
from memoryadmin.services import files, people
from tests.build import a_file, a_scope, more_versions
from tests.cast import NOW, OPERATOR

LATER = NOW + timedelta(hours=1)
NOTE = files.Note()
pytestmark = pytest.mark.django_db


@pytest.fixture
def alice(cast):
    return cast.actor(cast.alice)


def versions(actor, file_id):
    return [(one.seq, one.operation) for one in files.history(actor=actor, file_id=file_id).versions]


class TestRenaming:
    def test_VE_02_keeps_the_history(self, cast, alice):
        file_id = a_file(a_scope(cast), path="incidents.md", text="1\n")
        more_versions(file_id, "2\n", "3\n")
        files.rename(actor=alice, file_id=file_id, path="incidents-2026.md", base_seq=3, note=NOTE, now=LATER)
        files.save(actor=alice, file_id=file_id, text="4\n", base_seq=4, note=NOTE, now=LATER)
        assert versions(alice, file_id) == [(5, "edited"), (4, "renamed"), (3, "edited"), (2, "edited"), (1, "created")]
        texts = [files.read_version(actor=alice, file_id=file_id, seq=n).text for n in (1, 2, 3, 5)]
        assert texts == ["1\n", "2\n", "3\n", "4\n"]
        assert files.compare(actor=alice, file_id=file_id, old_seq=1, new_seq=5).diff.removed == 1

    def test_VE_02_after_a_swap_each_history_belongs_to_its_content(self, cast, alice):
        scope_id = a_scope(cast)
        one, other = a_file(scope_id, path="a.md", text="alpha\n"), a_file(scope_id, path="b.md", text="beta\n")
        for file_id, path, seq in ((one, "tmp.md", 1), (other, "a.md", 1), (one, "b.md", 2)):
            files.rename(actor=alice, file_id=file_id, path=path, base_seq=seq, note=NOTE, now=LATER)
        assert [(one.path, one.id) for one in files.listing(actor=alice, scope_id=scope_id).files] == [
            ("a.md", other), ("b.md", one),
        ]  # fmt: skip
        assert files.read_version(actor=alice, file_id=one, seq=1).text == "alpha\n"
        assert files.read_version(actor=alice, file_id=other, seq=1).text == "beta\n"

    def test_VE_02_the_old_name_shows_where_the_file_went(self, cast, alice):
        scope_id = a_scope(cast)
        file_id = a_file(scope_id, path="old.md")
        files.rename(actor=alice, file_id=file_id, path="new.md", base_seq=1, note=NOTE, now=LATER)
        found = files.find(actor=alice, scope_id=scope_id, path="old.md")
        assert found.live is None and [(one.id, one.path) for one in found.former] == [(file_id, "new.md")]
        assert files.find(actor=alice, scope_id=scope_id, path="new.md").live.id == file_id
        with pytest.raises(NotVisibleError):
            files.find(actor=alice, scope_id=scope_id, path="never.md")

    def test_to_a_taken_name_is_refused_and_to_its_own_is_no_act(self, cast, alice):
        scope_id = a_scope(cast)
        one, other = a_file(scope_id, path="a.md"), a_file(scope_id, path="b.md")
        with pytest.raises(files.NameTakenError) as taken:
            files.rename(actor=alice, file_id=one, path="b.md", base_seq=1, note=NOTE, now=LATER)
        assert taken.value.file_id == other
        assert not files.rename(actor=alice, file_id=one, path="a.md", base_seq=1, note=NOTE, now=LATER).has_changed

    @pytest.mark.parametrize("path", ["../USER.md", "/etc/passwd", "a//b.md", "a\0.md", "C:\\x", ""])
    def test_SE_04_out_of_the_scope_is_refused(self, cast, alice, path):
        file_id = a_file(a_scope(cast))
        with pytest.raises(PathRefusedError) as refused:
            files.rename(actor=alice, file_id=file_id, path=path, base_seq=1, note=NOTE, now=LATER)
        assert refused.value.field == "path"


class TestDeleting:
    def test_takes_the_file_out_of_the_list_and_keeps_every_version(self, cast, alice):
        scope_id = a_scope(cast)
        file_id = a_file(scope_id, text="keep me\n")
        assert files.delete(actor=alice, file_id=file_id, base_seq=1, note=NOTE, now=LATER).has_changed
        assert files.listing(actor=alice, scope_id=scope_id).files == ()
        assert [one.id for one in files.deleted(actor=alice, scope_id=scope_id)] == [file_id]
        assert files.read_version(actor=alice, file_id=file_id, seq=1).text == "keep me\n"
        assert files.read(actor=alice, file_id=file_id).text == "keep me\n"

    def test_again_is_no_act(self, cast, alice):
        file_id = a_file(a_scope(cast))
        files.delete(actor=alice, file_id=file_id, base_seq=1, note=NOTE, now=LATER)
        assert not files.delete(actor=alice, file_id=file_id, base_seq=1, note=NOTE, now=LATER).has_changed
        assert Version.objects.filter(file=file_id).count() == 2


class TestADeletedFileWhoseNameWasTaken:
    @pytest.fixture
    def lives(self, cast, alice):
        scope_id = a_scope(cast)
        first = a_file(scope_id, path="plan.md", text="old 1\n")
        more_versions(first, "old 2\n")
        files.delete(actor=alice, file_id=first, base_seq=2, note=NOTE, now=LATER)
        second = a_file(scope_id, path="plan.md", text="new 1\n")
        return first, second

    def test_VE_03_keeps_its_life_apart_in_history(self, alice, lives):
        first, second = lives
        assert versions(alice, second) == [(1, "created")]
        assert [one.file_id for one in files.history(actor=alice, file_id=second).other_lives] == [first]
        assert [one.file_id for one in files.history(actor=alice, file_id=first).other_lives] == [second]

    def test_VE_03_is_one_of_a_bounded_list_however_often_the_name_was_taken(self, alice, lives):
        first, second = lives
        row = MemoryFile.objects.get(pk=first)
        for _ in range(60):
            row.pk = None
            row.save(force_insert=True)
        assert len(files.history(actor=alice, file_id=second).other_lives) == 50

    def test_VE_03_is_not_restored_over_the_new_one(self, alice, lives):
        first, second = lives
        with pytest.raises(files.NameTakenError) as taken:
            files.restore(actor=alice, file_id=first, seq=2, base_seq=3, note=NOTE, now=LATER)
        assert taken.value.file_id == second
        assert files.read(actor=alice, file_id=second).text == "new 1\n"

    def test_VE_03_comes_back_under_another_name(self, alice, lives):
        first, second = lives
        files.restore(actor=alice, file_id=first, seq=2, base_seq=3, note=NOTE, now=LATER, path="plan-2025.md")
        found = files.read(actor=alice, file_id=first)
        assert (found.path, found.text, found.card.is_deleted) == ("plan-2025.md", "old 2\n", False)
        assert files.read(actor=alice, file_id=second).text == "new 1\n"

    def test_VE_03_or_as_a_version_of_the_present_file(self, alice, lives):
        first, second = lives
        files.restore_into(
            actor=alice, file_id=second, source_file_id=first, seq=1, base_seq=1, note=NOTE, now=LATER
        )  # fmt: skip
        newest = files.history(actor=alice, file_id=second).versions[0]
        assert (newest.operation, newest.source_file_id, newest.source_seq) == ("restored", first, 1)
        assert files.read(actor=alice, file_id=second).text == "old 1\n"
        assert files.read_version(actor=alice, file_id=second, seq=1).text == "new 1\n"

    def test_VE_03_never_into_a_file_of_another_scope(self, cast, alice, lives):
        foreign = a_file(a_scope(cast, ScopeType.PERSON))
        with pytest.raises(InvalidFieldError):
            files.restore_into(
                actor=alice, file_id=foreign, source_file_id=lives[0], seq=1, base_seq=1, note=NOTE, now=LATER
            )  # fmt: skip


class TestRestoring:
    def test_VE_05_is_a_new_version_that_names_its_source(self, cast, alice):
        file_id = a_file(a_scope(cast), text="one\n")
        more_versions(file_id, "two\n", "three\n")
        saved = files.restore(actor=alice, file_id=file_id, seq=1, base_seq=3, note=NOTE, now=LATER)
        newest = files.history(actor=alice, file_id=file_id).versions[0]
        assert (saved.seq, newest.operation, newest.source_seq) == (4, "restored", 1)
        assert files.read(actor=alice, file_id=file_id).text == "one\n"
        assert AuditRecord.objects.latest("pk").action == "file.restored"

    def test_VE_05_passes_the_limit_of_today(self, cast, alice, settings):
        file_id = a_file(a_scope(cast), text="x" * 1800)
        more_versions(file_id, "x" * 900)
        settings.HARD_LIMIT_BYTES = 1000
        with pytest.raises(TooLargeError) as refused:
            files.restore(actor=alice, file_id=file_id, seq=1, base_seq=2, note=NOTE, now=LATER)
        assert (refused.value.size_bytes, refused.value.limit_bytes) == (1800, 1000)
        assert files.read(actor=alice, file_id=file_id).seq == 2

    def test_of_what_is_there_already_is_no_act(self, cast, alice):
        file_id = a_file(a_scope(cast), text="one\n")
        more_versions(file_id, "two\n", "one\n")
        assert not files.restore(actor=alice, file_id=file_id, seq=1, base_seq=1, note=NOTE, now=LATER).has_changed

    def test_revives_a_deleted_file_in_its_own_life(self, cast, alice):
        file_id = a_file(a_scope(cast), text="one\n")
        files.delete(actor=alice, file_id=file_id, base_seq=1, note=NOTE, now=LATER)
        files.restore(actor=alice, file_id=file_id, seq=1, base_seq=2, note=NOTE, now=LATER)
        assert versions(alice, file_id) == [(3, "restored"), (2, "deleted"), (1, "created")]
        assert not files.read(actor=alice, file_id=file_id).card.is_deleted

    def test_of_a_deletion_has_nothing_to_bring_back(self, cast, alice):
        file_id = a_file(a_scope(cast))
        files.delete(actor=alice, file_id=file_id, base_seq=1, note=NOTE, now=LATER)
        with pytest.raises(InvalidFieldError):
            files.restore(actor=alice, file_id=file_id, seq=2, base_seq=2, note=NOTE, now=LATER)


class TestStoredVersions:
    def test_VE_04_never_change_whatever_happens_later(self, cast, alice):
        file_id = a_file(a_scope(cast), text="alpha", actor=alice)
        more_versions(file_id, "alpha beta", "beta", actor=alice)
        before = [files.read_version(actor=alice, file_id=file_id, seq=n) for n in (1, 2, 3)]
        files.restore(actor=alice, file_id=file_id, seq=1, base_seq=3, note=NOTE, now=LATER)
        files.save(actor=alice, file_id=file_id, text="gamma", base_seq=4, note=NOTE, now=LATER)
        files.delete(actor=alice, file_id=file_id, base_seq=5, note=NOTE, now=LATER)
        files.restore(actor=alice, file_id=file_id, seq=5, base_seq=6, note=NOTE, now=LATER)
        files.rename(actor=alice, file_id=file_id, path="elsewhere.md", base_seq=7, note=NOTE, now=LATER)
        people.edit(
            actor=OPERATOR, person_id=cast.alice, fields=people.PersonFields(name="Alice Renamed", login="alice"),
            now=LATER,
        )  # fmt: skip
        after = [files.read_version(actor=alice, file_id=file_id, seq=n) for n in (1, 2, 3)]
        assert [one.text for one in after] == ["alpha", "alpha beta", "beta"]
        for old, new in zip(before, after, strict=True):
            assert (old.card.at, old.card.author.id, old.card.path, old.content) == (
                new.card.at, new.card.author.id, new.card.path, new.content,
            )  # fmt: skip


class TestAppending:
    def test_adds_on_a_line_of_its_own_and_needs_no_base(self, cast, alice):
        file_id = a_file(a_scope(cast), text="one", path="memory/2026-07-20.md")
        files.append(actor=alice, file_id=file_id, text="two\n", note=NOTE, now=LATER)
        files.append(actor=alice, file_id=file_id, text="three\n", note=NOTE, now=LATER)
        assert files.read(actor=alice, file_id=file_id).text == "one\ntwo\nthree\n"
        assert versions(alice, file_id)[0] == (3, "appended")

    def test_DM_09_is_all_that_a_log_allows(self, cast, alice):
        file_id = a_file(a_scope(cast), text="one\n", path="memory/2026-07-20.md")
        with pytest.raises(files.AppendOnlyError):
            files.save(actor=alice, file_id=file_id, text="rewritten\n", base_seq=1, note=NOTE, now=LATER)
        saved = files.save(actor=alice, file_id=file_id, text="one\ntwo\n", base_seq=1, note=NOTE, now=LATER)
        with pytest.raises(files.AppendOnlyError):
            files.restore(actor=alice, file_id=file_id, seq=1, base_seq=saved.seq, note=NOTE, now=LATER)
        with pytest.raises(files.AppendOnlyError):
            files.rename(actor=alice, file_id=file_id, path="free.md", base_seq=saved.seq, note=NOTE, now=LATER)
        assert files.read(actor=alice, file_id=file_id).text == "one\ntwo\n"

    def test_DM_09_a_deleted_log_comes_back_whole_and_as_a_log_or_not_at_all(self, cast, alice):
        file_id = a_file(a_scope(cast), text="one\n", path="memory/2026-07-20.md")
        files.append(actor=alice, file_id=file_id, text="two\n", note=NOTE, now=LATER)
        files.delete(actor=alice, file_id=file_id, base_seq=2, note=NOTE, now=LATER)
        with pytest.raises(files.AppendOnlyError):
            files.restore(actor=alice, file_id=file_id, seq=1, base_seq=3, note=NOTE, now=LATER)
        with pytest.raises(files.AppendOnlyError):
            files.restore(actor=alice, file_id=file_id, seq=2, base_seq=3, note=NOTE, now=LATER, path="free.md")
        files.restore(actor=alice, file_id=file_id, seq=2, base_seq=3, note=NOTE, now=LATER)
        assert files.read(actor=alice, file_id=file_id).text == "one\ntwo\n"

    def test_nothing_is_refused(self, cast, alice):
        file_id = a_file(a_scope(cast))
        with pytest.raises(InvalidFieldError):
            files.append(actor=alice, file_id=file_id, text="", note=NOTE, now=LATER)
