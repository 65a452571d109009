"""People: a random id that everything refers to, and the one erasable row that holds who it is."""

import secrets
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from memoryadmin.domain.actors import ProjectRole

_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"


def new_person_id() -> str:
    return "u_" + "".join(secrets.choice(_ALPHABET) for _ in range(20))


class PersonQuerySet(models.QuerySet["Person"]):
    def with_identity(self) -> "PersonQuerySet":
        return self.select_related("identity")


class PersonManager(BaseUserManager["Person"]):
    def get_queryset(self) -> PersonQuerySet:
        return PersonQuerySet(self.model, using=self._db)

    def get_by_natural_key(self, username: str | None) -> "Person":
        """Find by sign-in name, which lives in the identity row; Django's own backend calls this."""
        return self.get_queryset().get(identity__login__iexact=username)


class Person(AbstractBaseUser):
    """An employee; may exist before the first sign-in. Names and addresses are in `Identity` only."""

    id = models.CharField(primary_key=True, max_length=22, default=new_person_id, editable=False)
    is_admin = models.BooleanField(default=False)
    is_auditor = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField()

    objects: ClassVar[PersonManager] = PersonManager()

    USERNAME_FIELD = "id"

    def __str__(self) -> str:
        return self.id


class Identity(models.Model):
    """Names, addresses and external ids of one person: erasing the person empties this row."""

    person = models.OneToOneField(Person, on_delete=models.PROTECT, primary_key=True, related_name="identity")
    display_name = models.CharField(max_length=200)
    # The name typed at sign-in; null for people who have no local sign-in.
    login = models.CharField(max_length=150, null=True, unique=True)  # noqa: DJ001
    email = models.CharField(max_length=254, blank=True, default="")
    external_id = models.CharField(max_length=200, blank=True, default="")
    aliases = models.JSONField(default=list)

    def __str__(self) -> str:
        return self.display_name


class Membership(models.Model):
    """What a person is in a project."""

    class Role(models.TextChoices):
        OWNER = ProjectRole.OWNER.value
        REVIEWER = ProjectRole.REVIEWER.value
        MEMBER = ProjectRole.MEMBER.value

    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="memberships")
    project = models.ForeignKey("memoryadmin.Project", on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["person", "project"], name="one_role_per_project"),)

    def __str__(self) -> str:
        return f"{self.person_id} {self.role} {self.project_id}"
