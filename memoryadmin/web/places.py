"""Where a scope is: its name for people and the path of pages that leads to it.

Links go only to pages that this person can open; the permission table itself is asked, no page and no service.
"""

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

from memoryadmin.domain.actors import Person
from memoryadmin.domain.permissions import Action, allows
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.services import scopes
from memoryadmin.services.scopes import ScopeCard

Crumb = tuple[str, str]


def title_of(card: ScopeCard) -> str:
    """Return what people call the scope."""
    names = {
        "project": card.project_name,
        "agent": card.agent_name,
        "person": card.person_name or gettext("an erased person"),
        "session": card.scope.session,
    }
    words = {
        ScopeType.ORGANIZATION: gettext("The organization"),
        ScopeType.PROJECT: gettext("Project %(project)s"),
        ScopeType.AGENT: gettext("Agent %(agent)s"),
        ScopeType.PERSON: gettext("%(person)s, in every project"),
        ScopeType.USER: gettext("%(person)s in %(project)s"),
        ScopeType.AGENT_USER: gettext("%(agent)s about %(person)s"),
        ScopeType.SESSION: gettext("Session %(session)s"),
    }
    return words[card.scope.type] % names


def note_of(card: ScopeCard) -> str:
    """Return who reads what is kept in the scope."""
    words = {
        ScopeType.ORGANIZATION: gettext("Read by everybody and by every agent."),
        ScopeType.PROJECT: gettext("Read by the project's members and its agents."),
        ScopeType.AGENT: gettext("Read by the project's members and by this agent."),
        ScopeType.PERSON: gettext("Read by this person, and by agents that act for them."),
        ScopeType.USER: gettext("Read by this person, and by the project's agents when they act for them."),
        ScopeType.AGENT_USER: gettext("Read by this person, and by this agent when it acts for them."),
        ScopeType.SESSION: gettext("Read by this person and by the agent they talked to."),
    }
    return words[card.scope.type]


def _short(card: ScopeCard) -> str:
    """Return the scope's name where its project or agent stands before it."""
    if card.scope.type in (ScopeType.USER, ScopeType.AGENT_USER):
        return card.person_name or gettext("an erased person")
    if card.scope.type in (ScopeType.PROJECT, ScopeType.AGENT, ScopeType.PERSON):
        return gettext("Memory")
    return title_of(card)


def crumbs_of(actor: Person, card: ScopeCard) -> list[Crumb]:
    """Return the pages above the scope's own, from the outside in."""
    scope, crumbs = card.scope, []
    if scope.project and allows(Action.LIST, actor, Scope(ScopeType.PROJECT, project=scope.project)):
        crumbs.append((reverse("projects:detail", args=[scope.project]), card.project_name))
        if scope.agent:
            crumbs.append((reverse("agents:detail", args=[scope.project, scope.agent]), card.agent_name))
    if scope.type is ScopeType.PERSON:
        crumbs.append((reverse("people:detail", args=[scope.person]), card.person_name or gettext("an erased person")))
    return crumbs


def crumbs_to(actor: Person, card: ScopeCard) -> list[Crumb]:
    """Return the pages above a file of the scope, the scope's own page last."""
    own = reverse("scopes:detail", args=[card.id]) if card.id else begin_url(card.scope)
    return [*crumbs_of(actor, card), (own, _short(card))]


def begin_url(scope: Scope) -> str:
    """Return the address of the page that writes the first file of a scope."""
    ids = {name: getattr(scope, name) for name in ("project", "agent", "person", "session") if getattr(scope, name)}
    return f"{reverse('scopes:begin')}?{urlencode({'type': scope.type.value, **ids})}"


_PILLS = 20


def project_pills(actor: Person, chosen: str) -> list[tuple[str, str]]:
    """Return id and name of the projects that a list offers to be narrowed to; of too many only the chosen one."""
    found = [(project.id, project.name) for project in scopes.projects(actor=actor, limit=_PILLS + 1)]
    if len(found) > _PILLS:
        found = [pill for pill in found if pill[0] == chosen]
    return found if not chosen or chosen in dict(found) else [*found, (chosen, chosen)]
