"""ZIP archives made for tests: good ones, and each kind of bad one."""

import io
import stat
import struct
import zipfile


def zipped(files: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    """An archive of these files, named and ready to be read."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return _named(packed.getvalue())


def _named(content: bytes) -> io.BytesIO:
    file = io.BytesIO(content)
    file.name = "workspace.zip"
    return file


def with_raw_name(name: bytes, content: bytes = b"x\n", *, says_utf_8: bool = False) -> io.BytesIO:
    """An archive with one entry whose name is these bytes, as old archivers write them."""
    marker = b"n" * len(name)
    packed = zipped({marker.decode(): content}).getvalue().replace(marker, name)
    return _named(_with_flags(packed, 0x800) if says_utf_8 else packed)


def encrypted() -> io.BytesIO:
    return _named(_with_flags(zipped({"SOUL.md": b"secret\n"}).getvalue(), 0x1))


def _with_flags(packed: bytes, flags: int) -> bytes:
    changed = bytearray(packed)
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = changed.find(signature)
        while start >= 0:
            (before,) = struct.unpack_from("<H", changed, start + at)
            struct.pack_into("<H", changed, start + at, before | flags)
            start = changed.find(signature, start + 4)
    return bytes(changed)


def with_link() -> io.BytesIO:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("SOUL.md", "# Soul\n")
        link = zipfile.ZipInfo("CLAUDE.md")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return _named(packed.getvalue())


def with_one_name_twice() -> io.BytesIO:
    packed = zipped({"SOUL.md": b"one\n", "SOUX.md": b"two\n"}).getvalue()
    return _named(packed.replace(b"SOUX.md", b"SOUL.md"))


def of_many(count: int) -> io.BytesIO:
    return zipped({f"memory/note-{index:06}.md": b"" for index in range(count)}, zipfile.ZIP_STORED)


def understated(size_bytes: int) -> io.BytesIO:
    """An archive whose one entry says that it unpacks to ten bytes."""
    packed = bytearray(zipped({"SOUL.md": b"a" * size_bytes}).getvalue())
    struct.pack_into("<I", packed, 22, 10)
    struct.pack_into("<I", packed, packed.find(b"PK\x01\x02") + 24, 10)
    return _named(bytes(packed))


def of_noise() -> io.BytesIO:
    return _named(b"this is no archive at all\n" * 100)


def cut_off() -> io.BytesIO:
    """An archive whose table of contents is whole and whose bytes are not."""
    packed = bytearray(zipped({"SOUL.md": b"calm and brief\n" * 40}, zipfile.ZIP_STORED).getvalue())
    packed[60] ^= 0xFF
    return _named(bytes(packed))


# kind: how it is made, why it is refused, and which entry is named.
BAD = {
    "a name that leads up": (lambda: zipped({"SOUL.md": b"", "../../x.md": b"x"}), "unsafe_name", "../../x.md"),
    "a name that leads up later": (lambda: zipped({"a/../../x.md": b"x"}), "unsafe_name", "a/../../x.md"),
    "a folder that leads up": (lambda: zipped({"../": b"", "SOUL.md": b""}), "unsafe_name", "../"),
    "an absolute name": (lambda: zipped({"/x.md": b"x"}), "unsafe_name", "/x.md"),
    "a backslash": (lambda: zipped({"a\\..\\b": b"x"}), "unsafe_name", "a\\..\\b"),
    "a drive": (lambda: zipped({"C:/x.md": b"x"}), "unsafe_name", "C:/x.md"),
    "a link": (with_link, "link", "CLAUDE.md"),
    "one name twice": (with_one_name_twice, "twice", "SOUL.md"),
    "5,001 entries": (lambda: of_many(5001), "too_many", "memory/note-005000.md"),
    "100,000 entries": (lambda: of_many(100_000), "too_many", ""),
    "too much in all": (
        lambda: zipped({f"{n:03}.md": b"\0" * 1024 * 1024 for n in range(101)}), "too_large", "100.md",
    ),
    "a bomb": (lambda: zipped({"big.md": b"\0" * 60_000_000}), "ratio", "big.md"),
    "a bomb that lies": (lambda: understated(60_000_000), "broken", "SOUL.md"),
    "a password": (encrypted, "encrypted", "SOUL.md"),
    "another method": (lambda: zipped({"SOUL.md": b"x"}, zipfile.ZIP_LZMA), "method", "SOUL.md"),
    "a name that is no UTF-8": (
        lambda: with_raw_name(b"\xff\xfe.md", says_utf_8=True), "unreadable_name", "\\xff\\xfe.md",
    ),
    "broken bytes": (cut_off, "broken", "SOUL.md"),
    "no ZIP": (of_noise, "not_zip", ""),
    "no file": (lambda: zipped({"memory/": b""}), "empty", ""),
    "nothing at all": (lambda: _named(b""), "not_zip", ""),
}  # fmt: skip
