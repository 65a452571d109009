"""One table from an error's code to the page that answers it, and the middleware that uses it.

Views let errors pass: a stranger gets 404 here and nowhere else, whatever page was asked for. Refusals of a
signed-in person are audited. Knows no HTML beyond the names of the error pages.
"""

import logging
from dataclasses import dataclass

from django.core.exceptions import BadRequest, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import requires_csrf_token

from memoryadmin.domain.errors import MemoryAdminError, PathRefusedError
from memoryadmin.domain.scanning import hidden_marks
from memoryadmin.services import audit
from memoryadmin.services.imports import ArchiveRefusedError
from memoryadmin.web import labels
from memoryadmin.web.headers import GetResponse
from memoryadmin.web.tags import number, size
from memoryadmin.web.uploads import UploadTooLargeError

logger = logging.getLogger("memoryadmin.web")


@dataclass(frozen=True, slots=True)
class Answer:
    """The status of an error's page, and its words; without words the error's own message is shown."""

    status: int
    words: str | Promise = ""


# What no page can be answered with: it happens in a worker or at the command line, or it is our own fault.
_OURS = (
    "error", "demo_broken", "fence_lost", "import_log_rewritten", "import_moved", "key_refused", "key_taken",
    "not_in_transaction", "precondition_failed", "store", "store_moved", "store_unavailable",
)  # fmt: skip

# By code, because the code is what never changes; a test walks all subclasses and fails when one has no row.
ANSWERS: dict[str, Answer] = {
    "scope_incomplete": Answer(400, _("The address does not say whose memory is meant: %(field)s.")),
    "not_found": Answer(404),
    "not_allowed": Answer(403),
    "invalid_field": Answer(422),
    "path_refused": Answer(422),
    "too_large": Answer(413, _("The text is too large: it has %(size_bytes)s bytes, the limit is %(limit_bytes)s.")),
    "not_text": Answer(422, _("This is not text in UTF-8.")),
    "already_exists": Answer(409),
    "name_taken": Answer(409, _("Another file has this name.")),
    "edit_conflict": Answer(409, _("The file changed since this page was opened. Nothing was written.")),
    "secrets_found": Answer(422, _("The text holds what looks like a secret.")),
    "append_only": Answer(422, _("A log is only added to: what is there stays, new lines come after it.")),
    "opaque_file": Answer(422, _("This file is not text, so it cannot be shown or edited here.")),
    "base_moved": Answer(409, _("The text changed since this page was opened. Nothing was written.")),
    "archive_refused": Answer(422),
    "import_plan_moved": Answer(409, _("Memory changed since the plan was shown. Nothing was imported.")),
    "archived": Answer(409, _("This is archived. Bring it back before you change it.")),
} | dict.fromkeys(_OURS, Answer(500))
_REFUSALS = frozenset({"not_found", "not_allowed"})
PAGES = frozenset({400, 401, 403, 404, 405, 409, 413, 422, 500})
# Fields whose text a person would have to type again; a refused page gives them back.
_TYPED = ("text", "content", "reason")
_LONGEST_NAME = 200


def words_for(error: MemoryAdminError) -> str:
    """Return what to tell the person about `error`, in their language."""
    if isinstance(error, PathRefusedError) and error.reason in labels.PATHS:
        return str(labels.PATHS[error.reason])
    if isinstance(error, ArchiveRefusedError):
        return str(labels.ARCHIVES[error.reason]) % {"entry": _legible(error.entry)}
    if error.code in _REFUSALS:
        return ""  # their pages say it all, the same to everybody
    words = ANSWERS[error.code].words
    if not words:
        return gettext(str(error)) if str(error) != error.code else ""
    sizes = {name: getattr(error, name) for name in ("size_bytes", "limit_bytes") if hasattr(error, name)}
    return str(words) % ({name: number(value) for name, value in sizes.items()} | {"field": error.field})


def _legible(name: str) -> str:
    """Return a name that a stranger gave, so that all of it can be seen and none of it is endless."""
    shown = "".join(piece.text for piece in hidden_marks(name))
    return shown if len(shown) <= _LONGEST_NAME else f"{shown[:_LONGEST_NAME]}…"


class ErrorMiddleware:
    """Answer expected errors with their page, and give an empty 405 a page of its own."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code == 405 and isinstance(response, HttpResponse) and not response.content:
            page = error_page(request, 405)
            page.headers["Allow"] = response.headers.get("Allow", "")
            return page
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, MemoryAdminError) or exception.code not in ANSWERS:
            return None
        answer = ANSWERS[exception.code]
        if answer.status == 500:
            return None
        if exception.code in _REFUSALS:
            _record_refusal(request)
        return error_page(request, answer.status, words_for(exception))


def _record_refusal(request: HttpRequest) -> None:
    actor, match = getattr(request, "actor", None), request.resolver_match
    if actor is None or match is None:
        return
    ids = " ".join(f"{name}={value}" for name, value in match.kwargs.items())
    what = f"{request.method} {match.view_name} {ids}".strip()
    audit.record_refusal(actor=actor, what=what, now=timezone.now())


def error_page(request: HttpRequest, status: int, why: str = "") -> HttpResponse:
    """Return the page of `status`, with `why` and the text that was sent, so that nobody types it twice."""
    kept = [sent[name] for name in _TYPED if sent.get(name)] if (sent := _sent(request)) else []
    page = status if status in PAGES else 400
    return render(request, f"errors/{page}.html", {"why": why, "kept_texts": kept}, status=status)


def _sent(request: HttpRequest) -> QueryDict | None:
    """Return the form that was sent; None when it cannot be read, which may be what the page is about."""
    try:
        return request.POST
    except (BadRequest, LookupError, UnicodeError):
        return None


@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, UploadTooLargeError):
        sizes = {"size": size(exception.size_bytes), "limit": size(exception.limit_bytes)}
        words = gettext("The upload is too large: it has %(size)s, the limit is %(limit)s.")
        return error_page(request, 413, words % sizes)
    return error_page(request, 413 if isinstance(exception, RequestDataTooBig) else 400)


@requires_csrf_token
def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 403)


@requires_csrf_token
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 404)


@requires_csrf_token
def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    logger.warning("a form was refused: %s (request %s)", reason, getattr(request, "id", ""))
    why = gettext("This page was open for too long, or in another sign-in. Nothing was saved.")
    return error_page(request, 403, why)


def signed_out(request: HttpRequest) -> HttpResponse:
    """Answer a form that came after the session ended: nothing was done, and what was typed is given back."""
    return error_page(request, 401)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer without asking the database or the session for anything: either may be what failed."""
    nothing: dict[str, object] = dict.fromkeys(("rail_links", "messages", "back", "why", "kept_texts"), "")
    page = nothing | {"request_id": getattr(request, "id", "")}
    return HttpResponse(render_to_string("errors/500.html", page), status=500)
