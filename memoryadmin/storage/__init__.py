"""The only door to the object store: `store()` returns the one that the settings name.

Called by services. Adapters are not imported past this door, so that exchanging the store touches no service.
"""

from functools import lru_cache
from pathlib import Path

from django.conf import settings

from memoryadmin.storage.base import (
    KeyRefusedError,
    ObjectEntry,
    ObjectStore,
    PreconditionFailedError,
    StoredObject,
    StoreError,
    StoreUnavailableError,
)
from memoryadmin.storage.folder import FolderStore

__all__ = [
    "KeyRefusedError", "ObjectEntry", "ObjectStore", "PreconditionFailedError", "StoreError",
    "StoreUnavailableError", "StoredObject", "store",
]  # fmt: skip


def store() -> ObjectStore:
    """Return the configured store."""
    return _folder(Path(settings.STORE_DIR))


@lru_cache(maxsize=4)
def _folder(root: Path) -> FolderStore:
    return FolderStore(root)
