"""Whose memory it is: the seven scopes, and `prefix`, the one source of the object-key format.

Called by everything that names a place in memory. Knows nothing of rows, storage or permissions.

Prefixes are injective, disjoint (none is the beginning of another) and end in `/`. An id that is missing, blank or
could widen the place (`/`, `.`, `..`, `*`) is an error that names the field: nothing is ever read or written at a
shorter prefix. Source: ADR 0003, case ST-05.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from memoryadmin.domain.errors import ScopeIncompleteError


class ScopeType(StrEnum):
    """The seven kinds of owner that memory can have, general first: the order in which contexts concatenate them."""

    ORGANIZATION = "organization"
    PROJECT = "project"
    AGENT = "agent"
    PERSON = "person"
    USER = "user"
    AGENT_USER = "agent_user"
    SESSION = "session"


# What each type needs, in the order in which its prefix names them.
REQUIRED_IDS: dict[ScopeType, tuple[str, ...]] = {
    ScopeType.ORGANIZATION: (),
    ScopeType.PROJECT: ("project",),
    ScopeType.AGENT: ("project", "agent"),
    ScopeType.PERSON: ("person",),
    ScopeType.USER: ("project", "person"),
    ScopeType.AGENT_USER: ("project", "agent", "person"),
    ScopeType.SESSION: ("project", "session"),
}

# Scopes whose content belongs to one person and is closed to everybody else.
PERSONAL_TYPES = frozenset({ScopeType.PERSON, ScopeType.USER, ScopeType.AGENT_USER, ScopeType.SESSION})

_PREFIXES: dict[ScopeType, str] = {
    ScopeType.ORGANIZATION: "organization/workspace/",
    ScopeType.PROJECT: "projects/{project}/workspace/",
    ScopeType.AGENT: "projects/{project}/agents/{agent}/workspace/",
    ScopeType.PERSON: "people/{person}/workspace/",
    ScopeType.USER: "projects/{project}/users/{person}/workspace/",
    ScopeType.AGENT_USER: "projects/{project}/agents/{agent}/users/{person}/workspace/",
    ScopeType.SESSION: "projects/{project}/sessions/{session}/workspace/",
}

_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_PERSON_ID = re.compile(r"u_[a-z0-9]{20}")


def is_slug(value: str) -> bool:
    """Return whether `value` can be a project, agent or session id: 1 to 63 of `a-z 0-9 . _ -`, no leading sign."""
    return _SLUG.fullmatch(value) is not None


def is_person_id(value: str) -> bool:
    """Return whether `value` has the form of a random person id, `u_` and twenty of `a-z 0-9`."""
    return _PERSON_ID.fullmatch(value) is not None


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory: a type and the ids that type needs; every other id is the empty string.

    `session_person` says whose conversation a session was. It is no part of the place, so two scopes that differ in
    it alone are equal.

    :raises ScopeIncompleteError: an id is missing, malformed, or given to a type that has none.
    """

    type: ScopeType
    project: str = ""
    agent: str = ""
    person: str = ""
    session: str = ""
    session_person: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Refuse a scope that `prefix` could not place safely."""
        required = REQUIRED_IDS[self.type]
        for name in ("project", "agent", "person", "session"):
            value = getattr(self, name)
            if name not in required:
                if value:
                    raise ScopeIncompleteError(f"{self.type} scopes have no {name} id", field=name)
                continue
            if not isinstance(value, str) or not value.strip():
                raise ScopeIncompleteError(f"{self.type} scopes need a {name} id", field=name)
            known = is_person_id(value) if name == "person" else is_slug(value)
            if not known:
                raise ScopeIncompleteError(f"{value!r} is not a {name} id", field=name)

    @property
    def is_personal(self) -> bool:
        """Whether the content is one person's and closed to others."""
        return self.type in PERSONAL_TYPES

    @property
    def owner(self) -> str:
        """The id of the person whose content it is; empty for scopes that are not personal."""
        return self.person or self.session_person


def prefix(scope: Scope) -> str:
    """Return the object-key prefix of `scope`, ending in `/`; the only place that knows the key format.

    >>> prefix(Scope(ScopeType.AGENT, project="dispatch", agent="planner"))
    'projects/dispatch/agents/planner/workspace/'
    """
    return _PREFIXES[scope.type].format(
        project=scope.project, agent=scope.agent, person=scope.person, session=scope.session
    )
