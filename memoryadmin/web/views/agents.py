"""Agents of all projects: the list, one agent with its files and whom it remembers, and the acts of owners."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.services import files, scopes
from memoryadmin.web.addresses import name_and_id, part_by_name, readable, whole_number
from memoryadmin.web.attempts import attempted, require_allowed
from memoryadmin.web.forms import NamedForm, NewNamedForm
from memoryadmin.web.places import project_pills
from memoryadmin.web.requests import SignedInRequest

PAGE = 100
SHOWN_FILES = 50


@require_safe
def listing(request: SignedInRequest) -> HttpResponse:
    query, is_archived = readable(request.GET.get("q")), request.GET.get("state") == "archived"
    project_id, after = readable(request.GET.get("project")), name_and_id(request)
    found = scopes.agents(
        actor=request.actor, project_id=project_id, query=query, is_archived=is_archived,
        after=(after[0], whole_number(after[1]) or 0) if after else None, limit=PAGE + 1,
    )  # fmt: skip
    page = {
        "part": part_by_name(request, found, PAGE),
        "query": query,
        "is_archived": is_archived,
        "project_id": project_id,
        "projects": project_pills(request.actor, project_id),
    }
    return render(request, "agents/list.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
def create(request: SignedInRequest, project_id: str) -> HttpResponse:
    project = scopes.read_project(actor=request.actor, project_id=project_id)
    require_allowed(project.can_manage)
    form = NewNamedForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        attempted(form, lambda: scopes.create_agent(
            actor=request.actor, project_id=project_id, now=timezone.now(), **form.cleaned_data
        ))  # fmt: skip
        if not form.errors:
            messages.success(request, gettext("Created."))
            return redirect("agents:detail", project_id, form.cleaned_data["slug"])
    return render(request, "agents/create.html", {"project": project, "form": form}, status=form.status)


@require_safe
def detail(request: SignedInRequest, project_id: str, slug: str) -> HttpResponse:
    actor = request.actor
    agent = scopes.read_agent(actor=actor, project_id=project_id, slug=slug)
    own = scopes.card_of(actor=actor, scope=Scope(ScopeType.AGENT, project=project_id, agent=slug))
    mine = scopes.card_of(
        actor=actor, scope=Scope(ScopeType.AGENT_USER, project=project_id, agent=slug, person=actor.id)
    )
    kept = scopes.scopes_of(actor=actor, project_id=project_id, agent=slug)
    page = {
        "agent": agent,
        "own": own,
        "listing": files.listing(actor=actor, scope_id=own.id, limit=SHOWN_FILES) if own.id else None,
        "can_write": own.can_edit and not agent.is_archived,
        "has_more": len(kept) >= scopes.MOST_SCOPES,
        # The reader's own place stands first, also while nothing is kept there.
        "personal": [mine, *(card for card in kept if card.scope.person and card.id != mine.id)],
    }
    return render(request, "agents/detail.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, project_id: str, slug: str) -> HttpResponse:
    agent = scopes.read_agent(actor=request.actor, project_id=project_id, slug=slug)
    require_allowed(agent.can_manage)
    initial = {"name": agent.name, "description": agent.description}
    form = NamedForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        attempted(form, lambda: scopes.edit_agent(
            actor=request.actor, project_id=project_id, slug=slug, now=timezone.now(), **form.cleaned_data
        ))  # fmt: skip
        if not form.errors:
            messages.success(request, gettext("Saved."))
            return redirect("agents:detail", project_id, slug)
    return render(request, "agents/edit.html", {"agent": agent, "form": form}, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: SignedInRequest, project_id: str, slug: str) -> HttpResponse:
    agent = scopes.read_agent(actor=request.actor, project_id=project_id, slug=slug)
    require_allowed(agent.can_manage)
    if request.method == "POST":
        scopes.archive_agent(actor=request.actor, project_id=project_id, slug=slug, now=timezone.now())
        messages.success(request, gettext("Archived. Its memory can be read, not written."))
        return redirect("agents:detail", project_id, slug)
    return render(request, "agents/archive.html", {"agent": agent})


@require_POST
def unarchive(request: SignedInRequest, project_id: str, slug: str) -> HttpResponse:
    scopes.unarchive_agent(actor=request.actor, project_id=project_id, slug=slug, now=timezone.now())
    messages.success(request, gettext("Brought back. Its memory can be written again."))
    return redirect("agents:detail", project_id, slug)
