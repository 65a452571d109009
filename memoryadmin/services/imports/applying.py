"""Do what a plan says, file by file: each stands alone, so one that cannot be written does not hold up the others.

What was decided from an older state is not written: the head must still be the one the plan saw.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from django.db import transaction

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor
from memoryadmin.domain.errors import AlreadyExistsError, MemoryAdminError, NotAllowedError
from memoryadmin.domain.files import kind_named
from memoryadmin.domain.imports import Note, RefusalCode
from memoryadmin.domain.permissions import Action
from memoryadmin.domain.scanning import find_secrets
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.models import MemoryFile, ScopeRow, Version
from memoryadmin.services import audit, scopes
from memoryadmin.services.files.ledger import Draft, add_version, begin_file, legible
from memoryadmin.services.files.writing import last_content
from memoryadmin.services.imports.planning import WRITTEN, WRITTEN_WHEN_ASKED, Outcome, Plan, Planned, Step
from memoryadmin.services.imports.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Imported:
    """One source after the import: what was planned, whether it was written, and the file it went into."""

    planned: Planned
    is_written: bool
    file_id: int | None


def apply(
    *, actor: Actor, workspace: Workspace, plan: Plan, now: datetime, should_overwrite: bool = False,
    via: str = "import",
) -> tuple[Imported, ...]:  # fmt: skip
    """Write what `plan` says and return what became of each file, in the plan's order; all records share one cause.

    `should_overwrite` also writes what is older, in conflict, or deleted here: as a version on top, nothing is lost.

    :raises NotVisibleError: the project does not exist, or `actor` may not know of it.
    """
    permissions.require(Action.LIST, actor, Scope(ScopeType.PROJECT, project=plan.target.project))
    wanted = WRITTEN | WRITTEN_WHEN_ASKED if should_overwrite else WRITTEN
    with audit.one_act():
        for agent in plan.new_agents:
            _create_agent(actor, plan.target.project, agent.slug, agent.name or agent.slug, now)
        done = []
        for planned in plan.files:
            if planned.outcome in wanted:
                done.append(_import_file(actor, workspace, planned, now, via))
            else:
                done.append(Imported(planned, is_written=False, file_id=planned.file_id))
    return tuple(done)


def _create_agent(actor: Actor, project_id: str, slug: str, name: str, now: datetime) -> None:
    try:
        scopes.create_agent(actor=actor, project_id=project_id, slug=slug, name=name, now=now)
    except (AlreadyExistsError, NotAllowedError, scopes.ArchivedError):
        return  # somebody created it since the plan was made, or its files are refused one by one


def _import_file(actor: Actor, workspace: Workspace, planned: Planned, now: datetime, via: str) -> Imported:
    try:
        contents = [(step, workspace.read(step.sha256)) for step in planned.steps]
        with transaction.atomic():
            return _write(actor, planned, contents, now, via)
    except _MovedError:
        return Imported(replace(planned, outcome=Outcome.CONFLICT), is_written=False, file_id=planned.file_id)
    except tuple(_REFUSED) as stopped:
        refused = replace(planned, outcome=Outcome.REFUSED, refused=Note(_REFUSED[type(stopped)]))
        return Imported(refused, is_written=False, file_id=planned.file_id)


class _MovedError(MemoryAdminError):
    """The file is no longer as the plan saw it."""

    code = "import_moved"


class _LogRewrittenError(MemoryAdminError):
    """The text would rewrite a log."""

    code = "import_log_rewritten"


# What may have come about since the plan: it stops one file, and the others go on.
_REFUSED: dict[type[Exception], RefusalCode] = {
    _LogRewrittenError: RefusalCode.LOG_REWRITTEN,
    NotAllowedError: RefusalCode.NOT_ALLOWED,
    scopes.ArchivedError: RefusalCode.ARCHIVED,
}


def _write(
    actor: Actor, planned: Planned, contents: list[tuple[Step, bytes]], now: datetime, via: str
) -> Imported:  # fmt: skip
    placement = planned.placement
    assert placement.scope is not None  # noqa: S101 (a refused placement has no steps)
    scope = scopes.locked_row(scopes.ensure(actor=actor, scope=placement.scope))
    permissions.require(Action.ADD, actor, scope.scope)
    scopes.require_writable(scope.scope)
    file = _target(scope, planned, contents[0][0], now)
    is_log = planned.file_id is not None and kind_named(file.kind).is_append_only
    days: dict[object, int] = {}
    for step, content in contents:
        if is_log and not content.startswith(last_content(file)):
            raise _LogRewrittenError
        draft = Draft(
            operation=Version.Operation.IMPORTED, content=content, path=placement.path, reason="",
            at=_moment(step, days, now), via=via, is_quarantined=bool(find_secrets(legible(content))),
        )  # fmt: skip
        add_version(scope=scope, file=file, actor=actor, draft=draft, now=now)
    return Imported(planned, is_written=True, file_id=file.pk)


def _target(scope: ScopeRow, planned: Planned, first: Step, now: datetime) -> MemoryFile:
    path = planned.placement.path
    live = MemoryFile.objects.filter(scope=scope, path=path, deleted_at__isnull=True)
    if planned.file_id is None:
        if live.exists():
            raise _MovedError
        return begin_file(scope=scope, path=path, at=_moment(first, {}, now))
    file = MemoryFile.objects.select_for_update().select_related("head__text__blob").get(pk=planned.file_id)
    if file.seq != planned.base_seq or (file.deleted_at is not None and live.exists()):
        raise _MovedError
    return file


def _moment(step: Step, days: dict[object, int], now: datetime) -> datetime:
    """Return when a version of a chain was made: its day, a second apart from others of that day, and never later."""
    if step.day is None:
        return now
    days[step.day] = days.get(step.day, -1) + 1
    return min(datetime.combine(step.day, time(), UTC) + timedelta(seconds=days[step.day]), now)
