"""Memory text as HTML: parsed, cleaned, and with every character that nobody would see shown as a mark.

The only place in the project that says a string is safe HTML. Raw HTML in a text is shown as text, and what
the parser makes is cleaned by an allow-list all the same. A text that is too large, too deep or too slow is
shown as it is stored, with a notice. Nothing is kept between requests, so redacted text is in no cache.
"""

import re
import threading
import time
from dataclasses import dataclass

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from markdown import Markdown

from memoryadmin.domain.scanning import hidden_marks
from memoryadmin.web.markdown.source import TooDeepError, TooWideError, prepare, split_front_matter
from memoryadmin.web.markdown.tree import LinkOf, Pages, TooSlowError

MAX_CHARS = 300_000
MAX_SECONDS = 0.8

_TAGS = {
    "a", "blockquote", "br", "code", "del", "div", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p",
    "pre", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_BLOCKS = ("blockquote", "h2", "h3", "h4", "h5", "h6", "li", "p", "td", "th")
_ATTRIBUTES: dict[str, set[str]] = {tag: {"dir"} for tag in _BLOCKS} | {
    "a": {"href"},
    "p": {"dir", "class"},
    "div": {"class", "tabindex", "role", "aria-label"},
    "ol": {"start"},
    "span": {"class", "role", "aria-label"},
    "td": {"dir", "align"},
    "th": {"dir", "align"},
} | {f"h{level}": {"dir", "id"} for level in range(2, 7)}  # fmt: skip
# A piece of cleaned HTML: a tag with its quoted attributes, or the text up to the next one.
_PIECE = re.compile(r"""<(?:[^"'>]|"[^"]*"|'[^']*')*>|[^<]+""")


class LostCodeError(Exception):
    """A code block did not find its place, so laying the text out would hide it."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text as safe HTML. When `is_plain`, it is shown as stored, and `notice` says why."""

    html: SafeString
    is_plain: bool = False
    notice: str = ""


def render(text: str, *, link_of: LinkOf | None = None) -> Rendered:
    """Return `text` as HTML whose headings begin at h2.

    `link_of` gives the page of a relative address such as `notes/plan.md`, or "" when it leads nowhere.
    Without it, relative links are shown as text.
    """
    shown = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(shown) > MAX_CHARS:
        return _plain(shown, gettext("This text is too long to be laid out, so it is shown as it is stored."))
    front, body = split_front_matter(shown)
    try:
        made = _parse(body, link_of)
    except (TooDeepError, TooWideError, RecursionError):
        return _plain(shown, gettext("This text is nested too deeply to be laid out, so it is shown as it is stored."))
    except LostCodeError:
        return _plain(shown, gettext("A code block has no place in this layout, so the text is shown as it is stored."))
    except TooSlowError:
        return _plain(shown, gettext("This text would take too long to lay out, so it is shown as it is stored."))
    return Rendered(mark_safe(_front_matter(front) + _marked(_clean(made))))  # noqa: S308 - cleaned just before


def render_plain(text: str) -> SafeString:
    """Return `text` exactly as stored, escaped, with hidden characters marked."""
    return _plain(text, "").html


def _plain(text: str, notice: str) -> Rendered:
    body = f'<pre class="doc__plain" dir="auto">\n{_marked_text(escape(text))}</pre>'
    return Rendered(mark_safe(body), is_plain=True, notice=notice)  # noqa: S308 - escaped just before


class _Parsers(threading.local):
    """One parser for each thread: making one takes longer than reading a short file."""

    def __init__(self) -> None:
        self.pages = Pages()
        self.markdown = Markdown(
            extensions=["tables", "sane_lists", "pymdownx.tasklist", "pymdownx.tilde", self.pages],
            extension_configs={
                "tables": {"use_align_attribute": True},
                "pymdownx.tilde": {"subscript": False},
            },
        )


_parsers = _Parsers()


def _parse(source: str, link_of: LinkOf | None) -> str:
    _parsers.pages.link_of = link_of or (lambda _: "")
    _parsers.pages.deadline_seconds = time.thread_time() + MAX_SECONDS
    _parsers.pages.placed = 0
    prepared, _parsers.pages.codes = prepare(source)
    made = _parsers.markdown.reset().convert(prepared)
    if _parsers.pages.placed != len(_parsers.pages.codes):
        raise LostCodeError
    return made


def _tick(words: str, sign: str) -> str:
    return f'<span class="doc__tick" role="img" aria-label="{escape(words)}">{sign}</span>'


def _clean(made: str) -> str:
    """Return `made` with nothing in it but the tags, attributes and link schemes that a page may show."""
    done, to_do = _tick(gettext("done"), "☑"), _tick(gettext("to do"), "☐")
    made = made.replace('<input type="checkbox" disabled checked/>', done).replace(
        '<input type="checkbox" disabled/>', to_do
    )
    return nh3.clean(
        made,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_allowed,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )


def _allowed(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "href":
        is_ours = value.startswith(("#doc-", "/")) and not value.startswith(("//", "/\\"))
        return value if is_ours or re.match(r"(?:https?://|mailto:)", value, re.IGNORECASE) else None
    return value


def _front_matter(front: str) -> str:
    if not front:
        return ""
    title = escape(gettext("Properties, as stored"))
    return (
        f'<div class="doc__front"><p class="doc__front-title">{title}</p>'
        f'<pre class="doc__front-text" dir="auto">\n{_marked_text(escape(front))}</pre></div>'
    )


def _marked(cleaned: str) -> str:
    """Return `cleaned` HTML with hidden characters in its text, not in its tags, shown as marks."""
    if not any(piece.is_mark for piece in hidden_marks(cleaned)):
        return cleaned
    return "".join(piece if piece.startswith("<") else _marked_text(piece) for piece in _PIECE.findall(cleaned))


def _marked_text(escaped: str) -> str:
    # A byte order mark is honest only where a file begins, and this may be any piece of one.
    pieces = hidden_marks(f" {escaped}")
    return "".join(_mark(piece.text) if piece.is_mark else piece.text for piece in pieces)[1:]


def _mark(name: str) -> str:
    return f'<span class="hidden-mark">{name}</span>'
