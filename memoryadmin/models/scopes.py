"""Projects, agents, and the scopes in which memory files live."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q

from memoryadmin.domain.actors import Actor
from memoryadmin.domain.permissions import Action, VisibleScopes, visible_to
from memoryadmin.domain.scopes import Scope, ScopeType, prefix


class Project(models.Model):
    """A team's shared place; its id is an immutable slug and part of every prefix below it."""

    id = models.CharField(primary_key=True, max_length=63)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    created_at = models.DateTimeField()
    archived_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class Agent(models.Model):
    """An agent of a project; `slug` is immutable and part of its prefix."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="agents")
    slug = models.CharField(max_length=63)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    created_at = models.DateTimeField()
    archived_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["project", "slug"], name="one_agent_per_slug"),)

    def __str__(self) -> str:
        return self.name


class ScopeQuerySet(models.QuerySet["ScopeRow"]):
    def visible_to(self, actor: Actor, action: Action = Action.LIST) -> Self:
        """Keep the scopes in which the permission table lets `actor` do `action`."""
        return self.filter(scope_filter(visible_to(action, actor)))


def scope_filter(alternatives: tuple[VisibleScopes, ...], through: str = "") -> Q:
    """Return the filter that keeps the scopes named by `alternatives`; `through` is e.g. `scope__`."""
    wanted = Q(pk__in=[])
    for one in alternatives:
        part = Q(**{f"{through}type": one.type.value})
        if one.projects is not None:
            part &= Q(**{f"{through}project__in": sorted(one.projects)})
        if one.agent is not None:
            part &= Q(**{f"{through}agent": one.agent})
        if one.owner is not None:
            part &= Q(**{f"{through}person": one.owner})
        wanted |= part
    return wanted


class ScopeRow(models.Model):
    """One scope that holds, or held, memory. `rev` rises in every transaction that changes a head in it."""

    type = models.CharField(max_length=12, choices=[(t.value, t.value) for t in ScopeType])
    # Ids as plain text, not foreign keys: history outlives projects, agents and people.
    project = models.CharField(max_length=63, blank=True, default="")
    agent = models.CharField(max_length=63, blank=True, default="")
    # The person whose memory it is; for a session, the person who talked.
    person = models.CharField(max_length=22, blank=True, default="")
    session = models.CharField(max_length=63, blank=True, default="")
    prefix = models.CharField(max_length=400, unique=True)
    rev = models.BigIntegerField(default=0)

    objects: ClassVar[models.Manager["ScopeRow"]] = ScopeQuerySet.as_manager()

    class Meta:
        indexes = (
            models.Index(fields=["type", "project", "agent"], name="scope_by_place"),
            models.Index(fields=["person", "type"], name="scope_by_person"),
        )

    def __str__(self) -> str:
        return self.prefix

    @property
    def scope(self) -> Scope:
        """This row as the domain's value."""
        return row_scope(self)

    @classmethod
    def for_scope(cls, scope: Scope) -> "ScopeRow":
        """Build, without saving, the row of `scope`."""
        return cls(
            type=scope.type.value, project=scope.project, agent=scope.agent, person=scope.owner,
            session=scope.session, prefix=prefix(scope),
        )  # fmt: skip


def row_scope(row: ScopeRow) -> Scope:
    scope_type = ScopeType(row.type)
    if scope_type is ScopeType.SESSION:
        return Scope(scope_type, project=row.project, session=row.session, session_person=row.person)
    return Scope(scope_type, project=row.project, agent=row.agent, person=row.person)
