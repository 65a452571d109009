"""Triggers that make history append-only even for a hand-written SQL statement.

SQLite drops a table's triggers whenever Django rebuilds the table, so they are created anew after every migrate and
checked at start.
"""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.db import connections

# table -> the statements it refuses. `version_text` may only lose its blob or reason, which is redaction, and
# its quarantine.
_REFUSED: dict[str, tuple[str, ...]] = {
    "memoryadmin_version": ("UPDATE", "DELETE"),
    "memoryadmin_change": ("UPDATE", "DELETE"),
    "memoryadmin_auditrecord": ("UPDATE", "DELETE"),
    "memoryadmin_auditchain": ("DELETE",),
    "memoryadmin_versiontext": ("DELETE",),
    "memoryadmin_blob": ("UPDATE",),
}
# What makes a row that row. SQLite asks no DELETE trigger when `INSERT OR REPLACE` takes a row's place.
_KEYS: dict[str, tuple[str, ...]] = {
    "memoryadmin_version": ("id = NEW.id", "file_id = NEW.file_id AND seq = NEW.seq"),
    "memoryadmin_change": ("id = NEW.id",),
    "memoryadmin_auditrecord": ("id = NEW.id", "chain_id = NEW.chain_id AND seq = NEW.seq"),
    "memoryadmin_auditchain": ("name = NEW.name",),
    "memoryadmin_versiontext": ("version_id = NEW.version_id",),
    "memoryadmin_blob": ("id = NEW.id", "scope_id = NEW.scope_id AND sha256 = NEW.sha256"),
}
_ONLY_BLANKED = "memoryadmin_versiontext_only_blanked"


def expected() -> dict[str, str]:
    """Return trigger name -> the SQLite statement that creates it."""
    found = {}
    for table, refused in _REFUSED.items():
        for event in refused:
            name = f"{table}_no_{event.lower()}"
            found[name] = (
                f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE {event} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
    for table, keys in _KEYS.items():
        taken = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {key})" for key in keys)  # noqa: S608
        found[f"{table}_no_replace"] = (
            f"CREATE TRIGGER IF NOT EXISTS {table}_no_replace BEFORE INSERT ON {table} WHEN {taken} "
            f"BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: {table} is append-only'); END"
        )
    found[_ONLY_BLANKED] = (
        f"CREATE TRIGGER IF NOT EXISTS {_ONLY_BLANKED} BEFORE UPDATE ON memoryadmin_versiontext "
        "WHEN NEW.version_id IS NOT OLD.version_id OR (NEW.path IS NOT OLD.path AND NEW.path <> '') "
        "OR (NEW.blob_id IS NOT OLD.blob_id AND NEW.blob_id IS NOT NULL) "
        "OR (NEW.reason_id IS NOT OLD.reason_id AND NEW.reason_id IS NOT NULL) "
        "OR NEW.is_quarantined > OLD.is_quarantined "
        "BEGIN SELECT RAISE(ABORT, 'a version text can only be blanked or released'); END"
    )
    return found


def install(using: str = "default") -> None:
    """Create every trigger that is missing."""
    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for statement in expected().values():
            cursor.execute(statement)


def missing(using: str = "default") -> list[str]:
    """Return the names of triggers that should exist and do not; empty before the first migrate."""
    connection = connections[using]
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'table')")
        rows = cursor.fetchall()
    if ("table", "memoryadmin_version") not in rows:
        return []
    present = {name for kind, name in rows if kind == "trigger"}
    return sorted(set(expected()) - present)


def install_after_migrate(sender: AppConfig, using: str = "default", **_kwargs: object) -> None:
    """Answer Django's `post_migrate`."""
    install(using)


def check_installed(
    *, app_configs: Sequence[AppConfig] | None = None, databases: Sequence[str] | None = None, **_kwargs: Any
) -> list[checks.CheckMessage]:
    """Report a missing trigger as an error; runs with the database checks and when `up` starts."""
    unprotected = [using for using in databases or [] if connections[using].vendor != "sqlite"]
    if unprotected:
        # Nothing would stop a statement from rewriting history there.
        return [checks.Error("Only SQLite is supported so far: its triggers protect history.", id="memoryadmin.E002")]
    return [
        checks.Error(
            f"The trigger {name} is missing: history is not protected.", hint="Run migrate.", id="memoryadmin.E001"
        )
        for using in databases or []
        for name in missing(using)
    ]
