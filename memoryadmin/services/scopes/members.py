"""Who is what in a project."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor, ProjectRole
from memoryadmin.domain.errors import InvalidFieldError, NotVisibleError
from memoryadmin.domain.permissions import Action
from memoryadmin.models import Membership, Person, Project
from memoryadmin.services import audit
from memoryadmin.services.scopes.projects import project_scope


@dataclass(frozen=True, slots=True)
class Member:
    """A person's role in a project."""

    person_id: str
    name: str
    role: ProjectRole
    is_active: bool


def members(*, actor: Actor, project_id: str) -> list[Member]:
    """Return the project's members by name; one query.

    :raises NotVisibleError: there is no such project for `actor`.
    """
    permissions.require(Action.LIST, actor, project_scope(project_id))
    rows = Membership.objects.filter(project=project_id).select_related("person__identity")
    return [
        Member(row.person_id, row.person.identity.display_name, ProjectRole(row.role), row.person.is_active)
        for row in rows.order_by("person__identity__display_name", "person_id")
    ]


def set_member(*, actor: Actor, project_id: str, person_id: str, role: ProjectRole, now: datetime) -> None:
    """Give a person a role in a project, or another one; nothing is recorded when it stays.

    :raises NotVisibleError: there is no such project for `actor`.
    :raises NotAllowedError: `actor` does not manage the project.
    :raises InvalidFieldError: there is no such active person, or the project would lose its last owner.
    """
    permissions.require(Action.MANAGE, actor, project_scope(project_id))
    with transaction.atomic():
        if not Project.objects.select_for_update().filter(pk=project_id).exists():
            raise NotVisibleError
        if not Person.objects.filter(pk=person_id, is_active=True).exists():
            raise InvalidFieldError("there is no such person", field="person")
        row = Membership.objects.filter(project=project_id, person=person_id).first()
        if row and row.role == role.value:
            return
        if row and row.role == ProjectRole.OWNER.value:
            _require_another_owner(project_id, person_id)
        Membership.objects.update_or_create(project_id=project_id, person_id=person_id, defaults={"role": role.value})
        _record(actor, f"member.{role.value}", project_id, person_id, now)


def remove_member(*, actor: Actor, project_id: str, person_id: str, now: datetime) -> None:
    """Take a person out of a project: shared memory closes to them at once. Does nothing for a non-member.

    :raises NotVisibleError: there is no such project for `actor`.
    :raises NotAllowedError: `actor` does not manage the project.
    :raises InvalidFieldError: the project would lose its last owner.
    """
    permissions.require(Action.MANAGE, actor, project_scope(project_id))
    with transaction.atomic():
        # The project's row is the lock of its members, as in `set_member`: two owners cannot take each other out.
        list(Project.objects.select_for_update().filter(pk=project_id))
        row = Membership.objects.filter(project=project_id, person=person_id).first()
        if row is None:
            return
        if row.role == ProjectRole.OWNER.value:
            _require_another_owner(project_id, person_id)
        row.delete()
        _record(actor, "member.removed", project_id, person_id, now)


def _require_another_owner(project_id: str, person_id: str) -> None:
    owners = Membership.objects.filter(project=project_id, role=ProjectRole.OWNER.value, person__is_active=True)
    if not owners.exclude(person=person_id).exists():
        raise InvalidFieldError("a project needs at least one owner", field="role")


def _record(actor: Actor, action: str, project_id: str, person_id: str, now: datetime) -> None:
    event = audit.Event(
        action=action, object_type="member", object_id=person_id, project_id=project_id, person_id=person_id
    )
    audit.record(actor=actor, event=event, now=now)
