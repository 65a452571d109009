"""Scope rows: found or made for a scope value, shown as cards, locked for a write."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Case, Count, Q, Value, When

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor
from memoryadmin.domain.errors import MemoryAdminError, NotVisibleError
from memoryadmin.domain.permissions import Action
from memoryadmin.domain.scopes import Scope, ScopeType, prefix
from memoryadmin.models import Agent, MemoryFile, Person, Project, ScopeRow
from memoryadmin.models.scopes import scope_filter
from memoryadmin.services import people

# How many scopes a page lists: a project keeps one for each of its users.
MOST_SCOPES = 200


class ArchivedError(MemoryAdminError):
    """The project or agent is archived: its memory can be read, and written again once it is brought back."""

    code = "archived"


@dataclass(frozen=True, slots=True)
class ScopeCard:
    """A scope that holds memory: row id, value, the names behind its ids, and what the actor may do there."""

    id: int
    scope: Scope
    prefix: str
    rev: int
    files: int
    project_name: str
    agent_name: str
    person_name: str
    can_read: bool
    can_edit: bool


def ensure(*, actor: Actor, scope: Scope) -> int:
    """Return the row id of `scope`, making the row when it is the first time; nothing else is created.

    :raises NotVisibleError: `actor` may not know of the scope, or its project, agent or person does not exist.
    """
    permissions.require(Action.LIST, actor, scope)
    found = ScopeRow.objects.filter(prefix=prefix(scope)).values_list("pk", flat=True).first()
    if found is not None:
        return found
    _require_existing(scope)
    row, _ = ScopeRow.objects.get_or_create(prefix=prefix(scope), defaults=_columns(scope))
    return row.pk


def _columns(scope: Scope) -> dict[str, str]:
    row = ScopeRow.for_scope(scope)
    return {name: getattr(row, name) for name in ("type", "project", "agent", "person", "session")}


def _require_existing(scope: Scope) -> None:
    if scope.project and not Project.objects.filter(pk=scope.project).exists():
        raise NotVisibleError(field="project")
    if scope.agent and not Agent.objects.filter(project=scope.project, slug=scope.agent).exists():
        raise NotVisibleError(field="agent")
    if scope.person and not Person.objects.filter(pk=scope.person).exists():
        raise NotVisibleError(field="person")


def card_of(*, actor: Actor, scope: Scope) -> ScopeCard:
    """Return the card of `scope`; its id is 0 while nothing was ever kept there. Nothing is made.

    :raises NotVisibleError: `actor` may not know of the scope or its project, or something it names does not exist.
    """
    permissions.require(Action.LIST, actor, scope)
    if scope.project:
        # A person's own scope is open to them in any project, so the project itself has to be asked for.
        permissions.require(Action.LIST, actor, Scope(ScopeType.PROJECT, project=scope.project))
    _require_existing(scope)
    row = ScopeRow.objects.filter(prefix=prefix(scope)).first()
    return _cards(actor, [row or ScopeRow.for_scope(scope)])[0]


def visible_row(actor: Actor, scope_id: int, action: Action = Action.LIST) -> ScopeRow:
    """Return the row of a scope in which `actor` may do `action`.

    :raises NotVisibleError: there is none, or `actor` may not know of it.
    :raises NotAllowedError: `actor` may know of it but not do this.
    """
    row = ScopeRow.objects.filter(pk=scope_id).first()
    if row is None:
        raise NotVisibleError
    permissions.require(action, actor, row.scope)
    return row


def locked_row(scope_id: int) -> ScopeRow:
    """Return the row of a scope, locked until the transaction ends: the first lock of every write."""
    return ScopeRow.objects.select_for_update().get(pk=scope_id)


def require_writable(scope: Scope) -> None:
    """Return nothing when neither the project nor the agent of `scope` is archived.

    :raises ArchivedError: one of them is.
    """
    if scope.project and Project.objects.filter(pk=scope.project, archived_at__isnull=False).exists():
        raise ArchivedError("the project is archived", field="project")
    archived = Agent.objects.filter(project=scope.project, slug=scope.agent, archived_at__isnull=False)
    if scope.agent and archived.exists():
        raise ArchivedError("the agent is archived", field="agent")


def read_scope(*, actor: Actor, scope_id: int) -> ScopeCard:
    """Return the card of one scope.

    :raises NotVisibleError: there is none, or `actor` may not know of it.
    """
    return _cards(actor, [visible_row(actor, scope_id)])[0]


def scopes_of(
    *, actor: Actor, project_id: str = "", agent: str = "", person_id: str = "", limit: int = MOST_SCOPES
) -> list[ScopeCard]:
    """Return the scopes `actor` may see that belong to a project, an agent of it, or a person, general first.

    At most `limit`, because a project keeps a scope for each of its users. A project alone gives its own scope and
    those of its users and sessions, not those of its agents.
    """
    rows = ScopeRow.objects.filter(scope_filter(permissions.visible_to(Action.LIST, actor)))
    if person_id:
        rows = rows.filter(person=person_id)
    if project_id:
        rows = rows.filter(project=project_id, agent=agent)
    if not (person_id or project_id):
        rows = rows.filter(type=ScopeType.ORGANIZATION.value)
    general_first = Case(*(When(type=one.value, then=Value(place)) for place, one in enumerate(ScopeType)))
    return _cards(actor, list(rows.order_by(general_first, "prefix")[:limit]))


def cards_by_id(*, actor: Actor, scope_ids: Iterable[int]) -> dict[int, ScopeCard]:
    """Return by id the cards of those `scope_ids` that `actor` may know of, for lists over several scopes."""
    visible = ScopeRow.objects.filter(scope_filter(permissions.visible_to(Action.LIST, actor)))
    rows = visible.filter(pk__in=set(scope_ids))
    return {card.id: card for card in _cards(actor, list(rows))}


def cards_for(*, actor: Actor, wanted: Iterable[Scope]) -> dict[Scope, ScopeCard]:
    """Return the cards of those `wanted` scopes that `actor` may know of, also where nothing was ever kept.

    Names of what does not exist yet are its ids. Nothing is made.
    """
    visible = [scope for scope in set(wanted) if permissions.allows(Action.LIST, actor, scope)]
    rows = {row.prefix: row for row in ScopeRow.objects.filter(prefix__in=[prefix(scope) for scope in visible])}
    found = [rows.get(prefix(scope)) or ScopeRow.for_scope(scope) for scope in visible]
    return dict(zip(visible, _cards(actor, found), strict=True))


def _cards(actor: Actor, rows: Sequence[ScopeRow]) -> list[ScopeCard]:
    ids = [row.pk for row in rows if row.pk]
    counts = dict(
        MemoryFile.objects.filter(scope__in=ids, deleted_at__isnull=True)
        .values_list("scope_id").annotate(n=Count("pk")).order_by()
    )  # fmt: skip
    projects = dict(Project.objects.filter(pk__in={r.project for r in rows}).values_list("pk", "name"))
    wanted = Q(pk__in=[])
    for row in rows:
        if row.agent:
            wanted |= Q(project=row.project, slug=row.agent)
    agents = {(p, s): n for p, s, n in Agent.objects.filter(wanted).values_list("project_id", "slug", "name")}
    names = people.names({r.person for r in rows if r.person})
    return [
        ScopeCard(
            id=row.pk or 0, scope=row.scope, prefix=row.prefix, rev=row.rev, files=counts.get(row.pk, 0),
            project_name=projects.get(row.project, row.project),
            agent_name=agents.get((row.project, row.agent), row.agent), person_name=names.get(row.person, ""),
            can_read=permissions.allows(Action.READ, actor, row.scope),
            can_edit=permissions.allows(Action.EDIT, actor, row.scope),
        )
        for row in rows
    ]  # fmt: skip
