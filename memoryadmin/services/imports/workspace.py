"""What an import takes in: files with names, sizes and digests, and the bytes of each when they are asked for.

A folder on disk is opened here, an uploaded archive by `staging`; planning and applying know no difference. Symbolic
links are named and never followed; what is no ordinary file (a socket, a device) is left out. Nothing is written.
Names that are not UTF-8 keep their bytes by surrogate escapes, so that they can be refused by name.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from memoryadmin.domain.errors import InvalidFieldError
from memoryadmin.domain.imports import SKIPPED_FOLDERS, ContentKind, SourceFile, judge
from memoryadmin.domain.scanning import find_secrets
from memoryadmin.services.files.ledger import decode, legible

MAX_FILES = 20_000
MAX_FILE_BYTES = 20 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Traits:
    """What a plan says of bytes without showing them.

    `chars` is None for what is not text; `encoding` then names the one it seems to be in, or is empty.
    """

    secrets: int
    chars: int | None
    encoding: str = ""


def traits_of(content: bytes) -> Traits:
    """Return what a plan says of `content`."""
    text = decode(content)
    if text is None:
        judged = judge(content)
        is_text = judged.kind is ContentKind.OTHER_ENCODING
        return Traits(
            secrets=len(find_secrets(legible(content))), chars=None, encoding=judged.encoding if is_text else ""
        )
    return Traits(secrets=len(find_secrets(text)), chars=len(text))


@dataclass(frozen=True)
class Workspace:
    """The files in the order of their paths; `read` gives the bytes of one of them.

    `fetch` gets the bytes of a source from wherever they are; `known` holds traits that were found before.
    """

    files: tuple[SourceFile, ...]
    fetch: Callable[[SourceFile], bytes]
    known: Mapping[str, Traits] = field(default_factory=dict)

    @cached_property
    def _sources(self) -> dict[str, SourceFile]:
        return {one.sha256: one for one in reversed(self.files) if not one.is_symlink}

    def read(self, sha256: str) -> bytes:
        """Return the bytes that had this digest when the workspace was opened.

        :raises InvalidFieldError: the file changed since, became a link, or cannot be read any more.
        """
        content = self.fetch(self._sources[sha256])
        if hashlib.sha256(content).hexdigest() != sha256:
            raise InvalidFieldError("a file changed while it was imported", field="path")
        return content

    def traits(self, sha256: str) -> Traits:
        """Return what a plan says of the bytes with this digest.

        :raises InvalidFieldError: they have to be read for it, and cannot be any more.
        """
        return self.known.get(sha256) or traits_of(self.read(sha256))


def open_workspace(root: Path) -> Workspace:
    """Return the workspace at `root`.

    :raises InvalidFieldError: there is no such folder, it cannot be read, or holds more than `MAX_FILES` files.
    """
    if not root.is_dir():
        raise InvalidFieldError("there is no such folder", field="path")
    found: list[SourceFile] = []
    for path in _walk(root):
        if len(found) == MAX_FILES:
            raise InvalidFieldError("the folder holds more files than one import takes", field="path")
        found.append(_source(root, path))
    files = tuple(sorted(found, key=lambda source: source.path))
    return Workspace(files, lambda source: _bytes_of(root / source.path))


def _walk(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as closed:
        raise InvalidFieldError("the folder cannot be read", field="path") from closed
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in SKIPPED_FOLDERS:
                yield from _walk(Path(entry.path))
        elif entry.is_symlink() or entry.is_file(follow_symlinks=False):
            yield Path(entry.path)


def _source(root: Path, path: Path) -> SourceFile:
    name = path.relative_to(root).as_posix()
    if path.is_symlink():
        return SourceFile(name, is_symlink=True, link_target=str(path.readlink()))
    content = _bytes_of(path)
    return SourceFile(name, size_bytes=len(content), sha256=hashlib.sha256(content).hexdigest())


def _bytes_of(path: Path) -> bytes:
    try:
        # A file that became a link since the walk must not lead anywhere.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError as gone:
        raise InvalidFieldError("a file cannot be read", field="path") from gone
    with os.fdopen(handle, "rb") as opened:
        return opened.read()
