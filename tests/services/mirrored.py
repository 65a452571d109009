"""A small project whose files are mirrored, and what the tests do to it, in this process or another.

Every function can be a scenario of `tests.crashing`: it takes `acknowledge` first, and returns plain values.
"""

import time
from datetime import datetime, timedelta

from django.db import connection

from memoryadmin import storage
from memoryadmin.domain.scopes import Scope, ScopeType, prefix
from memoryadmin.models import Job, MemoryFile, ObjectState
from memoryadmin.services import files, jobs, projection, scopes, verification
from tests.cast import NOW, OPERATOR

PLACE = prefix(Scope(ScopeType.PROJECT, project="harbour"))
NOTE = files.Note()


class Clock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def a_project(acknowledge=None) -> int:
    scopes.create_project(actor=OPERATOR, project_id="harbour", name="Harbour", now=NOW)
    return scopes.ensure(actor=OPERATOR, scope=Scope(ScopeType.PROJECT, project="harbour"))


def create(acknowledge=None, *, scope_id: int, path: str, text: str) -> int:
    saved = files.create(actor=OPERATOR, scope_id=scope_id, path=path, text=text, note=NOTE, now=NOW)
    return saved.file_id


def save(acknowledge=None, *, file_id: int, text: str) -> None:
    base_seq = files.read(actor=OPERATOR, file_id=file_id).seq
    files.save(actor=OPERATOR, file_id=file_id, text=text, base_seq=base_seq, note=NOTE, now=NOW)


def rename(acknowledge=None, *, file_id: int, path: str) -> None:
    base_seq = files.read(actor=OPERATOR, file_id=file_id).seq
    files.rename(actor=OPERATOR, file_id=file_id, path=path, base_seq=base_seq, note=NOTE, now=NOW)


def delete(acknowledge=None, *, file_id: int) -> None:
    base_seq = files.read(actor=OPERATOR, file_id=file_id).seq
    files.delete(actor=OPERATOR, file_id=file_id, base_seq=base_seq, note=NOTE, now=NOW)


def work(acknowledge=None) -> int:
    """Run what is due now; return how many jobs ended well."""
    return jobs.run_due(clock=Clock()).done


def settle(acknowledge=None) -> int:
    """Let time pass until no job is open; return how many jobs ended well."""
    clock, done = Clock(), 0
    for _ in range(40):
        done += jobs.run_due(clock=clock).done
        if not Job.objects.filter(state__in=["pending", "running"]).exists():
            return done
        clock.now += jobs.LEASE
    raise AssertionError(f"jobs stay open: {list(Job.objects.values())}")


def mirror(acknowledge=None) -> dict[str, str]:
    """Return what the store holds: path -> text."""
    found = {}
    for entry in storage.store().list(PLACE):
        stored = storage.store().get(entry.key)
        assert stored is not None
        found[entry.key.removeprefix(PLACE)] = stored.content.decode()
    return found


def heads(acknowledge=None) -> dict[str, str]:
    """Return what the ledger says: path -> text of each live file."""
    live = MemoryFile.objects.filter(deleted_at=None).select_related("head__text__blob")
    return {file.path: bytes(file.head.text.blob.content).decode() for file in live}


def look(acknowledge=None) -> dict[str, object]:
    """Return everything at rest: store, ledger, claims, what pages would say, and the ledger's faults."""
    ids = list(MemoryFile.objects.values_list("pk", flat=True))
    return {
        "mirror": mirror(),
        "heads": heads(),
        "keys": sorted(ObjectState.objects.values_list("key", flat=True)),
        "states": sorted({str(state) for state in projection.copy_state(ids).values()}),
        "open": Job.objects.filter(state__in=["pending", "running"]).count(),
        "faults": [str(fault) for fault in verification.verify_ledger().faults],
    }


def settle_and_look(acknowledge=None) -> dict[str, object]:
    settle()
    return look()


# For two real workers at once.


def many_files(acknowledge=None, *, scope_id: int, count: int) -> None:
    for index in range(count):
        create(scope_id=scope_id, path=f"note-{index:03}.md", text=f"text {index}\n")


def work_and_tell(acknowledge, *, seconds: float = 60) -> int:
    """Run jobs as a worker does until none is open, acknowledging each put that the store accepted."""
    store, stop_at = storage.store(), time.monotonic() + seconds
    put = store.put

    def told(key, content, **condition):
        assert not connection.in_atomic_block, "the store was called inside a transaction"
        etag = put(key, content, **condition)
        acknowledge(key)
        return etag

    store.put = told  # type: ignore[method-assign]
    clock, done = Clock(), 0
    while Job.objects.filter(state__in=["pending", "running"]).exists():
        done += jobs.run_due(clock=clock, limit=5).done
        clock.now += timedelta(milliseconds=1)
        assert time.monotonic() < stop_at, "the jobs do not drain"
    return done
