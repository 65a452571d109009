"""The audit trail, newest first, narrowed by what stands in the address."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memoryadmin.services import scopes, trail
from memoryadmin.web import labels
from memoryadmin.web.addresses import readable, whole_number, with_query
from memoryadmin.web.places import project_pills
from memoryadmin.web.requests import SignedInRequest

PAGE = 60


@require_safe
def listing(request: SignedInRequest) -> HttpResponse:
    filters = trail.Filters(
        action=readable(request.GET.get("action")),
        project_id=readable(request.GET.get("project")),
        actor_id=readable(request.GET.get("actor")),
        cause=readable(request.GET.get("cause")),
    )
    before = whole_number(request.GET.get("before"))
    found = trail.listing(actor=request.actor, filters=filters, before=before, limit=PAGE)
    ids = [one.scope_id for one in found.records if one.scope_id is not None]
    cards = scopes.cards_by_id(actor=request.actor, scope_ids=ids)
    page = {
        "records": [(one, cards.get(one.scope_id or 0)) for one in found.records],
        "filters": filters,
        "actor_name": next((one.actor_name for one in found.records if filters.actor_id), "") or filters.actor_id,
        "actions": labels.NAMESPACES.items(),
        "projects": project_pills(request.actor, filters.project_id),
        "first_url": with_query(request, before=None) if before is not None else "",
        "next_url": with_query(request, before=found.next_before) if found.next_before else "",
    }
    return render(request, "audit/list.html", page)
