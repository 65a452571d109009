"""The storage port: objects under keys, changed only by compare-and-swap.

Called by services through `memoryadmin.storage.store`; implemented by one adapter per kind of store. Knows
nothing of scopes, versions or rows. A key is a clean relative path: the scope's prefix plus the file's path,
which the domain has checked already; adapters check again what could leave their root. The contract every
adapter keeps is `tests/storage/contract.py`. See ADR 0003.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memoryadmin.domain.errors import MemoryAdminError

# The longest key that S3 takes, in bytes of UTF-8; one limit for all stores, so that changing the store loses
# no file.
MAX_KEY_BYTES = 1024


class StoreError(MemoryAdminError):
    """The store did not do what was asked; nothing was changed."""

    code = "store"


class PreconditionFailedError(StoreError):
    """The object is not, or no longer, what the caller believed it to be."""

    code = "precondition_failed"


class StoreUnavailableError(StoreError):
    """The store cannot answer now: try again later."""

    code = "store_unavailable"


class KeyRefusedError(StoreError):
    """The store cannot hold an object under this key: no clean path, or something else is in its place."""

    code = "key_refused"


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object as read.

    `etag` is the store's own tag of exactly this content; `version` is empty where the store keeps none.
    """

    content: bytes
    etag: str
    modified_at: datetime
    version: str = ""


@dataclass(frozen=True, slots=True)
class ObjectEntry:
    """An object as listed."""

    key: str
    etag: str
    size_bytes: int
    modified_at: datetime
    version: str = ""


class ObjectStore(Protocol):
    """What every store offers. Each change is whole or not at all, and durable when the call returns."""

    def get(self, key: str) -> StoredObject | None:
        """Return the object under `key`; None when there is none.

        :raises KeyRefusedError: `key` is no clean path, or what is there is no object, such as a symbolic
            link.
        :raises StoreUnavailableError: the store cannot answer now.
        """

    def put(self, key: str, content: bytes, *, if_match: str | None = None, if_absent: bool = False) -> str:
        """Write the object and return its etag.

        With `if_match` only over an object with that etag, with `if_absent` only where there is none; with
        neither, over anything. Of several callers with the same condition, one wins.

        :raises PreconditionFailedError: the condition does not hold; nothing was written.
        :raises KeyRefusedError: the store cannot hold an object under `key`.
        :raises StoreUnavailableError: the store cannot answer now.
        """

    def delete(self, key: str, *, if_match: str | None = None) -> None:
        """Remove the object, with `if_match` only while it has that etag; an absent object is no error.

        :raises PreconditionFailedError: the object has another etag; it is still there.
        :raises KeyRefusedError: what is there is no object.
        :raises StoreUnavailableError: the store cannot answer now.
        """

    def list(self, prefix: str) -> Iterator[ObjectEntry]:
        """Return every object whose key begins with `prefix`, in the order of the keys' bytes.

        :raises KeyRefusedError: `prefix` does not end in `/`: it would also match its neighbours (ST-01).
        :raises StoreUnavailableError: the store cannot answer now.
        """


def key_segments(key: str) -> tuple[str, ...]:
    """Return the parts of `key` between its slashes.

    :raises KeyRefusedError: `key` is empty, too long, not UTF-8, absolute, or has an empty, `.` or `..` part,
        or NUL.
    """
    segments = tuple(key.split("/"))
    if "\0" in key or not all(part not in ("", ".", "..") for part in segments):
        raise KeyRefusedError("not a clean relative path", field="key")
    try:
        size_bytes = len(key.encode())
    except UnicodeEncodeError:
        raise KeyRefusedError("not UTF-8", field="key") from None
    if size_bytes > MAX_KEY_BYTES:
        raise KeyRefusedError(f"{size_bytes} bytes, the limit is {MAX_KEY_BYTES}", field="key")
    return segments


def prefix_segments(prefix: str) -> tuple[str, ...]:
    """Return the parts of `prefix`, which must end in `/`.

    :raises KeyRefusedError: `prefix` does not end in `/`, or is no clean path before it.
    """
    if not prefix.endswith("/"):
        raise KeyRefusedError("a prefix ends in /", field="prefix")
    return key_segments(prefix.removesuffix("/"))
