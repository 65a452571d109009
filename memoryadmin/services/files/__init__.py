"""Memory files: read, list, create, save, append, rename, delete, restore. Every interface's door to the ledger."""

from memoryadmin.services.files.beginning import create_first
from memoryadmin.services.files.errors import (
    AppendOnlyError,
    Contents,
    EditConflictError,
    NameTakenError,
    OpaqueFileError,
    SecretsFoundError,
)
from memoryadmin.services.files.listing import Found, Listing, deleted, find, listing, pressing, recent
from memoryadmin.services.files.quarantine import release
from memoryadmin.services.files.reading import compare, history, read, read_version
from memoryadmin.services.files.restoring import restore, restore_into
from memoryadmin.services.files.values import (
    Author,
    Comparison,
    FileCard,
    History,
    OtherLife,
    ReadFile,
    ReadVersion,
    Saved,
    VersionCard,
)
from memoryadmin.services.files.writing import Note, append, create, delete, rename, save

__all__ = [
    "AppendOnlyError",
    "Author",
    "Comparison",
    "Contents",
    "EditConflictError",
    "FileCard",
    "Found",
    "History",
    "Listing",
    "NameTakenError",
    "Note",
    "OpaqueFileError",
    "OtherLife",
    "ReadFile",
    "ReadVersion",
    "Saved",
    "SecretsFoundError",
    "VersionCard",
    "append",
    "compare",
    "create",
    "create_first",
    "delete",
    "deleted",
    "find",
    "history",
    "listing",
    "pressing",
    "read",
    "read_version",
    "recent",
    "release",
    "rename",
    "restore",
    "restore_into",
    "save",
]
