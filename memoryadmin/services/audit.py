"""The record of every act: append-only, hash-chained, written in the same transaction as the change itself.

Called last by every service that changes something. There is one chain per project and one for the installation;
a chain's head row is its lock, so two transactions cannot share a predecessor and projects do not wait for each
other. No record holds memory text or a name. See ADR 0013.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from django.db import transaction

from memoryadmin.domain.actors import Actor
from memoryadmin.domain.chain import GENESIS, Break, Link, digest, verify
from memoryadmin.models import AuditChain, AuditRecord, Person, Project

INSTALLATION = "installation"


@dataclass(frozen=True, slots=True)
class _Act:
    request_id: str
    cause: str


_current: ContextVar[_Act | None] = ContextVar("memoryadmin_act", default=None)


@contextmanager
def one_act(request_id: str = "") -> Iterator[str]:
    """Give every record made inside the block one cause, and yield it; an inner block keeps the outer cause."""
    outer = _current.get()
    if outer is not None:
        yield outer.cause
        return
    token = _current.set(_Act(request_id=request_id, cause=str(uuid.uuid4())))
    try:
        yield _current.get().cause  # type: ignore[union-attr]
    finally:
        _current.reset(token)


def cause() -> str:
    """Return the cause of the act under way, or a new one."""
    act = _current.get()
    return act.cause if act else str(uuid.uuid4())


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What is recorded. `action` is namespaced, e.g. `file.edited`; ids only, no text and no name."""

    action: str
    object_type: str
    object_id: str
    scope_id: int | None = None
    project_id: str = ""
    person_id: str = ""
    before_version_id: int | None = None
    after_version_id: int | None = None
    reason_blob_id: int | None = None


def record(*, actor: Actor, event: Event, now: datetime) -> None:
    """Append `event` to its project's chain, or to the installation's when it has no project.

    :raises TransactionManagementError: called outside a transaction.
    """
    # An atomic() here would hide a caller that forgot its own, and its change could then commit without this record.
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("an audit record belongs to the transaction of its change")
    chain = _locked_chain(event.project_id or INSTALLATION)
    act = _current.get()
    row = AuditRecord(
        chain=chain, seq=chain.last_seq + 1, at=now.astimezone(UTC), actor_kind=actor.kind.value, actor_id=actor.id,
        request_id=act.request_id if act else "", cause=act.cause if act else str(uuid.uuid4()),
        previous_hash=chain.last_hash, **asdict(event),
    )  # fmt: skip
    row.hash = digest(row.previous_hash, _hashed_fields(row))
    row.save(force_insert=True)
    chain.last_seq, chain.last_hash = row.seq, row.hash
    chain.save(update_fields=["last_seq", "last_hash"])


def _locked_chain(name: str) -> AuditChain:
    chain = AuditChain.objects.select_for_update().filter(name=name).first()
    if chain is None:
        AuditChain.objects.get_or_create(name=name, defaults={"last_hash": GENESIS})
        chain = AuditChain.objects.select_for_update().get(name=name)
    return chain


def _hashed_fields(row: AuditRecord) -> dict[str, str | int | None]:
    """Return what the digest covers: every column but the two digests and the row's own key."""
    # A forged time may be none at all; the verifier has to say so, not to stumble over it.
    at = row.at.astimezone(UTC).isoformat(timespec="microseconds") if row.at else None
    return {
        "chain": row.chain_id, "seq": row.seq, "at": at,
        "actor_kind": row.actor_kind, "actor_id": row.actor_id, "action": row.action,
        "object_type": row.object_type, "object_id": row.object_id, "scope_id": row.scope_id,
        "project_id": row.project_id, "person_id": row.person_id, "before_version_id": row.before_version_id,
        "after_version_id": row.after_version_id, "reason_blob_id": row.reason_blob_id,
        "request_id": row.request_id, "cause": row.cause,
    }  # fmt: skip


def record_refusal(*, actor: Actor, what: str, now: datetime) -> None:
    """Record that `actor` asked for something it may not have; `what` names the route and the ids, no text."""
    with transaction.atomic():
        record(actor=actor, event=Event(action="access.refused", object_type="route", object_id=what[:80]), now=now)


@dataclass(frozen=True, slots=True)
class ChainReport:
    """The state of one chain: how many records it has and where it breaks."""

    name: str
    records: int
    breaks: tuple[Break, ...]


def verify_chains() -> tuple[ChainReport, ...]:
    """Return a report of every chain, in order of name; reads all records in batches, changes nothing."""
    reports = []
    named = set(AuditChain.objects.values_list("name", flat=True))
    orphaned = set(AuditRecord.objects.values_list("chain_id", flat=True).distinct()) - named
    # Whoever is there was created by an act, so a chain that is gone as a whole is missed too.
    expected = set(Project.objects.values_list("pk", flat=True))
    expected |= {INSTALLATION} if Person.objects.exists() else set()
    for name in sorted(named | orphaned | expected):
        head = AuditChain.objects.filter(name=name).first()
        rows = AuditRecord.objects.filter(chain_id=name).order_by("seq").iterator(chunk_size=1000)
        links = (Link(row.seq, _hashed_fields(row), row.previous_hash, row.hash) for row in rows)
        breaks = verify(links, last_seq=head.last_seq if head else 0, last_hash=head.last_hash if head else "")
        if not breaks and name in expected and (head is None or head.last_seq == 0):
            breaks = [Break(1, "the whole chain is missing")]
        reports.append(ChainReport(name, AuditRecord.objects.filter(chain_id=name).count(), tuple(breaks)))
    return tuple(reports)
