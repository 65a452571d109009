"""Imports in two steps: an archive is uploaded and waits with its plan until its person decides.

Called by the import pages. The bytes wait in a folder of their own, each under its digest, beside a manifest; they
belong to the person who uploaded them and to nobody else, admins included. They go when the import is done, when it is
discarded, and a day after the upload in any case. Nothing of memory changes before `apply_staged`.
"""

import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import IO

from django.db import transaction

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor
from memoryadmin.domain.errors import InvalidFieldError, MemoryAdminError, NotVisibleError
from memoryadmin.domain.imports import ImportTarget, SourceFile
from memoryadmin.domain.permissions import Action
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.services import audit, jobs, scopes
from memoryadmin.services.imports import archives, manifests
from memoryadmin.services.imports.applying import apply
from memoryadmin.services.imports.manifests import Result, Upload
from memoryadmin.services.imports.planning import Plan, plan
from memoryadmin.services.imports.workspace import Workspace, traits_of
from memoryadmin.storage import ObjectStore, PreconditionFailedError, staging

KEPT = timedelta(hours=24)
# After this long an import that was begun and did not end was cut off; what it wrote is then the same as planned.
LONGEST_APPLY = timedelta(minutes=10)
PURGE_JOB = "purge_uploads"
_MANIFESTS, _BYTES = "manifests/", "bytes/"
_TOKEN = re.compile(r"[0-9a-f]{32}")


class PlanMovedError(MemoryAdminError):
    """Memory changed since the plan was shown, so another one would be carried out than was agreed to."""

    code = "import_plan_moved"


@dataclass(frozen=True, slots=True)
class Waiting:
    """An upload that nobody has decided on, and what importing it would do now."""

    upload: Upload
    plan: Plan


@dataclass(frozen=True, slots=True)
class Running:
    """An upload that is being imported at this moment."""

    upload: Upload


@dataclass(frozen=True, slots=True)
class Finished:
    """An upload that was imported."""

    upload: Upload
    result: Result


def stage(*, actor: Actor, target: ImportTarget, archive: IO[bytes], name: str, now: datetime) -> str:
    """Unpack an archive, keep it for a day, and return the token under which `actor` finds it.

    `name` is what the person calls it. Personal memory that is not the actor's own is refused with the plan.

    :raises NotVisibleError: there is no such project for `actor`.
    :raises NotAllowedError: `actor` may write nothing in the project.
    :raises ArchivedError: the project or the agent is archived.
    :raises ScopeIncompleteError: the target names something that is no id.
    :raises ArchiveRefusedError: the archive is broken, unsafe or too large; nothing of it is kept.
    """
    require_importable(actor=actor, project_id=target.project)
    if target.agent is not None:
        scopes.require_writable(Scope(ScopeType.AGENT, project=target.project, agent=target.agent))
    purge(now=now)
    made = Upload(
        token=secrets.token_hex(16), actor_id=actor.id, target=target, name=name[:200], made_at=now, files=()
    )  # fmt: skip
    with archives.opened(archive) as opened:
        upload = _described(made, opened)
        _keep(upload, opened)
    with transaction.atomic():
        jobs.enqueue(kind=PURGE_JOB, key=f"{PURGE_JOB}:{upload.token}", subject_id=0, now=now + KEPT)
    return upload.token


def require_importable(*, actor: Actor, project_id: str) -> None:
    """Return nothing when `actor` may write something in the project, so that importing into it can make sense.

    :raises NotVisibleError: there is no such project for `actor`.
    :raises NotAllowedError: `actor` may write nothing in the project.
    :raises ArchivedError: the project is archived.
    """
    project = scopes.project_scope(project_id)
    permissions.require(Action.ADD, actor, project)
    scopes.card_of(actor=actor, scope=project)
    scopes.require_writable(project)


def staged(*, actor: Actor, token: str, now: datetime) -> Waiting | Running | Finished:
    """Return how the upload stands that `actor` made; with a plan that is as of now while it waits.

    :raises NotVisibleError: there is none under this token, it is another person's, or a day has passed.
    :raises NotAllowedError: `actor` may no longer write in the project.
    """
    upload, _ = _owned(actor, token, now)
    if upload.result is not None:
        return Finished(upload, upload.result)
    if _is_taken(upload, now):
        return Running(upload)
    return Waiting(upload, plan(actor=actor, workspace=_workspace(upload), target=upload.target))


def apply_staged(
    *, actor: Actor, token: str, seen: str, now: datetime, should_overwrite: bool = False
) -> None:  # fmt: skip
    """Carry out the plan whose stamp is `seen`; does nothing when that was begun already, by another click.

    `should_overwrite` also writes what is older, in conflict, or deleted here: as a version on top, nothing is lost.

    :raises NotVisibleError: there is no such upload for `actor`.
    :raises NotAllowedError: `actor` may no longer write in the project.
    :raises PlanMovedError: another plan would be carried out now; nothing was written.
    """
    upload, etag = _owned(actor, token, now)
    if upload.result is not None or _is_taken(upload, now):
        return
    workspace = _workspace(upload)
    agreed = plan(actor=actor, workspace=workspace, target=upload.target)
    if agreed.stamp != seen:
        raise PlanMovedError("memory changed since the plan was shown")
    taken = replace(upload, taken_at=now)
    try:
        etag = staging().put(_manifest(token), manifests.written(taken), if_match=etag)
    except PreconditionFailedError:
        return  # the other click of two was quicker
    try:
        with audit.one_act() as cause:
            done = apply(actor=actor, workspace=workspace, plan=agreed, now=now, should_overwrite=should_overwrite)
    except Exception:
        staging().put(_manifest(token), manifests.written(upload), if_match=etag)
        raise
    result = Result(cause, now, tuple(manifests.done_of(one) for one in done))
    staging().put(_manifest(token), manifests.written(replace(taken, result=result)), if_match=etag)
    _delete_bytes(staging(), upload)


def discard(*, actor: Actor, token: str, now: datetime) -> str:
    """Throw an upload away that was not imported, and return the id of its project.

    :raises NotVisibleError: there is no such upload for `actor`.
    :raises NotAllowedError: `actor` may no longer write in the project.
    """
    upload, etag = _owned(actor, token, now)
    if upload.result is None and not _is_taken(upload, now):
        staging().delete(_manifest(token), if_match=etag)
        _delete_bytes(staging(), upload)
    return upload.target.project


def purge(*, now: datetime) -> int:
    """Throw away every upload that is older than a day, and return how many those were."""
    store, alive = staging(), set()
    gone, are_bytes_lost = 0, False
    for entry in store.list(_MANIFESTS):
        found = store.get(entry.key)
        upload = manifests.read(found.content) if found else None
        if upload is not None and now < upload.made_at + KEPT:
            alive.add(upload.token)
            continue
        gone += 1
        if upload is not None:
            _delete_bytes(store, upload)
        are_bytes_lost = are_bytes_lost or upload is None
        store.delete(entry.key)
    if are_bytes_lost:
        _delete_orphans(store, alive, now)
    return gone


@jobs.handles(PURGE_JOB)
def _purge_due(claimed: jobs.Claim, clock: Callable[[], datetime]) -> None:
    jobs.heartbeat(claimed=claimed, now=clock())
    purge(now=clock())


def _described(made: Upload, opened: archives.Archive) -> Upload:
    """Return the upload with everything that a plan needs to know, so that a plan reads no bytes."""
    files, traits = [], {}
    for one in opened.unpacked():
        files.append(SourceFile(one.path, size_bytes=one.size_bytes, sha256=one.sha256))
        if one.content is not None and one.sha256 not in traits:
            traits[one.sha256] = traits_of(one.content)
    files.sort(key=lambda source: source.path)
    return replace(made, files=tuple(files), traits=traits, has_guessed_names=opened.has_guessed_names)


def _keep(upload: Upload, opened: archives.Archive) -> None:
    store = staging()
    # First the manifest: whatever happens then, it says which bytes have to go.
    store.put(_manifest(upload.token), manifests.written(upload), if_absent=True)
    for one in opened.unpacked():
        if one.content is not None:
            store.put(_bytes(upload.token, one.sha256), one.content)


def _owned(actor: Actor, token: str, now: datetime) -> tuple[Upload, str]:
    """Return an upload of `actor` and the etag of its manifest."""
    found = staging().get(_manifest(token)) if _TOKEN.fullmatch(token) else None
    upload = manifests.read(found.content) if found else None
    if found is None or upload is None or upload.actor_id != actor.id or now >= upload.made_at + KEPT:
        raise NotVisibleError
    permissions.require(Action.ADD, actor, scopes.project_scope(upload.target.project))
    return upload, found.etag


def _is_taken(upload: Upload, now: datetime) -> bool:
    return upload.taken_at is not None and now < upload.taken_at + LONGEST_APPLY


def _workspace(upload: Upload) -> Workspace:
    store = staging()

    def fetch(source: SourceFile) -> bytes:
        found = store.get(_bytes(upload.token, source.sha256))
        if found is None:
            raise InvalidFieldError("a file cannot be read", field="path")
        return found.content

    return Workspace(upload.files, fetch, upload.traits)


def _manifest(token: str) -> str:
    return f"{_MANIFESTS}{token}.json"


def _bytes(token: str, sha256: str) -> str:
    return f"{_BYTES}{token}.{sha256}"


def _delete_bytes(store: ObjectStore, upload: Upload) -> None:
    for sha256 in {one.sha256 for one in upload.files}:
        store.delete(_bytes(upload.token, sha256))


def _delete_orphans(store: ObjectStore, alive: Collection[str], now: datetime) -> None:
    """Delete old bytes that no manifest speaks of: what a power cut left of one is no manifest."""
    for entry in store.list(_BYTES):
        token = entry.key.removeprefix(_BYTES).partition(".")[0]
        if token not in alive and entry.modified_at < now - KEPT:
            store.delete(entry.key)
