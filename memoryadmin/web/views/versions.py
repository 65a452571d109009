"""A file's past: its history, one version as it was, and any two of them compared."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from memoryadmin.domain.diffs import Diff
from memoryadmin.domain.diffs import compare as compare_texts
from memoryadmin.domain.errors import NotVisibleError
from memoryadmin.services import files, scopes
from memoryadmin.web import labels, places
from memoryadmin.web.addresses import readable, whole_number, with_query
from memoryadmin.web.diffs import shown_diff
from memoryadmin.web.downloads import text_answer
from memoryadmin.web.requests import SignedInRequest
from memoryadmin.web.texts import hidden_note, is_masked, laid_out, shown_text, source_html
from memoryadmin.web.views.files import require_unmasked, tabs_of

_CHOICES = 100


def crumbs_of_file(request: SignedInRequest, file: files.FileCard) -> list[places.Crumb]:
    """Return the pages above one of a file's own pages, the file last."""
    scope = scopes.read_scope(actor=request.actor, scope_id=file.scope_id)
    return [*places.crumbs_to(request.actor, scope), (reverse("files:detail", args=[file.id]), file.path)]


@require_safe
def history(request: SignedInRequest, file_id: int) -> HttpResponse:
    before = whole_number(request.GET.get("before"))
    kind = readable(request.GET.get("by"))
    found = files.history(actor=request.actor, file_id=file_id, before=before, author_kind=kind)
    page = {
        "file": found.file,
        "author_kinds": [(one, labels.AUTHOR_KINDS[one]) for one in found.author_kinds],
        "author_kind": kind,
        "history": found,
        "has_pair": len(found.versions) > 1,
        "crumbs": crumbs_of_file(request, found.file)[:-1],
        "tabs": tabs_of(found.file, "history"),
        "first_url": with_query(request, before=None) if before is not None else "",
        "next_url": with_query(request, before=found.next_before) if found.next_before else "",
    }
    return render(request, "files/history.html", page)


@require_safe
def version(request: SignedInRequest, file_id: int, seq: int) -> HttpResponse:
    file = files.read(actor=request.actor, file_id=file_id)
    found = files.read_version(actor=request.actor, file_id=file_id, seq=seq)
    text = shown_text(file.card, found.text, found.card) if found.text is not None else None
    is_source = request.GET.get("view") == "source"
    page: dict[str, Any] = {
        "file": file.card,
        "read": file,
        "version": found,
        "crumbs": crumbs_of_file(request, file.card),
        "is_source": is_source,
        "is_head": seq == file.seq,
        "text": text,
        "hidden": hidden_note(text) if text is not None else None,
    }
    if text is not None:
        page |= {"lines": source_html(text)} if is_source else {"doc": laid_out(file.card, text)}
    return render(request, "files/version.html", page)


@require_safe
def download(request: SignedInRequest, file_id: int, seq: int) -> HttpResponse:
    file = files.read(actor=request.actor, file_id=file_id)
    found = files.read_version(actor=request.actor, file_id=file_id, seq=seq)
    require_unmasked(file, found.card)
    if found.content is None:
        raise NotVisibleError(field="seq")
    return text_answer(found.content, found.card.path, is_text=found.text is not None, is_download=True)


@require_safe
def compare(request: SignedInRequest, file_id: int) -> HttpResponse:
    known = files.history(actor=request.actor, file_id=file_id, limit=_CHOICES)
    head = known.file.seq
    new_seq = whole_number(request.GET.get("to")) or head
    old_seq = whole_number(request.GET.get("from")) or max(1, new_seq - 1)
    found = files.compare(actor=request.actor, file_id=file_id, old_seq=old_seq, new_seq=new_seq)
    diff, is_split = masked_diff(found), request.GET.get("view") == "split"
    start = whole_number(request.GET.get("start")) or 0
    shown = shown_diff(diff, is_split=is_split, start=start) if diff else None
    page = {
        "file": found.file,
        "found": found,
        "crumbs": crumbs_of_file(request, found.file),
        "choices": _choices(known, found),
        "shown": shown,
        "is_same": old_seq == new_seq,
        "hidden": hidden_note(shown_text(found.file, found.new.text, found.new.card)) if found.new.text else None,
        "unified_url": with_query(request, view=None, start=None),
        "split_url": with_query(request, view="split", start=None),
        "next_url": with_query(request, start=shown.next_start) if shown and shown.next_start else "",
        "first_url": with_query(request, start=None) if start else "",
    }
    return render(request, "files/compare.html", page)


def masked_diff(found: files.Comparison) -> Diff | None:
    """Return the diff that a page may show: of a quarantined file or version, between the masked texts."""
    if found.diff is None or not is_masked(found.file, found.old.card, found.new.card):
        return found.diff
    old, new = (shown_text(found.file, one.text or "", one.card) for one in (found.old, found.new))
    return compare_texts(old, new)


def _choices(known: files.History, found: files.Comparison) -> list[files.VersionCard]:
    """Return the versions to choose from, newest first; the two that are shown are always among them."""
    cards = {card.seq: card for card in (*known.versions, found.old.card, found.new.card)}
    return [cards[seq] for seq in sorted(cards, reverse=True)]
