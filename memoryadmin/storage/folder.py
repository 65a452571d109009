"""A store in a local folder, which agents on the same machine can mount and read with ordinary tools.

A key is the file's path below the root, unchanged: `projects/p/workspace/MEMORY.md`. What could make two keys
share a file is refused instead of renamed: a file system that folds case, a file where another key needs a
directory. The etag is the sha256 of the content. Changes happen under one lock file, in a temporary file that
is synced and renamed over the target, so a reader sees the old or the new content, whole. Programs that write
into the folder without taking the lock are noticed by their content, up to the instant between the comparison
and the rename. Symbolic links are never followed: each directory is opened in turn, relative to the one
before. Directories are kept when they become empty, because one may be what an agent has mounted.
"""

import errno
import fcntl
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from memoryadmin.storage.base import (
    MAX_KEY_BYTES,
    KeyRefusedError,
    ObjectEntry,
    PreconditionFailedError,
    StoredObject,
    StoreUnavailableError,
    key_segments,
    prefix_segments,
)

# Holds the lock and the temporary file: on the same file system as the objects, and below no key.
_OWN = ".memoryadmin"
_LOCK = "lock"
_NEXT = "next"
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Non-blocking, because opening a pipe that someone left under a key would wait for ever.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_IN_THE_WAY = {
    errno.ELOOP,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ENOTEMPTY,
    errno.EEXIST,
    errno.ENXIO,
    errno.ENAMETOOLONG,
}


class FolderStore:
    """Objects as files below `root`, which is made, readable by its owner only, when it does not exist.

    Without `is_durable` a change is still whole or not at all, but a power cut may take it back: for what can be
    had again.
    """

    def __init__(self, root: Path, *, is_durable: bool = True) -> None:
        self._root = root
        self._is_durable = is_durable
        self._folds_case: bool | None = None

    def get(self, key: str) -> StoredObject | None:
        """Return the object under `key`; None when there is none. See `ObjectStore.get`."""
        *parents, name = self._segments(key)
        with _translated(), ExitStack() as stack:
            directory = self._open_directory(stack, parents)
            return None if directory is None else self._read(directory, name)

    def put(self, key: str, content: bytes, *, if_match: str | None = None, if_absent: bool = False) -> str:
        """Write the object and return its etag. See `ObjectStore.put`."""
        *parents, name = self._segments(key)
        with _translated(), ExitStack() as stack:
            own = self._lock(stack)
            existing = self._open_directory(stack, parents)
            if if_match is not None or if_absent:
                found = None if existing is None else self._read(existing, name)
                if (found.etag if found else None) != if_match:
                    raise PreconditionFailedError(field="key")
            directory = self._open_directory(stack, parents, is_made=True)
            assert directory is not None  # noqa: S101 (made above)
            _write(own, content, is_durable=self._is_durable)
            self._require_exact(directory, name)
            _clear_empty_directory(directory, name)
            os.rename(_NEXT, name, src_dir_fd=own, dst_dir_fd=directory)
            self._sync(directory)
        return hashlib.sha256(content).hexdigest()

    def delete(self, key: str, *, if_match: str | None = None) -> None:
        """Remove the object, if it is there. See `ObjectStore.delete`."""
        *parents, name = self._segments(key)
        with _translated(), ExitStack() as stack:
            self._lock(stack)
            directory = self._open_directory(stack, parents)
            found = None if directory is None else self._read(directory, name)
            if directory is None or found is None:
                return
            if if_match is not None and found.etag != if_match:
                raise PreconditionFailedError(field="key")
            os.unlink(name, dir_fd=directory)
            self._sync(directory)

    def list(self, prefix: str) -> Iterator[ObjectEntry]:
        """Return every object below `prefix` in the order of their keys' bytes. See `ObjectStore.list`."""
        segments = self._segments(prefix, is_prefix=True)
        return self._walk(segments)

    def _sync(self, directory: int) -> None:
        if self._is_durable:
            os.fsync(directory)

    def _segments(self, key: str, *, is_prefix: bool = False) -> tuple[str, ...]:
        segments = prefix_segments(key) if is_prefix else key_segments(key)
        if segments[0].casefold() == _OWN:
            raise KeyRefusedError("the store's own directory", field="key")
        return segments

    def _lock(self, stack: ExitStack) -> int:
        """Take the store's lock until `stack` closes, and return the store's own directory."""
        try:
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            root = self._open_root(stack)
        except OSError as error:
            raise StoreUnavailableError(_code(error)) from error
        _make_directory(root, _OWN, mode=0o700)
        own = _opened(stack, _OWN, _DIRECTORY, root)
        lock = _opened(stack, _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, own)
        fcntl.flock(lock, fcntl.LOCK_EX)
        return own

    def _open_root(self, stack: ExitStack) -> int:
        # The root itself may be a link: the operator chose it.
        return _opened(stack, str(self._root), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def _open_directory(self, stack: ExitStack, parents: Sequence[str], *, is_made: bool = False) -> int | None:
        """Return the directory that `parents` name below the root, following no link; None when absent."""
        try:
            directory = self._open_root(stack)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreUnavailableError(_code(error)) from error
        self._notice_folding(directory)
        for name in parents:
            if is_made:
                _make_directory(directory, name)
            self._require_exact(directory, name)
            mode = _mode(directory, name)
            # A file has nothing below it; a link or a device is neither followed nor taken for absent.
            if not is_made and (mode is None or stat.S_ISREG(mode)):
                return None
            directory = _opened(stack, name, _DIRECTORY, directory)
        return directory

    def _read(self, directory: int, name: str) -> StoredObject | None:
        self._require_exact(directory, name)
        mode = _mode(directory, name)
        if mode is None or stat.S_ISDIR(mode):
            return None
        if not stat.S_ISREG(mode):
            raise KeyRefusedError("not a regular file", field="key")
        try:
            handle = os.fdopen(os.open(name, _READ, dir_fd=directory), "rb")
        except FileNotFoundError:
            return None
        with handle:
            content = handle.read()
            modified_at = datetime.fromtimestamp(os.fstat(handle.fileno()).st_mtime, tz=UTC)
        return StoredObject(content, hashlib.sha256(content).hexdigest(), modified_at)

    def _notice_folding(self, root: int) -> None:
        if self._folds_case is None and _mode(root, _OWN) is not None:
            self._folds_case = _mode(root, _OWN.upper()) is not None

    def _require_exact(self, directory: int, name: str) -> None:
        """Return nothing unless the file system takes `name` for another name that it holds."""
        if self._folds_case and _mode(directory, name) is not None and name not in os.listdir(directory):
            raise KeyRefusedError("the file system does not tell this name from another", field="key")

    def _walk(self, start: Sequence[str]) -> Iterator[ObjectEntry]:
        pending = [(*start, "")]
        while pending:
            path = pending.pop()
            key = "/".join(path)
            if path[-1]:
                with suppress(KeyRefusedError):
                    if found := self.get(key):
                        yield ObjectEntry(key, found.etag, len(found.content), found.modified_at, found.version)
            elif len(os.fsencode(key)) <= MAX_KEY_BYTES:
                pending.extend(reversed(self._children(path[:-1])))

    def _children(self, path: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Return the files and, with an empty last part, the directories in `path`, in key order."""
        with _translated(), ExitStack() as stack:
            directory = self._open_directory(stack, path)
            if directory is None:
                return ()
            with os.scandir(directory) as entries:
                found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        ordered = sorted(found, key=lambda one: os.fsencode(f"{one[0]}/" if one[1] else one[0]))
        return tuple((*path, name, "") if is_directory else (*path, name) for name, is_directory in ordered)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _IN_THE_WAY:
            raise KeyRefusedError(f"something else is in its place: {_code(error)}", field="key") from error
        raise StoreUnavailableError(_code(error)) from error


def _code(error: OSError) -> str:
    """Return the name of the fault, e.g. `ENOSPC`; the system's own message would hold the path."""
    return errno.errorcode.get(error.errno or 0, "OSError")


def _opened(stack: ExitStack, name: str, flags: int, directory: int | None = None) -> int:
    descriptor = os.open(name, flags, 0o600, dir_fd=directory)
    stack.callback(os.close, descriptor)
    return descriptor


def _mode(directory: int, name: str) -> int | None:
    try:
        return os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None


def _make_directory(directory: int, name: str, mode: int = 0o777) -> None:
    if _mode(directory, name) is None:
        with suppress(FileExistsError):
            os.mkdir(name, mode, dir_fd=directory)
        os.fsync(directory)


def _write(own: int, content: bytes, *, is_durable: bool) -> None:
    """Write and sync the temporary file; one name is enough, because the caller holds the lock."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(_NEXT, flags, 0o666, dir_fd=own), "wb") as handle:
            handle.write(content)
            handle.flush()
            if is_durable:
                os.fsync(handle.fileno())
    except OSError:
        with suppress(OSError):
            os.unlink(_NEXT, dir_fd=own)
        raise


def _clear_empty_directory(directory: int, name: str) -> None:
    """Remove a directory in which there are only directories, because a file is to take its name."""
    mode = _mode(directory, name)
    if mode is None or not stat.S_ISDIR(mode):
        return
    inside = os.open(name, _DIRECTORY, dir_fd=directory)
    try:
        for child in os.listdir(inside):  # noqa: PTH208 (a descriptor has no path)
            _clear_empty_directory(inside, child)
    finally:
        os.close(inside)
    os.rmdir(name, dir_fd=directory)
