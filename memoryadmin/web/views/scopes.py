"""One scope: its files, what was deleted from it, and where a name in it leads."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from memoryadmin.services import files, scopes
from memoryadmin.web import places
from memoryadmin.web.addresses import readable, with_query
from memoryadmin.web.attempts import is_writable
from memoryadmin.web.requests import SignedInRequest


@require_safe
def detail(request: SignedInRequest, scope_id: int) -> HttpResponse:
    scope = scopes.read_scope(actor=request.actor, scope_id=scope_id)
    query, after = readable(request.GET.get("q")), readable(request.GET.get("after"))
    found = files.listing(actor=request.actor, scope_id=scope_id, query=query, after=after)
    page = {
        "scope": scope,
        "can_write": is_writable(scope),
        "crumbs": places.crumbs_of(request.actor, scope),
        "listing": found,
        "query": query,
        "deleted": files.deleted(actor=request.actor, scope_id=scope_id),
        "first_url": with_query(request, after=None) if after else "",
        "next_url": with_query(request, after=found.next_after) if found.next_after else "",
    }
    return render(request, "scopes/detail.html", page)


@require_safe
def at(request: SignedInRequest, scope_id: int, path: str) -> HttpResponse:
    """Lead from a name to the file that has it, or tell what became of the files that had it."""
    found = files.find(actor=request.actor, scope_id=scope_id, path=path)
    if found.live is not None:
        return redirect("files:detail", found.live.id)
    scope = scopes.read_scope(actor=request.actor, scope_id=scope_id)
    crumbs = places.crumbs_to(request.actor, scope)
    page = {"scope": scope, "crumbs": crumbs, "path": path, "former": found.former}
    return render(request, "scopes/at.html", page)
