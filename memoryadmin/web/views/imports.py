"""Importing an agent's workspace in two steps: upload it and see the plan, then have it carried out."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from memoryadmin.domain.imports import ImportTarget
from memoryadmin.domain.permissions import Action, allows
from memoryadmin.domain.scopes import Scope, ScopeType
from memoryadmin.services import imports, scopes
from memoryadmin.web import plans
from memoryadmin.web.addresses import readable
from memoryadmin.web.attempts import attempted
from memoryadmin.web.forms import ApplyForm, ImportForm
from memoryadmin.web.requests import SignedInRequest

# A browser that shows an import under way looks again by itself after so many seconds.
LOOK_AGAIN = 3


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: SignedInRequest, project_id: str) -> HttpResponse:
    imports.require_importable(actor=request.actor, project_id=project_id)
    project = scopes.read_project(actor=request.actor, project_id=project_id)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ImportForm(
        *sent, agents=scopes.agents(actor=request.actor, project_id=project_id), may_create=project.can_manage,
        initial={"agent": readable(request.GET.get("agent")), "is_about_me": True},
    )  # fmt: skip
    if form.is_valid():
        packed = form.cleaned_data["archive"]
        token = attempted(form, lambda: imports.stage(
            actor=request.actor, target=_target(request, project_id, form), archive=packed.file, name=packed.name,
            now=timezone.now(),
        ))  # fmt: skip
        if token is not None:
            return redirect("imports:staged", token)
    return render(request, "imports/begin.html", {"project": project, "form": form}, status=form.status)


def _target(request: SignedInRequest, project_id: str, form: ImportForm) -> ImportTarget:
    # Nobody but the person who imports can be named: others' personal memory is not theirs to write.
    person = request.actor.id if form.cleaned_data["is_about_me"] else None
    return ImportTarget(project=project_id, agent=form.chosen_agent, person=person)


@require_http_methods(["GET", "HEAD", "POST"])
def staged(request: SignedInRequest, token: str) -> HttpResponse:
    """Show an upload as it stands; posting to it carries out the plan that was shown."""
    has_moved = False
    if request.method == "POST":
        form = ApplyForm(request.POST)
        sent = form.cleaned_data if form.is_valid() else {"seen": ""}
        try:
            imports.apply_staged(actor=request.actor, token=token, now=timezone.now(), **sent)
            return redirect("imports:staged", token)
        except imports.PlanMovedError:
            has_moved = True
    match imports.staged(actor=request.actor, token=token, now=timezone.now()):
        case imports.Waiting() as waiting:
            page = _plan_page(request, waiting) | {"has_moved": has_moved}
            return render(request, "imports/plan.html", page, status=409 if has_moved else 200)
        case imports.Running(upload):
            answer = render(request, "imports/running.html", _page(request, upload))
            answer.headers["Refresh"] = str(LOOK_AGAIN)
            return answer
        case imports.Finished() as finished:
            return render(request, "imports/result.html", _result_page(request, finished))


def _page(request: SignedInRequest, upload: imports.Upload) -> dict[str, Any]:
    project = scopes.read_project(actor=request.actor, project_id=upload.target.project)
    return {"upload": upload, "project": project}


def _plan_page(request: SignedInRequest, waiting: imports.Waiting) -> dict[str, Any]:
    plan = waiting.plan
    wanted = {one.placement.scope for one in plan.files if one.placement.scope}
    cards = scopes.cards_for(actor=request.actor, wanted=wanted)
    return _page(request, waiting.upload) | {
        "groups": plans.groups_of_plan(request, plan, cards),
        "new_agents": [agent.slug for agent in plan.new_agents],
        "stamp": plan.stamp,
        "count": plan.count(*imports.WRITTEN),
        "asked_count": plan.count(*imports.WRITTEN_WHEN_ASKED),
    }


def _result_page(request: SignedInRequest, finished: imports.Finished) -> dict[str, Any]:
    result, project_id = finished.result, finished.upload.target.project
    cards = scopes.cards_for(actor=request.actor, wanted={one.scope for one in result.files if one.scope})
    may_audit = allows(Action.AUDIT, request.actor, Scope(ScopeType.PROJECT, project=project_id))
    return _page(request, finished.upload) | {
        "groups": plans.groups_of_result(request, result, cards),
        "at": result.at,
        "count": sum(one.is_written for one in result.files),
        "versions": sum(one.versions for one in result.files),
        "audit_url": f"{reverse('audit:list')}?{urlencode({'cause': result.cause})}" if may_audit else "",
    }


@require_POST
def discard(request: SignedInRequest, token: str) -> HttpResponse:
    project_id = imports.discard(actor=request.actor, token=token, now=timezone.now())
    messages.success(request, gettext("The upload was thrown away. Nothing was imported."))
    return redirect("projects:detail", project_id)
