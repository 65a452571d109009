"""Template tags and filters, loaded into every template.

Everything here escapes what it is given; the icons are our own names from the sprite.
"""

from datetime import datetime

from django import template
from django.template.defaultfilters import filesizeformat
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memoryadmin.domain.actors import ActorKind
from memoryadmin.domain.scanning import hidden_marks as marked_pieces

register = template.Library()

_ACTOR_ICONS = {
    ActorKind.PERSON: ("person", _("Person: ")),
    ActorKind.RUNTIME: ("agent", _("Agent: ")),
    ActorKind.DREAM: ("dream", _("Dream: ")),
    ActorKind.SYSTEM: ("settings", _("System: ")),
}
# What the system's own parts are called; an unknown part is shown by its id.
_SYSTEM_NAMES = {"import": _("import"), "demo": _("demo"), "system": _("system")}
NEAR_SHARE = 0.8


@register.simple_tag
def icon(name: str, extra: str = "") -> SafeString:
    """Draw a sign of the sprite. It is decoration: the word beside it carries the meaning."""
    classes = f"icon {extra}".strip()
    return format_html(
        '<svg class="{}" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        classes,
        static("img/icons.svg"),
        name,
    )


@register.simple_tag
def actor(kind: str, actor_id: str, name: str = "") -> SafeString:
    """Say who acted: icon and hidden word tell the kind, the name follows; an erased person has none."""
    sign, word = _ACTOR_ICONS.get(ActorKind(kind), _ACTOR_ICONS[ActorKind.SYSTEM])
    shown = name or _nameless(ActorKind(kind), actor_id)
    return format_html(
        '<span class="actor">{}<span class="hidden-text">{}</span><bdi>{}</bdi></span>',
        icon(sign),
        word,
        shown,
    )


def _nameless(kind: ActorKind, actor_id: str) -> str:
    if kind is ActorKind.PERSON:
        return gettext("an erased person")
    return str(_SYSTEM_NAMES.get(actor_id, actor_id))


@register.inclusion_tag("components/_meter.html")
def meter(used: int, limit: int | None, state: str = "") -> dict[str, object]:
    """Draw how full something is, in characters, beside its words; without a limit only the number.

    `state` (fine, near, over) is for what has other limits too; without it the characters alone tell.
    """
    if not limit:
        return {"used": used, "limit": None, "state": "fine"}
    share = 100 * min(used, limit) / max(used, limit)
    state = state or ("over" if used > limit else "near" if used >= NEAR_SHARE * limit else "fine")
    return {
        "used": used,
        "limit": limit,
        "state": state,
        "over": max(0, used - limit),
        # SVG numbers take a point in every language, so they are made here and not by the template.
        "fill": f"{share:.1f}",
    }


@register.inclusion_tag("components/_counter.html")
def counter(area_id: str, text: str, limit: int | None) -> dict[str, object]:
    """Count what stands in the text area `area_id`, of `limit` characters; app.js keeps it up while typing."""
    used = len(text)
    page: dict[str, object] = {"area_id": area_id, "limit": limit, "is_over": bool(limit) and used > (limit or 0)}
    fill = f"{100 * min(used, limit) / limit:.1f}" if limit else "0"
    return page | {"used": format_html("<span data-used>{}</span>", number(used)), "fill": fill}


@register.simple_tag
def when(moment: datetime) -> SafeString:
    """Tell a moment in local time; the machine-readable form and the zone go with it."""
    local = timezone.localtime(moment)
    days = (timezone.localdate() - local.date()).days
    time = date_format(local, "H:i")
    if days == 0:
        words = gettext("today %(time)s") % {"time": time}
    elif days == 1:
        words = gettext("yesterday %(time)s") % {"time": time}
    else:
        words = date_format(local, "j E, H:i" if local.year == timezone.localdate().year else "j E Y, H:i")
    exact = f"{date_format(local, 'j E Y, H:i:s')} {timezone.get_current_timezone_name()}"
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(timespec="seconds"), exact, words)


@register.filter
def number(value: int) -> str:
    """Write a whole number the way the reader's language groups it."""
    return number_format(value, decimal_pos=0, use_l10n=True, force_grouping=True)


@register.filter
def size(value: int) -> str:
    """Write a number of bytes in a readable unit."""
    return filesizeformat(value)


@register.filter
def hidden_marks(text: str) -> SafeString:
    """Escape `text` and put a visible mark where it holds a character that nobody would see."""
    return format_html_join(
        "",
        "{}{}{}",
        (
            (SafeString('<span class="hidden-mark">'), piece.text, SafeString("</span>"))
            if piece.is_mark
            else ("", piece.text, "")
            for piece in marked_pieces(text)
        ),
    )
