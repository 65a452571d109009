"""Words and small marks of the pages about memory, loaded into every template beside `memoryadmin.web.tags`.

Turns our codes into the words of `labels`, and audit records into sentences with links. Everything is escaped here.
"""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from memoryadmin.domain.scopes import ScopeType
from memoryadmin.services.files import VersionCard
from memoryadmin.services.scopes import ScopeCard
from memoryadmin.services.trail import TrailRecord
from memoryadmin.web import labels, places
from memoryadmin.web.addresses import with_query
from memoryadmin.web.tags import actor, hidden_marks, number

register = template.Library()

_TABLES: dict[str, labels.Labels] = {
    "action": labels.NAMESPACES,
    "copy": labels.COPIES,
    "cut": labels.CUT_ENDS,
    "finding": labels.FINDINGS,
    "kind": labels.KINDS,
    "limit": labels.LIMITS,
    "line_end": labels.LINE_ENDS,
    "load": labels.LOADS,
    "operation": labels.OPERATIONS,
    "role": labels.ROLES,
    "scope": labels.SCOPE_TYPES,
    "via": labels.VIAS,
}


_SCOPE_ICONS = {
    ScopeType.ORGANIZATION: "shield",
    ScopeType.PROJECT: "project",
    ScopeType.AGENT: "agent",
    ScopeType.PERSON: "person",
    ScopeType.USER: "person",
    ScopeType.AGENT_USER: "person",
    ScopeType.SESSION: "log",
}


@register.filter
def label(code: str, table: str) -> str:
    """Say a code of ours in words: `{{ file.kind.name|label:"kind" }}`."""
    return str(_TABLES[table].get(code, code))


@register.filter
def kept_whole(text: str) -> str:
    """Return `text` for the inside of a text area: a browser drops one line feed there, and this is not the text's."""
    return f"\n{text}"


@register.filter
def quoted(text: str) -> SafeString:
    """Put somebody's words into the quotation marks of the reader's language."""
    return format_html(escape(gettext("“{words}”")), words=hidden_marks(text))


@register.filter
def scope_icon(card: ScopeCard) -> str:
    return _SCOPE_ICONS[card.scope.type]


@register.simple_tag(takes_context=True)
def query_url(context: dict[str, Any], **changes: str | int | None) -> str:
    """Return this page's address with other filters, from the start of the list."""
    places_in_lists = dict.fromkeys(("after", "after_id", "before", "start"))
    return with_query(context["request"], **(places_in_lists | changes))


@register.filter
def scope_title(card: ScopeCard) -> str:
    return places.title_of(card)


@register.filter
def scope_note(card: ScopeCard) -> str:
    return places.note_of(card)


@register.filter
def begin_url(card: ScopeCard) -> str:
    return places.begin_url(card.scope)


@register.simple_tag
def change_of(version: VersionCard) -> str:
    """Say by how much a version is longer or shorter than the one before it."""
    change = version.chars_change
    if not change:
        return gettext("as long as before")
    sign = "+" if change > 0 else "−"
    words = ngettext("%(sign)s%(n)s character", "%(sign)s%(n)s characters", abs(change))
    return words % {"sign": sign, "n": number(abs(change))}


_RECORD_ICONS = {
    "file": "file",
    "project": "project",
    "agent": "agent",
    "member": "people",
    "person": "person",
    "access": "stop",
}


@register.filter
def record_icon(record: TrailRecord) -> str:
    return _RECORD_ICONS.get(record.action.partition(".")[0], "info")


@register.simple_tag
def audit_sentence(record: TrailRecord) -> SafeString:
    """Tell one audit record as a sentence; what the reader may open is a link."""
    who = actor(record.actor_kind, record.actor_id, record.actor_name)
    words = labels.ACTIONS.get(record.action, labels.OTHER_ACTION)
    return format_html(escape(words), who=who, what=_what(record))


def _what(record: TrailRecord) -> SafeString:
    if record.action not in labels.ACTIONS:
        return format_html("<code>{}</code>", record.action)
    if record.object_type == "file":
        if record.file_id is None:
            return format_html("{}", gettext("a memory file"))
        if not record.can_read:
            return format_html("<bdi>{}</bdi>", record.path)
        return _link(reverse("files:detail", args=[record.file_id]), record.path)
    if record.object_type in ("person", "member"):
        name = record.subject_name or gettext("an erased person")
        return _link(reverse("people:detail", args=[record.object_id]), name)
    if record.object_type == "agent":
        return _link(reverse("agents:detail", args=[record.project_id, record.object_id]), record.object_id)
    if record.object_type == "project":
        return _link(reverse("projects:detail", args=[record.object_id]), record.object_id)
    return format_html("<code>{}</code>", record.object_id)


def _link(address: str, text: str) -> SafeString:
    return format_html('<a href="{}"><bdi>{}</bdi></a>', address, text)
