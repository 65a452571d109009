"""What every store must do, whatever it is made of: subclass `StoreContract` with a `store` fixture.

`rival` is the same store seen by another process, where an adapter can give one; by default the store itself.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryadmin.domain.errors import PathRefusedError
from memoryadmin.domain.paths import clean_path
from memoryadmin.storage import KeyRefusedError, PreconditionFailedError

PLACE = "projects/p/workspace/"
KEY = PLACE + "MEMORY.md"
ST_04_NAMES = ("план релиза+v2.md", "50% готово.md", "a=b&c.md", "ё.md")
ODD_NAMES = (
    *ST_04_NAMES, "..md", "CON.md",
    "<img src=x onerror=alert(1)>.md", "c#-guide.md", "a b\u00a0c.md", ".hidden",
    "q?x=1.md", "-rf.md", "memory/2026-07-01.md", "~tilde.md", "$HOME.md", "'quoted\".md", "日本語/メモ.md",
    "مذكرة.md", "e\u0301.md", "a+b%2Fc.md", "*.md", "x" * 240, "/".join(["d" * 100] * 8),
)  # fmt: skip


def _is_clean(path: str) -> bool:
    try:
        return clean_path(path) == path
    except PathRefusedError:
        return False


def keys_below(store, prefix: str) -> list[str]:
    return [entry.key for entry in store.list(prefix)]


class StoreContract:
    @pytest.fixture
    def rival(self, store):
        return store

    class TestReadingAndWriting:
        @pytest.mark.parametrize(
            "content", [b"", b"# Hello\n", b"\xef\xbb\xbfa\r\nb\rc  ", b"\xff\x00\xfe", b"x" * 1_000_000]
        )
        def test_the_bytes_read_are_the_bytes_written(self, store, content):
            etag = store.put(KEY, content)

            found = store.get(KEY)

            assert (found.content, found.etag) == (content, etag)
            assert found.modified_at.tzinfo is not None

        def test_an_absent_object_is_none(self, store):
            assert store.get(KEY) is None
            assert store.get(KEY + "/below.md") is None
            store.put(KEY, b"a")
            assert store.get(PLACE.removesuffix("/")) is None
            assert store.get(KEY + "/below.md") is None

        def test_a_put_without_condition_replaces(self, store):
            store.put(KEY, b"first")
            store.put(KEY, b"second")

            assert store.get(KEY).content == b"second"

        def test_equal_content_has_an_equal_etag_and_other_content_another(self, store):
            first = store.put(KEY, b"a")

            assert store.put(KEY, b"b") != first
            assert store.put(KEY, b"a") == first

        @pytest.mark.parametrize("name", ODD_NAMES)
        def test_ST_04_odd_names_round_trip(self, store, name):
            etag = store.put(PLACE + name, name.encode())

            assert store.get(PLACE + name).content == name.encode()
            assert keys_below(store, PLACE) == [PLACE + name]
            store.put(PLACE + name, b"edited", if_match=etag)
            store.delete(PLACE + name)
            assert keys_below(store, PLACE) == []

        @settings(
            max_examples=60, deadline=None,
            suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
        )  # fmt: skip
        @given(names=st.lists(st.text(min_size=1, max_size=12).filter(_is_clean), min_size=2, max_size=5, unique=True))
        def test_no_two_keys_share_an_object(self, store, names):
            kept = {}
            for name in names:
                try:
                    store.put(PLACE + name, name.encode())
                    kept[PLACE + name] = name.encode()
                except KeyRefusedError:
                    continue  # a name below another name, where the store has folders

            assert {key: store.get(key).content for key in kept} == kept
            assert set(keys_below(store, PLACE)) == set(kept)
            for key in kept:
                store.delete(key)

    class TestConditions:
        def test_if_absent_writes_once(self, store):
            store.put(KEY, b"first", if_absent=True)

            with pytest.raises(PreconditionFailedError):
                store.put(KEY, b"second", if_absent=True)
            assert store.get(KEY).content == b"first"

        def test_if_match_writes_over_what_it_names(self, store):
            etag = store.put(KEY, b"first")

            store.put(KEY, b"second", if_match=etag)

            assert store.get(KEY).content == b"second"

        def test_if_match_refuses_a_moved_object(self, store, rival):
            etag = store.put(KEY, b"first")
            rival.put(KEY, b"theirs")

            with pytest.raises(PreconditionFailedError):
                store.put(KEY, b"mine", if_match=etag)
            assert store.get(KEY).content == b"theirs"

        def test_if_match_refuses_an_absent_object(self, store):
            etag = store.put(KEY, b"first")
            store.delete(KEY)

            with pytest.raises(PreconditionFailedError):
                store.put(KEY, b"mine", if_match=etag)
            assert store.get(KEY) is None

        def test_delete_removes_only_what_it_names(self, store, rival):
            etag = store.put(KEY, b"first")
            rival.put(KEY, b"theirs")

            with pytest.raises(PreconditionFailedError):
                store.delete(KEY, if_match=etag)
            assert store.get(KEY).content == b"theirs"

        def test_deleting_twice_is_no_error(self, store):
            etag = store.put(KEY, b"first")

            store.delete(KEY, if_match=etag)
            store.delete(KEY, if_match=etag)
            store.delete(KEY)

            assert store.get(KEY) is None

        def test_of_many_racing_writers_one_wins(self, store):
            etag = store.put(KEY, b"base")

            def write(index: int) -> int | None:
                try:
                    store.put(KEY, f"writer {index}".encode(), if_match=etag)
                except PreconditionFailedError:
                    return None
                return index

            with ThreadPoolExecutor(8) as pool:
                winners = [index for index in pool.map(write, range(24)) if index is not None]

            assert len(winners) == 1
            assert store.get(KEY).content == f"writer {winners[0]}".encode()

    class TestListing:
        def test_ST_01_neighbours_that_share_a_beginning_stay_apart(self, store):
            for agent in ("1", "10", "1-test"):
                store.put(f"projects/p/agents/{agent}/workspace/MEMORY.md", agent.encode())

            assert keys_below(store, "projects/p/agents/1/") == ["projects/p/agents/1/workspace/MEMORY.md"]
            for entry in list(store.list("projects/p/agents/1/")):
                store.delete(entry.key)
            assert len(keys_below(store, "projects/p/agents/")) == 2

        @pytest.mark.parametrize("prefix", ["", "projects", "projects/p/agents/1", "/", "a//", "../", "a/../", "/a/"])
        def test_ST_01_a_prefix_that_could_widen_is_refused(self, store, prefix):
            with pytest.raises(KeyRefusedError):
                store.list(prefix)

        def test_a_prefix_without_objects_lists_nothing(self, store):
            assert keys_below(store, "projects/none/") == []
            store.put(KEY, b"a")
            assert keys_below(store, KEY + "/") == []

        def test_an_entry_says_what_get_says(self, store):
            store.put(KEY, b"hello")

            (entry,) = store.list(PLACE)

            found = store.get(KEY)
            assert (entry.key, entry.etag, entry.size_bytes) == (KEY, found.etag, 5)
            assert (entry.modified_at, entry.version) == (found.modified_at, found.version)

        def test_entries_come_in_the_order_of_their_bytes(self, store):
            names = ["a.md", "a/b.md", "a-b.md", "a/b/c.md", "a!.md", "B.md", "ё.md", "z/1", "z0"]
            for name in names:
                store.put(PLACE + name, b"")

            assert keys_below(store, PLACE) == [PLACE + name for name in sorted(names, key=str.encode)]

        def test_ST_02_more_than_a_thousand_objects_list_completely(self, store):
            names = [f"{PLACE}log-{index:04}.md" for index in range(1, 1206)]
            for name in names:
                store.put(name, b"x")

            assert keys_below(store, PLACE) == names

    @pytest.mark.parametrize(
        "key", ["", "/a", "a/", "a//b", "./a", "../a", "a/../b", "a/..", "a\0b", "\ud800", "k" * 1025]
    )
    def test_a_key_that_is_no_clean_path_is_refused_everywhere(self, store, key):
        for act in (store.get, store.delete, lambda key: store.put(key, b"x")):
            with pytest.raises(KeyRefusedError):
                act(key)
