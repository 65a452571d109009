"""The audit trail as people read it: newest first, filtered, names looked up at the moment of showing.

Called by the audit page. Writing is `services.audit`; this only reads.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor
from memoryadmin.domain.errors import NotAllowedError
from memoryadmin.domain.permissions import Action
from memoryadmin.domain.scopes import ScopeType
from memoryadmin.models import AuditRecord, Blob, MemoryFile, ScopeRow
from memoryadmin.models.scopes import scope_filter
from memoryadmin.services import people

PAGE = 100


@dataclass(frozen=True, slots=True)
class TrailRecord:
    """One record. `path` is there for those who may list what it is about, `reason` for those who `can_read` it."""

    id: int
    at: datetime
    actor_kind: str
    actor_id: str
    actor_name: str
    action: str
    object_type: str
    object_id: str
    subject_name: str
    project_id: str
    scope_id: int | None
    file_id: int | None
    path: str
    can_read: bool
    reason: str
    request_id: str
    cause: str


@dataclass(frozen=True, slots=True)
class Trail:
    """A page of records, newest first; `next_before` is the record id to go on from, None at the end."""

    records: tuple[TrailRecord, ...]
    next_before: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What to keep; an empty value keeps everything. `action` is a whole action or its namespace, e.g. `file`."""

    action: str = ""
    project_id: str = ""
    actor_id: str = ""
    cause: str = ""


def listing(*, actor: Actor, filters: Filters, before: int | None = None, limit: int = PAGE) -> Trail:
    """Return the records `actor` may read: everything for an admin or auditor, its projects' for an owner.

    :raises NotAllowedError: `actor` may read no chain at all.
    """
    rows = AuditRecord.objects.filter(_readable(actor))
    if filters.action:
        rows = rows.filter(Q(action=filters.action) | Q(action__startswith=filters.action + "."))
    for column in ("project_id", "actor_id", "cause"):
        wanted = getattr(filters, column)
        if wanted:
            rows = rows.filter(**{column: wanted})
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.order_by("-pk")[: limit + 1])
    page = found[:limit]
    return Trail(tuple(_shown(actor, page)), page[-1].pk if len(found) > limit else None)


def may_read(*, actor: Actor) -> bool:
    """Return whether there is any chain that `actor` may read."""
    return bool(permissions.visible_to(Action.AUDIT, actor))


def _readable(actor: Actor) -> Q:
    wanted = Q(pk__in=[])
    for one in permissions.visible_to(Action.AUDIT, actor):
        if one.type is ScopeType.ORGANIZATION:
            return Q()
        wanted |= Q(project_id__in=sorted(one.projects or ()))
    if not permissions.visible_to(Action.AUDIT, actor):
        raise NotAllowedError("the audit trail is for admins, auditors and owners of projects")
    return wanted


def _shown(actor: Actor, rows: list[AuditRecord]) -> list[TrailRecord]:
    scope_ids = {row.scope_id for row in rows if row.scope_id}
    scopes = ScopeRow.objects.filter(pk__in=scope_ids)
    listed = set(scopes.filter(_in(actor, Action.LIST)).values_list("pk", flat=True))
    readable = set(scopes.filter(_in(actor, Action.READ)).values_list("pk", flat=True))
    file_ids = [int(row.object_id) for row in rows if row.object_type == "file" and row.scope_id in listed]
    paths = dict(MemoryFile.objects.filter(pk__in=file_ids).values_list("pk", "path"))
    reason_ids = [row.reason_blob_id for row in rows if row.scope_id in readable and row.reason_blob_id]
    reasons = {pk: bytes(text) for pk, text in Blob.objects.filter(pk__in=reason_ids).values_list("pk", "content")}
    names = people.names({row.actor_id for row in rows} | {row.person_id for row in rows})
    return [_record(row, paths, reasons, names, can_read=row.scope_id in readable) for row in rows]


def _in(actor: Actor, action: Action) -> Q:
    return scope_filter(permissions.visible_to(action, actor))


def _record(
    row: AuditRecord, paths: dict[int, str], reasons: dict[int, bytes], names: dict[str, str], *, can_read: bool
) -> TrailRecord:  # fmt: skip
    file_id = int(row.object_id) if row.object_type == "file" else None
    return TrailRecord(
        id=row.pk, at=row.at, actor_kind=row.actor_kind, actor_id=row.actor_id,
        actor_name=names.get(row.actor_id, ""), action=row.action, object_type=row.object_type,
        object_id=row.object_id, subject_name=names.get(row.person_id, ""), project_id=row.project_id,
        scope_id=row.scope_id, file_id=file_id if file_id in paths else None, path=paths.get(file_id or 0, ""),
        can_read=can_read, reason=reasons.get(row.reason_blob_id or 0, b"").decode(),
        request_id=row.request_id, cause=row.cause,
    )  # fmt: skip
