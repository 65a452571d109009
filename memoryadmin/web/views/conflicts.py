"""The page for a write that came too late: what changed meanwhile, both texts, and every way on. Nothing is chosen.

The views that write call it when a service raises `EditConflictError`; it writes nothing itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from memoryadmin.domain.diffs import compare
from memoryadmin.domain.lines import as_typed
from memoryadmin.domain.merging import Conflict, Merged
from memoryadmin.services import files, scopes
from memoryadmin.web import places
from memoryadmin.web.diffs import shown_diff
from memoryadmin.web.requests import SignedInRequest

_SHOWN_VERSIONS = 10


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wanted to do: in words, as the button that does it all the same, and what the form then sends."""

    words: str
    button: str
    fields: Mapping[str, object] = field(default_factory=dict)


def edit_conflict_page(
    request: SignedInRequest, conflict: files.EditConflictError, base_seq: int, reason: str
) -> HttpResponse:
    """Answer a save that came too late with both texts and their merge."""
    contents = conflict.contents
    if contents is None:
        raise conflict
    page = _frame(request, conflict, base_seq) | {"mine": as_typed(contents.mine), "reason": reason}
    if contents.theirs is None:
        return render(request, "files/conflict_deleted.html", page, status=409)
    merge = contents.merge
    page |= {
        "is_merged": isinstance(merge, Merged),
        "clashes": merge.clashes if isinstance(merge, Conflict) else (),
        "proposed": as_typed(merge.text) if isinstance(merge, Merged) else page["mine"],
        "theirs_diff": shown_diff(compare(contents.base, contents.theirs)),
        "mine_diff": shown_diff(compare(contents.base, contents.mine)),
    }
    return render(request, "files/conflict.html", page, status=409)


def moved_page(request: SignedInRequest, conflict: files.EditConflictError, base_seq: int, wish: Wish) -> HttpResponse:
    """Answer a rename, deletion, restore or release that came too late."""
    fields = {name: value for name, value in wish.fields.items() if name not in ("base_seq", "is_confirmed")}
    page = _frame(request, conflict, base_seq) | {"wish": wish, "fields": fields}
    return render(request, "files/conflict_moved.html", page, status=409)


def _frame(request: SignedInRequest, conflict: files.EditConflictError, base_seq: int) -> dict[str, Any]:
    """Return who changed the file since version `base_seq`, newest first, and where it is."""
    current = conflict.current
    history = files.history(actor=request.actor, file_id=current.id, limit=_SHOWN_VERSIONS + 1)
    since = [version for version in history.versions if version.seq > base_seq]
    scope = scopes.read_scope(actor=request.actor, scope_id=current.card.scope_id)
    return {
        "file": current.card,
        "base_seq": base_seq,
        "since": since[:_SHOWN_VERSIONS],
        "has_more": len(since) > _SHOWN_VERSIONS,
        "scope": scope,
        "crumbs": places.crumbs_to(request.actor, scope),
    }
