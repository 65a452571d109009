"""Writing a memory file: edit, rename, delete. Each names the version it was made from; a moved head asks."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from memoryadmin.domain.files import FileKind
from memoryadmin.domain.lines import as_typed
from memoryadmin.services import files, scopes
from memoryadmin.web import places
from memoryadmin.web.attempts import attempted, require_editable, tell_saved
from memoryadmin.web.forms import BasedForm, EditForm, PlainForm, RenameForm
from memoryadmin.web.requests import SignedInRequest
from memoryadmin.web.views.conflicts import Wish, edit_conflict_page, moved_page


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, file_id: int) -> HttpResponse:
    file = files.read(actor=request.actor, file_id=file_id)
    require_text(file)
    if request.method != "POST":
        if file.card.is_deleted:
            return redirect("files:detail", file_id)
        return _page(request, "files/edit.html", file, EditForm(initial=_initial(file)))
    form = EditForm(request.POST)
    if form.is_valid():
        sent = form.cleaned_data
        try:
            saved = attempted(form, lambda: files.save(
                actor=request.actor, file_id=file_id, text=sent["text"], base_seq=sent["base_seq"],
                note=note_of(form), now=timezone.now(), is_typed=True, is_confirmed=sent["is_confirmed"],
            ))  # fmt: skip
        except files.EditConflictError as conflict:
            return edit_conflict_page(request, conflict, sent["base_seq"], sent["reason"])
        if saved is not None:
            tell_saved(request, saved, gettext("Saved as version %(seq)s."))
            return redirect("files:edit" if "stay" in request.POST else "files:detail", file_id)
    return _page(request, "files/edit.html", file, form)


def _initial(file: files.ReadFile) -> dict[str, object]:
    return {"text": as_typed(file.text or ""), "base_seq": file.seq}


def require_text(file: files.ReadFile) -> None:
    """Return nothing when the file can be edited as text by its reader.

    :raises ArchivedError: its project or agent is archived.
    :raises NotAllowedError: they may only read it.
    :raises OpaqueFileError: it is not text.
    """
    require_editable(file)
    if file.text is None:
        raise files.OpaqueFileError("the file is not text")


def sizes_of(form: PlainForm, kind: FileKind) -> dict[str, object]:
    """Return how long the text of a form is, as its counter begins; a form without a text has none."""
    used = len(as_typed(str(form["text"].value() or ""))) if "text" in form.fields else 0
    return {"used": used, "is_over": bool(kind.soft_limit_chars and used > kind.soft_limit_chars)}


def note_of(form: PlainForm) -> files.Note:
    """Return what goes with the write that `form` asks for."""
    return files.Note(reason=form.cleaned_data["reason"], via="page")


def _page(request: SignedInRequest, template: str, file: files.ReadFile, form: PlainForm) -> HttpResponse:
    scope = scopes.read_scope(actor=request.actor, scope_id=file.card.scope_id)
    page = sizes_of(form, file.card.kind) | {
        "file": file.card,
        "read": file,
        "form": form,
        "scope": scope,
        "crumbs": [*places.crumbs_to(request.actor, scope), (reverse("files:detail", args=[file.id]), file.path)],
    }
    return render(request, template, page, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def rename(request: SignedInRequest, file_id: int) -> HttpResponse:
    file = files.read(actor=request.actor, file_id=file_id)
    require_editable(file)
    if file.card.is_deleted and request.method != "POST":
        return redirect("files:detail", file_id)
    initial = {"path": file.path, "base_seq": file.seq}
    form = RenameForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        path, base_seq = form.cleaned_data["path"], form.cleaned_data["base_seq"]
        try:
            saved = attempted(form, lambda: files.rename(
                actor=request.actor, file_id=file_id, path=path, base_seq=base_seq, note=note_of(form),
                now=timezone.now(),
            ))  # fmt: skip
        except files.EditConflictError as moved:
            words = gettext("You wanted to rename it to %(path)s.") % {"path": path}
            wish = Wish(words, gettext("Rename it all the same"), form.cleaned_data)
            return moved_page(request, moved, base_seq, wish)
        if saved is not None:
            tell_saved(request, saved, gettext("Renamed. Its history stays with it."))
            return redirect("files:detail", file_id)
    return _page(request, "files/rename.html", file, form)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: SignedInRequest, file_id: int) -> HttpResponse:
    file = files.read(actor=request.actor, file_id=file_id)
    require_editable(file)
    if file.card.is_deleted and request.method != "POST":
        return redirect("files:detail", file_id)
    form = BasedForm(request.POST if request.method == "POST" else None, initial={"base_seq": file.seq})
    if form.is_valid():
        base_seq = form.cleaned_data["base_seq"]
        try:
            saved = attempted(form, lambda: files.delete(
                actor=request.actor, file_id=file_id, base_seq=base_seq, note=note_of(form), now=timezone.now()
            ))  # fmt: skip
        except files.EditConflictError as moved:
            wish = Wish(gettext("You wanted to delete it."), gettext("Delete it all the same"), form.cleaned_data)
            return moved_page(request, moved, base_seq, wish)
        if saved is not None:
            _tell_deleted(request, saved)
            return redirect("scopes:detail", file.card.scope_id)
    return _page(request, "files/delete.html", file, form)


def _tell_deleted(request: SignedInRequest, saved: files.Saved) -> None:
    if saved.has_changed:
        messages.success(request, gettext("Deleted. Its history stays, and it can be restored."))
    else:
        messages.info(request, gettext("It was deleted already."))
