"""Who may do what: one table, asked for one object (`allows`) and for lists (`visible_to`).

Called by every service as its first act. Knows no rows; a test proves that both ways of asking agree.
Source: ADR 0008.

Each role is a fact about one actor and one scope. A project's roles contain each other: an owner is also a reviewer
and a member, as is an installation's admin wherever the table names a project role on shared (not personal) memory.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from memoryadmin.domain.actors import Actor, Person, ProjectRole, Runtime, System
from memoryadmin.domain.errors import NotAllowedError, NotVisibleError
from memoryadmin.domain.scopes import Scope, ScopeType


class Role(StrEnum):
    """What an actor is to a scope."""

    ANYONE = "anyone"  # every signed-in person and every runtime
    ADMIN = "admin"
    AUDITOR = "auditor"
    OWNER = "owner"
    REVIEWER = "reviewer"
    MEMBER = "member"
    SELF = "self"  # the person whose memory it is
    PROJECT_RUNTIME = "project_runtime"
    AGENT_RUNTIME = "agent_runtime"
    SYSTEM = "system"


class Action(StrEnum):
    """What can be asked of a scope. Content is READ; that a file exists, its size and date are LIST."""

    LIST = "list"
    READ = "read"
    ADD = "add"  # a new file, or a line at the end of one: what an append-only place allows
    EDIT = "edit"
    MANAGE = "manage"
    AUDIT = "audit"


_SHARED_LIST = frozenset({Role.MEMBER, Role.ADMIN, Role.AUDITOR, Role.PROJECT_RUNTIME, Role.SYSTEM})
_PERSONAL_LIST = frozenset({Role.SELF, Role.OWNER, Role.REVIEWER, Role.ADMIN, Role.AUDITOR, Role.SYSTEM})
_SELF = frozenset({Role.SELF, Role.SYSTEM})

_EDIT = {
    ScopeType.ORGANIZATION: frozenset({Role.ADMIN, Role.SYSTEM}),
    ScopeType.PROJECT: frozenset({Role.MEMBER, Role.ADMIN, Role.PROJECT_RUNTIME, Role.SYSTEM}),
    ScopeType.AGENT: frozenset({Role.OWNER, Role.ADMIN, Role.SYSTEM}),
    ScopeType.PERSON: _SELF,
    ScopeType.USER: _SELF,
    ScopeType.AGENT_USER: _SELF,
}

# One row per action: scope type -> the roles that may. A type that is absent: nobody.
PERMISSIONS: dict[Action, dict[ScopeType, frozenset[Role]]] = {
    Action.LIST: {
        ScopeType.ORGANIZATION: frozenset({Role.ANYONE}),
        ScopeType.PROJECT: _SHARED_LIST,
        ScopeType.AGENT: _SHARED_LIST,
        ScopeType.PERSON: frozenset({Role.SELF, Role.ADMIN, Role.AUDITOR, Role.SYSTEM}),
        ScopeType.USER: _PERSONAL_LIST,
        ScopeType.AGENT_USER: _PERSONAL_LIST,
        ScopeType.SESSION: frozenset({Role.SELF, Role.ADMIN, Role.SYSTEM}),
    },
    Action.READ: {
        ScopeType.ORGANIZATION: frozenset({Role.ANYONE}),
        ScopeType.PROJECT: frozenset({Role.MEMBER, Role.ADMIN, Role.PROJECT_RUNTIME, Role.SYSTEM}),
        ScopeType.AGENT: frozenset({Role.MEMBER, Role.ADMIN, Role.AGENT_RUNTIME, Role.SYSTEM}),
        ScopeType.PERSON: _SELF,
        ScopeType.USER: _SELF,
        ScopeType.AGENT_USER: _SELF,
        ScopeType.SESSION: _SELF,
    },
    # Sessions are append-only for everyone, so they have no row under EDIT.
    Action.ADD: {**_EDIT, ScopeType.SESSION: _SELF},
    Action.EDIT: _EDIT,
    # Names, members and archiving of the project or agent behind the scope; for the organization: people, projects.
    Action.MANAGE: {
        ScopeType.ORGANIZATION: frozenset({Role.ADMIN, Role.SYSTEM}),
        ScopeType.PROJECT: frozenset({Role.OWNER, Role.ADMIN, Role.SYSTEM}),
        ScopeType.AGENT: frozenset({Role.OWNER, Role.ADMIN, Role.SYSTEM}),
    },
    # Audit records are read by chain: one for the installation, one per project.
    Action.AUDIT: {
        ScopeType.ORGANIZATION: frozenset({Role.ADMIN, Role.AUDITOR, Role.SYSTEM}),
        ScopeType.PROJECT: frozenset({Role.OWNER, Role.ADMIN, Role.AUDITOR, Role.SYSTEM}),
    },
}

_CONTAINED: dict[ProjectRole, frozenset[Role]] = {
    ProjectRole.MEMBER: frozenset({Role.MEMBER}),
    ProjectRole.REVIEWER: frozenset({Role.MEMBER, Role.REVIEWER}),
    ProjectRole.OWNER: frozenset({Role.MEMBER, Role.REVIEWER, Role.OWNER}),
}


def _everywhere(actor: Actor) -> frozenset[Role]:
    """Return the roles that `actor` has whatever the scope."""
    if isinstance(actor, Person):
        held = {Role.ANYONE}
        if actor.is_admin:
            held.add(Role.ADMIN)
        if actor.is_auditor:
            held.add(Role.AUDITOR)
        return frozenset(held)
    return frozenset({Role.ANYONE, Role.SYSTEM} if isinstance(actor, System) else {Role.ANYONE})


def roles_in(actor: Actor, scope: Scope) -> frozenset[Role]:
    """Return every role that `actor` has towards `scope`."""
    held = set(_everywhere(actor))
    if isinstance(actor, Person):
        role = actor.projects.get(scope.project) if scope.project else None
        if role is not None:
            held |= _CONTAINED[role]
        if scope.owner and scope.owner == actor.id:
            held.add(Role.SELF)
    elif isinstance(actor, Runtime) and scope.project == actor.project:
        held.add(Role.PROJECT_RUNTIME)
        if scope.agent == actor.agent:
            held.add(Role.AGENT_RUNTIME)
    return frozenset(held)


def allows(action: Action, actor: Actor, scope: Scope) -> bool:
    """Return whether `actor` may do `action` in `scope`."""
    return not PERMISSIONS[action].get(scope.type, frozenset()).isdisjoint(roles_in(actor, scope))


def require(action: Action, actor: Actor, scope: Scope) -> None:
    """Return nothing when `actor` may do `action` in `scope`.

    :raises NotVisibleError: the actor may not even know what is in the scope.
    :raises NotAllowedError: the actor may see the scope's list, but not do this.
    """
    if allows(action, actor, scope):
        return
    if not allows(Action.LIST, actor, scope):
        raise NotVisibleError
    raise NotAllowedError(f"{action} is not allowed in this scope")


@dataclass(frozen=True, slots=True)
class VisibleScopes:
    """One alternative of a list filter: scopes of `type`, narrowed by each value that is not None."""

    type: ScopeType
    projects: frozenset[str] | None = None
    agent: str | None = None
    owner: str | None = None


def visible_to(action: Action, actor: Actor) -> tuple[VisibleScopes, ...]:
    """Return the alternatives whose union is exactly the scopes in which `allows` says yes."""
    found: list[VisibleScopes] = []
    for scope_type, roles in PERMISSIONS[action].items():
        if not roles.isdisjoint(_everywhere(actor)):
            found.append(VisibleScopes(scope_type))
            continue
        found.extend(_narrowed(actor, scope_type, roles))
    return tuple(found)


def _narrowed(actor: Actor, scope_type: ScopeType, roles: frozenset[Role]) -> Iterable[VisibleScopes]:
    if isinstance(actor, Person):
        projects = frozenset(p for p, role in actor.projects.items() if not roles.isdisjoint(_CONTAINED[role]))
        if projects:
            yield VisibleScopes(scope_type, projects=projects)
        if Role.SELF in roles:
            yield VisibleScopes(scope_type, owner=actor.id)
    elif isinstance(actor, Runtime):
        if Role.PROJECT_RUNTIME in roles:
            yield VisibleScopes(scope_type, projects=frozenset({actor.project}))
        elif Role.AGENT_RUNTIME in roles:
            yield VisibleScopes(scope_type, projects=frozenset({actor.project}), agent=actor.agent)
