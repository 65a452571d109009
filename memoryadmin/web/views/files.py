"""One memory file to look at: laid out, as stored, raw, and to keep; and the end of its quarantine."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from memoryadmin.domain.errors import NotAllowedError
from memoryadmin.services import files, projection, scopes
from memoryadmin.web import places
from memoryadmin.web.attempts import tell_saved
from memoryadmin.web.downloads import text_answer
from memoryadmin.web.forms import BasedForm
from memoryadmin.web.requests import SignedInRequest
from memoryadmin.web.texts import hidden_note, is_masked, is_sent, laid_out, line_ends, shown_text, source_html
from memoryadmin.web.views.conflicts import Wish, moved_page


@require_safe
def detail(request: SignedInRequest, file_id: int) -> HttpResponse:
    file = files.read(actor=request.actor, file_id=file_id)
    page = _frame(request, file, "detail")
    if page["text"] is not None:
        page["doc"] = laid_out(file.card, page["text"])
    return render(request, "files/detail.html", page)


@require_safe
def source(request: SignedInRequest, file_id: int) -> HttpResponse:
    file = files.read(actor=request.actor, file_id=file_id)
    page = _frame(request, file, "source")
    if page["text"] is not None:
        page["lines"] = source_html(page["text"])
    return render(request, "files/source.html", page)


def _frame(request: SignedInRequest, file: files.ReadFile, tab: str) -> dict[str, Any]:
    """Return what the head, the tabs and the side column of a file's pages need."""
    scope = scopes.read_scope(actor=request.actor, scope_id=file.card.scope_id)
    text = shown_text(file.card, file.text) if file.text is not None else None
    return {
        "file": file.card,
        "read": file,
        "text": text,
        "scope": scope,
        "crumbs": places.crumbs_to(request.actor, scope),
        "tabs": tabs_of(file.card, tab),
        "is_sent": is_sent(file.card),
        "copy": projection.copy_state([file.id]).get(file.id),
        "hidden": hidden_note(text) if text is not None else None,
        "line_ends": line_ends(text) if text is not None else "none",
        "has_bom": text is not None and text.startswith("\ufeff"),
    }


def tabs_of(file: files.FileCard, current: str) -> list[dict[str, Any]]:
    """Return the views of a file; one that is not text has only its history."""
    names = [("detail", gettext("Read")), ("source", gettext("Source")), ("history", gettext("History"))]
    return [
        {
            "address": reverse(f"files:{name}", args=[file.id]),
            "text": words,
            "count": file.seq if name == "history" else None,
            "is_current": name == current,
        }
        for name, words in names
        if name != "source" or not file.is_opaque
    ]


@require_safe
def raw(request: SignedInRequest, file_id: int) -> HttpResponse:
    return _bytes_of(files.read(actor=request.actor, file_id=file_id), is_download=False)


@require_safe
def download(request: SignedInRequest, file_id: int) -> HttpResponse:
    return _bytes_of(files.read(actor=request.actor, file_id=file_id), is_download=True)


def _bytes_of(file: files.ReadFile, *, is_download: bool) -> HttpResponse:
    require_unmasked(file)
    return text_answer(file.content, file.path, is_text=file.text is not None, is_download=is_download)


def require_unmasked(file: files.ReadFile, version: files.VersionCard | None = None) -> None:
    """Return nothing when the stored bytes may leave as they are: in quarantine only for those who can clean them.

    :raises NotAllowedError: the file, or the version, is in quarantine and the reader may not edit it.
    """
    if is_masked(file.card, version) and not file.can_edit:
        raise NotAllowedError("the file is in quarantine: only those who may edit it see its bytes")


@require_POST
def release(request: SignedInRequest, file_id: int) -> HttpResponse:
    form = BasedForm(request.POST)
    base_seq = form.cleaned_data["base_seq"] if form.is_valid() else 0
    try:
        saved = files.release(actor=request.actor, file_id=file_id, base_seq=base_seq, now=timezone.now())
    except files.EditConflictError as moved:
        wish = Wish(gettext("You wanted to release it from quarantine."), gettext("Release it all the same"))
        return moved_page(request, moved, base_seq, wish)
    tell_saved(request, saved, gettext("Released: agents can read it again."))
    return redirect("files:detail", file_id)
