"""Call a service for a form: what it refuses is shown in the form, and everything typed stays there.

Strangers' 404 and a reader's 403 pass through to `web.errors`; a conflict passes through to the view, which shows it.
"""

from collections.abc import Callable
from typing import TypeVar

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext

from memoryadmin.domain.errors import (
    AlreadyExistsError,
    InvalidFieldError,
    NotAllowedError,
    NotTextError,
    TooLargeError,
)
from memoryadmin.services import files, imports, scopes
from memoryadmin.web.forms import PlainForm

_REFUSALS = (
    AlreadyExistsError, InvalidFieldError, NotTextError, TooLargeError, files.AppendOnlyError, files.OpaqueFileError,
    files.SecretsFoundError, imports.ArchiveRefusedError, scopes.ArchivedError,
)  # fmt: skip

T = TypeVar("T")


def attempted(form: PlainForm, act: Callable[[], T]) -> T | None:
    """Return what `act` returns; None when it was refused, and then the form says why."""
    try:
        return act()
    except _REFUSALS as refused:
        if isinstance(refused, files.SecretsFoundError):
            form.findings = refused.findings  # type: ignore[attr-defined]
        form.refuse(refused)
        return None


def require_allowed(is_allowed: bool) -> None:  # noqa: FBT001 - it is the question itself
    """Return nothing when a service said that the actor may do what the page is for.

    :raises NotAllowedError: it said no.
    """
    if not is_allowed:
        raise NotAllowedError("this is for those who manage it")


def is_writable(card: scopes.ScopeCard) -> bool:
    """Return whether its reader may write in a scope now: allowed, and nothing around it is archived."""
    if not card.can_edit:
        return False
    try:
        scopes.require_writable(card.scope)
    except scopes.ArchivedError:
        return False
    return True


def require_editable(file: files.ReadFile) -> None:
    """Return nothing when the reader of `file` may also write it, so that no page offers what cannot be done.

    :raises ArchivedError: its project or agent is archived.
    :raises NotAllowedError: they may only read it.
    """
    if file.is_archived:
        raise scopes.ArchivedError("the project or the agent is archived")
    if not file.can_edit:
        raise NotAllowedError("this memory is read-only for you")


def tell_saved(request: HttpRequest, saved: files.Saved, words: str) -> None:
    """Say `words`, about a write that is stored by now; of one that changed nothing, that nothing changed."""
    if not saved.has_changed:
        messages.info(request, gettext("Nothing changed: version %(seq)s holds this already.") % {"seq": saved.seq})
        return
    messages.success(request, words % {"seq": saved.seq})
    if saved.limit == "over":
        messages.warning(request, gettext("It is over its limit: agents are sent only a part of it."))
