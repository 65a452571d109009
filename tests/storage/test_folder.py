import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memoryadmin import storage
from memoryadmin.storage import KeyRefusedError, PreconditionFailedError, StoreUnavailableError
from memoryadmin.storage.folder import FolderStore
from tests.storage.contract import KEY, PLACE, StoreContract, keys_below


@pytest.fixture
def root(tmp_path) -> Path:
    return tmp_path / "made" / "store"


@pytest.fixture
def store(root):
    return FolderStore(root)


class TestFolderStore(StoreContract):
    @pytest.fixture
    def rival(self, root):
        return FolderStore(root)


class TestWhatIsOnDisk:
    def test_a_key_is_the_path_below_the_root(self, store, root):
        store.put(KEY, b"hello")

        assert (root / KEY).read_bytes() == b"hello"

    def test_the_root_is_for_its_owner_only(self, store, root):
        store.put(KEY, b"hello")

        assert stat.S_IMODE(root.stat().st_mode) == 0o700

    def test_nothing_of_the_stores_own_is_reachable_by_a_key(self, store, root):
        store.put(KEY, b"hello")

        assert sorted(entry.name for entry in root.iterdir()) == [".memoryadmin", "projects"]
        for key in (".memoryadmin/lock", ".MemoryAdmin/next"):
            with pytest.raises(KeyRefusedError):
                store.get(key)
        with pytest.raises(KeyRefusedError):
            store.list(".memoryadmin/")

    def test_reading_makes_nothing(self, store, root):
        assert store.get(KEY) is None
        assert keys_below(store, PLACE) == []
        assert not root.exists()

    def test_an_emptied_directory_stays_for_the_agent_that_mounts_it(self, store, root):
        store.put(KEY, b"hello")
        store.delete(KEY)

        assert (root / PLACE).is_dir()

    def test_a_file_can_take_the_name_of_directories_that_hold_nothing(self, store):
        store.put(PLACE + "notes/deep/a.md", b"a")
        store.delete(PLACE + "notes/deep/a.md")

        store.put(PLACE + "notes", b"now a file")

        assert keys_below(store, PLACE) == [PLACE + "notes"]

    def test_a_name_that_is_file_and_directory_is_refused_and_changes_nothing(self, store):
        store.put(PLACE + "notes/a.md", b"a")
        store.put(PLACE + "plan", b"b")

        with pytest.raises(KeyRefusedError):
            store.put(PLACE + "notes", b"x", if_absent=True)
        with pytest.raises(KeyRefusedError):
            store.put(PLACE + "plan/a.md", b"x", if_absent=True)
        assert keys_below(store, PLACE) == [PLACE + "notes/a.md", PLACE + "plan"]

    def test_names_that_no_key_can_have_are_not_listed(self, store, root):
        store.put(KEY, b"hello")
        (root / PLACE / os.fsdecode(b"bad-\xff.md")).write_bytes(b"x")

        assert keys_below(store, PLACE) == [KEY]


class TestLinks:
    @pytest.fixture
    def secret(self, tmp_path) -> Path:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "secret.md").write_bytes(b"secret")
        return outside / "secret.md"

    def test_a_link_in_the_place_of_a_file_is_neither_read_nor_written_through(self, store, root, secret):
        (root / PLACE).mkdir(parents=True)
        (root / KEY).symlink_to(secret)

        assert keys_below(store, PLACE) == []
        for act in (
            lambda: store.get(KEY),
            lambda: store.put(KEY, b"x", if_absent=True),
            lambda: store.put(KEY, b"x", if_match="e"),
            lambda: store.delete(KEY),
        ):
            with pytest.raises(KeyRefusedError):
                act()
        assert secret.read_bytes() == b"secret"

    @pytest.mark.parametrize("part", ["projects", "projects/p", "projects/p/workspace"])
    def test_a_link_in_the_place_of_a_directory_is_not_followed(self, store, root, secret, part):
        (root / part).parent.mkdir(parents=True, exist_ok=True)
        (root / part).symlink_to(secret.parent, target_is_directory=True)
        key = f"{part}/secret.md"

        for act in (
            lambda: keys_below(store, f"{part}/"),
            lambda: store.get(key),
            lambda: store.put(key, b"x"),
            lambda: store.delete(key),
        ):
            with pytest.raises(KeyRefusedError):
                act()
        assert secret.read_bytes() == b"secret"

    def test_a_link_to_a_directory_below_the_prefix_is_not_listed(self, store, root, secret):
        store.put(KEY, b"hello")
        (root / PLACE / "elsewhere").symlink_to(secret.parent, target_is_directory=True)

        assert keys_below(store, PLACE) == [KEY]

    def test_a_pipe_in_the_place_of_a_file_is_refused_without_waiting(self, store, root):
        (root / PLACE).mkdir(parents=True)
        os.mkfifo(root / KEY)

        with pytest.raises(KeyRefusedError):
            store.get(KEY)
        assert keys_below(store, PLACE) == []


class TestFaults:
    def test_a_full_disk_is_unavailable_and_the_old_content_stays_whole(self, store, root):
        etag = store.put(KEY, b"old")
        # A real limit of the kernel on the size of files, in a process of its own.
        script = (
            "import resource, signal, sys; from pathlib import Path\n"
            "from memoryadmin.storage.folder import FolderStore\n"
            "from memoryadmin.storage.base import StoreUnavailableError\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
            "try: FolderStore(Path(sys.argv[1])).put(sys.argv[2], b'n' * 5000, if_match=sys.argv[3])\n"
            "except StoreUnavailableError as error: print(error)\n"
        )

        run = subprocess.run(
            [sys.executable, "-c", script, root, KEY, etag], capture_output=True, text=True, check=True
        )  # fmt: skip

        assert run.stdout == "EFBIG\n"
        assert store.get(KEY).content == b"old"
        assert not (root / ".memoryadmin" / "next").exists()

    @pytest.mark.parametrize("below", ["", "store"])
    def test_a_root_that_is_no_directory_is_unavailable(self, tmp_path, below):
        (tmp_path / "file").write_bytes(b"")
        store = FolderStore(tmp_path / "file" / below)

        for act in (lambda: store.get(KEY), lambda: store.put(KEY, b"x"), lambda: keys_below(store, PLACE)):
            with pytest.raises(StoreUnavailableError):
                act()

    def test_what_a_killed_writer_left_is_overwritten_and_its_lock_is_free(self, store, root):
        etag = store.put(KEY, b"old")
        script = (
            "import os, signal, sys; from pathlib import Path\n"
            "from memoryadmin.storage.folder import FolderStore\n"
            "os.rename = lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL)\n"
            "FolderStore(Path(sys.argv[1])).put(sys.argv[2], b'half', if_match=sys.argv[3])\n"
        )
        run = subprocess.run([sys.executable, "-c", script, root, KEY, etag], check=False)
        assert run.returncode == -signal.SIGKILL
        assert (root / ".memoryadmin" / "next").read_bytes() == b"half"
        assert store.get(KEY).content == b"old"

        store.put(KEY, b"new", if_match=etag)

        assert store.get(KEY).content == b"new"
        assert keys_below(store, PLACE) == [KEY]
        assert not (root / ".memoryadmin" / "next").exists()


RACE = """
import sys; from pathlib import Path
from memoryadmin.storage.folder import FolderStore
from memoryadmin.storage.base import PreconditionFailedError
store, key, name, wins = FolderStore(Path(sys.argv[1])), sys.argv[2], sys.argv[3], 0
while wins < 100:
    found = store.get(key)
    try:
        store.put(key, found.content + f"{name} {wins}\\n".encode(), if_match=found.etag)
    except PreconditionFailedError:
        continue
    wins += 1
"""


class TestProcesses:
    def test_two_processes_that_append_by_compare_and_swap_lose_no_line(self, store, root):
        store.put(KEY, b"")
        running = [subprocess.Popen([sys.executable, "-c", RACE, root, KEY, name]) for name in ("a", "b")]

        assert [process.wait(timeout=120) for process in running] == [0, 0]

        lines = store.get(KEY).content.decode().splitlines()
        for name in ("a", "b"):
            assert [line for line in lines if line.startswith(name)] == [f"{name} {n}" for n in range(100)]

    def test_a_reader_sees_the_old_or_the_new_content_whole(self, store, root):
        store.put(KEY, b"a" * 300_000)
        script = (
            "import sys; from pathlib import Path\n"
            "from memoryadmin.storage.folder import FolderStore\n"
            "store = FolderStore(Path(sys.argv[1]))\n"
            "for n in range(60): store.put(sys.argv[2], (b'a', b'b')[n % 2] * 300_000)\n"
        )
        writer = subprocess.Popen([sys.executable, "-c", script, root, KEY])
        seen = set()
        stop_at = time.monotonic() + 60
        while writer.poll() is None and time.monotonic() < stop_at:
            content = (root / KEY).read_bytes()
            seen.add((len(content), len(set(content))))

        assert writer.wait(timeout=60) == 0
        assert seen == {(300_000, 1)}


class TestTheDoor:
    def test_the_configured_store_is_the_folder_of_the_settings(self, settings, tmp_path):
        settings.STORE_DIR = tmp_path / "here"

        storage.store().put(KEY, b"x")

        assert (tmp_path / "here" / KEY).read_bytes() == b"x"

    def test_a_condition_of_another_store_does_not_carry_over(self, settings, tmp_path):
        settings.STORE_DIR = tmp_path / "one"
        etag = storage.store().put(KEY, b"x")
        settings.STORE_DIR = tmp_path / "two"

        with pytest.raises(PreconditionFailedError):
            storage.store().put(KEY, b"y", if_match=etag)

    def test_uploads_wait_in_a_folder_of_their_own_that_no_agent_mounts(self, settings, tmp_path):
        settings.DATA_DIR, settings.STORE_DIR = tmp_path / "own", tmp_path / "own" / "store"

        storage.staging().put(KEY, b"x")

        assert (tmp_path / "own" / "uploads" / KEY).read_bytes() == b"x"
        assert storage.store().get(KEY) is None
