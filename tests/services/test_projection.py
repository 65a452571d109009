import pytest

from memoryadmin import storage
from memoryadmin.models import Job, MemoryFile, ObjectState
from memoryadmin.services import jobs, projection
from memoryadmin.services.projection import CopyState
from memoryadmin.storage.folder import FolderStore
from tests.services import mirrored
from tests.services.mirrored import PLACE, Clock, create, delete, heads, mirror, rename, save, settle, work
from tests.storage.contract import ST_04_NAMES

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.STORE_DIR = tmp_path / "store"
    return settings.STORE_DIR / PLACE


@pytest.fixture
def scope_id() -> int:
    return mirrored.a_project()


@pytest.fixture
def file_id(scope_id) -> int:
    """A file that is mirrored."""
    file_id = create(scope_id=scope_id, path="a.md", text="one\n")
    assert work() == 1
    return file_id


@pytest.fixture
def puts(monkeypatch) -> list[str]:
    """The keys that were written from here on."""
    seen = []
    put = FolderStore.put

    def noted(self, key, content, **condition):
        etag = put(self, key, content, **condition)
        seen.append(key.removeprefix(PLACE))
        return etag

    monkeypatch.setattr(FolderStore, "put", noted)
    return seen


def state(file_id: int) -> CopyState:
    return projection.copy_state([file_id])[file_id]


def begin_late(monkeypatch, method: str, meanwhile) -> None:
    """Let `meanwhile` happen in the instant before the next call of the store's `method`."""
    original = getattr(FolderStore, method)

    def late(self, *args, **condition):
        monkeypatch.setattr(FolderStore, method, original)
        meanwhile()
        return original(self, *args, **condition)

    monkeypatch.setattr(FolderStore, method, late)


def overtake() -> None:
    """Do as another worker does after this one has slept for longer than its lease."""
    clock = Clock()
    clock.now += jobs.LEASE
    jobs.run_due(clock=clock)


class TestTheCopy:
    def test_follows_the_head(self, file_id):
        assert (mirror(), state(file_id)) == ({"a.md": "one\n"}, CopyState.CURRENT)

        save(file_id=file_id, text="two\n")
        assert state(file_id) is CopyState.BEHIND
        work()

        assert (mirror(), state(file_id)) == ({"a.md": "two\n"}, CopyState.CURRENT)

    def test_many_versions_become_one_put(self, file_id, puts):
        for number in range(5):
            save(file_id=file_id, text=f"version {number}\n")
        work()

        assert puts == ["a.md"]
        assert mirror() == {"a.md": "version 4\n"}

    @pytest.mark.parametrize("text", ["", "\ufeffa\r\nb\rc  ", "no newline"])
    def test_has_exactly_the_heads_bytes(self, scope_id, folder, text):
        create(scope_id=scope_id, path="a.md", text=text)
        work()

        assert (folder / "a.md").read_bytes() == text.encode()

    def test_ST_04_names_are_kept(self, scope_id, folder):
        for name in ST_04_NAMES:
            create(scope_id=scope_id, path=name, text=f"in {name}\n")
        settle()

        assert sorted(entry.name for entry in folder.iterdir()) == sorted(ST_04_NAMES)
        assert mirror() == {name: f"in {name}\n" for name in ST_04_NAMES}

    def test_moves_with_a_rename(self, file_id):
        rename(file_id=file_id, path="memory/b.md")
        work()

        assert (mirror(), state(file_id)) == ({"memory/b.md": "one\n"}, CopyState.CURRENT)

    def test_goes_with_a_deletion(self, file_id):
        delete(file_id=file_id)
        assert state(file_id) is CopyState.BEHIND
        work()

        assert (mirror(), state(file_id)) == ({}, CopyState.CURRENT)
        assert not ObjectState.objects.exists()

    def test_of_a_quarantined_file_is_withheld_and_taken_back(self, file_id):
        MemoryFile.objects.filter(pk=file_id).update(is_quarantined=True)
        projection_again(file_id)

        assert (mirror(), state(file_id)) == ({}, CopyState.WITHHELD)

    def test_running_again_puts_nothing(self, file_id, puts):
        projection_again(file_id)

        assert (puts, mirror()) == ([], {"a.md": "one\n"})

    def test_that_vanished_is_put_again_by_the_next_run(self, file_id, folder):
        (folder / "a.md").unlink()
        projection_again(file_id)

        assert (mirror(), state(file_id)) == ({"a.md": "one\n"}, CopyState.CURRENT)


def projection_again(file_id: int) -> None:
    jobs.enqueue(kind="project", key=f"project:{file_id}", subject_id=file_id, now=mirrored.NOW)
    assert work() == 1


class TestStates:
    def test_are_found_in_two_queries(self, scope_id, django_assert_num_queries):
        ids = [create(scope_id=scope_id, path=f"{number}.md", text="x") for number in range(5)]
        work()

        with django_assert_num_queries(2):
            assert set(projection.copy_state(ids).values()) == {CopyState.CURRENT}

    def test_leave_out_files_that_do_not_exist(self):
        assert projection.copy_state([12345]) == {}


class TestNamesThatChangeHands:
    def test_a_new_life_on_a_deleted_name(self, scope_id, file_id):
        delete(file_id=file_id)
        create(scope_id=scope_id, path="a.md", text="another life\n")
        settle()

        assert mirror() == {"a.md": "another life\n"}

    def test_a_new_life_with_the_same_bytes(self, scope_id, file_id):
        delete(file_id=file_id)
        create(scope_id=scope_id, path="a.md", text="one\n")
        settle()

        assert mirror() == {"a.md": "one\n"}

    def test_the_new_file_waits_for_the_old_one_to_leave(self, scope_id, file_id):
        rename(file_id=file_id, path="b.md")
        Job.objects.update(run_after=mirrored.NOW + jobs.LEASE)
        second = create(scope_id=scope_id, path="a.md", text="second\n")

        work()
        assert (mirror(), state(second)) == ({"a.md": "one\n"}, CopyState.BEHIND)
        settle()

        assert mirror() == {"a.md": "second\n", "b.md": "one\n"}

    def test_two_files_that_exchange_their_names(self, scope_id, file_id):
        second = create(scope_id=scope_id, path="b.md", text="second\n")
        work()
        for moved, path in ((file_id, "c.md"), (second, "a.md"), (file_id, "b.md")):
            rename(file_id=moved, path=path)
        settle()

        assert mirror() == {"a.md": "second\n", "b.md": "one\n"}

    @pytest.mark.parametrize(("old", "new"), [("notes", "notes/a.md"), ("notes/a.md", "notes")])
    def test_a_file_that_becomes_a_folder_of_its_name_and_back(self, scope_id, old, new):
        file_id = create(scope_id=scope_id, path=old, text="one\n")
        work()
        rename(file_id=file_id, path=new)
        settle()

        assert (mirror(), state(file_id)) == ({new: "one\n"}, CopyState.CURRENT)

    def test_ST_01_deleting_in_one_scope_touches_no_neighbour(self, scope_id, file_id):
        neighbour = create(scope_id=scope_id, path="a.md.bak", text="kept\n")
        work()
        delete(file_id=file_id)
        settle()

        assert (mirror(), state(neighbour)) == ({"a.md.bak": "kept\n"}, CopyState.CURRENT)


class TestAStoreChangedFromOutside:
    def test_is_not_overwritten(self, file_id, folder):
        (folder / "a.md").write_text("from outside\n")
        save(file_id=file_id, text="two\n")
        settle()

        assert (mirror(), state(file_id)) == ({"a.md": "from outside\n"}, CopyState.DIFFERS)

    def test_is_not_overwritten_by_a_first_put(self, scope_id, folder):
        folder.mkdir(parents=True)
        (folder / "a.md").write_text("from outside\n")
        file_id = create(scope_id=scope_id, path="a.md", text="one\n")
        settle()

        assert (mirror(), state(file_id)) == ({"a.md": "from outside\n"}, CopyState.DIFFERS)

    def test_is_not_deleted(self, file_id, folder):
        (folder / "a.md").write_text("from outside\n")
        delete(file_id=file_id)
        settle()

        assert (mirror(), state(file_id)) == ({"a.md": "from outside\n"}, CopyState.DIFFERS)

    def test_is_current_again_when_it_holds_the_heads_bytes(self, file_id, folder):
        (folder / "a.md").write_text("from outside\n")
        save(file_id=file_id, text="two\n")
        settle()
        (folder / "a.md").write_text("two\n")
        projection_again(file_id)

        assert state(file_id) is CopyState.CURRENT

    def test_into_what_history_holds_is_ours_to_replace(self, file_id, folder):
        save(file_id=file_id, text="two\n")
        settle()
        (folder / "a.md").write_text("one\n")
        save(file_id=file_id, text="three\n")
        settle()

        assert (mirror(), state(file_id)) == ({"a.md": "three\n"}, CopyState.CURRENT)

    def test_passes_the_question_to_the_next_file_of_that_name(self, scope_id, file_id, folder):
        (folder / "a.md").write_text("from outside\n")
        delete(file_id=file_id)
        settle()
        second = create(scope_id=scope_id, path="a.md", text="second\n")
        settle()

        assert (state(second), state(file_id)) == (CopyState.DIFFERS, CopyState.CURRENT)
        assert mirror() == {"a.md": "from outside\n"}

    def test_into_a_link_is_refused_and_said(self, file_id, folder, tmp_path):
        (tmp_path / "secret").write_text("secret\n")
        (folder / "a.md").unlink()
        (folder / "a.md").symlink_to(tmp_path / "secret")
        save(file_id=file_id, text="two\n")
        work()

        assert state(file_id) is CopyState.DIFFERS
        assert (tmp_path / "secret").read_text() == "secret\n"
        (folder / "a.md").unlink()
        settle()
        assert (mirror(), state(file_id)) == ({"a.md": "two\n"}, CopyState.CURRENT)

    def test_in_the_instant_of_the_put_is_not_overwritten(self, file_id, folder, monkeypatch):
        save(file_id=file_id, text="two\n")
        begin_late(monkeypatch, "put", lambda: (folder / "a.md").write_text("from outside\n"))
        settle()

        assert (mirror(), state(file_id)) == ({"a.md": "from outside\n"}, CopyState.DIFFERS)

    def test_in_the_instant_of_the_deletion_is_not_deleted(self, file_id, folder, monkeypatch):
        delete(file_id=file_id)
        begin_late(monkeypatch, "delete", lambda: (folder / "a.md").write_text("from outside\n"))
        settle()

        assert (mirror(), state(file_id)) == ({"a.md": "from outside\n"}, CopyState.DIFFERS)


class TestAStoreThatCannotAnswer:
    def test_ST_06_fails_no_save_and_gets_one_put_per_head_afterwards(self, scope_id, folder, puts):
        root = folder.parents[2]
        root.write_text("in the way")
        ids = [create(scope_id=scope_id, path=f"{number}.md", text="x\n") for number in range(3)]
        for file_id in ids:
            save(file_id=file_id, text=f"head of {file_id}\n")

        assert work() == 0
        assert set(projection.copy_state(ids).values()) == {CopyState.BEHIND}
        assert set(Job.objects.values_list("error", flat=True)) == {"store_unavailable: EEXIST"}
        assert list(heads().values()) == [f"head of {file_id}\n" for file_id in ids]

        root.unlink()
        settle()
        assert sorted(puts) == ["0.md", "1.md", "2.md"]
        assert mirror() == heads()
        assert set(projection.copy_state(ids).values()) == {CopyState.CURRENT}


class TestAWorkerThatWasTooLate:
    """It sleeps for longer than its lease right before an effect, and another worker takes the job over."""

    @pytest.mark.parametrize(
        ("meanwhile", "expected"),
        [
            (lambda file_id: None, {"a.md": "one\n"}),
            (lambda file_id: save(file_id=file_id, text="two\n"), {"a.md": "two\n"}),
            (lambda file_id: rename(file_id=file_id, path="b.md"), {"b.md": "one\n"}),
            (lambda file_id: delete(file_id=file_id), {}),
        ],
        ids=["nothing", "save", "rename", "delete"],
    )
    def test_to_put(self, scope_id, monkeypatch, meanwhile, expected):
        file_id = create(scope_id=scope_id, path="a.md", text="one\n")
        begin_late(monkeypatch, "put", lambda: (meanwhile(file_id), overtake()))
        settle()

        assert (mirror(), state(file_id)) == (expected, CopyState.CURRENT)

    def test_to_put_bytes_between_two_equal_ones(self, file_id, monkeypatch):
        save(file_id=file_id, text="two\n")
        begin_late(monkeypatch, "put", lambda: (save(file_id=file_id, text="one\n"), overtake()))
        settle()

        assert (mirror(), state(file_id)) == ({"a.md": "one\n"}, CopyState.CURRENT)

    def test_to_delete_what_came_back(self, file_id, monkeypatch):
        rename(file_id=file_id, path="b.md")
        begin_late(monkeypatch, "delete", lambda: (rename(file_id=file_id, path="a.md"), overtake()))
        settle()

        assert (mirror(), state(file_id)) == ({"a.md": "one\n"}, CopyState.CURRENT)

    def test_to_delete_what_is_another_files_by_now(self, scope_id, file_id, monkeypatch):
        delete(file_id=file_id)

        def reuse() -> None:
            overtake()
            create(scope_id=scope_id, path="a.md", text="one\n")
            overtake()

        begin_late(monkeypatch, "delete", reuse)
        settle()

        assert mirror() == {"a.md": "one\n"}
        assert storage.store().get(PLACE + "a.md") is not None
