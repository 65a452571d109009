"""What every request carries before a view sees it: an id, and the actor of the signed-in person.

Also gives templates the rail. Views take a `SignedInRequest` and pass `request.actor` to a service.
"""

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, logout
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memoryadmin.domain.actors import Person
from memoryadmin.services import audit, people, trail
from memoryadmin.web.errors import signed_out
from memoryadmin.web.headers import GetResponse


class SignedInRequest(HttpRequest):
    """A request that passed the sign-in check: views that are not marked as open may rely on this."""

    id: str
    actor: Person


class RequestIdMiddleware:
    """Name every request, so that page, log line and audit record of one click find each other."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request_id = str(uuid.uuid4())
        request.id = request_id  # type: ignore[attr-defined]
        with audit.one_act(request_id):
            response = self.get_response(request)
        response.headers["X-Request-Id"] = request_id
        return response


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """Close every page to people who are not signed in, except those that say they are open.

    A form that was sent after the session ended is answered with what was typed, not with a redirect that loses it.
    """

    # The stubs know no other answer than a redirect.
    def handle_no_permission(self, request: HttpRequest, view_func: Any) -> HttpResponse:  # type: ignore[override]
        if request.method == "POST":
            return signed_out(request)
        return super().handle_no_permission(request, view_func)


class ActorMiddleware:
    """Set `request.actor`; a session whose person is gone or archived ends here, at its next request."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        actor = people.actor_for(person_id=str(request.user.pk)) if request.user.is_authenticated else None
        if actor is None and BACKEND_SESSION_KEY in request.session:
            logout(request)
        request.actor = actor  # type: ignore[attr-defined]
        return self.get_response(request)


@dataclass(frozen=True, slots=True)
class RailLink:
    """One line of the rail; `is_current` also for the pages below it."""

    name: str
    icon: str
    label: str | Promise
    url: str
    is_current: bool


# Section (the URL namespace, or the name of a page without one), its first page, icon and words.
_RAIL = (
    ("home", "home", "home", _("Home")),
    ("projects", "projects:list", "project", _("Projects")),
    ("agents", "agents:list", "agent", _("Agents")),
    ("people", "people:list", "people", _("Users")),
    ("audit", "audit:list", "shield", _("Audit")),
)


def rail(request: HttpRequest) -> dict[str, Any]:
    """Return what `base.html` needs: the rail's links, who is signed in, and where to come back to."""
    actor: Person | None = getattr(request, "actor", None)
    # A page that was answered to a POST may have no GET; there the language switch leads home.
    back = request.get_full_path() if request.method in ("GET", "HEAD") else reverse("home")
    page = {"back": back, "request_id": getattr(request, "id", ""), "rail_links": (), "signed_in_name": ""}
    if actor is None:
        return page
    match = request.resolver_match
    section = (match.namespace or match.url_name) if match else ""
    # Scopes, files and imports have no list of their own: they belong to a project, as their breadcrumbs say.
    section = "projects" if section in ("scopes", "files", "imports") else section
    name = people.names([actor.id]).get(actor.id, "")
    return page | {"rail_links": _links(actor, section), "signed_in_name": name}


def _links(actor: Person, section: str | None) -> tuple[RailLink, ...]:
    """Return the rail's links that lead somewhere for `actor`."""
    closed = set() if trail.may_read(actor=actor) else {"audit"}
    return tuple(
        RailLink(name, icon, label, reverse(page), name == section)
        for name, page, icon, label in _RAIL
        if name not in closed
    )
