"""Reads an uploaded ZIP without trusting it: whatever is wrong with it refuses the whole, with the entry named.

Called by `staging`. The archive's own words about sizes and counts are not believed: bytes are counted as they are
unpacked, and the table of contents is never read in whole when it is longer than an import could need. Archives inside
the archive are bytes like any others. Source: design 08, "Names"; case IE-03.
"""

import hashlib
import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import IO

from memoryadmin.domain.errors import MemoryAdminError
from memoryadmin.domain.imports import SKIPPED_FOLDERS, wrapper_of
from memoryadmin.services.imports.workspace import MAX_FILE_BYTES

MAX_ENTRIES = 5_000
MAX_UNPACKED_BYTES = 100 * 1024 * 1024
MAX_UPLOAD_BYTES = 100 * 1024 * 1024
# No text packs itself as small as this; small files of one repeated letter may.
_MAX_RATIO = 200
_RATIO_FROM_BYTES = 1024 * 1024
# Room for as many entries as are taken, with the longest names; zipfile reads the table of contents in one piece.
_MAX_READ_BYTES = 5 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024
_IS_UTF_8, _IS_ENCRYPTED = 0x800, 0x1
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
# What a Mac adds beside the folder when it packs one.
_NOT_OF_THE_FOLDER = "__MACOSX"
_DRIVE = re.compile(r"[A-Za-z]:(?:/|$)")
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, IndexError)


class ArchiveReason(StrEnum):
    """Why an archive was refused; stable, so that pages can say it in the reader's language."""

    NOT_ZIP = "not_zip"
    BROKEN = "broken"
    EMPTY = "empty"
    ENCRYPTED = "encrypted"
    METHOD = "method"  # packed in another way than ZIP files usually are
    UNREADABLE_NAME = "unreadable_name"
    UNSAFE_NAME = "unsafe_name"
    LINK = "link"
    TWICE = "twice"
    TOO_MANY = "too_many"
    TOO_LARGE = "too_large"
    RATIO = "ratio"


class ArchiveRefusedError(MemoryAdminError):
    """The archive is not taken; `reason` says why, `entry` names the one at fault or is empty."""

    code = "archive_refused"

    def __init__(self, reason: ArchiveReason, entry: str = "") -> None:
        super().__init__(f"the archive was refused: {reason}", field="archive")
        self.reason = reason
        self.entry = entry


@dataclass(frozen=True, slots=True)
class Packed:
    """One file of the archive under its path in the folder that was packed."""

    path: str
    entry: zipfile.ZipInfo


@dataclass(frozen=True, slots=True)
class Unpacked:
    """One file taken out; `content` is None when it is larger than any import takes."""

    path: str
    size_bytes: int
    sha256: str
    content: bytes | None


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive whose names are safe. `has_guessed_names`: some are in an alphabet that it does not tell."""

    files: tuple[Packed, ...]
    has_guessed_names: bool
    zip: zipfile.ZipFile

    def unpacked(self) -> Iterator[Unpacked]:
        """Yield every file with its bytes, one at a time.

        :raises ArchiveRefusedError: an entry is broken, or what is unpacked is too much.
        """
        left = MAX_UNPACKED_BYTES
        for packed in self.files:
            with _refusing(packed.path):
                one = _unpacked(self.zip, packed, left)
            left -= one.size_bytes
            yield one


@contextmanager
def opened(file: IO[bytes]) -> Iterator[Archive]:
    """Open the ZIP in `file`, which is read where it lies, and yield it when all of its names are safe.

    :raises ArchiveRefusedError: it is no ZIP, or something about it is refused.
    """
    bounded = _BoundedReader(file)
    with _refusing():
        if not zipfile.is_zipfile(bounded):
            raise ArchiveRefusedError(ArchiveReason.NOT_ZIP)
        unzipped = zipfile.ZipFile(bounded)
    with unzipped:
        yield _checked(unzipped)


class _BoundedReader(io.BytesIO):
    """Another file's bytes, never more than `_MAX_READ_BYTES` of them at a time.

    A BytesIO only in type, which is what zipfile's signature asks for.
    """

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__()
        self._file = file
        self._size_bytes = file.seek(0, io.SEEK_END)

    def read(self, size: int | None = -1, /) -> bytes:
        rest = max(0, self._size_bytes - self._file.tell())
        wanted = rest if size is None or size < 0 else min(size, rest)
        if wanted > _MAX_READ_BYTES:
            raise ArchiveRefusedError(ArchiveReason.TOO_MANY)
        return self._file.read(wanted)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True


@contextmanager
def _refusing(entry: str = "") -> Iterator[None]:
    """Refuse the archive for whatever zipfile stumbles over, which is more than its documentation says."""
    try:
        yield
    except UnicodeDecodeError as unreadable:
        name = unreadable.object.decode("utf-8", "backslashreplace")
        raise ArchiveRefusedError(ArchiveReason.UNREADABLE_NAME, name) from unreadable
    except NotImplementedError as unknown:
        raise ArchiveRefusedError(ArchiveReason.METHOD, entry) from unknown
    except _BROKEN as broken:
        raise ArchiveRefusedError(ArchiveReason.BROKEN, entry) from broken


def _checked(unzipped: zipfile.ZipFile) -> Archive:
    entries, guessed = [], False
    for entry in unzipped.infolist():
        name, is_guessed = _name_of(entry)
        if _leads_out(name):
            raise ArchiveRefusedError(ArchiveReason.UNSAFE_NAME, name)
        if name.endswith("/") or _is_skipped(name):
            continue
        _require_ordinary(entry, name)
        entries.append(Packed(name.removeprefix("./"), entry))
        guessed = guessed or is_guessed
        if len(entries) > MAX_ENTRIES:
            raise ArchiveRefusedError(ArchiveReason.TOO_MANY, name)
    if not entries:
        raise ArchiveRefusedError(ArchiveReason.EMPTY)
    _require_distinct(entries)
    wrapper = wrapper_of([one.path for one in entries])
    files = tuple(Packed(one.path.removeprefix(wrapper), one.entry) for one in entries)
    return Archive(files, guessed, unzipped)


def _name_of(entry: zipfile.ZipInfo) -> tuple[str, bool]:
    """Return an entry's name as it was written, and whether its alphabet is only a guess.

    Some archivers write UTF-8 and do not say so. Only what cannot be UTF-8 is read as the format's first code page.
    """
    if entry.flag_bits & _IS_UTF_8:
        return entry.orig_filename, False
    try:
        return entry.orig_filename.encode("cp437").decode("utf-8"), False
    except UnicodeError:
        return entry.orig_filename, True


def _leads_out(name: str) -> bool:
    is_absolute = name.startswith("/") or _DRIVE.match(name) is not None
    return is_absolute or "\\" in name or ".." in name.split("/")


def _is_skipped(name: str) -> bool:
    folders = name.split("/")[:-1]
    return not SKIPPED_FOLDERS.isdisjoint(folders) or folders[:1] == [_NOT_OF_THE_FOLDER]


def _require_ordinary(entry: zipfile.ZipInfo, name: str) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise ArchiveRefusedError(ArchiveReason.LINK, name)
    if entry.flag_bits & _IS_ENCRYPTED:
        raise ArchiveRefusedError(ArchiveReason.ENCRYPTED, name)
    # The others unpack a whole block at once, however large it is.
    if entry.compress_type not in _METHODS:
        raise ArchiveRefusedError(ArchiveReason.METHOD, name)


def _require_distinct(entries: list[Packed]) -> None:
    seen = set()
    for one in entries:
        if one.path in seen:
            raise ArchiveRefusedError(ArchiveReason.TWICE, one.path)
        seen.add(one.path)


def _unpacked(unzipped: zipfile.ZipFile, packed: Packed, left: int) -> Unpacked:
    size_bytes, digest, kept = 0, hashlib.sha256(), io.BytesIO()
    most_by_ratio = max(_RATIO_FROM_BYTES, _MAX_RATIO * packed.entry.compress_size)
    with unzipped.open(packed.entry) as reader:
        while chunk := reader.read(_CHUNK_BYTES):
            size_bytes += len(chunk)
            if size_bytes > most_by_ratio:
                raise ArchiveRefusedError(ArchiveReason.RATIO, packed.path)
            if size_bytes > left:
                raise ArchiveRefusedError(ArchiveReason.TOO_LARGE, packed.path)
            digest.update(chunk)
            if size_bytes <= MAX_FILE_BYTES:
                kept.write(chunk)
    content = kept.getvalue() if size_bytes <= MAX_FILE_BYTES else None
    return Unpacked(packed.path, size_bytes, digest.hexdigest(), content)
