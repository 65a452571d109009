"""Keeps the store equal to the ledger: each live file's head under its key, and nothing of ours elsewhere.

Runs as the job kind `project`, one job per file, after the commit that moved the head. The steps:
1. in one transaction read the head and claim its key (a row of `ObjectState`; a key has one claimant);
2. put the bytes, on condition that the store holds what we put there last, or nothing;
3. record the etag, under the job's fence; then delete the file's other keys in the same way.
A worker killed between two steps leaves a claim; the next run finds its bytes by content and goes on from
there. Every run looks at the store, so a run too many costs a read and repairs what a late, fenced-off worker
did. Bytes that history holds, in that file or under that name, are ours to replace. Any others were changed
from outside: they are left alone and the file is marked as differing, until adoption can take them into
history. A key that vanished from the store is put again when its file gets a new version. A quarantined file
has no copy.
"""

import hashlib
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db import transaction
from django.db.models import Q

from memoryadmin import storage
from memoryadmin.domain.errors import MemoryAdminError
from memoryadmin.models import MemoryFile, ObjectState, VersionText
from memoryadmin.services import jobs

KIND = "project"


class CopyState(StrEnum):
    """How the store's copy of a file stands to the file's head."""

    CURRENT = "current"
    BEHIND = "behind"
    DIFFERS = "differs"  # changed from outside, or something else is in its place
    WITHHELD = "withheld"  # quarantined: no copy is made


class KeyTakenError(MemoryAdminError):
    """Another file's bytes are still under this key; that file's own job moves them away."""

    code = "key_taken"


class StoreMovedError(MemoryAdminError):
    """The object changed between reading and writing it; the next attempt sees what it has become."""

    code = "store_moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What the ledger says should be in the store."""

    key: str
    version_id: int
    content: bytes


def copy_state(file_ids: Collection[int]) -> dict[int, CopyState]:
    """Return for each existing file how its copy in the store stands, in two queries.

    Asked by pages about files that they were already allowed to list; says nothing about content.
    """
    rows: dict[int, list[ObjectState]] = {}
    for row in ObjectState.objects.filter(file__in=file_ids):
        rows.setdefault(row.file_id, []).append(row)
    files = MemoryFile.objects.filter(pk__in=file_ids).only("head", "deleted_at", "is_quarantined")
    return {file.pk: _state_of(file, rows.get(file.pk, [])) for file in files}


def _state_of(file: MemoryFile, rows: list[ObjectState]) -> CopyState:
    if any(row.differs_at for row in rows):
        return CopyState.DIFFERS
    if file.is_quarantined or file.deleted_at is not None:
        gone = CopyState.WITHHELD if file.is_quarantined else CopyState.CURRENT
        return CopyState.BEHIND if rows else gone
    is_current = [row.version_id for row in rows] == [file.head_id]
    return CopyState.CURRENT if is_current else CopyState.BEHIND


@jobs.handles(KIND)
def put_head(claimed: jobs.Claim, clock: jobs.Clock) -> None:
    """Bring the store to what the ledger says of one file; running it again changes nothing.

    :raises KeyTakenError: another file has to leave the key first.
    :raises StoreMovedError: somebody is writing the same object right now.
    :raises StoreError: the store cannot answer now, or cannot hold the key.
    :raises FenceLostError: another worker took the job over.
    """
    kept = None
    try:
        wanted, kept = _claim_key(claimed, clock())
        if wanted is not None and kept is not None:
            _fill(claimed, wanted, kept, clock)
    except (KeyTakenError, storage.KeyRefusedError):
        # Two files that exchange keys would wait for each other: after the first attempt, leave ours first.
        if claimed.attempts > 1:
            _leave_others(claimed, kept, clock)
        raise
    _leave_others(claimed, kept, clock)


def _wanted(file_id: int) -> _Wanted | None:
    file = MemoryFile.objects.select_related("scope", "head__text__blob").get(pk=file_id)
    if file.deleted_at is not None or file.is_quarantined or file.head is None or file.head.text.blob is None:
        return None
    return _Wanted(
        key=file.scope.prefix + file.path, version_id=file.head.pk, content=bytes(file.head.text.blob.content)
    )


def _claim_key(claimed: jobs.Claim, now: datetime) -> tuple[_Wanted | None, ObjectState | None]:
    """Return what the store should hold and the row that claims its key; both None for nothing."""
    with transaction.atomic():
        jobs.heartbeat(claimed=claimed, now=now)
        wanted = _wanted(claimed.subject_id)
        if wanted is None:
            return None, None
        row, _ = ObjectState.objects.get_or_create(key=wanted.key, defaults={"file_id": claimed.subject_id})
        if row.file_id != claimed.subject_id and row.differs_at is not None:
            # What is there is no longer the other file's copy: this file inherits the question.
            row.file_id = claimed.subject_id
            row.save(update_fields=["file"])
    if row.file_id != claimed.subject_id:
        with transaction.atomic():
            _enqueue(row.file_id, now)
        raise KeyTakenError(f"file {row.file_id}")
    return wanted, row


def _fill(claimed: jobs.Claim, wanted: _Wanted, row: ObjectState, clock: jobs.Clock) -> None:
    try:
        etag = _put(wanted, row)
    except storage.KeyRefusedError:
        _record(claimed, row, clock(), {"differs_at": clock()})
        raise
    if etag is None:
        believed: dict[str, object] = {"differs_at": clock()}
    else:
        believed = {"etag": etag, "version": wanted.version_id, "put_at": clock(), "differs_at": None}
    _record(claimed, row, clock(), believed)


def _put(wanted: _Wanted, row: ObjectState) -> str | None:
    """Return the etag of the wanted bytes in the store; None when what is there is not ours to replace."""
    store = storage.store()
    with suppress(storage.PreconditionFailedError):
        if row.version_id != wanted.version_id:
            return store.put(wanted.key, wanted.content, if_match=row.etag or None, if_absent=not row.etag)
    found = store.get(wanted.key)
    if found is not None and found.content == wanted.content:
        return found.etag
    if found is not None and not _is_ours(row, found.content):
        return None
    expected = found.etag if found else None
    try:
        return store.put(wanted.key, wanted.content, if_match=expected, if_absent=found is None)
    except storage.PreconditionFailedError:
        raise StoreMovedError from None


def _is_ours(row: ObjectState, content: bytes) -> bool:
    """Return whether history holds `content` in the row's file, or in its scope under the same name."""
    scope = row.file.scope
    named = Q(version__file=row.file) | Q(path=row.key.removeprefix(scope.prefix))
    sha256 = hashlib.sha256(content).hexdigest()
    return VersionText.objects.filter(named, blob__scope=scope, blob__sha256=sha256).exists()


def _leave_others(claimed: jobs.Claim, kept: ObjectState | None, clock: jobs.Clock) -> None:
    """Remove the file's bytes from every key it claims, except the one to keep."""
    others = ObjectState.objects.filter(file=claimed.subject_id).select_related("file__scope").order_by("pk")
    for row in others:
        if kept is None or row.pk != kept.pk:
            _record(claimed, row, clock(), None if _remove(row) else {"differs_at": clock()})


def _remove(row: ObjectState) -> bool:
    """Return whether nothing of ours is left under the row's key; False when what is there is not ours."""
    store = storage.store()
    found = store.get(row.key)
    if found is None:
        return True
    if found.etag != row.etag and not _is_ours(row, found.content):
        return False
    try:
        store.delete(row.key, if_match=found.etag)
    except storage.PreconditionFailedError:
        raise StoreMovedError from None
    return True


def _record(claimed: jobs.Claim, row: ObjectState, now: datetime, believed: dict[str, object] | None) -> None:
    """Write what the store was seen to hold; `believed` None gives the key up."""
    try:
        with transaction.atomic():
            jobs.heartbeat(claimed=claimed, now=now)
            mine = ObjectState.objects.filter(pk=row.pk, file=claimed.subject_id)
            if believed is None:
                mine.delete()
            else:
                mine.update(**believed)
    except jobs.FenceLostError:
        _look_again(row, now)
        raise


def _look_again(row: ObjectState, now: datetime) -> None:
    """Have the key's claimant compare it with the store: a worker that was too late may have changed it."""
    with transaction.atomic():
        claimant, _ = ObjectState.objects.get_or_create(key=row.key, defaults={"file_id": row.file_id})
        _enqueue(claimant.file_id, now)


def _enqueue(file_id: int, now: datetime) -> None:
    jobs.enqueue(kind=KIND, key=f"{KIND}:{file_id}", subject_id=file_id, now=now)
