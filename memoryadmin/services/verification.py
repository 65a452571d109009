"""Proof that the ledger is whole: every version readable and recorded, every head the last version, no byte changed.

Called by `manage.py verify_ledger` and by the crash tests. Reads everything in batches and changes nothing.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, F, Max

from memoryadmin.domain.paths import fold_path
from memoryadmin.domain.scopes import prefix
from memoryadmin.models import AuditRecord, Blob, Job, MemoryFile, ScopeRow, Version, VersionText, triggers
from memoryadmin.services import projection

_BATCH = 500


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as it must be: which row, and what is wrong with it."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class LedgerReport:
    """How much was checked and every fault found."""

    files: int
    versions: int
    blobs: int
    faults: tuple[Fault, ...]


def verify_ledger() -> LedgerReport:
    """Return a report on every scope, file, version, text and blob."""
    faults = [
        *_triggers(), *_scopes(), *_blobs(), *_versions(), *_texts(), *_chains(), *_heads(), *_records(), *_copies()
    ]  # fmt: skip
    return LedgerReport(
        files=MemoryFile.objects.count(), versions=Version.objects.count(), blobs=Blob.objects.count(),
        faults=tuple(faults),
    )  # fmt: skip


def _triggers() -> Iterator[Fault]:
    for name in triggers.missing():
        yield Fault(f"trigger {name}", "is missing")


def _scopes() -> Iterator[Fault]:
    for row in ScopeRow.objects.iterator(chunk_size=1000):
        if row.prefix != prefix(row.scope):
            yield Fault(f"scope {row.pk}", "its prefix does not follow from its ids")


def _blobs() -> Iterator[Fault]:
    for blob in Blob.objects.iterator(chunk_size=200):
        content = bytes(blob.content)
        if hashlib.sha256(content).hexdigest() != blob.sha256 or len(content) != blob.size_bytes:
            yield Fault(f"blob {blob.pk}", "its bytes are not those that were stored")


def _versions() -> Iterator[Fault]:
    for pk in Version.objects.filter(text__isnull=True).values_list("pk", flat=True):
        yield Fault(f"version {pk}", "has no text row")
    wrong = Version.objects.filter(text__blob__isnull=False).exclude(size_bytes=F("text__blob__size_bytes"))
    for pk in wrong.values_list("pk", flat=True):
        yield Fault(f"version {pk}", "its size is not that of its content")
    for pk in Version.objects.filter(operation=Version.Operation.DELETED, text__blob__isnull=False).values_list(
        "pk", flat=True
    ):
        yield Fault(f"version {pk}", "is a deletion with content")

    # Nothing blanks a text yet, so content that is gone was taken.
    blank = Version.objects.filter(text__blob__isnull=True).exclude(operation=Version.Operation.DELETED)
    for pk in blank.filter(text__isnull=False).values_list("pk", flat=True):
        yield Fault(f"version {pk}", "has lost its content")


def _texts() -> Iterator[Fault]:
    foreign = VersionText.objects.filter(blob__isnull=False).exclude(blob__scope=F("version__file__scope"))
    for pk in foreign.values_list("pk", flat=True):
        yield Fault(f"version {pk}", "its content belongs to another scope")
    foreign = VersionText.objects.filter(reason__isnull=False).exclude(reason__scope=F("version__file__scope"))
    for pk in foreign.values_list("pk", flat=True):
        yield Fault(f"version {pk}", "its reason belongs to another scope")


def _chains() -> Iterator[Fault]:
    rows = Version.objects.values_list("file_id").annotate(n=Count("pk"), last=Max("seq")).order_by("file_id")
    for file_id, count, last in rows:
        if count != last:
            yield Fault(f"file {file_id}", f"has {count} versions, the last is number {last}")
    broken = Version.objects.filter(seq__gt=1).exclude(parent__file=F("file"), parent__seq=F("seq") - 1)
    for pk in broken.values_list("pk", flat=True):
        yield Fault(f"version {pk}", "does not follow the version before it")


def _heads() -> Iterator[Fault]:
    last = dict(Version.objects.values_list("file_id").annotate(last=Max("seq")).order_by())
    rows = MemoryFile.objects.select_related("head__text").iterator(chunk_size=1000)
    for file in rows:
        head = file.head
        if head is None:
            yield Fault(f"file {file.pk}", "has no version")
            continue
        if head.file_id != file.pk or head.seq != last.get(file.pk) or file.seq != head.seq:
            yield Fault(f"file {file.pk}", "its head is not its last version")
        if head.text.path != file.path and head.text.path != "":
            yield Fault(f"file {file.pk}", "its path is not that of its head")
        if file.path_folded != fold_path(file.path):
            yield Fault(f"file {file.pk}", "its folded path is not that of its path")
        sizes = (head.size_chars, head.size_bytes, head.size_lines)
        if file.deleted_at is None and (file.size_chars, file.size_bytes, file.size_lines) != sizes:
            yield Fault(f"file {file.pk}", "its size is not that of its head")
        if (file.deleted_at is None) == (head.operation == Version.Operation.DELETED):
            yield Fault(f"file {file.pk}", "is deleted without a deletion, or the other way round")


def _records() -> Iterator[Fault]:
    columns = ("after_version_id", "action", "object_id", "scope_id", "actor_kind", "actor_id", "before_version_id",
               "reason_blob_id")  # fmt: skip
    recorded: dict[int, list[tuple[object, ...]]] = {}
    made = AuditRecord.objects.filter(after_version_id__isnull=False).values_list(*columns)
    for version_id, *said in made.iterator(chunk_size=5000):
        recorded.setdefault(version_id, []).append(tuple(said))
    columns = ("pk", "operation", "file_id", "file__scope_id", "actor_kind", "actor_id", "parent_id", "text__reason_id")
    for pk, operation, file_id, *rest in Version.objects.order_by("pk").values_list(*columns).iterator(chunk_size=5000):
        said = recorded.pop(pk, [])
        if len(said) != 1:
            yield Fault(f"version {pk}", f"has {len(said)} audit records")
        elif said[0] != (f"file.{operation}", str(file_id), *rest):
            yield Fault(f"version {pk}", "is not what its audit record says")
    for version_id in recorded:
        yield Fault(f"audit record of version {version_id}", "names a version that does not exist")


def _copies() -> Iterator[Fault]:
    """Yield the files whose copy in the store is behind and stays so, because no job is open for it."""
    open_states = (Job.State.PENDING, Job.State.RUNNING)
    awaited = set(Job.objects.filter(kind=projection.KIND, state__in=open_states).values_list("subject_id", flat=True))
    ids = list(MemoryFile.objects.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(ids), _BATCH):
        for file_id, state in projection.copy_state(ids[start : start + _BATCH]).items():
            if state is projection.CopyState.BEHIND and file_id not in awaited:
                yield Fault(f"file {file_id}", "its copy in the store is behind, and no job is open for it")
