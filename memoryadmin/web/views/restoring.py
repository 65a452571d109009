"""Bringing an old version back: on top of its own file, under another name, or into the file that has the name now."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from memoryadmin.domain.diffs import compare
from memoryadmin.services import files
from memoryadmin.web.attempts import attempted, require_editable, tell_saved
from memoryadmin.web.diffs import shown_diff
from memoryadmin.web.forms import RestoreForm
from memoryadmin.web.requests import SignedInRequest
from memoryadmin.web.texts import shown_text
from memoryadmin.web.views.conflicts import Wish, moved_page
from memoryadmin.web.views.editing import note_of
from memoryadmin.web.views.versions import crumbs_of_file, masked_diff


@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: SignedInRequest, file_id: int, seq: int) -> HttpResponse:
    file = files.read(actor=request.actor, file_id=file_id)
    require_editable(file)
    form = RestoreForm(request.POST if request.method == "POST" else None, initial={"base_seq": file.seq})
    if form.is_valid():
        sent = form.cleaned_data
        try:
            saved = attempted(form, lambda: files.restore(
                actor=request.actor, file_id=file_id, seq=seq, base_seq=sent["base_seq"], note=note_of(form),
                now=timezone.now(), path=sent["path"], is_confirmed=sent["is_confirmed"],
            ))  # fmt: skip
        except files.EditConflictError as moved:
            return moved_page(request, moved, sent["base_seq"], _wish(seq, form))
        if saved is not None:
            tell_saved(request, saved, gettext("Restored as version %(seq)s."))
            return redirect("files:detail", file_id)
    return render(request, "files/restore.html", _page(request, file, seq, form), status=form.status)


def _wish(seq: int, form: RestoreForm) -> Wish:
    words = gettext("You wanted to restore version %(seq)s.") % {"seq": seq}
    return Wish(words, gettext("Restore it all the same"), form.cleaned_data)


def _page(request: SignedInRequest, file: files.ReadFile, seq: int, form: RestoreForm) -> dict[str, Any]:
    found = files.compare(actor=request.actor, file_id=file.id, old_seq=file.seq, new_seq=seq)
    diff = masked_diff(found)
    taken = None
    if file.card.is_deleted:
        taken = files.find(actor=request.actor, scope_id=file.card.scope_id, path=file.path).live
        form.fields["path"].required = taken is not None
    return {
        "file": file.card,
        "version": found.new,
        "crumbs": crumbs_of_file(request, file.card),
        "form": form,
        "shown": shown_diff(diff) if diff else None,
        "taken": taken,
    }


@require_http_methods(["GET", "HEAD", "POST"])
def restore_into(request: SignedInRequest, file_id: int, seq: int, target_id: int) -> HttpResponse:
    """Put a version of one file on top of another, after showing what that changes there."""
    target = files.read(actor=request.actor, file_id=target_id)
    require_editable(target)
    form = RestoreForm(request.POST if request.method == "POST" else None, initial={"base_seq": target.seq})
    if form.is_valid():
        sent = form.cleaned_data
        try:
            saved = attempted(form, lambda: files.restore_into(
                actor=request.actor, file_id=target_id, source_file_id=file_id, seq=seq, base_seq=sent["base_seq"],
                note=note_of(form), now=timezone.now(), is_confirmed=sent["is_confirmed"],
            ))  # fmt: skip
        except files.EditConflictError as moved:
            return moved_page(request, moved, sent["base_seq"], _wish(seq, form))
        if saved is not None:
            tell_saved(request, saved, gettext("Restored as version %(seq)s."))
            return redirect("files:detail", target_id)
    page = _into_page(request, target, file_id, seq) | {"form": form}
    return render(request, "files/restore_into.html", page, status=form.status)


def _into_page(request: SignedInRequest, target: files.ReadFile, file_id: int, seq: int) -> dict[str, Any]:
    source = files.read(actor=request.actor, file_id=file_id)
    version = files.read_version(actor=request.actor, file_id=file_id, seq=seq)
    diff = None
    if target.text is not None and version.text is not None:
        diff = compare(shown_text(target.card, target.text), shown_text(source.card, version.text, version.card))
    return {
        "file": target.card,
        "source": source.card,
        "version": version,
        "crumbs": crumbs_of_file(request, target.card),
        "shown": shown_diff(diff) if diff else None,
    }
