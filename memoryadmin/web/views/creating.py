"""New files: in a scope that has some, and the first one of a scope that has none."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from memoryadmin.domain.errors import ScopeIncompleteError
from memoryadmin.domain.files import FileKind, kind_of
from memoryadmin.domain.lines import as_typed, keep_line_ends
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.services import files, scopes
from memoryadmin.web import places
from memoryadmin.web.addresses import readable
from memoryadmin.web.attempts import attempted, require_allowed, tell_saved
from memoryadmin.web.forms import NewFileForm
from memoryadmin.web.requests import SignedInRequest

USUAL_NAMES: dict[ScopeType, tuple[str, ...]] = {
    ScopeType.ORGANIZATION: ("MEMORY.md", "memory/glossary.md"),
    ScopeType.PROJECT: ("MEMORY.md", "HANDOFF.md", "decisions-log.md", "memory/glossary.md"),
    ScopeType.AGENT: ("SOUL.md", "ABOUT.md", "AGENTS.md", "TOOLS.md", "MEMORY.md", "memory/{today}.md"),
    ScopeType.PERSON: ("USER.md",),
    ScopeType.USER: ("USER.md", "MEMORY.md"),
    ScopeType.AGENT_USER: ("USER.md", "MEMORY.md", "HANDOFF.md", "memory/{today}.md"),
    ScopeType.SESSION: (),
}


@require_http_methods(["GET", "HEAD", "POST"])
def create(request: SignedInRequest, scope_id: int) -> HttpResponse:
    """Write a new file into a scope that has files, or had."""
    scope = scopes.read_scope(actor=request.actor, scope_id=scope_id)
    require_allowed(scope.can_edit)
    scopes.require_writable(scope.scope)
    form = NewFileForm(request.POST if request.method == "POST" else None, initial=_suggested(request))
    if form.is_valid():
        saved = attempted(form, lambda: files.create(
            actor=request.actor, scope_id=scope_id, note=_note(form), now=timezone.now(), **_written(form)
        ))  # fmt: skip
        if saved is not None:
            return _created(request, saved)
    return _form_page(request, scope, form)


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: SignedInRequest) -> HttpResponse:
    """Write the first file of a scope; looking at the page makes nothing."""
    scope = scopes.card_of(actor=request.actor, scope=_scope_named(request))
    require_allowed(scope.can_edit)
    scopes.require_writable(scope.scope)
    form = NewFileForm(request.POST if request.method == "POST" else None, initial=_suggested(request))
    if form.is_valid():
        saved = attempted(form, lambda: files.create_first(
            actor=request.actor, scope=scope.scope, note=_note(form), now=timezone.now(), **_written(form)
        ))  # fmt: skip
        if saved is not None:
            return _created(request, saved)
    return _form_page(request, scope, form)


def _scope_named(request: HttpRequest) -> Scope:
    """Return the scope that the address names.

    :raises ScopeIncompleteError: an id is missing or cannot be one; nothing wider is ever meant.
    """
    try:
        scope_type = ScopeType(request.GET.get("type", ""))
    except ValueError as unknown:
        raise ScopeIncompleteError("there is no such type of scope", field="type") from unknown
    ids = {name: request.GET.get(name, "") for name in ("project", "agent", "person", "session")}
    return Scope(scope_type, **ids)


def _suggested(request: HttpRequest) -> dict[str, str]:
    return {"path": readable(request.GET.get("path"))}


def _suggestions(scope_type: ScopeType) -> list[tuple[str, FileKind]]:
    """Return names that are usual in such a scope, each with the kind it would be."""
    names = [name.format(today=timezone.localdate().isoformat()) for name in USUAL_NAMES[scope_type]]
    return [(name, kind_of(name, scope_type)) for name in names]


def _note(form: NewFileForm) -> files.Note:
    return files.Note(reason=form.cleaned_data["reason"], via="page")


def _written(form: NewFileForm) -> dict[str, Any]:
    sent = form.cleaned_data
    # A browser sends CR LF; what is typed anew ends its lines as files here do.
    return {"path": sent["path"], "text": keep_line_ends("", sent["text"]), "is_confirmed": sent["is_confirmed"]}


def _created(request: HttpRequest, saved: files.Saved) -> HttpResponse:
    tell_saved(request, saved, gettext("Created as version %(seq)s."))
    return redirect("files:detail", saved.file_id)


def _form_page(request: SignedInRequest, scope: scopes.ScopeCard, form: NewFileForm) -> HttpResponse:
    page = {
        "scope": scope,
        "crumbs": places.crumbs_to(request.actor, scope),
        "form": form,
        "used": len(as_typed(str(form["text"].value() or ""))),
        "back_url": reverse("scopes:detail", args=[scope.id]) if scope.id else reverse("home"),
        "suggestions": _suggestions(scope.scope.type),
    }
    return render(request, "files/create.html", page, status=form.status)
