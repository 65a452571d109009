"""Who acts: a person, a runtime's token, or the system itself.

Made once per request by `services.people`; asked by `domain.permissions`; stored with every version and audit
record as `kind` and `id`. Names are not here: they live in the one erasable identity row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class ProjectRole(StrEnum):
    """What a person is in one project."""

    OWNER = "owner"
    REVIEWER = "reviewer"
    MEMBER = "member"


class ActorKind(StrEnum):
    """The kinds of author that history tells apart."""

    PERSON = "person"
    RUNTIME = "runtime"
    DREAM = "dream"
    SYSTEM = "system"


_NO_ROLES: Mapping[str, ProjectRole] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Person:
    """A signed-in employee. `projects` maps project id to this person's role there."""

    id: str
    is_admin: bool = False
    is_auditor: bool = False
    projects: Mapping[str, ProjectRole] = field(default_factory=lambda: _NO_ROLES)
    kind: ActorKind = field(default=ActorKind.PERSON, init=False)


@dataclass(frozen=True, slots=True)
class Runtime:
    """An agent process, known by its token and bound to one agent of one project."""

    id: str
    project: str
    agent: str
    kind: ActorKind = field(default=ActorKind.RUNTIME, init=False)


@dataclass(frozen=True, slots=True)
class System:
    """The product itself, or its operator at the command line; `id` names the part that acts, e.g. `import`."""

    id: str
    kind: ActorKind = field(default=ActorKind.SYSTEM, init=False)


Actor = Person | Runtime | System
