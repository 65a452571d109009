"""The one place that adds a version: blob, version, text, head, rev, job and audit record in one transaction.

Called by every act on files, never by an interface. Locks go scope first, then file, so that two writers cannot
wait for each other. Nothing outside the database is called in here. See ADR 0003.
"""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime

from memoryadmin.domain.actors import Actor
from memoryadmin.domain.files import kind_named, kind_of
from memoryadmin.domain.limits import LimitState, Size, limit_state, measure
from memoryadmin.domain.paths import fold_path
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import Blob, Change, MemoryFile, ScopeRow, Version, VersionText
from memoryadmin.services import audit, jobs

PROJECT_JOB = "project"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The version to add. `content` None is a deletion; `at` is when it happened, which for imports may be long ago."""

    operation: str
    content: bytes | None
    path: str
    reason: str
    at: datetime
    via: str
    source: Version | None = None
    is_quarantined: bool = False
    # The writer has seen what looks like a secret and wanted it written: that is on record.
    has_confirmed_secrets: bool = False


def decode(content: bytes) -> str | None:
    """Return `content` as text; None when it is not UTF-8 or holds NUL, which no form and no agent can take."""
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def legible(content: bytes) -> str:
    """Return what a reader could make out of `content`: its text, or the ASCII in bytes that are no UTF-8."""
    text = decode(content)
    return content.replace(b"\0", b"").decode("utf-8", "replace") if text is None else text


def size_of(content: bytes) -> Size:
    """Return the size of stored bytes; bytes that are not text have no characters and no lines."""
    text = decode(content)
    return measure(text) if text is not None else Size(chars=0, bytes=len(content), lines=0)


def begin_file(*, scope: ScopeRow, path: str, at: datetime) -> MemoryFile:
    """Insert a file that has no version yet; the caller adds the first one in the same transaction."""
    row = MemoryFile(
        scope=scope, path=path, path_folded=fold_path(path), kind=kind_of(path, ScopeType(scope.type)).name,
        created_at=at, updated_at=at,
    )  # fmt: skip
    row.save(force_insert=True)
    return row


def add_version(*, scope: ScopeRow, file: MemoryFile, actor: Actor, draft: Draft, now: datetime) -> Version:
    """Add the next version of `file` and move its head; the caller holds the locks and the transaction."""
    head = file.head
    blob = _blob(scope, draft.content) if draft.content is not None else None
    size = size_of(draft.content) if draft.content is not None else Size(chars=0, bytes=0, lines=0)
    change = Change(
        actor_kind=actor.kind.value, actor_id=actor.id, via=draft.via, cause=audit.cause(), at=now
    )  # fmt: skip
    change.save(force_insert=True)
    version = Version(
        file=file, seq=file.seq + 1, parent=head, operation=draft.operation, actor_kind=actor.kind.value,
        actor_id=actor.id, source=draft.source, change=change, at=draft.at, size_bytes=size.bytes,
        size_chars=size.chars, size_lines=size.lines,
    )  # fmt: skip
    version.save(force_insert=True)
    reason = _blob(scope, draft.reason.encode()) if draft.reason else None
    text = VersionText(
        version=version, path=draft.path, blob=blob, reason=reason, is_quarantined=draft.is_quarantined
    )  # fmt: skip
    text.save(force_insert=True)
    _move_head(scope, file, version, draft, size)
    jobs.enqueue(kind=PROJECT_JOB, key=f"{PROJECT_JOB}:{file.pk}", subject_id=file.pk, now=now)
    event = audit.Event(
        action=f"file.{draft.operation}", object_type="file", object_id=str(file.pk), scope_id=scope.pk,
        before_version_id=head.pk if head else None, after_version_id=version.pk,
        reason_blob_id=reason.pk if reason else None, project_id=scope.project, person_id=scope.person,
    )  # fmt: skip
    audit.record(actor=actor, event=event, now=now)
    if draft.has_confirmed_secrets:
        confirmed = replace(event, action="file.secret_confirmed", before_version_id=None, after_version_id=None)
        audit.record(actor=actor, event=confirmed, now=now)
    return version


def _blob(scope: ScopeRow, content: bytes) -> Blob:
    sha256 = hashlib.sha256(content).hexdigest()
    found = Blob.objects.filter(scope=scope, sha256=sha256).only("pk").first()
    if found is not None:
        return found
    blob = Blob(scope=scope, sha256=sha256, content=content, size_bytes=len(content))
    blob.save(force_insert=True)
    return blob


def _move_head(scope: ScopeRow, file: MemoryFile, version: Version, draft: Draft, size: Size) -> None:
    if draft.path != file.path or not file.kind:
        file.path, file.path_folded = draft.path, fold_path(draft.path)
        file.kind = kind_of(draft.path, ScopeType(scope.type)).name
    file.head, file.seq = version, version.seq
    file.updated_at = draft.at
    file.deleted_at = draft.at if draft.content is None else None
    if draft.content is not None:
        file.size_chars, file.size_bytes, file.size_lines = size.chars, size.bytes, size.lines
        file.is_over_limit = limit_state(kind_named(file.kind), size) is LimitState.OVER
        file.is_opaque = decode(draft.content) is None
        file.is_quarantined = draft.is_quarantined
    file.save()
    scope.rev += 1
    scope.save(update_fields=["rev"])
