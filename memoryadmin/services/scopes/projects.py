"""Projects: create, edit, archive, list."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Q

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor, ProjectRole
from memoryadmin.domain.actors import Person as PersonActor
from memoryadmin.domain.errors import (
    AlreadyExistsError,
    InvalidFieldError,
    NotVisibleError,
    ScopeIncompleteError,
)
from memoryadmin.domain.permissions import Action
from memoryadmin.domain.scopes import Scope, ScopeType, is_slug
from memoryadmin.models import Agent, Membership, Project
from memoryadmin.services import audit, people


@dataclass(frozen=True, slots=True)
class ProjectCard:
    """A project as pages show one; `agents` and `members` count those that are not archived."""

    id: str
    name: str
    description: str
    is_archived: bool
    created_at: datetime
    agents: int
    members: int
    can_manage: bool


def project_scope(project_id: str) -> Scope:
    """Return the scope of a project.

    :raises NotVisibleError: `project_id` cannot be the id of a project.
    """
    try:
        return Scope(ScopeType.PROJECT, project=project_id)
    except ScopeIncompleteError as malformed:
        raise NotVisibleError from malformed


def required_name(name: str) -> str:
    """Return `name` without blanks around it.

    :raises InvalidFieldError: nothing is left.
    """
    if not name.strip():
        raise InvalidFieldError("a name is needed", field="name")
    return name.strip()


def required_slug(slug: str) -> str:
    """Return `slug` unchanged.

    :raises InvalidFieldError: it cannot be an id in a prefix.
    """
    if not is_slug(slug):
        raise InvalidFieldError("1 to 63 of a-z, 0-9, '.', '-' and '_', beginning with a letter or digit", field="slug")
    return slug


def visible_projects(actor: Actor, column: str = "pk") -> Q:
    """Return the filter that keeps the projects whose lists `actor` may see."""
    ids: set[str] = set()
    for one in permissions.visible_to(Action.LIST, actor):
        if one.type is ScopeType.PROJECT:
            if one.projects is None:
                return Q()
            ids |= one.projects
    return Q(**{f"{column}__in": sorted(ids)})


def projects(
    *, actor: Actor, query: str = "", is_archived: bool = False, after: tuple[str, str] | None = None,
    limit: int = 200,
) -> list[ProjectCard]:  # fmt: skip
    """Return the projects that `actor` may see, by name then id, at most `limit` after (name, id); three queries."""
    rows = Project.objects.filter(visible_projects(actor), archived_at__isnull=not is_archived)
    rows = rows.filter(people.words_in(query, "name", "pk"))
    if after:
        rows = rows.filter(Q(name__gt=after[0]) | Q(name=after[0], pk__gt=after[1]))
    return _cards(actor, list(rows.order_by("name", "pk")[:limit]))


def read_project(*, actor: Actor, project_id: str) -> ProjectCard:
    """Return one project.

    :raises NotVisibleError: there is none with this id, or `actor` may not know of it.
    """
    permissions.require(Action.LIST, actor, project_scope(project_id))
    found = _cards(actor, list(Project.objects.filter(pk=project_id)))
    if not found:
        raise NotVisibleError
    return found[0]


def _cards(actor: Actor, rows: Sequence[Project]) -> list[ProjectCard]:
    ids = [row.pk for row in rows]
    agents = dict(
        Agent.objects.filter(project__in=ids, archived_at__isnull=True)
        .values_list("project_id").annotate(n=Count("pk")).order_by()
    )  # fmt: skip
    members = dict(
        Membership.objects.filter(project__in=ids, person__is_active=True)
        .values_list("project_id").annotate(n=Count("pk")).order_by()
    )  # fmt: skip
    return [
        ProjectCard(
            id=row.pk, name=row.name, description=row.description, is_archived=row.archived_at is not None,
            created_at=row.created_at, agents=agents.get(row.pk, 0), members=members.get(row.pk, 0),
            can_manage=permissions.allows(Action.MANAGE, actor, project_scope(row.pk)),
        )
        for row in rows
    ]  # fmt: skip


def create_project(*, actor: Actor, project_id: str, name: str, description: str = "", now: datetime) -> str:
    """Create a project, make a creating person its owner, and return its id.

    :raises NotAllowedError: `actor` may not create projects.
    :raises InvalidFieldError: the id or the name cannot be used.
    :raises AlreadyExistsError: the id is taken, also by an archived project.
    """
    permissions.require(Action.MANAGE, actor, Scope(ScopeType.ORGANIZATION))
    required_slug(project_id)
    with transaction.atomic():
        # Its records would go into the installation's chain.
        if project_id == audit.INSTALLATION or Project.objects.filter(pk=project_id).exists():
            raise AlreadyExistsError("a project has this id", field="slug")
        row = Project(pk=project_id, name=required_name(name), description=description.strip(), created_at=now)
        row.save(force_insert=True)
        if isinstance(actor, PersonActor):
            Membership.objects.create(person_id=actor.id, project=row, role=ProjectRole.OWNER.value)
        _record(actor, "project.created", project_id, now)
    return project_id


def edit_project(*, actor: Actor, project_id: str, name: str, description: str, now: datetime) -> None:
    """Change a project's name and description; nothing is recorded when both stay.

    :raises NotVisibleError: there is no such project for `actor`.
    :raises NotAllowedError: `actor` does not manage it.
    :raises InvalidFieldError: the name is blank.
    """
    permissions.require(Action.MANAGE, actor, project_scope(project_id))
    with transaction.atomic():
        row = _locked(project_id)
        wanted = (required_name(name), description.strip())
        if (row.name, row.description) == wanted:
            return
        row.name, row.description = wanted
        row.save(update_fields=["name", "description"])
        _record(actor, "project.edited", project_id, now)


def archive_project(*, actor: Actor, project_id: str, now: datetime) -> None:
    """Close a project: out of the lists, readable, not writable. Does nothing when it is archived.

    :raises NotVisibleError: there is no such project for `actor`.
    :raises NotAllowedError: `actor` does not manage it.
    """
    _set_archived(actor, project_id, now, archived_at=now)


def unarchive_project(*, actor: Actor, project_id: str, now: datetime) -> None:
    """Open an archived project again. Does nothing when it is open.

    :raises NotVisibleError: there is no such project for `actor`.
    :raises NotAllowedError: `actor` does not manage it.
    """
    _set_archived(actor, project_id, now, archived_at=None)


def _set_archived(actor: Actor, project_id: str, now: datetime, *, archived_at: datetime | None) -> None:
    permissions.require(Action.MANAGE, actor, project_scope(project_id))
    with transaction.atomic():
        row = _locked(project_id)
        if (row.archived_at is None) == (archived_at is None):
            return
        row.archived_at = archived_at
        row.save(update_fields=["archived_at"])
        _record(actor, "project.archived" if archived_at else "project.unarchived", project_id, now)


def _locked(project_id: str) -> Project:
    row = Project.objects.select_for_update().filter(pk=project_id).first()
    if row is None:
        raise NotVisibleError
    return row


def _record(actor: Actor, action: str, project_id: str, now: datetime) -> None:
    event = audit.Event(action=action, object_type="project", object_id=project_id, project_id=project_id)
    audit.record(actor=actor, event=event, now=now)
