"""A folder on disk as an import sees it: names, sizes, digests, and the bytes when they are asked for.

Symbolic links are named and never followed; what is no ordinary file (a socket, a device) is left out. Nothing is
written. Names that are not UTF-8 keep their bytes by surrogate escapes, so that they can be refused by name.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memoryadmin.domain.errors import InvalidFieldError
from memoryadmin.domain.imports import SKIPPED_FOLDERS, SourceFile

MAX_FILES = 20_000


@dataclass(frozen=True, slots=True)
class Workspace:
    """The files of a folder in the order of their paths; `read` gives the bytes of one of them."""

    root: Path
    files: tuple[SourceFile, ...]

    def read(self, sha256: str) -> bytes:
        """Return the bytes that had this digest when the folder was opened.

        :raises InvalidFieldError: the file changed since, became a link, or cannot be read any more.
        """
        place = next(one.path for one in self.files if one.sha256 == sha256)
        content = _bytes_of(self.root / place)
        if hashlib.sha256(content).hexdigest() != sha256:
            raise InvalidFieldError("a file changed while it was imported", field="path")
        return content


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
    return Workspace(root, tuple(sorted(found, key=lambda source: source.path)))


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
