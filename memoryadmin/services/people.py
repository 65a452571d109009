"""People: who is who, who may sign in, and the actor that stands for a signed-in person.

Called by every interface for the actor of a request, and by the pages that list and edit people. Names and addresses
are read from the identity row only, at the moment they are shown.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from memoryadmin.domain import permissions
from memoryadmin.domain.actors import Actor, ProjectRole
from memoryadmin.domain.actors import Person as PersonActor
from memoryadmin.domain.errors import AlreadyExistsError, InvalidFieldError, NotVisibleError
from memoryadmin.domain.permissions import Action
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.models import Identity, Membership, Person
from memoryadmin.services import audit

_ORGANIZATION = Scope(ScopeType.ORGANIZATION)


@dataclass(frozen=True, slots=True)
class PersonCard:
    """A person as pages show one: identity, installation roles, and role by id of the projects the reader knows."""

    id: str
    name: str
    login: str
    email: str
    is_admin: bool
    is_auditor: bool
    is_active: bool
    created_at: datetime
    projects: Mapping[str, str]


def actor_for(*, person_id: str) -> PersonActor | None:
    """Return the actor of an active person with their project roles as of now; None when there is no such person."""
    person = Person.objects.filter(pk=person_id, is_active=True).first()
    if person is None:
        return None
    roles = {m.project_id: ProjectRole(m.role) for m in Membership.objects.filter(person_id=person_id)}
    return PersonActor(id=person.id, is_admin=person.is_admin, is_auditor=person.is_auditor, projects=roles)


def names(ids: Iterable[str]) -> dict[str, str]:
    """Return id -> display name for those `ids` that are people; one query, none for an empty input."""
    wanted = {i for i in ids if i.startswith("u_")}
    if not wanted:
        return {}
    return dict(Identity.objects.filter(person_id__in=wanted).values_list("person_id", "display_name"))


def may_manage(*, actor: Actor) -> bool:
    """Return whether `actor` may create, edit and archive people and create projects."""
    return permissions.allows(Action.MANAGE, actor, _ORGANIZATION)


def listing(
    *, actor: Actor, query: str = "", is_archived: bool = False, after: tuple[str, str] | None = None, limit: int = 100
) -> list[PersonCard]:
    """Return people that `actor` may know of, by name then id, at most `limit`, after the given (name, id).

    An admin or auditor knows everybody; others know themselves and those they share a project with.
    """
    rows = Person.objects.get_queryset().with_identity().filter(is_active=not is_archived)
    if not _knows_everybody(actor):
        rows = rows.filter(_colleagues(actor)).distinct()
    rows = rows.filter(words_in(query, "identity__display_name", "identity__login"))
    if after:
        rows = rows.filter(Q(identity__display_name__gt=after[0]) | Q(identity__display_name=after[0], pk__gt=after[1]))
    found = list(rows.order_by("identity__display_name", "pk")[:limit])
    return _cards(actor, found)


def words_in(query: str, *columns: str) -> Q:
    """Return the filter that keeps rows in which one of `columns` holds `query`, whatever the case of its letters.

    SQLite compares the case of ASCII letters alone, so that other alphabets need its regular expressions.
    """
    wanted, found = query.strip(), Q()
    lookup, value = ("icontains", wanted) if wanted.isascii() else ("iregex", re.escape(wanted))
    for column in columns if wanted else ():
        found |= Q(**{f"{column}__{lookup}": value})
    return found


def read(*, actor: Actor, person_id: str) -> PersonCard:
    """Return one person.

    :raises NotVisibleError: nobody has this id, or `actor` shares no project with them.
    """
    rows = Person.objects.get_queryset().with_identity().filter(pk=person_id)
    if not _knows_everybody(actor):
        rows = rows.filter(_colleagues(actor)).distinct()
    found = list(rows)
    if not found:
        raise NotVisibleError
    return _cards(actor, found)[0]


def _knows_everybody(actor: Actor) -> bool:
    return not isinstance(actor, PersonActor) or actor.is_admin or actor.is_auditor


def _colleagues(actor: Actor) -> Q:
    shared = actor.projects if isinstance(actor, PersonActor) else {}
    return Q(pk=actor.id) | Q(memberships__project__in=list(shared))


def _cards(actor: Actor, rows: list[Person]) -> list[PersonCard]:
    known = Membership.objects.filter(person__in=rows)
    if isinstance(actor, PersonActor) and not _knows_everybody(actor):
        known = known.filter(project__in=list(actor.projects))
    roles: dict[str, dict[str, str]] = {}
    for one in known.order_by("project_id"):
        roles.setdefault(one.person_id, {})[one.project_id] = one.role
    return [
        PersonCard(
            id=row.pk, name=row.identity.display_name, login=row.identity.login or "", email=row.identity.email,
            is_admin=row.is_admin, is_auditor=row.is_auditor, is_active=row.is_active, created_at=row.created_at,
            projects=roles.get(row.pk, {}),
        )
        for row in rows
    ]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFields:
    """What a person's form holds. An empty `password` keeps the present one; an empty `login` means no sign-in."""

    name: str
    login: str = ""
    email: str = ""
    is_admin: bool = False
    is_auditor: bool = False
    password: str = ""


def create(*, actor: Actor, fields: PersonFields, now: datetime) -> str:
    """Create a person and return their new random id.

    :raises NotAllowedError: `actor` does not manage people.
    :raises InvalidFieldError: a field is blank or the password too weak; names the field.
    :raises AlreadyExistsError: the sign-in name is taken.
    """
    permissions.require(Action.MANAGE, actor, _ORGANIZATION)
    password = _checked(fields)
    with transaction.atomic():
        _require_free_login(fields, person_id=None)
        row = Person(is_admin=fields.is_admin, is_auditor=fields.is_auditor, created_at=now)
        row.password = password or make_password(None)
        row.save(force_insert=True)
        Identity.objects.create(
            person=row, display_name=fields.name.strip(), login=fields.login.strip() or None, email=fields.email.strip()
        )
        _record(actor, "person.created", row.pk, now)
    return row.pk


def edit(*, actor: Actor, person_id: str, fields: PersonFields, now: datetime) -> None:
    """Change a person's identity, roles and, when given, password.

    :raises NotVisibleError: there is no such person.
    :raises NotAllowedError: `actor` does not manage people.
    :raises InvalidFieldError: a field is blank, the password too weak, or the last admin would lose the role.
    :raises AlreadyExistsError: the sign-in name is taken.
    """
    permissions.require(Action.MANAGE, actor, _ORGANIZATION)
    password = _checked(fields)
    with transaction.atomic():
        row = _locked(person_id)
        _require_free_login(fields, person_id=person_id)
        if row.is_admin and not fields.is_admin:
            _require_another_admin(person_id, "is_admin")
        has_new_roles = (row.is_admin, row.is_auditor) != (fields.is_admin, fields.is_auditor)
        row.is_admin, row.is_auditor = fields.is_admin, fields.is_auditor
        row.password = password or row.password
        row.save()
        Identity.objects.filter(person=row).update(
            display_name=fields.name.strip(), login=fields.login.strip() or None, email=fields.email.strip()
        )
        _record(actor, "person.roles_changed" if has_new_roles else "person.edited", person_id, now)


def archive(*, actor: Actor, person_id: str, now: datetime) -> None:
    """End a person's access at once; their memory and history stay. Does nothing when already archived.

    :raises NotVisibleError: there is no such person.
    :raises NotAllowedError: `actor` does not manage people.
    :raises InvalidFieldError: they are the last admin.
    """
    permissions.require(Action.MANAGE, actor, _ORGANIZATION)
    with transaction.atomic():
        row = _locked(person_id)
        if not row.is_active:
            return
        if row.is_admin:
            _require_another_admin(person_id, "person")
        row.is_active = False
        row.save(update_fields=["is_active"])
        _record(actor, "person.archived", person_id, now)


def unarchive(*, actor: Actor, person_id: str, now: datetime) -> None:
    """Give an archived person their access back. Does nothing when they have it.

    :raises NotVisibleError: there is no such person.
    :raises NotAllowedError: `actor` does not manage people.
    """
    permissions.require(Action.MANAGE, actor, _ORGANIZATION)
    with transaction.atomic():
        row = _locked(person_id)
        if row.is_active:
            return
        row.is_active = True
        row.save(update_fields=["is_active"])
        _record(actor, "person.unarchived", person_id, now)


def record_sign_in(*, person_id: str, now: datetime) -> None:
    """Record that a person signed in, in their own name.

    :raises NotVisibleError: there is no such active person.
    """
    actor = actor_for(person_id=person_id)
    if actor is None:
        raise NotVisibleError
    with transaction.atomic():
        _record(actor, "person.signed_in", person_id, now)


def find_by_login(*, login: str) -> PersonActor | None:
    """Return the actor of the active person who signs in as `login`; None when there is none."""
    found = Identity.objects.filter(login__iexact=login.strip()).values_list("person_id", flat=True).first()
    return actor_for(person_id=found) if found else None


def has_anybody() -> bool:
    """Return whether this installation has any person at all."""
    return Person.objects.exists()


def _locked(person_id: str) -> Person:
    row = Person.objects.select_for_update().filter(pk=person_id).first()
    if row is None:
        raise NotVisibleError
    return row


def _require_another_admin(person_id: str, field: str) -> None:
    # Locked, so that two admins cannot each take the other for the one who stays.
    admins = Person.objects.select_for_update().filter(is_admin=True, is_active=True).order_by("pk")
    if all(admin.pk == person_id for admin in admins):
        raise InvalidFieldError("an installation needs at least one admin", field=field)


def _checked(fields: PersonFields) -> str:
    """Return the hash of the new password, empty for none; hashing is slow, so no lock is held for it."""
    if not fields.name.strip():
        raise InvalidFieldError("a person needs a name", field="name")
    if not fields.password:
        return ""
    try:
        validate_password(fields.password)
    except ValidationError as weak:
        raise InvalidFieldError(" ".join(weak.messages), field="password") from weak
    return make_password(fields.password)


def _require_free_login(fields: PersonFields, *, person_id: str | None) -> None:
    login = fields.login.strip()
    if login and Identity.objects.filter(login__iexact=login).exclude(person_id=person_id).exists():
        raise AlreadyExistsError("this sign-in name is taken", field="login")


def _record(actor: Actor, action: str, person_id: str, now: datetime) -> None:
    event = audit.Event(action=action, object_type="person", object_id=person_id, person_id=person_id)
    audit.record(actor=actor, event=event, now=now)
