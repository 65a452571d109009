"""Users: the list, one person's metadata and the memory about them, and the acts of admins."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.services import people, scopes
from memoryadmin.web.addresses import name_and_id, part_by_name, readable
from memoryadmin.web.attempts import attempted, require_allowed
from memoryadmin.web.forms import PersonForm, PlainForm
from memoryadmin.web.requests import SignedInRequest

PAGE = 100


@require_safe
def listing(request: SignedInRequest) -> HttpResponse:
    query, is_archived = readable(request.GET.get("q")), request.GET.get("state") == "archived"
    found = people.listing(
        actor=request.actor, query=query, is_archived=is_archived, after=name_and_id(request), limit=PAGE + 1
    )
    page = {
        "part": part_by_name(request, found, PAGE),
        "query": query,
        "is_archived": is_archived,
        "can_manage": people.may_manage(actor=request.actor),
    }
    return render(request, "people/list.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
def create(request: SignedInRequest) -> HttpResponse:
    require_allowed(people.may_manage(actor=request.actor))
    form = PersonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        fields = people.PersonFields(**form.cleaned_data)
        made = attempted(form, lambda: people.create(actor=request.actor, fields=fields, now=timezone.now()))
        if made is not None:
            messages.success(request, gettext("Created."))
            return redirect("people:detail", made)
    return render(request, "people/create.html", {"form": form}, status=form.status)


@require_safe
def detail(request: SignedInRequest, person_id: str) -> HttpResponse:
    person = people.read(actor=request.actor, person_id=person_id)
    cards = scopes.scopes_of(actor=request.actor, person_id=person_id)
    is_self = person_id == request.actor.id
    if is_self and not any(card.scope.type is ScopeType.PERSON for card in cards):
        cards = [scopes.card_of(actor=request.actor, scope=Scope(ScopeType.PERSON, person=person_id)), *cards]
    page = {
        "person": person,
        "is_self": is_self,
        "can_manage": people.may_manage(actor=request.actor),
        "cards": cards,
        "has_more": len(cards) >= scopes.MOST_SCOPES,
        "projects": _projects_of(request, person),
    }
    return render(request, "people/detail.html", page)


def _projects_of(request: SignedInRequest, person: people.PersonCard) -> list[tuple[str, str, str]]:
    """Return id, name and role of the projects that both the person and the reader know."""
    names = {project.id: project.name for project in scopes.projects(actor=request.actor)}
    return [(project_id, names.get(project_id, project_id), role) for project_id, role in person.projects.items()]


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, person_id: str) -> HttpResponse:
    person = people.read(actor=request.actor, person_id=person_id)
    require_allowed(people.may_manage(actor=request.actor))
    initial = {name: getattr(person, name) for name in ("name", "login", "email", "is_admin", "is_auditor")}
    form = PersonForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        fields = people.PersonFields(**form.cleaned_data)
        attempted(form, lambda: people.edit(
            actor=request.actor, person_id=person_id, fields=fields, now=timezone.now()
        ))  # fmt: skip
        if not form.errors:
            messages.success(request, gettext("Saved."))
            return redirect("people:detail", person_id)
    return render(request, "people/edit.html", {"person": person, "form": form}, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: SignedInRequest, person_id: str) -> HttpResponse:
    person = people.read(actor=request.actor, person_id=person_id)
    require_allowed(people.may_manage(actor=request.actor))
    form = PlainForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        attempted(form, lambda: people.archive(actor=request.actor, person_id=person_id, now=timezone.now()))
        if not form.errors:
            messages.success(request, gettext("The account is closed. What is remembered stays."))
            return redirect("people:detail", person_id)
    return render(request, "people/archive.html", {"person": person, "form": form}, status=form.status)


@require_POST
def unarchive(request: SignedInRequest, person_id: str) -> HttpResponse:
    people.unarchive(actor=request.actor, person_id=person_id, now=timezone.now())
    messages.success(request, gettext("The account is open again."))
    return redirect("people:detail", person_id)
