"""Agents: create, edit, archive, list."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor
from memoryadmin.domain.errors import AlreadyExistsError, NotVisibleError, ScopeIncompleteError
from memoryadmin.domain.permissions import Action
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.models import Agent, Project
from memoryadmin.services import audit, people
from memoryadmin.services.scopes.projects import project_scope, required_name, required_slug, visible_projects
from memoryadmin.services.scopes.rows import require_writable


@dataclass(frozen=True, slots=True)
class AgentCard:
    """An agent as pages show one; `project_name` saves the lists a second look."""

    id: int
    project_id: str
    project_name: str
    slug: str
    name: str
    description: str
    is_archived: bool
    created_at: datetime
    can_manage: bool


def _agent_scope(project_id: str, slug: str) -> Scope:
    try:
        return Scope(ScopeType.AGENT, project=project_id, agent=slug)
    except ScopeIncompleteError as malformed:
        raise NotVisibleError from malformed


def agents(
    *, actor: Actor, project_id: str = "", query: str = "", is_archived: bool = False,
    after: tuple[str, int] | None = None, limit: int = 200,
) -> list[AgentCard]:  # fmt: skip
    """Return the agents that `actor` may see, by name then id, at most `limit` after (name, id); one query."""
    rows = Agent.objects.select_related("project").filter(visible_projects(actor, "project"))
    rows = rows.filter(archived_at__isnull=not is_archived)
    if project_id:
        rows = rows.filter(project=project_id)
    rows = rows.filter(people.words_in(query, "name", "slug", "project__name"))
    if after:
        rows = rows.filter(Q(name__gt=after[0]) | Q(name=after[0], pk__gt=after[1]))
    return [_card(actor, row) for row in rows.order_by("name", "pk")[:limit]]


def read_agent(*, actor: Actor, project_id: str, slug: str) -> AgentCard:
    """Return one agent.

    :raises NotVisibleError: the project has none with this slug, or `actor` may not know of it.
    """
    permissions.require(Action.LIST, actor, _agent_scope(project_id, slug))
    row = Agent.objects.select_related("project").filter(project=project_id, slug=slug).first()
    if row is None:
        raise NotVisibleError
    return _card(actor, row)


def _card(actor: Actor, row: Agent) -> AgentCard:
    return AgentCard(
        id=row.pk, project_id=row.project_id, project_name=row.project.name, slug=row.slug, name=row.name,
        description=row.description, is_archived=row.archived_at is not None, created_at=row.created_at,
        can_manage=permissions.allows(Action.MANAGE, actor, _agent_scope(row.project_id, row.slug)),
    )  # fmt: skip


def create_agent(
    *, actor: Actor, project_id: str, slug: str, name: str, description: str = "", now: datetime
) -> None:  # fmt: skip
    """Create an agent in a project.

    :raises NotVisibleError: there is no such project for `actor`.
    :raises NotAllowedError: `actor` does not manage the project.
    :raises InvalidFieldError: the slug or the name cannot be used.
    :raises AlreadyExistsError: the project has an agent with this slug, also an archived one.
    :raises ArchivedError: the project is archived.
    """
    permissions.require(Action.MANAGE, actor, project_scope(project_id))
    required_slug(slug)
    with transaction.atomic():
        project = Project.objects.filter(pk=project_id).first()
        if project is None:
            raise NotVisibleError
        require_writable(project_scope(project_id))
        if Agent.objects.filter(project=project, slug=slug).exists():
            raise AlreadyExistsError("an agent of this project has this id", field="slug")
        Agent.objects.create(
            project=project, slug=slug, name=required_name(name), description=description.strip(), created_at=now
        )
        _record(actor, "agent.created", project_id, slug, now)


def edit_agent(*, actor: Actor, project_id: str, slug: str, name: str, description: str, now: datetime) -> None:
    """Change an agent's name and description; nothing is recorded when both stay.

    :raises NotVisibleError: there is no such agent for `actor`.
    :raises NotAllowedError: `actor` does not manage it.
    :raises InvalidFieldError: the name is blank.
    """
    permissions.require(Action.MANAGE, actor, _agent_scope(project_id, slug))
    with transaction.atomic():
        row = _locked(project_id, slug)
        wanted = (required_name(name), description.strip())
        if (row.name, row.description) == wanted:
            return
        row.name, row.description = wanted
        row.save(update_fields=["name", "description"])
        _record(actor, "agent.edited", project_id, slug, now)


def archive_agent(*, actor: Actor, project_id: str, slug: str, now: datetime) -> None:
    """Retire an agent: out of the lists, memory readable, not writable. Does nothing when it is archived.

    :raises NotVisibleError: there is no such agent for `actor`.
    :raises NotAllowedError: `actor` does not manage it.
    """
    _set_archived(actor, project_id, slug, now, archived_at=now)


def unarchive_agent(*, actor: Actor, project_id: str, slug: str, now: datetime) -> None:
    """Bring an archived agent back. Does nothing when it is not archived.

    :raises NotVisibleError: there is no such agent for `actor`.
    :raises NotAllowedError: `actor` does not manage it.
    """
    _set_archived(actor, project_id, slug, now, archived_at=None)


def _set_archived(actor: Actor, project_id: str, slug: str, now: datetime, *, archived_at: datetime | None) -> None:
    permissions.require(Action.MANAGE, actor, _agent_scope(project_id, slug))
    with transaction.atomic():
        row = _locked(project_id, slug)
        if (row.archived_at is None) == (archived_at is None):
            return
        row.archived_at = archived_at
        row.save(update_fields=["archived_at"])
        _record(actor, "agent.archived" if archived_at else "agent.unarchived", project_id, slug, now)


def _locked(project_id: str, slug: str) -> Agent:
    row = Agent.objects.select_for_update().filter(project=project_id, slug=slug).first()
    if row is None:
        raise NotVisibleError
    return row


def _record(actor: Actor, action: str, project_id: str, slug: str, now: datetime) -> None:
    event = audit.Event(action=action, object_type="agent", object_id=slug, project_id=project_id)
    audit.record(actor=actor, event=event, now=now)
