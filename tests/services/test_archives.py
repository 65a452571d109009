"""IE-03: an uploaded ZIP is taken whole or refused whole, with the entry named, in bounded time and memory."""

import hashlib
import io
import time
import tracemalloc
from zipfile import ZIP_STORED

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryadmin.services.imports import ArchiveRefusedError, archives
from tests.packing import BAD, of_many, with_raw_name, zipped


def taken(file: io.BytesIO) -> dict[str, bytes | None]:
    with archives.opened(file) as archive:
        return {one.path: one.content for one in archive.unpacked()}


class TestABadArchive:
    @pytest.mark.parametrize("kind", list(BAD))
    def test_IE_03_is_refused_with_the_entry_named(self, kind):
        make, reason, entry = BAD[kind]
        file = make()
        began_at = time.monotonic()

        with pytest.raises(ArchiveRefusedError) as refused:
            taken(file)

        assert (refused.value.reason, refused.value.entry) == (reason, entry)
        assert refused.value.field == "archive"
        assert time.monotonic() - began_at < 10

    @pytest.mark.parametrize("kind", ["100,000 entries", "a bomb", "a bomb that lies", "too much in all"])
    def test_IE_03_costs_little_memory(self, kind):
        file = BAD[kind][0]()
        tracemalloc.start()
        try:
            with pytest.raises(ArchiveRefusedError), archives.opened(file) as archive:
                for _ in archive.unpacked():
                    pass
            _, most_bytes = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

        assert most_bytes < 64 * 1024 * 1024

    def test_IE_03_that_does_not_tell_how_long_its_contents_are_is_read_in_part(self):
        """Thousands of entries more than are taken, in a table of contents that would still be read in one piece."""
        with pytest.raises(ArchiveRefusedError) as refused:
            taken(of_many(60_000))

        assert refused.value.reason == "too_many"

    @given(at=st.integers(min_value=0, max_value=10_000), byte=st.integers(min_value=0, max_value=255))
    @settings(max_examples=300)
    def test_IE_03_never_fails_in_another_way(self, at, byte):
        packed = bytearray(zipped({"SOUL.md": b"# Soul\n", "memory/ключ.md": "чай\n".encode()}).getvalue())
        packed[at % len(packed)] = byte
        try:
            found = taken(io.BytesIO(bytes(packed)))
        except ArchiveRefusedError:
            return
        assert len(found) <= 2

    @given(kept=st.integers(min_value=0, max_value=400))
    def test_IE_03_that_was_cut_off_anywhere_is_refused(self, kept):
        packed = zipped({"SOUL.md": b"# Soul\n" * 5, "memory/a.md": b"tea\n"}).getvalue()
        with pytest.raises(ArchiveRefusedError):
            taken(io.BytesIO(packed[: min(kept, len(packed) - 1)]))


class TestAGoodArchive:
    def test_comes_out_byte_for_byte(self):
        files = {"SOUL.md": b"\xef\xbb\xbf# Soul\r\n\r", "memory/\xe9.md": b"", "photo.md": bytes(range(256))}

        assert taken(zipped(files)) == files

    def test_an_archive_inside_is_bytes_like_any_others(self):
        inner = zipped({"../../x.md": b"x"}).getvalue()

        assert taken(zipped({"inner.zip": inner})) == {"inner.zip": inner}

    def test_loses_the_one_folder_that_was_packed_around_it(self):
        assert set(taken(zipped({"pilot-main/": b"", "pilot-main/SOUL.md": b"", "pilot-main/memory/a.md": b""}))) == {
            "SOUL.md", "memory/a.md",
        }  # fmt: skip

    @pytest.mark.parametrize("folder", ["memory", "agents", "memory-bank", ".claude", "workspace-forge", "@versions"])
    def test_keeps_a_folder_that_says_whose_the_files_are(self, folder):
        assert set(taken(zipped({f"{folder}/a.md": b"", f"{folder}/b.md": b""}))) == {
            f"{folder}/a.md",
            f"{folder}/b.md",
        }

    def test_keeps_two_folders_side_by_side(self):
        assert set(taken(zipped({"a/SOUL.md": b"", "b/SOUL.md": b""}))) == {"a/SOUL.md", "b/SOUL.md"}

    def test_leaves_out_what_no_folder_walk_would_enter_and_what_a_mac_adds(self):
        found = taken(zipped({"w/SOUL.md": b"", "w/.git/config": b"", "__MACOSX/w/._SOUL.md": b"\0"}))

        assert set(found) == {"SOUL.md"}

    def test_only_tells_the_size_of_a_file_that_no_import_takes(self):
        large = bytes(range(256)) * 90_000
        with archives.opened(zipped({"large.md": large}, ZIP_STORED)) as archive:
            (one,) = archive.unpacked()

        assert (one.size_bytes, one.content) == (len(large), None)
        assert one.sha256 == hashlib.sha256(large).hexdigest()

    @pytest.mark.parametrize(
        ("raw", "name", "is_guessed"),
        [
            ("ключ.md".encode(), "ключ.md", False), (b"caf\x82.md", "café.md", True), (b"plain.md", "plain.md", False),
        ],
    )  # fmt: skip
    def test_reads_names_of_archivers_that_do_not_tell_their_alphabet(self, raw, name, is_guessed):
        with archives.opened(with_raw_name(raw)) as archive:
            assert [one.path for one in archive.files] == [name]
            assert archive.has_guessed_names is is_guessed
