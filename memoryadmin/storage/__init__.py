"""The only door to objects: `store()` returns the store that the settings name, `staging()` where uploads wait.

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
    "StoreUnavailableError", "StoredObject", "staging", "store",
]  # fmt: skip


def store() -> ObjectStore:
    """Return the configured store."""
    return _folder(Path(settings.STORE_DIR))


def staging() -> ObjectStore:
    """Return the store of what was uploaded and waits for a decision: always a folder of this machine, never mounted.

    A power cut may lose its latest changes, which costs another upload and spares each file of one two waits.
    """
    return _folder(Path(settings.DATA_DIR) / "uploads", is_durable=False)


@lru_cache(maxsize=4)
def _folder(root: Path, *, is_durable: bool = True) -> FolderStore:
    return FolderStore(root, is_durable=is_durable)
