"""Projects: the list, one project with its memory, agents and members, and the acts of those who manage it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memoryadmin.domain.actors import ProjectRole
from memoryadmin.domain.scopes import Scope, ScopeType, is_person_id
from memoryadmin.services import people, scopes
from memoryadmin.web.addresses import name_and_id, part_by_name, readable
from memoryadmin.web.attempts import attempted, require_allowed
from memoryadmin.web.forms import MemberForm, NamedForm, NewNamedForm, PlainForm
from memoryadmin.web.requests import SignedInRequest

PAGE = 100
SHOWN_AGENTS = 50


@require_safe
def listing(request: SignedInRequest) -> HttpResponse:
    query, is_archived = readable(request.GET.get("q")), request.GET.get("state") == "archived"
    found = scopes.projects(
        actor=request.actor, query=query, is_archived=is_archived, after=name_and_id(request), limit=PAGE + 1
    )
    page = {
        "part": part_by_name(request, found, PAGE),
        "query": query,
        "is_archived": is_archived,
        "can_create": people.may_manage(actor=request.actor),
        "organization": [scopes.card_of(actor=request.actor, scope=Scope(ScopeType.ORGANIZATION))],
    }
    return render(request, "projects/list.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
def create(request: SignedInRequest) -> HttpResponse:
    require_allowed(people.may_manage(actor=request.actor))
    form = NewNamedForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        sent = form.cleaned_data
        made = attempted(form, lambda: scopes.create_project(
            actor=request.actor, project_id=sent["slug"], name=sent["name"], description=sent["description"],
            now=timezone.now(),
        ))  # fmt: skip
        if made is not None:
            messages.success(request, gettext("Created. You are its owner."))
            return redirect("projects:detail", made)
    return render(request, "projects/create.html", {"form": form}, status=form.status)


@require_safe
def detail(request: SignedInRequest, project_id: str) -> HttpResponse:
    return _shown(request, project_id, MemberForm())


def _shown(request: SignedInRequest, project_id: str, member_form: MemberForm) -> HttpResponse:
    actor = request.actor
    project = scopes.read_project(actor=actor, project_id=project_id)
    mine = scopes.card_of(actor=actor, scope=Scope(ScopeType.USER, project=project_id, person=actor.id))
    kept = scopes.scopes_of(actor=actor, project_id=project_id)
    agents = scopes.agents(actor=actor, project_id=project_id, limit=SHOWN_AGENTS + 1)
    own = scopes.card_of(actor=actor, scope=Scope(ScopeType.PROJECT, project=project_id))
    page = {
        "project": project,
        "own": [own],
        "can_import": own.can_edit and not project.is_archived,
        "has_more": len(kept) >= scopes.MOST_SCOPES,
        # The reader's own place stands first, also while nothing is kept there.
        "personal": [mine, *(card for card in kept if card.scope.type is not ScopeType.PROJECT and card.id != mine.id)],
        "agents": agents[:SHOWN_AGENTS],
        "agents_url": f"{reverse('agents:list')}?project={project_id}" if len(agents) > SHOWN_AGENTS else "",
        "members": _members(request, project),
        "member_form": member_form,
    }
    return render(request, "projects/detail.html", page, status=member_form.status)


def _members(request: SignedInRequest, project: scopes.ProjectCard) -> list[tuple[scopes.Member, MemberForm | None]]:
    """Return the members, each with the form that changes their role; None for whoever does not manage the project."""
    found = scopes.members(actor=request.actor, project_id=project.id)
    if not project.can_manage:
        return [(member, None) for member in found]
    initials = [{"person": member.person_id, "role": member.role} for member in found]
    forms = [MemberForm(initial=initial, auto_id=f"member-{n}-%s") for n, initial in enumerate(initials)]
    return list(zip(found, forms, strict=True))


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, project_id: str) -> HttpResponse:
    project = scopes.read_project(actor=request.actor, project_id=project_id)
    require_allowed(project.can_manage)
    initial = {"name": project.name, "description": project.description}
    form = NamedForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        attempted(form, lambda: scopes.edit_project(
            actor=request.actor, project_id=project_id, now=timezone.now(), **form.cleaned_data
        ))  # fmt: skip
        if not form.errors:
            messages.success(request, gettext("Saved."))
            return redirect("projects:detail", project_id)
    return render(request, "projects/edit.html", {"project": project, "form": form}, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: SignedInRequest, project_id: str) -> HttpResponse:
    project = scopes.read_project(actor=request.actor, project_id=project_id)
    require_allowed(project.can_manage)
    if request.method == "POST":
        scopes.archive_project(actor=request.actor, project_id=project_id, now=timezone.now())
        messages.success(request, gettext("Archived. Its memory can be read, not written."))
        return redirect("projects:detail", project_id)
    return render(request, "projects/archive.html", {"project": project})


@require_POST
def unarchive(request: SignedInRequest, project_id: str) -> HttpResponse:
    scopes.unarchive_project(actor=request.actor, project_id=project_id, now=timezone.now())
    messages.success(request, gettext("Brought back. Its memory can be written again."))
    return redirect("projects:detail", project_id)


@require_POST
def set_member(request: SignedInRequest, project_id: str) -> HttpResponse:
    require_allowed(scopes.read_project(actor=request.actor, project_id=project_id).can_manage)
    form = MemberForm(request.POST)
    person_id = _person_named(form) if form.is_valid() else ""
    if person_id:
        role = ProjectRole(form.cleaned_data["role"])
        attempted(form, lambda: scopes.set_member(
            actor=request.actor, project_id=project_id, person_id=person_id, role=role, now=timezone.now()
        ))  # fmt: skip
        if not form.errors:
            messages.success(request, gettext("The members were changed."))
            return redirect("projects:detail", project_id)
    return _shown(request, project_id, form)


def _person_named(form: PlainForm) -> str:
    """Return the id of the person whose login, or id, was typed; empty when there is nobody, and the form says so."""
    typed = str(form.cleaned_data["person"])
    if is_person_id(typed):
        return typed
    found = people.find_by_login(login=typed)
    if found is None:
        form.add_error("person", gettext("Nobody signs in with this name."))
        return ""
    return found.id


@require_http_methods(["GET", "HEAD", "POST"])
def remove_member(request: SignedInRequest, project_id: str, person_id: str) -> HttpResponse:
    project = scopes.read_project(actor=request.actor, project_id=project_id)
    require_allowed(project.can_manage)
    person = people.read(actor=request.actor, person_id=person_id)
    form = PlainForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        attempted(form, lambda: scopes.remove_member(
            actor=request.actor, project_id=project_id, person_id=person_id, now=timezone.now()
        ))  # fmt: skip
        if not form.errors:
            messages.success(request, gettext("Taken out of the project."))
            is_self = person_id == request.actor.id
            return redirect("projects:list") if is_self else redirect("projects:detail", project_id)
    page = {"project": project, "person": person, "form": form}
    return render(request, "projects/remove_member.html", page, status=form.status)
